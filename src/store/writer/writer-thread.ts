import { serve } from "../../base/rpc.ts"
import { openSqlite } from "../db/database.ts"
import type { DiskError } from "../db/disk/disk-error.ts"
import { isPostgresUrl } from "../db/postgres/client.ts"
import { GroupWriter, type Writer } from "./group-writer.ts"
import { PostgresWriter } from "./postgres-writer.ts"
import { makePosted, serveWriter, type WriterPort } from "./writer-port.ts"

/** The writer's thread. */
export interface WriterThread extends WriterPort {
  /** Resolves when the database is closed. */
  open(database: string, commits: Int32Array, onIssue: (issue: DiskError) => void): Promise<void>
  /** Also executes the changes of another thread. */
  serve(port: MessagePort): void
  /** Resolves when all earlier changes are on disk and the database is closed. */
  close(): Promise<void>
}

declare const self: Worker

const closed = Promise.withResolvers<void>()
let writer: Writer

serve<WriterThread>(self, {
  open(database, commits, onIssue) {
    writer = isPostgresUrl(database)
      ? new PostgresWriter(database, onIssue)
      : new GroupWriter(openSqlite(database, "write"), onIssue, commits)
    return closed.promise
  },
  serve: (port) => serveWriter(writer, port),
  write: (command, args) => makePosted(writer, command, args),
  async close() {
    await writer.close()
    closed.resolve()
  },
})
