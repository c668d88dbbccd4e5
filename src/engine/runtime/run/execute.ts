import { messageOf } from "../../../base/error-message.ts"
import {
  Aborted,
  type AnyScraper,
  type ScrapeError,
  Timeout,
} from "../../../catalogue/kit/index.ts"
import { RunCookies } from "../../net/cookies/run-cookies.ts"
import type { QueuedTarget } from "./checkpoints.ts"
import { ItemCap } from "./item-cap.ts"
import type { RunOptions, RunParts } from "./run-options.ts"
import { asScrapeError, itemCheck, TargetWork } from "./target-work.ts"
import { Share, timeSlices } from "./time-slices.ts"

export interface RunEnd {
  /** `halted`: the service is shutting down; the run continues later from its checkpoints. */
  status: "succeeded" | "failed" | "timed_out" | "aborted" | "halted"
  /** Reason why the run did not succeed: its first error. */
  error: { code: string; message: string } | null
  /**
   * The limit of these options that ended the run early; null for none, or for the input's own
   * limit.
   */
  capped: "items" | "pages" | null
}

const defaultConcurrency = 4

/** Returns the maximum targets of a run at a time. */
export const concurrencyOf = ({ concurrency }: AnyScraper): number =>
  concurrency ?? defaultConcurrency

/** Executes a run from its last checkpoint. */
export async function executeRun(options: RunOptions): Promise<RunEnd> {
  return new Execution(options).run()
}

class Execution {
  private readonly cookies: RunCookies
  private readonly cap: ItemCap
  private readonly parts: RunParts
  private readonly maxPages: number
  private firstError: RunEnd["error"] = null
  private readonly errorCodes: string[] = []
  private pages: number
  private readonly working = new Set<Promise<void>>()
  /** Resolves when the next target finishes, while nothing else is awaited. */
  private onEnd?: PromiseWithResolvers<void> | undefined
  private issue?: { reason: unknown }
  private ended = 0
  private stopped?: ScrapeError
  private capped: RunEnd["capped"] = null

  constructor(private readonly options: RunOptions) {
    const { scraper, input, checkpoint, environment, signal } = options
    const { itemCount, pageCount } = checkpoint.progress()
    this.pages = pageCount
    this.maxPages = options.maxPages ?? Number.POSITIVE_INFINITY
    this.cap = new ItemCap(scraper, input, options.maxItems, itemCount)
    this.cookies = new RunCookies({
      now: environment.clock.now,
      session: options.session,
      ...(environment.reuseCookies
        ? { cookieStore: checkpoint.cookies, ...environment.reuseCookies }
        : {}),
    })
    this.parts = {
      scraper,
      input,
      checkpoint,
      environment,
      signal,
      cookies: this.cookies,
      exit: options.exit,
      spans: options.spans,
      shared: new Map(),
      share: new Share(options.sliceLimits),
      cap: this.cap,
      checkItem: options.checkItems ? itemCheck(scraper) : undefined,
      counter: environment.counts?.of(scraper),
      onError: (error) => this.noteError(error),
    }
  }

  async run(): Promise<RunEnd> {
    const { checkpoint, environment } = this.options
    try {
      if (checkpoint.progress().errorCount > 0) {
        for (const error of await checkpoint.errors()) this.noteError(error)
      }
      await this.drain()
      if (this.halted && !this.stopped) return { status: "halted", error: null, capped: null }
      return this.end()
    } finally {
      const { jar } = this.cookies
      await this.options.session?.close().catch((error) => this.unsaved(error))
      await this.cookies.close(environment.chromeHeaders?.(jar)?.navigation["user-agent"])
      await environment.browser?.release?.(jar)
    }
  }

  /** A failed update of the session does not fail the run, because its items are worth more. */
  private unsaved(error: unknown): void {
    const message = `The session was not updated: ${messageOf(error)}`
    const at = this.options.environment.clock.now()
    this.options.checkpoint.log({ at, level: "warning", message })
  }

  private get halted(): boolean {
    return this.options.halt?.aborted ?? false
  }

  /** Runs targets concurrently until none are left or the run is stopped. */
  private async drain(): Promise<void> {
    const { scraper, checkpoint, environment, signal } = this.options
    const width = environment.sequential ? 1 : concurrencyOf(scraper)
    let queued: QueuedTarget[] = []
    for (;;) {
      if (signal.aborted) this.stopped ??= asScrapeError(signal.reason)
      if (this.stopped || this.halted) break
      if (this.working.size < width && this.mayStart()) {
        const { ended } = this
        if (queued.length === 0) queued = await checkpoint.take(width)
        if (queued.length > 0) {
          await timeSlices.begin(this.parts.share)
          if (this.mayGoOn && this.mayStart()) this.begin(queued.shift()!)
          continue
        }
        // Targets that finished in the meantime may have added others that were not stored yet.
        if (this.ended !== ended) continue
      }
      if (this.working.size === 0) break
      await this.nextEnd()
    }
    await Promise.all(this.working)
    if (this.issue) throw this.issue.reason
    if (this.cap.bound) this.capped = "items"
    else if (!this.stopped && !this.halted) this.capped = await this.capThatBinds(queued)
  }

  private get mayGoOn(): boolean {
    return !(this.options.signal.aborted || this.stopped || this.halted)
  }

  private mayStart(): boolean {
    return this.pages < this.maxPages && this.cap.hasPlacesFor(this.working.size)
  }

  private begin(target: QueuedTarget): void {
    const work = this.work(target)
    this.working.add(work)
    const leave = () => {
      this.working.delete(work)
      this.ended++
      timeSlices.end()
    }
    work.then(
      () => {
        leave()
        this.onEnd?.resolve()
      },
      (reason) => {
        leave()
        this.issue ??= { reason }
        this.onEnd?.reject(reason)
      },
    )
  }

  /**
   * Waits until a target finishes; `Promise.race` would subscribe to all targets again each time.
   * @throws its error
   */
  private async nextEnd(): Promise<void> {
    if (this.issue) throw this.issue.reason
    this.onEnd = Promise.withResolvers()
    await this.onEnd.promise
  }

  private async work(target: QueuedTarget): Promise<void> {
    const work = new TargetWork(this.parts, target)
    const stops = await work.run()
    this.pages += work.pages
    if (stops) this.stopped = stops
  }

  /** Returns the limit that prevented targets from starting; null if none were left. */
  private async capThatBinds(queued: QueuedTarget[]): Promise<RunEnd["capped"]> {
    const byPages = this.pages >= this.maxPages
    if (!byPages && !(this.cap.isLower && this.cap.isFull)) return null
    const isMore = queued.length > 0 || (await this.options.checkpoint.take(1)).length > 0
    return isMore ? (byPages ? "pages" : "items") : null
  }

  private noteError(error: { code: string; message: string }): void {
    this.errorCodes.push(error.code)
    this.firstError ??= error
  }

  private end(): RunEnd {
    const { capped, stopped } = this
    if (stopped instanceof Aborted) return { status: "aborted", error: null, capped }
    if (stopped) {
      const { code, message } = stopped
      const status = stopped instanceof Timeout ? "timed_out" : "failed"
      return { status, error: { code, message }, capped }
    }
    const { targetsFailed, targetsDone } = this.options.checkpoint.progress()
    const allFailed = targetsDone > 0 && targetsFailed === targetsDone
    const failed = allFailed && (this.options.scraper.failsRun?.(this.errorCodes) ?? true)
    if (failed) return { status: "failed", error: this.firstError, capped }
    return { status: "succeeded", error: null, capped }
  }
}
