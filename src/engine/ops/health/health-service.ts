import { messageOf } from "../../../base/error-message.ts"
import { every, type Loop } from "../../../base/every.ts"
import { minuteMs, secondMs } from "../../../base/time.ts"
import { type AnyScraper, type FetchMethod, fetchMethods } from "../../../catalogue/kit/index.ts"
import { diskIssue } from "../../../store/db/disk/disk-error.ts"
import { storedCounts } from "../../../store/health/counted.ts"
import { healthDays } from "../../../store/health/days.ts"
import {
  allHealth,
  allMethods,
  type HealthRow,
  healthMark,
  type NewFinding,
  usualOf,
} from "../../../store/health/health.ts"
import { missedShares } from "../../../store/health/usual.ts"
import type { Finding, Source, Verdict } from "../../../store/health/verdicts.ts"
import type { Store } from "../../../store/store.ts"
import type { CountsByMethod } from "./counters.ts"
import { byClass, type Counts, medianMs, shares } from "./counts.ts"
import { type DayOfHealth, lastDays } from "./days.ts"
import type { Window } from "./rolling.ts"
import { Traffic } from "./traffic.ts"

/** Current health of a scraper on this server. */
export interface Health extends Omit<Finding, "verdict" | "fetchMethod"> {
  state: Verdict
  /** Fetch method of this health. */
  fetchMethod: FetchMethod | null
  /** Start of the current state. */
  since: string | null
  /** The time of the last health probe. */
  checkedAt: string | null
  source: Source | null
}

/** Health with the last finding, and by fetch method. */
export interface HealthInFull extends Health {
  latest: (Omit<Finding, "fetchMethod"> & { fetchMethod: FetchMethod | null; at: string }) | null
  methods: (Health & { fetchMethod: FetchMethod })[]
  days: DayOfHealth[]
}

const unknown: Health = {
  state: "unknown",
  since: null,
  checkedAt: null,
  source: null,
  reason: null,
  fetchMethod: null,
  vendor: null,
  fields: [],
  needs: [],
}

const lookMs = 5 * secondMs
/** Interval for storing counts. */
const keepMs = 5 * minuteMs

export interface HealthOptions {
  store: Store
  scraper(slug: string): AnyScraper | undefined
  now?: () => number
  onError?(message: string): void
}

/** The health of all scrapers in the main thread: stored verdicts and current counts. */
export class HealthService {
  readonly traffic: Traffic
  /** Increases when any scraper's health changes. */
  version = 0
  private readonly store: Store
  private readonly now: () => number
  private rows = new Map<string, HealthRow[]>()
  /** The health of each scraper as a whole, cached for lists of all scrapers. */
  private wholes = new Map<string, Health>()
  /** States by scraper and day. */
  private states = new Map<string, Map<string, Verdict>>()
  private mark = ""
  private storedAt = 0
  private loop?: Loop

  constructor(private readonly options: HealthOptions) {
    this.store = options.store
    this.now = options.now ?? Date.now
    this.traffic = new Traffic(options.scraper, this.now)
  }

  /** Loads the counts of an earlier process, and judges new ones from now on. */
  async start(): Promise<void> {
    const stored = await storedCounts(this.store.db)
    this.traffic.load(stored.map(({ counts, ...of }) => ({ ...of, counts: JSON.parse(counts) })))
    const failed = (error: unknown) => this.report("judged", error)
    // A full disk must not prevent the service from starting or stopping.
    await this.look().catch(failed)
    this.loop = every(lookMs, () => this.look(), { onError: failed })
  }

  async stop(): Promise<void> {
    await this.loop?.stop()
    await this.keep().catch((error) => this.report("kept", error))
  }

  /** Reports errors, except those of the disk, which the writer's watch reports. */
  private report(what: string, error: unknown): void {
    if (diskIssue(error)) return
    const { onError = console.error } = this.options
    onError(`Scrapers' health could not be ${what}: ${messageOf(error)}`)
  }

  /** Adds the results of targets that the workers counted. */
  count(counted: Record<string, CountsByMethod>): void {
    this.traffic.add(counted)
  }

  /** Judges and stores the counts, and reads findings of other processes. */
  async look(): Promise<void> {
    const at = new Date(this.now()).toISOString()
    const findings = this.traffic.evaluate().flatMap(({ slug, whole, methods }): NewFinding[] => [
      { slug, fetchMethod: allMethods, finding: whole, source: "traffic", at },
      ...Object.entries(methods).map(
        ([fetchMethod, finding]): NewFinding => ({
          slug,
          fetchMethod,
          finding,
          source: "traffic",
          at,
        }),
      ),
    ])
    await this.note(findings)
    if (this.now() - this.storedAt >= keepMs) await this.keep()
    await this.read()
  }

  /** Stores findings, and updates the health. */
  async note(findings: NewFinding[]): Promise<void> {
    if (findings.length > 0) await this.store.write("health.note", { findings })
    await this.read()
  }

  private async keep(): Promise<void> {
    this.storedAt = this.now()
    const stored = this.traffic.takeUnsaved()
    if (stored.length > 0) await this.store.write("health.keep", { stored, soft: true })
  }

  /** Reads findings, because the command line and other processes write them too. */
  private async read(): Promise<void> {
    const mark = await healthMark(this.store.db)
    if (mark === this.mark) return
    this.mark = mark
    this.rows = Map.groupBy(await allHealth(this.store.db), ({ slug }) => slug)
    this.wholes = new Map(
      [...this.rows.values()]
        .flat()
        .flatMap((row) => (row.fetch_method === allMethods ? [[row.slug, healthOf(row)]] : [])),
    )
    this.states = new Map(
      [...Map.groupBy(await healthDays(this.store.db), ({ slug }) => slug)].map(([slug, days]) => [
        slug,
        new Map(days.map(({ day, state }) => [day, state])),
      ]),
    )
    this.version++
  }

  of(slug: string): Health {
    return this.wholes.get(slug) ?? unknown
  }

  inFull(slug: string): HealthInFull {
    const rows = this.rows.get(slug) ?? []
    const whole = rows.find(({ fetch_method }) => fetch_method === allMethods)
    return {
      ...this.of(slug),
      latest: whole ? { ...JSON.parse(whole.latest), at: whole.seen_at } : null,
      methods: fetchMethods.flatMap((fetchMethod) => {
        const row = rows.find((row) => row.fetch_method === fetchMethod)
        return row ? [{ ...healthOf(row), fetchMethod }] : []
      }),
      days: this.days(slug),
    }
  }

  /** Returns the last seven days, ending today. */
  days(slug: string): DayOfHealth[] {
    return lastDays(this.now(), this.states.get(slug), this.traffic.byDay(slug))
  }

  /** Returns the usual shares of a probe's fields; a check below half of one misses the field. */
  missedShares(slug: string, fetchMethod: string): Record<string, number> {
    return missedShares(
      usualOf(this.rows.get(slug)?.find((row) => row.fetch_method === fetchMethod)),
    )
  }

  /** Results of users' runs, by fetch method and period. */
  traffics(slug: string) {
    return this.traffic.figures(slug).map(({ fetchMethod, windows }) => ({
      fetchMethod,
      ...(Object.fromEntries(
        Object.entries(windows).map(([window, counts]) => [window, figuresOf(counts)]),
      ) as Record<Window, ReturnType<typeof figuresOf>>),
    }))
  }

  /** Health of each scraper by fetch method, and counts since the start, for metrics. */
  figures(): HealthFigures {
    const states = [...this.rows.values()].flat()
    return {
      up: states.map(({ slug, fetch_method, state }) => ({
        slug,
        fetchMethod: fetch_method,
        state,
      })),
      items: [...this.traffic.totals].flatMap(([slug, totals]) =>
        Object.entries(totals).map(([code, count]) => ({ slug, code, count })),
      ),
      shares: [...this.traffic.totals.keys()].flatMap((slug) =>
        Object.entries(shares(this.traffic.over(slug, "day"))).map(([field, share]) => ({
          slug,
          field,
          share,
        })),
      ),
    }
  }
}

export interface HealthFigures {
  /** By fetch method, and `all` for the scraper as a whole. */
  up: { slug: string; fetchMethod: string; state: Verdict }[]
  /** Items since the start: good ones as `good`, error items by their code. */
  items: { slug: string; code: string; count: number }[]
  /** Share of the last day's items in which a field has a value. */
  shares: { slug: string; field: string; share: number }[]
}

function healthOf({ state, since, source, finding, checked_at }: HealthRow): Health {
  const { verdict: _verdict, fetchMethod, ...about } = JSON.parse(finding) as Finding
  return {
    state,
    since,
    checkedAt: checked_at,
    source,
    ...about,
    fetchMethod: fetchMethod as FetchMethod | null,
  }
}

function figuresOf(counts: Counts) {
  const { targets, good, items, codes } = counts
  return {
    targets,
    good,
    items,
    errors: byClass(counts),
    codes,
    medianMs: medianMs(counts),
    fieldShares: shares(counts),
  }
}
