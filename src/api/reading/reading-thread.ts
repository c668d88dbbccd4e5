import { serve, transfer } from "../../base/rpc.ts"
import { goSecond } from "../../base/thread-priority.ts"
import { openReading } from "../../store/db/database.ts"
import { LocalReader, type Reading } from "./reader.ts"
import type { Requested } from "./responses.ts"

/** The thread that produces long responses, identified by the caller's numbers. */
export interface ReadingThread {
  /** @param database Path or URL. */
  open(database: string): void
  read(number: number, requested: Requested): void
  /** The next chunk; undefined at the end. */
  next(number: number): Promise<Uint8Array<ArrayBuffer> | undefined>
  cancel(number: number): void
}

declare const self: Worker

const readings = new Map<number, Reading>()
let reader: LocalReader

serve<ReadingThread>(self, {
  open(database) {
    goSecond()
    reader = new LocalReader(openReading(database))
  },
  read: (number, requested) => void readings.set(number, reader.read(requested)),
  async next(number) {
    let chunk: Uint8Array<ArrayBuffer> | undefined
    try {
      chunk = await readings.get(number)?.next()
    } finally {
      if (!chunk) readings.delete(number)
    }
    return chunk && transfer(chunk, [chunk.buffer])
  },
  cancel(number) {
    readings.get(number)?.cancel()
    readings.delete(number)
  },
})
