import { FairGate, type Tenant } from "./fair-gate.ts"
import { residentBytes } from "./process-usage.ts"
import { startThread, type Thread } from "./thread.ts"

export interface ThreadLimits {
  /** Maximum milliseconds per task in real time, because a thread in a loop reports nothing. */
  milliseconds: number
  /** Maximum memory growth of the process during a task. */
  memory: number
  /**
   * Milliseconds without work after which a thread is ended to free its memory; the process may end
   * earlier.
   */
  idleMs: number
}

/** One tenant leaves a thread to others, whose work then waits for at most one call. */
const gateLimits = { slots: 3, slotsOfTenant: 2, maxWaiting: 100 }
const lookMs = 100

/**
 * Runs tasks that may loop or grow without end in separate threads. They are started on demand, and
 * ended if they exceed their limits.
 */
export class WatchedThreads<I extends object> {
  private readonly gate = new FairGate(gateLimits)
  private readonly idle: Thread<I>[] = []
  private readonly busy = new Set<Thread<I>>()
  private readonly stopping = new AbortController()
  private ending?: ReturnType<typeof setTimeout>

  /** @param exceeded Creates the error of a task that exceeds a limit: "more than 60 s". */
  constructor(
    private readonly url: string,
    private readonly limits: ThreadLimits,
    private readonly exceeded: (what: string) => Error,
  ) {}

  /** Runs a task. @throws the reason of a stop in the meantime, or TooManyWaiting */
  async do<T>(
    tenant: Tenant,
    work: (calls: Thread<I>["calls"]) => Promise<T>,
    requested?: AbortSignal,
  ): Promise<T> {
    const stops = this.stopping.signal
    const signal = requested ? AbortSignal.any([requested, stops]) : stops
    const release = await this.gate.take(tenant, signal)
    clearTimeout(this.ending)
    const thread = this.idle.pop() ?? this.start()
    this.busy.add(thread)
    thread.holdProcess(true)
    try {
      return await this.watched(thread, work, signal)
    } finally {
      thread.holdProcess(false)
      if (this.busy.delete(thread)) this.idle.push(thread)
      release()
      this.endWhenIdle()
    }
  }

  private start(): Thread<I> {
    const thread = startThread<I>(this.url, { onFailure: () => this.forget(thread) })
    return thread
  }

  private forget(thread: Thread<I>): void {
    this.busy.delete(thread)
    const at = this.idle.indexOf(thread)
    if (at >= 0) this.idle.splice(at, 1)
  }

  /** Ends the thread of a task that exceeds its limits, because it would not react to a signal. */
  private watched<T>(
    thread: Thread<I>,
    work: (calls: Thread<I>["calls"]) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { milliseconds, memory } = this.limits
    const before = residentBytes()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const stop = (error: unknown) => {
      reject(error)
      this.forget(thread)
      thread.end("its task exceeds its limits")
    }
    const late = setTimeout(
      () => stop(this.exceeded(`more than ${milliseconds / 1000} s`)),
      milliseconds,
    )
    const look = setInterval(() => {
      if (residentBytes() - before <= memory) return
      stop(this.exceeded(`more than ${memory / 1024 / 1024} MB of memory`))
    }, lookMs)
    const abort = () => stop(signal.reason)
    signal.addEventListener("abort", abort, { once: true })
    work(thread.calls).then(resolve, reject)
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

  /** Stops permanently: running and waiting tasks fail immediately. */
  stop(reason: Error): void {
    clearTimeout(this.ending)
    this.stopping.abort(reason)
    this.endIdle()
  }
}
