import { type AnyScraper, type FetchMethod, fetchMethods } from "../../../catalogue/kit/index.ts"
import type { Finding } from "../../../store/health/verdicts.ts"
import { acceptsAnyHost } from "./codes.ts"
import type { CountsByMethod } from "./counters.ts"
import { addCounts, type Counts, noCounts } from "./counts.ts"
import { FieldWatch, fieldsAlways } from "./drift.ts"
import { evaluateMethods, evaluateTraffic, type FieldsKnown, together } from "./judge-traffic.ts"
import { Rolling, type StoredRolling, type Window, windowNames } from "./rolling.ts"

export interface StoredTraffic {
  slug: string
  fetchMethod: string
  counts: StoredRolling
}

export interface EvaluatedTraffic {
  slug: string
  /** All fetch methods together. */
  whole: Finding
  methods: Partial<Record<FetchMethod, Finding>>
}

/** The results of users' runs for each scraper, by fetch method. */
export class Traffic {
  private readonly bySlug = new Map<string, Map<FetchMethod, Rolling>>()
  /** Counts since the scraper was last judged. */
  private readonly samples = new Map<string, CountsByMethod>()
  private readonly watches = new Map<string, FieldWatch>()
  private readonly unkept = new Set<string>()
  /** Error items and good items since the start, by code. */
  readonly totals = new Map<string, Record<string, number>>()

  constructor(
    private readonly scraper: (slug: string) => AnyScraper | undefined,
    private readonly now: () => number,
  ) {}

  load(stored: readonly StoredTraffic[]): void {
    for (const { slug, fetchMethod, counts } of stored) {
      this.methodsOf(slug).set(fetchMethod as FetchMethod, new Rolling(counts))
    }
  }

  add(counted: Record<string, CountsByMethod>): void {
    const now = this.now()
    for (const [slug, methods] of Object.entries(counted)) {
      const sample = this.samples.get(slug) ?? {}
      this.samples.set(slug, sample)
      for (const [fetchMethod, counts] of Object.entries(methods) as [FetchMethod, Counts][]) {
        this.rollingOf(slug, fetchMethod).add(counts, now)
        sample[fetchMethod] = addCounts(sample[fetchMethod] ?? noCounts(), counts)
        this.addTotals(slug, counts)
        this.watch(slug, counts)
        this.unkept.add(`${slug} ${fetchMethod}`)
      }
    }
  }

  private addTotals(slug: string, { items, codes }: Counts): void {
    const totals = this.totals.get(slug) ?? {}
    this.totals.set(slug, totals)
    totals.good = (totals.good ?? 0) + items
    for (const [counted, count] of Object.entries(codes)) {
      const code = counted.replace(/^\w+:|\/.*$/gs, "")
      totals[code] = (totals[code] ?? 0) + count
    }
  }

  /** Returns findings on scrapers with enough new targets since the last call. */
  evaluate(): EvaluatedTraffic[] {
    for (const [slug, watch] of this.watches) watch.look(() => this.over(slug, "week"), this.now())
    return [...this.samples].flatMap(([slug, sample]) => {
      const scraper = this.scraper(slug)
      const whole = evaluateTraffic(sample, this.fieldsOf(slug))
      if (!scraper || !whole) return []
      this.samples.delete(slug)
      // Failures on pages that users choose do not concern the scraper.
      if (acceptsAnyHost(scraper)) {
        return whole.verdict === "works" ? [{ slug, whole, methods: {} }] : []
      }
      return [{ slug, whole, methods: evaluateMethods(sample) }]
    })
  }

  private fieldsOf(slug: string): FieldsKnown {
    return { drifted: this.drifted(slug), always: () => fieldsAlways(this.over(slug, "week")) }
  }

  /** Returns fields that are filled far less often in the newest items than in the week before. */
  drifted(slug: string): string[] {
    return this.watches.get(slug)?.fields ?? []
  }

  private watch(slug: string, counts: Counts): void {
    const scraper = this.scraper(slug)
    if (!scraper || acceptsAnyHost(scraper)) return
    const watch = this.watches.get(slug) ?? new FieldWatch()
    this.watches.set(slug, watch)
    watch.add(counts)
  }

  /** Returns the finding of the last hour; null if it has too few targets. */
  lastHour(slug: string): Finding | null {
    const hour: CountsByMethod = {}
    for (const [fetchMethod, rolling] of this.methodsOf(slug))
      hour[fetchMethod] = rolling.over("hour", this.now())
    return evaluateTraffic(hour, this.fieldsOf(slug))
  }

  over(slug: string, window: Window): Counts {
    const methods: CountsByMethod = {}
    for (const [fetchMethod, rolling] of this.methodsOf(slug))
      methods[fetchMethod] = rolling.over(window, this.now())
    return together(methods)
  }

  /** Returns the counts of each day of the last week, by its number since 1970. */
  byDay(slug: string): ReadonlyMap<number, Counts> {
    const sums = new Map<number, Counts>()
    for (const rolling of this.methodsOf(slug).values()) {
      for (const [day, counts] of rolling.byDay(this.now())) {
        sums.set(day, addCounts(sums.get(day) ?? noCounts(), counts))
      }
    }
    return sums
  }

  /** Returns all counts by window and fetch method. */
  figures(slug: string): { fetchMethod: FetchMethod; windows: Record<Window, Counts> }[] {
    const now = this.now()
    const methods = this.methodsOf(slug)
    return fetchMethods.flatMap((fetchMethod) => {
      const rolling = methods.get(fetchMethod)
      if (!rolling) return []
      const windows = windowNames.map((window) => [window, rolling.over(window, now)])
      return [{ fetchMethod, windows: Object.fromEntries(windows) as Record<Window, Counts> }]
    })
  }

  /** Returns the changes since the last call for storage; null counts have expired. */
  takeUnsaved(): { slug: string; fetchMethod: string; counts: StoredRolling | null }[] {
    const claimed = [...this.unkept].map((key) => {
      const [slug, fetchMethod] = key.split(" ") as [string, FetchMethod]
      const rolling = this.rollingOf(slug, fetchMethod)
      return { slug, fetchMethod, counts: rolling.isOver(this.now()) ? null : rolling.stored() }
    })
    this.unkept.clear()
    return claimed
  }

  private rollingOf(slug: string, fetchMethod: FetchMethod): Rolling {
    const methods = this.methodsOf(slug)
    let rolling = methods.get(fetchMethod)
    if (!rolling) {
      rolling = new Rolling()
      methods.set(fetchMethod, rolling)
    }
    return rolling
  }

  private methodsOf(slug: string): Map<FetchMethod, Rolling> {
    let methods = this.bySlug.get(slug)
    if (!methods) {
      methods = new Map()
      this.bySlug.set(slug, methods)
    }
    return methods
  }
}
