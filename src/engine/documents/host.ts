import { serve, transfer } from "../../base/rpc.ts"
import { Semaphore } from "../../base/semaphore.ts"
import { startThread, type Thread } from "../../base/thread.ts"
import { Aborted } from "../../catalogue/kit/index.ts"
import type { DocumentSource } from "../../extract/documents/index.ts"
import { threadUrl } from "../../thread-url.ts"
import type { DocumentThread } from "./document-thread.ts"
import type { DocumentReader, ReadPage } from "./reader.ts"

export interface DocumentLimits {
  /** For one document; by the clock, for a thread in a loop reports nothing. */
  milliseconds: number
  /** By how much the process may grow while one is read. */
  memory: number
  /** A thread without work is ended after this time, and its memory with it. */
  idleMs: number
}

export const documentLimits: DocumentLimits = {
  milliseconds: 60_000,
  memory: 1024 * 1024 * 1024,
  idleMs: 60_000,
}

const threadsAtOnce = 2
const lookMs = 100

/** Reads documents in threads of its own, started when they are wanted, and ended where they exceed. */
export class DocumentHost implements DocumentReader {
  private readonly turns = new Semaphore(threadsAtOnce)
  private readonly idle: Thread<DocumentThread>[] = []
  private readonly busy = new Set<Thread<DocumentThread>>()
  private readonly stopping = new AbortController()
  private ending?: ReturnType<typeof setTimeout>

  constructor(private readonly limits = documentLimits) {}

  /** Serves a worker at its end of a channel. */
  serve(port: MessagePort): () => void {
    return serve<DocumentReader>(port, {
      read: async (source, signal) => {
        const page = await this.read(source, signal)
        return transfer(page, [page.html.buffer])
      },
    })
  }

  /** @throws Aborted when the host is stopped meanwhile */
  async read(source: DocumentSource, asked: AbortSignal): Promise<ReadPage> {
    const signal = AbortSignal.any([asked, this.stopping.signal])
    const release = await this.turns.take(signal)
    clearTimeout(this.ending)
    const thread = this.idle.pop() ?? this.start()
    this.busy.add(thread)
    try {
      return await this.watched(thread, source, signal)
    } finally {
      if (this.busy.delete(thread)) this.idle.push(thread)
      release()
      this.endWhenIdle()
    }
  }

  private start(): Thread<DocumentThread> {
    const thread = startThread<DocumentThread>(threadUrl("engine/documents/document-thread.ts"), {
      onFailure: () => this.forget(thread),
    })
    return thread
  }

  private forget(thread: Thread<DocumentThread>): void {
    this.busy.delete(thread)
    const at = this.idle.indexOf(thread)
    if (at >= 0) this.idle.splice(at, 1)
  }

  /** A document that takes too much is ended with its thread, which would not heed a signal. */
  private watched(
    thread: Thread<DocumentThread>,
    source: DocumentSource,
    signal: AbortSignal,
  ): Promise<ReadPage> {
    const { milliseconds, memory } = this.limits
    const before = process.memoryUsage.rss()
    const { promise, resolve, reject } = Promise.withResolvers<ReadPage>()
    const stop = (error: unknown) => {
      reject(error)
      this.forget(thread)
      thread.end("its document takes too much")
    }
    const late = setTimeout(
      () => stop(exceeded(`takes more than ${milliseconds / 1000} s to read`)),
      milliseconds,
    )
    const look = setInterval(() => {
      if (process.memoryUsage.rss() - before <= memory) return
      stop(exceeded(`takes more than ${memory / 1024 / 1024} MB of memory to read`))
    }, lookMs)
    const abort = () => stop(signal.reason)
    signal.addEventListener("abort", abort, { once: true })
    thread.calls.read(source, signal).then(resolve, reject)
    return promise.finally(() => {
      clearTimeout(late)
      clearInterval(look)
      signal.removeEventListener("abort", abort)
    })
  }

  private endWhenIdle(): void {
    clearTimeout(this.ending)
    if (this.busy.size > 0) return
    this.ending = setTimeout(() => this.endIdle(), this.limits.idleMs)
    this.ending.unref()
  }

  private endIdle(): void {
    for (const thread of this.idle.splice(0)) thread.end()
  }

  /** For good: what is being read, or waits for its turn, fails at once. */
  stop(): void {
    clearTimeout(this.ending)
    this.stopping.abort(new Aborted("The service stops: the document was not read to its end."))
    this.endIdle()
  }
}

const exceeded = (what: string) =>
  Object.assign(new Error(`The document ${what}.`), { code: "too_large" })

let here: DocumentHost | undefined

/** For runs that no service stands behind: threads that end soon, so that the process can. */
export function documentsHere(): DocumentHost {
  here ??= new DocumentHost({ ...documentLimits, idleMs: 0 })
  return here
}
