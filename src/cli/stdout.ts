import { write } from "node:fs"
import { Writable } from "node:stream"
import { promisify } from "node:util"

const writeSome = promisify(write) as (
  fd: number,
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: null,
) => Promise<{ bytesWritten: number }>

const stdout = 1
/** Before a full pipe that does not make its writer wait is tried again. */
const fullPipeMs = 5

/**
 * Writes to the standard output, and resolves when all of it has been taken: a pipe takes what it
 * has room for, and what it took must not be sent again. @throws EPIPE where nobody reads any more
 */
export async function pdfOfPage(text: string | Uint8Array): Promise<void> {
  const bytes = typeof text === "string" ? Buffer.from(text) : text
  let sent = 0
  while (sent < bytes.length) {
    try {
      sent += (await writeSome(stdout, bytes, sent, bytes.length - sent, null)).bytesWritten
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === "EPIPE") throw error
      if (code !== "EAGAIN") throw new Error(`The output cannot be written: ${message}.`)
      await Bun.sleep(fullPipeMs)
    }
  }
}

/** Whoever read has seen enough, as `head` does. */
export function readerIsGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EPIPE"
}

/** The standard output as a stream, for what can only write to one. */
export function stdoutStream(): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      pdfOfPage(chunk).then(() => done(), done)
    },
  })
}
