import { serve } from "../../base/rpc.ts"
import { openSqlite } from "../database.ts"
import type { DiskFault } from "../upkeep/disk-fault.ts"
import { GroupWriter } from "./group-writer.ts"
import { serveWriter, type WriterPort } from "./writer-port.ts"

/** The writer's thread. */
export interface WriterThread extends WriterPort {
  /** Lasts until it is closed. */
  open(path: string, onFault: (fault: DiskFault) => void): Promise<void>
  /** Serves another thread, too. */
  serve(port: MessagePort): void
  /** Resolves when all changes asked for before are on disk and the database is closed. */
  close(): Promise<void>
}

declare const self: Worker

const closed = Promise.withResolvers<void>()
let writer: GroupWriter

serve<WriterThread>(self, {
  open(path, onFault) {
    writer = new GroupWriter(openSqlite(path, "write"), onFault)
    return closed.promise
  },
  serve: (port) => serveWriter(writer, port),
  write: (verb, args) => writer.write(verb, args as never),
  async close() {
    await writer.close()
    closed.resolve()
  },
})
