import { type Access, type AnyScraper, accesses } from "../../catalogue/kit/index.ts"
import type { Finding } from "../../store/health/verdicts.ts"
import { takesAnyHost } from "./codes.ts"
import { addCounts, type Counts, noCounts } from "./counts.ts"
import { FieldWatch, fieldsAlways } from "./drift.ts"
import { type FieldsKnown, judgeTraffic, judgeWays, together } from "./judge-traffic.ts"
import { type KeptRolling, Rolling, type Window, windowNames } from "./rolling.ts"
import type { CountsByWay } from "./tally.ts"

export interface KeptTraffic {
  slug: string
  way: string
  counts: KeptRolling
}

export interface Judged {
  slug: string
  /** All ways as the scraper takes them. */
  whole: Finding
  ways: Partial<Record<Access, Finding>>
}

/** What callers' runs have shown of each scraper, by the way in. */
export class Traffic {
  private readonly bySlug = new Map<string, Map<Access, Rolling>>()
  /** What was counted since the scraper was judged. */
  private readonly samples = new Map<string, CountsByWay>()
  private readonly watches = new Map<string, FieldWatch>()
  private readonly unkept = new Set<string>()
  /** Error items and good ones since the start, by code. */
  readonly totals = new Map<string, Record<string, number>>()

  constructor(
    private readonly scraper: (slug: string) => AnyScraper | undefined,
    private readonly now: () => number,
  ) {}

  load(kept: readonly KeptTraffic[]): void {
    for (const { slug, way, counts } of kept) {
      this.waysOf(slug).set(way as Access, new Rolling(counts))
    }
  }

  add(counted: Record<string, CountsByWay>): void {
    const now = this.now()
    for (const [slug, ways] of Object.entries(counted)) {
      const sample = this.samples.get(slug) ?? {}
      this.samples.set(slug, sample)
      for (const [way, counts] of Object.entries(ways) as [Access, Counts][]) {
        this.rollingOf(slug, way).add(counts, now)
        sample[way] = addCounts(sample[way] ?? noCounts(), counts)
        this.addTotals(slug, counts)
        this.watch(slug, counts)
        this.unkept.add(`${slug} ${way}`)
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

  /** The scrapers of which enough was seen since the last time, with what that shows. */
  judge(): Judged[] {
    for (const [slug, watch] of this.watches) watch.look(() => this.over(slug, "week"), this.now())
    return [...this.samples].flatMap(([slug, sample]) => {
      const scraper = this.scraper(slug)
      const whole = judgeTraffic(sample, this.fieldsOf(slug))
      if (!scraper || !whole) return []
      this.samples.delete(slug)
      // What becomes of callers' own pages is no fault of the scraper.
      if (takesAnyHost(scraper)) {
        return whole.verdict === "works" ? [{ slug, whole, ways: {} }] : []
      }
      return [{ slug, whole, ways: judgeWays(sample) }]
    })
  }

  private fieldsOf(slug: string): FieldsKnown {
    return { drifted: this.drifted(slug), always: () => fieldsAlways(this.over(slug, "week")) }
  }

  /** Fields that the newest items say far less of than those of the week before. */
  drifted(slug: string): string[] {
    return this.watches.get(slug)?.fields ?? []
  }

  private watch(slug: string, counts: Counts): void {
    const scraper = this.scraper(slug)
    if (!scraper || takesAnyHost(scraper)) return
    const watch = this.watches.get(slug) ?? new FieldWatch()
    this.watches.set(slug, watch)
    watch.add(counts)
  }

  /** What the last hour shows; null where it is too little to tell. */
  lastHour(slug: string): Finding | null {
    const hour: CountsByWay = {}
    for (const [way, rolling] of this.waysOf(slug)) hour[way] = rolling.over("hour", this.now())
    return judgeTraffic(hour, this.fieldsOf(slug))
  }

  over(slug: string, window: Window): Counts {
    const ways: CountsByWay = {}
    for (const [way, rolling] of this.waysOf(slug)) ways[way] = rolling.over(window, this.now())
    return together(ways)
  }

  /** What was counted on each day of the last week, by its number since 1970. */
  byDay(slug: string): ReadonlyMap<number, Counts> {
    const sums = new Map<number, Counts>()
    for (const rolling of this.waysOf(slug).values()) {
      for (const [day, counts] of rolling.byDay(this.now())) {
        sums.set(day, addCounts(sums.get(day) ?? noCounts(), counts))
      }
    }
    return sums
  }

  /** By window and way, for who wants to see all of it. */
  figures(slug: string): { way: Access; windows: Record<Window, Counts> }[] {
    const now = this.now()
    const ways = this.waysOf(slug)
    return accesses.flatMap((way) => {
      const rolling = ways.get(way)
      if (!rolling) return []
      const windows = windowNames.map((window) => [window, rolling.over(window, now)])
      return [{ way, windows: Object.fromEntries(windows) as Record<Window, Counts> }]
    })
  }

  /** What has changed since the last time, to be kept; null counts are over. */
  takeUnkept(): { slug: string; way: string; counts: KeptRolling | null }[] {
    const taken = [...this.unkept].map((key) => {
      const [slug, way] = key.split(" ") as [string, Access]
      const rolling = this.rollingOf(slug, way)
      return { slug, way, counts: rolling.isOver(this.now()) ? null : rolling.kept() }
    })
    this.unkept.clear()
    return taken
  }

  private rollingOf(slug: string, way: Access): Rolling {
    const ways = this.waysOf(slug)
    let rolling = ways.get(way)
    if (!rolling) {
      rolling = new Rolling()
      ways.set(way, rolling)
    }
    return rolling
  }

  private waysOf(slug: string): Map<Access, Rolling> {
    let ways = this.bySlug.get(slug)
    if (!ways) {
      ways = new Map()
      this.bySlug.set(slug, ways)
    }
    return ways
  }
}
