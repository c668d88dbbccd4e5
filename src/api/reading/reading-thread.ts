import { kyselyOver, openSqlite } from "../../store/database.ts"
import { goSecond } from "../../store/writer/thread-priority.ts"
import type { Asked } from "./answers.ts"
import { LocalReader, type Reading } from "./reader.ts"

declare const self: Worker

/** What the main thread asks of this one. */
export type ReadingCommand =
  | { type: "open"; path: string }
  | { type: "read"; id: number; asked: Asked }
  | { type: "next"; id: number }
  | { type: "cancel"; id: number }

/** Without a chunk and an error, the answer has ended. */
export interface ReadingReport {
  id: number
  chunk?: Uint8Array<ArrayBuffer>
  /** What it says, and SQLite's code for it. */
  error?: { message: string; code?: string }
}

const readings = new Map<number, Reading>()
let reader: LocalReader | undefined

self.onmessage = ({ data }: MessageEvent<ReadingCommand>) => {
  if (data.type === "open") {
    goSecond()
    reader = new LocalReader(kyselyOver(openSqlite(data.path, "read")))
  } else if (data.type === "read") {
    readings.set(data.id, reader!.read(data.asked))
  } else if (data.type === "cancel") {
    readings.get(data.id)?.cancel()
    readings.delete(data.id)
  } else void answer(data.id)
}

async function answer(id: number): Promise<void> {
  const report = await next(id)
  if (!report.chunk) readings.delete(id)
  self.postMessage(report, report.chunk ? [report.chunk.buffer] : [])
}

async function next(id: number): Promise<ReadingReport> {
  try {
    const chunk = await readings.get(id)?.next()
    return chunk ? { id, chunk } : { id }
  } catch (error) {
    const { message = String(error), code } = error as Partial<Error> & { code?: string }
    return { id, error: { message, ...(code !== undefined && { code }) } }
  }
}
