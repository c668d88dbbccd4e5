import type { CommandArguments, CommandResult, WriteCommand } from "./commands/commands.ts"
import { type Db, isPostgres, openReading, openSqlite } from "./db/database.ts"
import { type DiskError, diskIssue } from "./db/disk/disk-error.ts"
import { databasePath } from "./upkeep/data-folder.ts"
import { openForCalls, preparePostgres } from "./upkeep/postgres-prepare.ts"
import { type Prepared, prepareDatabase } from "./upkeep/prepare.ts"
import type { SecretBox } from "./upkeep/secret-box.ts"
import { GroupWriter, type Writer } from "./writer/group-writer.ts"
import { PostgresWriter } from "./writer/postgres-writer.ts"
import { ThreadWriter } from "./writer/thread-writer.ts"
import { WriterWatch } from "./writer/watch.ts"
import { serveWriter } from "./writer/writer-port.ts"

export { databasePath }

/**
 * The store of one thread. `db` reads from its own connection and never waits for the writer;
 * `write` resolves when the change is on disk.
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

  /**
   * Returns the number of changes that this process has committed; a number that stays means that nothing
   * changed. Undefined if several processes change the database.
   */
  get changes(): number | undefined {
    return this.writer.changes
  }

  /**
   * Whether the operator has been notified of this failure of the disk, so that work in the background does
   * not report it again.
   */
  hasReported(_error: unknown): boolean {
    return false
  }

  /** Whether other processes may use the same database at the same time. */
  get isShared(): boolean {
    return isPostgres(this.db)
  }

  async close(): Promise<void> {
    await this.db.destroy()
    await this.writer.close()
  }
}

/**
 * Opens the store in a worker's thread: with its own reading connection and a port to the writer.
 */
export function connectStore(database: string, writer: Writer): Store {
  return new Store(openReading(database, true), writer)
}

/** The store in the thread that opened it. */
export class OwnStore extends Store {
  /** Decrypts secrets in the database. */
  readonly secrets: SecretBox
  /** Warnings for the operator. */
  readonly warnings: readonly string[]
  /** Why a part of the database could not be read; undefined if every read has succeeded. */
  damage?: string

  /** @param database The path of a SQLite database, or the URL of a PostgreSQL database. */
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

  /** Returns a port to the writer for another thread. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    serveWriter(this.writer, port1)
    return port2
  }

  /** Reason why changes cannot be written at present; undefined if they can. */
  get issue(): DiskError | undefined {
    return undefined
  }
}

/** A store with a separate writer thread, for the server. */
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

  override hasReported(error: unknown): boolean {
    return this.issue !== undefined && diskIssue(error) !== undefined
  }

  override async close(): Promise<void> {
    this.watching?.stop()
    await super.close()
  }

  override connect(): MessagePort {
    return this.thread.connect()
  }
}

/** Location of a store by the settings. */
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

/** Opens the server's store in SQLite or PostgreSQL. @throws DataRefused */
export async function openServedStore({
  dataDir,
  databaseUrl: url,
}: StoreLocation): Promise<ThreadedStore> {
  if (!url) return openThreadedStore(dataDir)
  const prepared = await preparePostgres(dataDir, url)
  return new ThreadedStore(url, await openForCalls(url), new ThreadWriter(url), prepared)
}

/**
 * Opens a SQLite store that writes in the caller's thread, for the command line and tests. @throws
 * DataRefused
 */
export function openStore(dataDir: string): OwnStore {
  const prepared = prepareDatabase(dataDir)
  const path = databasePath(dataDir)
  const writer = new GroupWriter(openSqlite(path, "write"))
  return new OwnStore(path, openReading(path), writer, prepared)
}

/**
 * Opens a store that writes in the caller's thread, in SQLite or PostgreSQL. @throws DataRefused
 */
export async function openStoreAt({ dataDir, databaseUrl: url }: StoreLocation): Promise<OwnStore> {
  if (!url) return openStore(dataDir)
  const prepared = await preparePostgres(dataDir, url)
  return new OwnStore(url, await openForCalls(url), new PostgresWriter(url), prepared)
}
