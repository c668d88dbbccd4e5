import { TypeCompiler } from "@sinclair/typebox/compiler"
import { CookieJar } from "tough-cookie"
import { messageOf } from "../../base/error-message.ts"
import {
  Aborted,
  type Access,
  type AnyScraper,
  Changed,
  errorItem,
  Outcome,
  OutOfCredit,
  type Target,
  Timeout,
} from "../../catalogue/kit/index.ts"
import type { Environment } from "../environment/environment.ts"
import { placeOfTarget } from "../fetch/way-memory.ts"
import { waysOf } from "../fetch/ways.ts"
import { TargetContext } from "./context.ts"
import { TargetTurns } from "./in-turns.ts"
import { isErrorItem, type Journal, type QueuedTarget } from "./journal.ts"
import { consequenceOf } from "./policy.ts"
import { Share, type TurnLimits } from "./turns.ts"

export interface RunOptions {
  scraper: AnyScraper
  /** Checked and filled with defaults. */
  input: Record<string, unknown>
  journal: Journal
  environment: Environment
  /** Aborted with an Outcome as the reason: Aborted, Timeout (the run's deadline). */
  signal: AbortSignal
  /** Aborted when the service stops: no target is begun any more, those under way may end. */
  halt?: AbortSignal
  /** A cap beside the scraper's own. */
  maxItems?: number
  maxPages?: number
  /** Of the processor's time. */
  turns?: TurnLimits
  /** Fail a target whose item does not fit the scraper's schema (tests). */
  checkItems?: boolean
}

export interface RunEnd {
  /** `halted`: the service stops; the run goes on from its journal another time. */
  status: "succeeded" | "failed" | "timed_out" | "aborted" | "halted"
  /** Why the run did not succeed: the message of its first failure. */
  error: { code: string; message: string } | null
  /** Which of the two caps of these options ended it early; null for none, and for the input's own. */
  capped: "items" | "pages" | null
}

/** Items of one target kept in memory before they are spilled to the journal. */
const spillSize = 500
const defaultConcurrency = 4

/** Executes one run on its journal, from where that stands, to its end. */
export async function executeRun(options: RunOptions): Promise<RunEnd> {
  return new Execution(options).run()
}

class Execution {
  private readonly jar = new CookieJar(undefined, { looseMode: true })
  private readonly shared = new Map<string, unknown>()
  private readonly maxItems: number
  /** The run's own cap is below what the input itself asks for. */
  private readonly isCapLower: boolean
  private readonly check
  private readonly share: Share
  private firstError: RunEnd["error"] = null
  private readonly errorCodes: string[] = []
  private items: number
  private pages: number
  private inFlight = 0
  private stopped?: Outcome
  private capped: RunEnd["capped"] = null

  constructor(private readonly options: RunOptions) {
    const { scraper, input, journal } = options
    const asked = scraper.maxItems?.(input) ?? Number.POSITIVE_INFINITY
    const cap = options.maxItems ?? Number.POSITIVE_INFINITY
    this.maxItems = Math.min(asked, cap)
    this.isCapLower = cap < asked
    this.share = new Share(options.turns)
    this.check = options.checkItems ? TypeCompiler.Compile(scraper.item) : undefined
    const progress = journal.progress()
    this.items = progress.itemCount
    this.pages = progress.pageCount
  }

  async run(): Promise<RunEnd> {
    try {
      if (this.options.journal.progress().errorCount > 0) {
        for (const error of await this.options.journal.errors()) this.noteError(error)
      }
      await this.drain()
      if (this.halted && !this.stopped) return { status: "halted", error: null, capped: null }
      return this.end()
    } finally {
      await this.options.environment.browser?.release?.(this.jar)
    }
  }

  private get halted(): boolean {
    return this.options.halt?.aborted ?? false
  }

  /** Works targets off, several at a time, until there are none or the run is stopped. */
  private async drain(): Promise<void> {
    const width = this.options.environment.sequential
      ? 1
      : (this.options.scraper.concurrency ?? defaultConcurrency)
    const working = new Set<Promise<void>>()
    let queued: QueuedTarget[] = []
    for (;;) {
      if (this.options.signal.aborted) this.stopped ??= asOutcome(this.options.signal.reason)
      if (this.stopped || this.halted) break
      if (working.size < width && this.mayStart()) {
        if (queued.length === 0) queued = await this.options.journal.take(width)
        const next = queued.shift()
        if (next) {
          this.inFlight++
          const work = this.work(next).finally(() => {
            this.inFlight--
            working.delete(work)
          })
          working.add(work)
          continue
        }
      }
      if (working.size === 0) break
      await Promise.race(working)
    }
    await Promise.all(working)
    if (!this.stopped && !this.halted) this.capped ??= await this.capThatBinds(queued)
  }

  /** The cap that kept targets from being started; null when none were left. */
  private async capThatBinds(queued: QueuedTarget[]): Promise<RunEnd["capped"]> {
    const byPages = this.pages >= (this.options.maxPages ?? Number.POSITIVE_INFINITY)
    if (!byPages && !(this.isCapLower && this.items >= this.maxItems)) return null
    const isMore = queued.length > 0 || (await this.options.journal.take(1)).length > 0
    return isMore ? (byPages ? "pages" : "items") : null
  }

  /** Exact caps: no target is started whose item could be one too many. */
  private mayStart(): boolean {
    if (this.pages >= (this.options.maxPages ?? Number.POSITIVE_INFINITY)) return false
    return this.items + this.inFlight < this.maxItems
  }

  private async work({ seq, target, refused }: QueuedTarget): Promise<void> {
    if (refused) return this.fail(seq, target, refused, this.context(["http"]))
    this.options.journal.begin(seq)
    const { scraper, input, environment } = this.options
    const ways = waysOf(scraper, input, environment)
    const place = placeOfTarget(scraper.slug, target)
    const known = environment.ways?.recall(place)
    let best: BrokenOff | null = null
    for (let way = known ? Math.max(0, ways.indexOf(known)) : 0; ; way++) {
      const turns = new TargetTurns(this.share, this.options.signal)
      const context = this.context(ways.slice(way), turns)
      try {
        await this.attempt(seq, target, context, turns)
        if (way > 0) environment.ways?.keep(place, ways[way]!)
        return
      } catch (error) {
        if (this.options.signal.aborted) {
          await this.options.journal.discard(seq)
          return
        }
        const broken = error instanceof BrokenOff ? error : null
        const outcome = context.explain(asOutcome(broken ? broken.cause : error))
        const consequence = consequenceOf(outcome)
        if (consequence.climb && !context.isFinal(outcome) && way + 1 < ways.length) {
          context.log(`${outcome.message} Trying again by ${ways[way + 1]}.`)
          await this.options.journal.discard(seq)
          if (broken?.isWhole && broken.good > (best?.good ?? 0)) best = broken
          continue
        }
        environment.ways?.forget(place)
        if (best && best.good > (broken?.good ?? 0)) await this.options.journal.discard(seq)
        else best = broken
        if (best && !consequence.stopsRun) await this.breakOff(seq, target, outcome, best, context)
        else await this.fail(seq, target, outcome, context)
        if (consequence.stopsRun) this.stopped = outcome
        return
      } finally {
        turns.close()
      }
    }
  }

  private context(ways: readonly Access[], turns?: TargetTurns): TargetContext {
    const { jar, shared } = this
    const parts = { ...this.options, jar, shared, signal: turns?.signal ?? this.options.signal }
    return new TargetContext(
      turns ? { ...parts, inTurn: (work) => turns.resume(work) } : parts,
      ways,
    )
  }

  private async attempt(
    seq: number,
    target: Target,
    context: TargetContext,
    turns: TargetTurns,
  ): Promise<void> {
    const given: Given = { batch: [], good: 0, bad: 0 }
    try {
      await Promise.race([
        this.collect(seq, target, turns.context(context), turns, given),
        turns.overrun,
      ])
      const { batch, good, bad } = given
      await this.finish(seq, { items: batch, failed: bad > 0 && good === 0 }, context)
    } catch (error) {
      this.items -= given.good
      throw given.good > 0 ? new BrokenOff(error, given.good, given.batch) : error
    }
  }

  private async collect(
    seq: number,
    target: Target,
    context: TargetContext,
    turns: TargetTurns,
    given: Given,
  ): Promise<void> {
    const { scraper, journal } = this.options
    await turns.resume(Promise.resolve())
    for await (const item of scraper.scrape(target, context)) {
      turns.signal.throwIfAborted()
      if (isErrorItem(item)) {
        given.bad++
        this.noteError(item.error as { code: string; message: string })
      } else {
        if (this.items >= this.maxItems) {
          if (this.isCapLower) this.capped = "items"
          break
        }
        this.checkItem(item)
        // A place is taken with each item, so that targets under way together never pass the cap.
        this.items++
        given.good++
      }
      given.batch.push(item)
      if (given.batch.length >= spillSize) {
        const full = given.batch
        given.batch = []
        await turns.resume(journal.spill(seq, full))
      }
    }
  }

  private checkItem(item: Record<string, unknown>): void {
    if (!this.check || this.check.Check(item)) return
    const error = this.check.Errors(item).First()
    throw new Changed(
      `The item does not fit its schema at "${error?.path}": ${error?.message}; it is ${JSON.stringify(error?.value)?.slice(0, 200)}.`,
    )
  }

  /** What a target gave before it failed is kept; its error item tells that there is more. */
  private async breakOff(
    seq: number,
    target: Target,
    outcome: Outcome,
    { good, items }: BrokenOff,
    context: TargetContext,
  ): Promise<void> {
    this.items += good
    await this.finish(
      seq,
      { items: [...items, this.errorOf(target, outcome)], failed: false },
      context,
    )
  }

  private errorOf(target: Target, outcome: Outcome) {
    const { scraper, input } = this.options
    const item = errorItem(outcome, scraper.identify?.(target, input) ?? identifyTarget(target))
    this.noteError(item.error)
    return item
  }

  private async fail(seq: number, target: Target, outcome: Outcome, context: TargetContext) {
    const item = this.errorOf(target, outcome)
    context.followed.length = 0
    context.remembered.clear()
    await this.options.journal.discard(seq)
    await this.finish(seq, { items: [item], failed: true }, context)
  }

  private async finish(
    seq: number,
    result: { items: Record<string, unknown>[]; failed: boolean },
    context: TargetContext,
  ): Promise<void> {
    const charged = !result.failed
    const progress = await this.options.journal.finish(seq, {
      ...result,
      followed: context.followed,
      pages: charged ? context.pages : 0,
      unlockerPages: charged ? context.unlockerPages : 0,
      remembered: Object.fromEntries(context.remembered),
      tables: charged ? context.newsOfTables() : [],
    })
    this.pages += context.pages
    if (progress.outOfCredit) this.stopped = new OutOfCredit()
  }

  private noteError(error: { code: string; message: string }): void {
    this.errorCodes.push(error.code)
    this.firstError ??= error
  }

  private end(): RunEnd {
    const { capped } = this
    if (this.stopped instanceof Aborted) return { status: "aborted", error: null, capped }
    if (this.stopped) {
      const status = this.stopped instanceof Timeout ? "timed_out" : "failed"
      return {
        status,
        error: { code: this.stopped.code, message: this.stopped.message },
        capped,
      }
    }
    const { targetsFailed, targetsDone } = this.options.journal.progress()
    const allFailed = targetsDone > 0 && targetsFailed === targetsDone
    const failed = allFailed && (this.options.scraper.failsRun?.(this.errorCodes) ?? true)
    if (failed) return { status: "failed", error: this.firstError, capped }
    return { status: "succeeded", error: null, capped }
  }
}

/** What an attempt gave so far; the batch is not stored yet. */
interface Given {
  batch: Record<string, unknown>[]
  good: number
  bad: number
}

/** A target failed behind good items. */
class BrokenOff extends Error {
  constructor(
    override readonly cause: unknown,
    readonly good: number,
    /** Those that are not stored yet. */
    readonly items: Record<string, unknown>[],
  ) {
    super()
  }

  get isWhole(): boolean {
    return this.items.length >= this.good
  }
}

function identifyTarget(target: Target): Record<string, unknown> {
  if (typeof target === "string") return { input: target }
  return { input: target.input ?? target }
}

/** A fault of ours, too, ends as a named outcome of its target, never as a lost run. */
function asOutcome(error: unknown): Outcome {
  if (error instanceof Outcome) return error
  const message = messageOf(error)
  return new Changed(`The answer could not be read: ${message}`, { cause: error })
}
