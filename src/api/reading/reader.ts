import type { Db } from "../../store/db/database.ts"
import { inChunks } from "./chunks.ts"
import { partsOf, type Requested } from "./responses.ts"

/** A response that is produced while it is sent, chunk by chunk. */
export interface Reading {
  /** The next chunk; undefined at the end. */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Called when the client needs no more. */
  cancel(): void
}

/** Produces long responses: in this thread (LocalReader) or in another one (ThreadReader). */
export interface Reader {
  read(requested: Requested): Reading
  stop(): void
}

/** Yields before each chunk. For tests and the command line. */
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
