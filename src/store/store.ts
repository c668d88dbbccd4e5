import type { CommandArguments, CommandResult, WriteCommand } from "./commands/commands.ts"
import { type Db, openReading, openSqlite } from "./database.ts"
import { isPostgresUrl } from "./postgres/client.ts"
import { databasePath } from "./upkeep/data-folder.ts"
import type { DiskError } from "./upkeep/disk-error.ts"
import { openAnswering, preparePostgres } from "./upkeep/postgres-prepare.ts"
import { type Prepared, prepareDatabase } from "./upkeep/prepare.ts"
import type { SecretBox } from "./upkeep/secret-box.ts"
import { GroupWriter, type Writer } from "./writer/group-writer.ts"
import { PostgresWriter } from "./writer/postgres-writer.ts"
import { ThreadWriter } from "./writer/thread-writer.ts"
import { WriterWatch } from "./writer/watch.ts"
import { serveWriter } from "./writer/writer-port.ts"

export { databasePath }

/**
 * The store as one thread uses it: `db` reads from a connection of its own and never waits for the
 * writer; `write` has a change made, and resolves when it is on disk.
 */
export class Store {
  constructor(
    readonly db: Db,
    protected readonly writer: Writer,
  ) {}

  /** Called with each change that this thread requests. */
  onWrite?: (command: string, change: Promise<unknown>) => void

  write<V extends WriteCommand>(command: V, args: CommandArguments<V>): Promise<CommandResult<V>> {
    const change = this.writer.write(command, args)
    this.onWrite?.(command, change)
    return change
  }

  async close(): Promise<void> {
    await this.db.destroy()
    await this.writer.close()
  }
}

/** The store as a worker's thread is given it: its own reading connection, a port to the writer. */
export function connectStore(database: string, writer: Writer): Store {
  return new Store(openReading(database, true), writer)
}

/** The store as the thread that opened it has it. */
export class OwnStore extends Store {
  /** Decrypts secrets in the database. */
  readonly secrets: SecretBox
  /** What the operator should know. */
  readonly warnings: readonly string[]
  /** Why a part of the database could not be read; undefined if every read has succeeded. */
  damage?: string

  /** @param database The path of a SQLite, or the address of a PostgreSQL. */
  constructor(
    readonly database: string,
    db: Db,
    writer: Writer,
    { secrets, warnings }: Prepared,
  ) {
    super(db, writer)
    this.secrets = secrets
    this.warnings = warnings
  }

  /** Whether other processes may use the same database at the same time. */
  get isShared(): boolean {
    return isPostgresUrl(this.database)
  }

  /**
   * Returns the number of changes that this process has committed; a number that stays means that nothing
   * changed. Undefined if several processes change the database.
   */
  get changes(): number | undefined {
    return this.writer.changes
  }

  /** A port to the writer, for another thread. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    serveWriter(this.writer, port1)
    return port2
  }

  /** Why the disk keeps changes from being made at present; undefined when it does not. */
  get issue(): DiskError | undefined {
    return undefined
  }
}

/** A store whose changes are made in a thread of their own: the server. */
export class ThreadedStore extends OwnStore {
  private watching?: WriterWatch

  constructor(
    database: string,
    db: Db,
    private readonly thread: ThreadWriter,
    prepared: Prepared,
  ) {
    super(database, db, thread, prepared)
  }

  /** Reports once when changes fail because of the disk, and once when that ends. */
  watch(report: (level: "error" | "info", message: string) => void): void {
    const watch = new WriterWatch({ probe: () => this.write("store.probe", null), report })
    this.thread.onIssue = (issue) => watch.failed(issue)
    this.watching = watch
  }

  override get issue(): DiskError | undefined {
    return this.watching?.issue
  }

  override async close(): Promise<void> {
    this.watching?.stop()
    await super.close()
  }

  override connect(): MessagePort {
    return this.thread.connect()
  }
}

/** Where a store is: what the settings say. */
export interface StoreLocation {
  dataDir: string
  /** A PostgreSQL database, instead of the SQLite database in the data folder. */
  databaseUrl?: string | undefined
}

/** @throws DataRefused */
export function openThreadedStore(dataDir: string): ThreadedStore {
  const prepared = prepareDatabase(dataDir, true)
  const path = databasePath(dataDir)
  return new ThreadedStore(path, openReading(path), new ThreadWriter(path), prepared)
}

/** The same, wherever the store is. @throws DataRefused */
export async function openServedStore({
  dataDir,
  databaseUrl: url,
}: StoreLocation): Promise<ThreadedStore> {
  if (!url) return openThreadedStore(dataDir)
  const prepared = await preparePostgres(dataDir, url)
  return new ThreadedStore(url, await openAnswering(url), new ThreadWriter(url), prepared)
}

/** A store whose changes are made in this very thread: the command line, tests. @throws DataRefused */
export function openStore(dataDir: string): OwnStore {
  const prepared = prepareDatabase(dataDir)
  const path = databasePath(dataDir)
  const writer = new GroupWriter(openSqlite(path, "write"))
  return new OwnStore(path, openReading(path), writer, prepared)
}

/** The same, wherever the store is. @throws DataRefused */
export async function openStoreAt({ dataDir, databaseUrl: url }: StoreLocation): Promise<OwnStore> {
  if (!url) return openStore(dataDir)
  const prepared = await preparePostgres(dataDir, url)
  return new OwnStore(url, await openAnswering(url), new PostgresWriter(url), prepared)
}
