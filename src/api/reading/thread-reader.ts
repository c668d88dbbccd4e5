import { threadUrl } from "../../thread-url.ts"
import type { Asked } from "./answers.ts"
import type { Reader, Reading } from "./reader.ts"
import type { ReadingCommand, ReadingReport } from "./reading-thread.ts"

interface Waiting {
  resolve(chunk: Uint8Array<ArrayBuffer> | undefined): void
  reject(error: Error): void
}

/**
 * Makes long answers in a thread of its own, with its own connection: while the store is read and
 * items become CSV, this thread answers others. Started at the first answer.
 */
export class ThreadReader implements Reader {
  private thread?: Worker
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0

  /** @param path Of the database. */
  constructor(private readonly path: string) {}

  read(asked: Asked): Reading {
    const thread = this.start()
    const id = ++this.lastId
    this.command(thread, { type: "read", id, asked })
    return {
      next: () =>
        new Promise((resolve, reject) => {
          if (thread !== this.thread) return reject(new Error("The thread that reads has ended."))
          this.waiting.set(id, { resolve, reject })
          this.command(thread, { type: "next", id })
        }),
      cancel: () => {
        if (thread === this.thread) this.command(thread, { type: "cancel", id })
      },
    }
  }

  private start(): Worker {
    if (this.thread) return this.thread
    const thread = new Worker(threadUrl("api/reading/reading-thread.ts"), { smol: true })
    thread.onmessage = ({ data }: MessageEvent<ReadingReport>) => this.receive(data)
    thread.addEventListener("error", (event) => this.ended(thread, event.message))
    thread.addEventListener("close", () => this.ended(thread, "it was closed"))
    this.command(thread, { type: "open", path: this.path })
    this.thread = thread
    return thread
  }

  private command(thread: Worker, command: ReadingCommand): void {
    thread.postMessage(command)
  }

  private receive({ id, chunk, error }: ReadingReport): void {
    const waiting = this.waiting.get(id)
    this.waiting.delete(id)
    if (error === undefined) waiting?.resolve(chunk)
    else waiting?.reject(Object.assign(new Error(error.message), { code: error.code }))
  }

  /** What was under way fails; the next answer has a new thread. */
  private ended(thread: Worker, reason: string): void {
    if (thread !== this.thread) return
    this.thread = undefined
    thread.terminate()
    const error = new Error(`The thread that reads ended: ${reason}`)
    for (const { reject } of this.waiting.values()) reject(error)
    this.waiting.clear()
  }

  stop(): void {
    if (this.thread) this.ended(this.thread, "the service stops")
  }
}
