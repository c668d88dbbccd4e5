import { openSqlite } from "../database.ts"
import type { DiskFault } from "../upkeep/disk-fault.ts"
import { GroupWriter } from "./group-writer.ts"
import { type Port, serveWriter } from "./protocol.ts"

declare const self: Worker

/** What the thread that started this one asks of it. */
export type WriterCommand =
  | { type: "open"; path: string; port: MessagePort }
  | { type: "connect"; port: MessagePort }
  | { type: "close" }

/** What it tells that thread. */
export type WriterNews = { type: "fault"; fault: DiskFault } | { type: "closed" }

const tell = (news: WriterNews) => self.postMessage(news)
let writer: GroupWriter | undefined

self.onmessage = async ({ data }: MessageEvent<WriterCommand>) => {
  if (data.type === "open") {
    writer = new GroupWriter(openSqlite(data.path, "write"), (fault) =>
      tell({ type: "fault", fault }),
    )
    serveWriter(writer, data.port as unknown as Port)
  } else if (data.type === "connect") {
    serveWriter(writer!, data.port as unknown as Port)
  } else {
    await writer?.close()
    tell({ type: "closed" })
  }
}
