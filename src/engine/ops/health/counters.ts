import type { TSchema } from "@sinclair/typebox"
import type { AnyScraper, FetchMethod, ScrapeError } from "../../../catalogue/kit/index.ts"
import { classOf, countedAs, detailOf } from "./codes.ts"
import { addAll, type Counts, countCode, countTime, noCounts } from "./counts.ts"

/** Error of an item, with details if known. */
export interface ReportedError {
  code: string
  message: string
  cause?: ScrapeError
}

/** How a target ended. */
export interface TargetEnd {
  /** Most capable fetch method that was needed, or the last one that was tried. */
  fetchMethod: FetchMethod
  /** Fetch methods that met a challenge, with the vendors. */
  challenges: ReadonlyMap<FetchMethod, string | null>
  /** A changed layout of a source that did not end the target, because another one was tried. */
  changed?: ScrapeError | null
  failure: ScrapeError | null
  /** Error items returned by the scraper itself. */
  errors: readonly ReportedError[]
  /** Items without an error. */
  good: number
  milliseconds: number
}

/** Counts the results of targets. It must be cheap, because crawls finish thousands per second. */
export interface Counters {
  of(scraper: AnyScraper): Counter
}

export interface Counter {
  item(item: Record<string, unknown>, fetchMethod: FetchMethod): void
  target(end: TargetEnd): void
}

/** Counts of a scraper's targets, by fetch method. */
export type CountsByMethod = Partial<Record<FetchMethod, Counts>>

/** Items of a target whose fields are all counted; of further items, every tenth. */
const closely = 50
const oneIn = 10

/** Accumulates counts until they are taken. */
export class CallCounters implements Counters {
  private readonly counters = new Map<string, ScraperCounter>()

  /** `onFirst` is called for the first count after all were taken. */
  constructor(private readonly onFirst: () => void = () => {}) {}

  of(scraper: AnyScraper): ScraperCounter {
    let counter = this.counters.get(scraper.slug)
    if (!counter) {
      counter = new ScraperCounter(scraper, this.onFirst)
      this.counters.set(scraper.slug, counter)
    }
    return counter
  }

  /** Returns the counts since the last call, by slug. */
  take(): Record<string, CountsByMethod> {
    const claimed: Record<string, CountsByMethod> = {}
    for (const [slug, counter] of this.counters) {
      const counts = counter.take()
      if (counts) claimed[slug] = counts
    }
    return claimed
  }
}

class ScraperCounter implements Counter {
  private readonly fields: readonly string[]
  private byMethod: CountsByMethod = {}
  private isEmpty = true
  private sinceTarget = 0

  constructor(
    { item }: AnyScraper,
    private readonly onFirst: () => void,
  ) {
    this.fields = fieldsOf(item)
  }

  item(item: Record<string, unknown>, fetchMethod: FetchMethod): void {
    if (++this.sinceTarget > closely && this.sinceTarget % oneIn !== 0) return
    const counts = this.countsOf(fetchMethod)
    counts.seen++
    const { filled } = counts
    for (const name of this.fields) {
      if (hasContent(item[name])) filled[name] = (filled[name] ?? 0) + 1
    }
  }

  target({
    fetchMethod,
    challenges,
    changed,
    failure,
    errors,
    good,
    milliseconds,
  }: TargetEnd): void {
    this.sinceTarget = 0
    for (const [challenged, vendor] of challenges) {
      if (challenged === fetchMethod && failure) continue
      const counts = this.countsOf(challenged)
      counts.targets++
      counts.sentOn++
      countCode(counts, countedAs("blocked", vendor), null)
    }
    const counts = this.countsOf(fetchMethod)
    counts.targets++
    counts.items += good
    const failedBy = good > 0 ? undefined : (failure ?? errors[0])?.code
    if (failedBy === undefined) counts.good++
    else addAll(counts.failed, { [classOf(failedBy)]: 1 })
    if (failure) countCode(counts, countedAs(failure.code, detailOf(failure)), failure.message)
    const isOther = failure !== null && classOf(failure.code) !== "ours"
    if (changed && isOther) {
      countCode(counts, countedAs(changed.code, detailOf(changed)), changed.message)
    }
    for (const { code, message, cause } of errors) {
      countCode(counts, countedAs(code, cause ? detailOf(cause) : null), message)
    }
    countTime(counts, milliseconds)
  }

  take(): CountsByMethod | null {
    if (this.isEmpty) return null
    const claimed = this.byMethod
    this.byMethod = {}
    this.isEmpty = true
    return claimed
  }

  private countsOf(fetchMethod: FetchMethod): Counts {
    if (this.isEmpty) {
      this.isEmpty = false
      this.onFirst()
    }
    this.byMethod[fetchMethod] ??= noCounts()
    return this.byMethod[fetchMethod]
  }
}

/** Returns the names of the top-level fields of items. */
export function fieldsOf(item: TSchema): string[] {
  const shapes: TSchema[] = item.anyOf ?? [item]
  const fields = shapes.flatMap(({ properties = {} }) => Object.entries<TSchema>(properties))
  return [...new Set(fields.map(([name]) => name))]
}

export function hasContent(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return false
  return !(Array.isArray(value) && value.length === 0)
}
