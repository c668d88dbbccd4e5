import { type Db, kyselyOver, openSqlite } from "./database.ts"
import { databasePath } from "./upkeep/data-folder.ts"
import type { DiskFault } from "./upkeep/disk-fault.ts"
import { type Prepared, prepareDatabase } from "./upkeep/prepare.ts"
import type { Seal } from "./upkeep/seal.ts"
import type { VerbArguments, VerbResult, WriteVerb } from "./verbs/verbs.ts"
import { GroupWriter, type Writer } from "./writer/group-writer.ts"
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

  write<V extends WriteVerb>(verb: V, args: VerbArguments<V>): Promise<VerbResult<V>> {
    return this.writer.write(verb, args)
  }

  async close(): Promise<void> {
    await this.db.destroy()
    await this.writer.close()
  }
}

/** The store as another thread is given it: its own reading connection, a port to the writer. */
export function connectStore(dataDir: string, writer: Writer): Store {
  return new Store(kyselyOver(openSqlite(databasePath(dataDir), "read")), writer)
}

/** The store as the thread that opened the data folder has it. */
export class OwnStore extends Store {
  /** Opens what the database holds sealed. */
  readonly seal: Seal
  /** What the operator should know. */
  readonly warnings: readonly string[]

  constructor(db: Db, writer: Writer, { seal, warnings }: Prepared) {
    super(db, writer)
    this.seal = seal
    this.warnings = warnings
  }

  /** A port to the writer, for another thread. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    serveWriter(this.writer, port1)
    return port2
  }

  /** Why the disk keeps changes from being made at present; undefined when it does not. */
  get fault(): DiskFault | undefined {
    return undefined
  }
}

/** A store whose changes are made in a thread of their own: the server. */
export class ThreadedStore extends OwnStore {
  private watching?: WriterWatch

  constructor(
    db: Db,
    private readonly thread: ThreadWriter,
    prepared: Prepared,
  ) {
    super(db, thread, prepared)
  }

  /** Has the operator told, once each, when changes fail because of the disk, and when that ends. */
  watch(tell: (level: "error" | "info", message: string) => void): void {
    const watch = new WriterWatch({ probe: () => this.write("store.probe", null), tell })
    this.thread.onFault = (fault) => watch.failed(fault)
    this.watching = watch
  }

  override get fault(): DiskFault | undefined {
    return this.watching?.fault
  }

  override async close(): Promise<void> {
    this.watching?.stop()
    await super.close()
  }

  override connect(): MessagePort {
    return this.thread.connect()
  }
}

/** @throws DataRefused */
export function openThreadedStore(dataDir: string): ThreadedStore {
  const prepared = prepareDatabase(dataDir, true)
  const path = databasePath(dataDir)
  return new ThreadedStore(kyselyOver(openSqlite(path, "read")), new ThreadWriter(path), prepared)
}

/** A store whose changes are made in this very thread: the command line, tests. @throws DataRefused */
export function openStore(dataDir: string): OwnStore {
  const prepared = prepareDatabase(dataDir)
  const path = databasePath(dataDir)
  const writer = new GroupWriter(openSqlite(path, "write"))
  return new OwnStore(kyselyOver(openSqlite(path, "read")), writer, prepared)
}
