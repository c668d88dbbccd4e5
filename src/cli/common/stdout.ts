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
/** Delay before a full non-blocking pipe is tried again, in milliseconds. */
const fullPipeMs = 5

/**
 * Writes to the standard output, and resolves when everything is written. A full pipe accepts only a part,
 * and the rest is tried again. @throws EPIPE if the reader has closed the pipe
 */
export async function writeStdout(text: string | Uint8Array): Promise<void> {
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

/** Returns whether the reader has closed the pipe, for example `head`. */
export function readerIsGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EPIPE"
}

/** The standard output as a stream, for what can only write to one. */
export function stdoutStream(): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      writeStdout(chunk).then(() => done(), done)
    },
  })
}
