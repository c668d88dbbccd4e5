import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Db, kyselyOver, openSqlite } from "./database.ts"
import { GroupWriter, type Writer } from "./group-writer.ts"
import { migrate } from "./migrate.ts"
import { ThreadWriter } from "./thread-writer.ts"
import type { VerbArguments, VerbResult, WriteVerb } from "./verbs.ts"

export function databasePath(dataDir: string): string {
  return join(dataDir, "trawl.db")
}

/**
 * The store as one thread uses it: `db` reads from a connection of its own and never waits for the
 * writer; `write` has a change made, and resolves when it is on disk.
 */
export class Store {
  constructor(
    readonly db: Db,
    private readonly writer: Writer,
  ) {}

  write<V extends WriteVerb>(verb: V, args: VerbArguments<V>): Promise<VerbResult<V>> {
    return this.writer.write(verb, args)
  }

  async close(): Promise<void> {
    await this.db.destroy()
    await this.writer.close()
  }
}

/** Creates or upgrades the database of a data folder. */
export function prepareDatabase(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  const sqlite = openSqlite(databasePath(dataDir), "write")
  migrate(sqlite)
  sqlite.close()
}

/** The store as another thread is given it: its own reading connection, a port to the writer. */
export function connectStore(dataDir: string, writer: Writer): Store {
  return new Store(kyselyOver(openSqlite(databasePath(dataDir), "read")), writer)
}

/** A store whose changes are made in a thread of their own: the server. */
export class ThreadedStore extends Store {
  constructor(
    db: Db,
    private readonly thread: ThreadWriter,
  ) {
    super(db, thread)
  }

  /** A port to the writer, for another thread. */
  connect(): MessagePort {
    return this.thread.connect()
  }
}

export function openThreadedStore(dataDir: string): ThreadedStore {
  prepareDatabase(dataDir)
  const path = databasePath(dataDir)
  return new ThreadedStore(kyselyOver(openSqlite(path, "read")), new ThreadWriter(path))
}

/** A store whose changes are made in this very thread: the command line, tests. */
export function openStore(dataDir: string): Store {
  prepareDatabase(dataDir)
  const path = databasePath(dataDir)
  const writer = new GroupWriter(openSqlite(path, "write"))
  return new Store(kyselyOver(openSqlite(path, "read")), writer)
}
