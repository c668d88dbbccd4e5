import type { Db } from "../../store/database.ts"
import { partsOf, type Requested } from "./answers.ts"
import { inChunks } from "./chunks.ts"

/** An answer that is made while it is sent, chunk by chunk as its reader has room. */
export interface Reading {
  /** The next chunk; undefined at the end. */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** The client needs no more. */
  cancel(): void
}

/** Makes long answers: in this thread (LocalReader) or in one of its own (ThreadReader). */
export interface Reader {
  read(requested: Requested): Reading
  stop(): void
}

/** Gives up the thread's turn before each chunk: for tests and the command line. */
export class LocalReader implements Reader {
  private readonly encoder = new TextEncoder()

  constructor(private readonly db: Db) {}

  read(requested: Requested): Reading {
    const left = new AbortController()
    const chunks = inChunks(partsOf(this.db, requested, left.signal))
    return {
      next: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        const { value, done } = await chunks.next()
        if (done) return undefined
        return typeof value === "string" ? this.encoder.encode(value) : value
      },
      cancel: () => {
        left.abort()
        chunks.return(undefined).catch(() => undefined)
      },
    }
  }

  stop(): void {}
}
