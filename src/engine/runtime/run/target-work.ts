import type { TSchema } from "@sinclair/typebox"
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler"
import { messageOf } from "../../../base/error-message.ts"
import {
  type AnyScraper,
  briefText,
  Changed,
  causeOf,
  errorItem,
  type FetchMethod,
  fetchMethods,
  OutOfCredit,
  ScrapeError,
  type Target,
  TooLarge,
} from "../../../catalogue/kit/index.ts"
import { TooDeepXml, TooManyElements } from "../../../extract/core/index.ts"
import { methodsOf } from "../../fetch/methods/choose.ts"
import { consequenceOf } from "../../net/http/consequences.ts"
import type { ReportedError } from "../../ops/health/counters.ts"
import type { TargetSpans } from "../traces/run-spans.ts"
import { isErrorItem, type QueuedTarget } from "./checkpoints.ts"
import { TargetContext } from "./context.ts"
import { TargetTurns } from "./in-time-slices.ts"
import type { RunParts } from "./run-options.ts"

type Item = Record<string, unknown>
type ItemError = { code: string; message: string }

/** Maximum error items per target that are counted by code. */
const errorsReported = 100
/** Maximum items of a target in memory before they are staged. */
const stagedItems = 500

function reportedOf(error: ItemError): ReportedError {
  const cause = causeOf(error)
  return cause ? { ...error, cause } : error
}

/** The work on one target: runs the scraper and stores its items. */
export class TargetWork {
  private readonly context: TargetContext
  private readonly turns: TargetTurns
  /** Items that are not stored yet. */
  private batch: Item[] = []
  /** Resolves when the previous items are stored. */
  private spilling?: Promise<void>
  private good = 0
  private bad = 0
  /** Good items that do not report missing parts. */
  private whole = 0
  /** Errors returned by the scraper itself. */
  private readonly errors: ReportedError[] = []
  private readonly startedAt: number
  private readonly spans: TargetSpans | undefined

  constructor(
    private readonly parts: RunParts,
    private readonly queued: QueuedTarget,
  ) {
    const { scraper, input, share, signal } = parts
    this.spans = parts.spans?.target(nameOf(queued.target))
    const environment = this.spans?.observed(parts.environment) ?? parts.environment
    this.turns = new TargetTurns(share, signal)
    this.startedAt = environment.clock.now()
    const methods: readonly FetchMethod[] = queued.refused
      ? fetchMethods.slice(0, 1)
      : methodsOf(scraper, input, environment)
    this.context = new TargetContext(
      {
        ...parts,
        environment,
        seq: queued.seq,
        signal: this.turns.signal,
        turns: this.turns,
      },
      methods,
    )
  }

  /** Number of fetched pages, including free ones. */
  get pages(): number {
    return this.context.pages
  }

  /** Runs the target; returns the error if it stops the whole run. */
  async run(): Promise<ScrapeError | undefined> {
    const { seq, refused } = this.queued
    if (refused) {
      this.turns.close()
      return this.fail(refused)
    }
    this.parts.checkpoint.begin(seq)
    const failed = await this.collected()
    const failure = failed && this.context.explain(failed)
    if (!this.parts.signal.aborted) this.count(failure)
    if (failure === null) return this.finish(this.batch, this.bad > 0 && this.good === 0)
    if (this.parts.signal.aborted) {
      this.spans?.end(true, 0)
      return this.leave()
    }
    await this.context.noteBlocked(failure)
    const { stopsRun } = consequenceOf(failure)
    // Items from before the failure are kept; the error item shows that others are missing.
    const ended =
      this.good > 0 && !stopsRun
        ? await this.finish([...this.batch, this.errorOf(failure)], false)
        : await this.fail(failure)
    return stopsRun ? failure : ended
  }

  /** Returns the scraper's error; null if it finished. */
  private async collected(): Promise<ScrapeError | null> {
    try {
      await this.turns.ended(this.collect())
      return null
    } catch (error) {
      // A time slice may be interrupted while items are stored.
      const unstored = await this.spilling?.catch((reason) => reason)
      return asScrapeError(unstored ?? error)
    } finally {
      this.turns.close()
    }
  }

  private async collect(): Promise<void> {
    const { scraper, cap, checkItem, counter } = this.parts
    const { turns } = this
    await turns.resume(Promise.resolve())
    for await (const item of scraper.scrape(this.queued.target, turns.context(this.context))) {
      turns.signal.throwIfAborted()
      if (isErrorItem(item)) {
        this.bad++
        if (this.errors.length < errorsReported)
          this.errors.push(reportedOf(item.error as ItemError))
        this.failed(item.error as ItemError)
      } else {
        if (cap.isFull) {
          cap.refuse()
          break
        }
        checkItem?.(item)
        cap.take()
        this.good++
        if (item.partial !== true) this.whole++
        counter?.item(item, this.context.fetchMethod)
      }
      this.batch.push(item)
      if (this.batch.length >= stagedItems) await turns.call(() => this.stage())
    }
  }

  private stage(): Promise<void> {
    const { batch } = this
    this.batch = []
    this.spilling = this.parts.checkpoint.stage(this.queued.seq, batch)
    return this.spilling
  }

  private count(failure: ScrapeError | null): void {
    const { counter, environment } = this.parts
    const { context, errors, good } = this
    if (!counter) return
    const { fetchMethod, challenges, changed } = context
    const milliseconds = environment.clock.now() - this.startedAt
    counter.target({ fetchMethod, challenges, changed, failure, errors, good, milliseconds })
  }

  /** The run ended before the target: its work is dropped, and starts again later. */
  private async leave(): Promise<undefined> {
    this.parts.cap.release(this.good)
    await this.parts.checkpoint.discard(this.queued.seq)
  }

  private async fail(scrapeError: ScrapeError): Promise<ScrapeError | undefined> {
    const { context } = this
    context.followed.length = 0
    context.remembered.clear()
    await this.leave()
    return this.finish([this.errorOf(scrapeError)], true)
  }

  private errorOf(scrapeError: ScrapeError): Item {
    const { scraper, input } = this.parts
    const { target } = this.queued
    const item = errorItem(scrapeError, scraper.identify?.(target, input) ?? identifyTarget(target))
    this.failed(item.error)
    return item
  }

  private failed(error: ItemError): void {
    const { target } = this.queued
    const name = nameOf(target)
    this.context.log(`${name} failed (${error.code}): ${error.message}`, "warning")
    this.parts.onError(error)
  }

  private async finish(items: Item[], failed: boolean): Promise<ScrapeError | undefined> {
    const { context } = this
    // Pages that led only to partial items are free.
    const isFree = failed || (this.good > 0 && this.whole === 0)
    const change = this.parts.checkpoint.finish(this.queued.seq, {
      items,
      failed,
      followed: context.followed,
      pages: isFree ? 0 : context.pages,
      unlockerPages: isFree ? 0 : context.unlockerPages,
      modelAnswers: isFree ? 0 : context.modelAnswers,
      bytes: context.bytes,
      fetchMethod: context.fetchMethod,
      remembered: Object.fromEntries(context.remembered),
      tables: failed ? [] : context.newsOfTables(),
    })
    const progress = await (this.spans?.command("targets.commit", change) ?? change)
    this.spans?.end(failed, items.length)
    return progress.outOfCredit ? new OutOfCredit() : undefined
  }
}

/** Validators by schema, each compiled once. */
const checks = new WeakMap<TSchema, TypeCheck<TSchema>>()

/** Returns a function that validates items against the scraper's schema. */
export function itemCheck({ item: schema }: AnyScraper): (item: Item) => void {
  const compiled = checks.get(schema) ?? TypeCompiler.Compile(schema)
  checks.set(schema, compiled)
  return (item) => {
    if (compiled.Check(item)) return
    const error = compiled.Errors(item).First()
    const field = error?.path.split("/")[1]
    throw new Changed(
      `The item does not match its schema at "${error?.path}": ${error?.message}; it is ${JSON.stringify(error?.value)?.slice(0, 200)}.`,
      field ? { field } : {},
    )
  }
}

const nameOf = (target: Target) =>
  briefText(typeof target === "string" ? target : JSON.stringify(target), 300)

function identifyTarget(target: Target): Item {
  if (typeof target === "string") return { input: target }
  return { input: target.input ?? target }
}

/** Converts internal errors into errors of the target, so that the run is never lost. */
export function asScrapeError(error: unknown): ScrapeError {
  if (error instanceof ScrapeError) return error
  const message = messageOf(error)
  if (error instanceof TooManyElements || error instanceof TooDeepXml) return new TooLarge(message)
  if (error instanceof RangeError && message.startsWith("Maximum call stack")) {
    return new TooLarge("The response is nested too deeply to be parsed.", { cause: error })
  }
  return new Changed(`The response could not be parsed: ${message}`, { cause: error })
}
