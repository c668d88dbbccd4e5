import { messageOf } from "../../../base/error-message.ts"
import {
  Aborted,
  type AnyScraper,
  type ScrapeError,
  Timeout,
} from "../../../catalogue/kit/index.ts"
import type { Environment } from "../../fetch/environment.ts"
import { RunCookies } from "../../net/cookies/run-cookies.ts"
import type { EgressRules } from "../../net/http/proxy-rules.ts"
import type { RunSession } from "../../net/sessions/run-session.ts"
import type { RunSpans } from "../traces/run-spans.ts"
import type { CheckpointStore, QueuedTarget } from "./checkpoints.ts"
import { ItemCap } from "./item-cap.ts"
import { asScrapeError, itemCheck, type RunParts, TargetWork } from "./target-work.ts"
import { Share, type TurnLimits, turns } from "./time-slices.ts"

export interface RunOptions {
  scraper: AnyScraper
  /** Checked and filled with defaults. */
  input: Record<string, unknown>
  checkpoint: CheckpointStore
  environment: Environment
  /** Aborted with an Outcome as the reason: Aborted, Timeout (the run's deadline). */
  signal: AbortSignal
  /** Aborted when the service stops: no further target starts, and running ones may finish. */
  halt?: AbortSignal
  /** A cap in addition to the scraper's. */
  maxItems?: number
  maxPages?: number
  /** Of the processor's time. */
  turns?: TurnLimits
  /** The caller, by which the operator's proxies may be chosen. */
  exit?: EgressRules
  /** The session with which pages are fetched. */
  session?: RunSession | undefined
  /** Collects the spans of targets. */
  spans?: RunSpans | undefined
  /** Fail a target whose item does not fit the scraper's schema (tests). */
  checkItems?: boolean
}

export interface RunEnd {
  /** `halted`: the service stops; the run continues from its checkpoints another time. */
  status: "succeeded" | "failed" | "timed_out" | "aborted" | "halted"
  /** Why the run did not succeed: the message of its first failure. */
  error: { code: string; message: string } | null
  /** Which of the two caps of these options ended it early; null for none, and for the input's own. */
  capped: "items" | "pages" | null
}

const defaultConcurrency = 4

/** Executes one run to its end, from its last checkpoint. */
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
  /** Of the target that ends next, while nothing else is waited for. */
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
      share: new Share(options.turns),
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

  /** The items are worth more than the cookies that the site has renewed. */
  private unsaved(error: unknown): void {
    const message = `The session was not updated: ${messageOf(error)}`
    const at = this.options.environment.clock.now()
    this.options.checkpoint.log({ at, level: "warning", message })
  }

  private get halted(): boolean {
    return this.options.halt?.aborted ?? false
  }

  /** Runs targets, several at a time, until there are none left or the run is stopped. */
  private async drain(): Promise<void> {
    const { scraper, checkpoint, environment, signal } = this.options
    const width = environment.sequential ? 1 : (scraper.concurrency ?? defaultConcurrency)
    let queued: QueuedTarget[] = []
    for (;;) {
      if (signal.aborted) this.stopped ??= asScrapeError(signal.reason)
      if (this.stopped || this.halted) break
      if (this.working.size < width && this.mayStart()) {
        const { ended } = this
        if (queued.length === 0) queued = await checkpoint.take(width)
        if (queued.length > 0) {
          await turns.begin(this.parts.share)
          if (this.mayGoOn && this.mayStart()) this.begin(queued.shift()!)
          continue
        }
        // Targets that ended in the meantime may have added others that were not stored yet.
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
    return this.pages < this.maxPages && this.cap.hasRoomBeside(this.working.size)
  }

  private begin(target: QueuedTarget): void {
    const work = this.work(target)
    this.working.add(work)
    const leave = () => {
      this.working.delete(work)
      this.ended++
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

  /** Waits for one end; `Promise.race` would subscribe to all targets again each time. @throws its error */
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

  /** The cap that kept targets from being started; null when none were left. */
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
