import {
  chosenEngines,
  type Engine,
  type EngineQuery,
  type EngineScrapers,
  type Hit,
  type Kind,
  type Option,
  timeRanges,
} from "./engines.ts"
import { type MergedHit, mergedHits } from "./merge.ts"

export interface SearchRequest extends EngineQuery {
  kind: Kind
  /** Results before the first. */
  offset?: number
  /** Names of the engines. Default: those of the kind that work here. */
  names?: readonly string[] | undefined
  /** Milliseconds for all of it. */
  waitMs: number
}

export interface RunError {
  code: string
  message: string
}

/** The result of one run of a call. */
export interface PartResult {
  items: Record<string, unknown>[]
  error?: RunError
  /** Seconds since the run started that returned the items to an earlier call. */
  age?: number
}

/** A scraper to run, with its input. */
export interface Part {
  slug: string
  input: Record<string, unknown>
}

export interface PartLimits {
  /** Time (as of `performance.now()`) at which unfinished runs are ended. */
  endsAt: number
  /** Milliseconds after the first run with items at which the others are ended. */
  graceMs?: number
}

/** Runs scrapers at the same time, for a search. */
export interface PartRuns extends EngineScrapers {
  /** Returns one result for each part, in their order. */
  run(parts: readonly Part[], limits: PartLimits): Promise<PartResult[]>
}

/** The outcome of one engine. */
export interface EngineReport {
  engine: string
  scraper: string
  results: number
  error?: RunError
  age?: number
}

export interface SearchResult {
  hits: MergedHit[]
  engines: EngineReport[]
  /** Options without effect on at least one of the engines that returned results. */
  ignored: Option[]
  /** Age in seconds of the oldest cached results, if all are cached. */
  age?: number
}

/** No engine of a search returned results. */
export class SearchFailed extends Error {
  constructor(readonly engines: EngineReport[]) {
    const reasons = engines.map(({ engine, error }) => `${engine}: ${error?.message ?? "failed"}`)
    super(
      reasons.length > 0
        ? `No search engine returned results. ${reasons.join(" ")}`
        : "This service has no search engine.",
    )
  }

  /** The code that all engines have in common, or that of the first. */
  get code(): string {
    return this.engines.find(({ error }) => error)?.error?.code ?? "upstream_error"
  }
}

/** Maximum results that a search reads from each engine. */
export const maxResults = 100
/** Maximum characters of a query: that of the engine with the lowest limit. */
export const maxQuery = 499
/** Milliseconds that slower engines have after the first one has returned results. */
const graceMs = 5000

/**
 * Searches with several engines at once and merges their results. Engines that lack an option run only
 * if those that have it fail. @throws SearchFailed
 */
export async function searchWeb(runs: PartRuns, request: SearchRequest): Promise<SearchResult> {
  const { offset = 0, limit } = request
  const endsAt = performance.now() + request.waitMs
  const query = { ...request, limit: Math.min(maxResults, offset + limit) }
  const requested = requestedOptions(request)
  // A moderate filter is worth a notice, but no reason to leave out an engine that a call names.
  const required = requested.filter(
    (name) => name !== "safeSearch" || request.safeSearch === "strict",
  )
  const chosen = chosenEngines(runs, request)
  const isAble = ({ ignores }: Engine) => !required.some((name) => ignores.includes(name))
  const reports: EngineReport[] = []
  for (const engines of [chosen.filter(isAble), chosen.filter((engine) => !isAble(engine))]) {
    // The first engines run even if no time is left, so that they report a timeout.
    if (engines.length === 0 || (reports.length > 0 && performance.now() >= endsAt)) continue
    const parts = engines.map(({ slug, input }) => ({ slug, input: input(query) }))
    const results = await runs.run(parts, { endsAt, graceMs })
    const lists = engines.map((engine, index) => listOf(engine, results[index]!, request))
    reports.push(...lists.map(({ report }) => report))
    const answered = lists.filter(({ report }) => !report.error)
    if (answered.length === 0) continue
    const hits = mergedHits(answered).slice(offset, offset + limit)
    const ages = answered.map(({ report }) => report.age)
    const isCached = ages.every((age) => age !== undefined)
    return {
      hits,
      engines: reports,
      ignored: requested.filter((name) => answered.some(({ ignores }) => ignores.includes(name))),
      ...(isCached && { age: Math.max(...ages) }),
    }
  }
  throw new SearchFailed(reports)
}

/** Every engine returns unfiltered results, so that `off` needs no option. */
const requestedOptions = ({ region, timeRange, safeSearch }: SearchRequest): Option[] => [
  ...(region ? (["region"] as const) : []),
  ...(timeRange ? (["timeRange"] as const) : []),
  ...(safeSearch && safeSearch !== "off" ? (["safeSearch"] as const) : []),
]

/** Returns one sentence for each option that not all engines with results have. */
export const noticesOf = (ignored: readonly Option[]): string[] =>
  ignored.map((option) => `Not all engines with results have ${option}.`)

function listOf(engine: Engine, { items, error, age }: PartResult, request: SearchRequest) {
  const allHits = items.flatMap((item) => (item.error ? [] : (engine.hit(item) ?? [])))
  const hits = engine.kind === "news" ? since(allHits, request) : allHits
  const report: EngineReport = {
    engine: engine.name,
    scraper: engine.slug,
    results: hits.length,
    // Results before an error are worth more than none.
    ...(error && allHits.length === 0 && { error }),
    ...(age !== undefined && { age }),
  }
  return { engine: engine.name, hits, report, ignores: engine.ignores }
}

/** News have their dates; those without one are not known to be recent. */
function since(hits: Hit[], { timeRange }: SearchRequest): Hit[] {
  if (!timeRange) return hits
  const from = Date.now() - timeRanges[timeRange] * 86_400_000
  return hits.filter(({ publishedAt }) => publishedAt !== null && Date.parse(publishedAt) >= from)
}
