import { write } from "node:fs"

/** Maximum bytes that wait for the reader of the log; further lines are dropped. */
const maxHeld = 1024 * 1024
/** Milliseconds before the next attempt after a full pipe. */
const againMs = 100

export type WriteSome = (
  bytes: Uint8Array,
  done: (error: Error | null, count: number) => void,
) => void

const toStderr: WriteSome = (bytes, done) =>
  write(2, bytes, 0, bytes.length, null, (error, count) => done(error, count))

/**
 * Writes lines without waiting for a slow reader: lines that exceed the buffer are dropped, and their
 * count is logged once there is space again.
 */
export class LogPipe {
  private held: Uint8Array[] = []
  private heldBytes = 0
  private dropped = 0
  private writing = false
  private broken = false
  private onEmpty: (() => void)[] = []

  private readonly writeSome: WriteSome
  private readonly max: number
  private readonly words: (line: string) => string

  constructor(
    settings: {
      writeSome?: WriteSome
      /** Maximum bytes that wait. */
      max?: number
      /** Formats a line of JSON as plain text. Default: no change. */
      words?: (line: string) => string
    } = {},
  ) {
    this.writeSome = settings.writeSome ?? toStderr
    this.max = settings.max ?? maxHeld
    this.words = settings.words ?? ((line) => line)
  }

  /** @param count Number of lines in the text. */
  write(text: string, count: number): void {
    if (this.broken) return
    const bytes = Buffer.from(text)
    if (this.heldBytes + bytes.length > this.max) {
      this.dropped += count
      return
    }
    this.hold(bytes)
    if (!this.writing) this.next()
  }

  private hold(bytes: Uint8Array): void {
    this.held.push(bytes)
    this.heldBytes += bytes.length
  }

  /** One write at a time, so that lines stay whole and in order. */
  private next(): void {
    if (this.dropped > 0 && this.heldBytes < this.max / 2) {
      this.hold(Buffer.from(this.words(droppedLine(this.dropped))))
      this.dropped = 0
    }
    const bytes = this.held[0]
    this.writing = bytes !== undefined
    if (!bytes) {
      for (const resolve of this.onEmpty.splice(0)) resolve()
      return
    }
    this.writeSome(bytes, (error, count) => this.wrote(bytes, error, count))
  }

  private wrote(bytes: Uint8Array, error: Error | null, count: number): void {
    if (!error) {
      this.heldBytes -= count
      if (count < bytes.length) this.held[0] = bytes.subarray(count)
      else this.held.shift()
      this.next()
    } else if ((error as NodeJS.ErrnoException).code === "EAGAIN") {
      setTimeout(() => this.next(), againMs).unref()
    } else {
      // The reader has closed the pipe: the service continues without a log.
      this.broken = true
      this.held = []
      this.next()
    }
  }

  /** Resolves when everything is written, or after this time. */
  async flushed(milliseconds: number): Promise<void> {
    if (!this.writing) return
    const empty = new Promise<void>((resolve) => this.onEmpty.push(resolve))
    await Promise.race([empty, Bun.sleep(milliseconds)])
  }
}

function droppedLine(count: number): string {
  const time = new Date().toISOString()
  const msg = `${count} log lines were dropped, because the reader of the log is too slow`
  return `${JSON.stringify({ level: "warn", time, dropped: count, msg })}\n`
}
