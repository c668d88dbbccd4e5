import type { AnyScraper } from "../../catalogue/kit/index.ts"
import type { Health } from "../../engine/ops/health/health-service.ts"
import type { Region } from "./regions.ts"

export const kinds = ["web", "news"] as const
export type Kind = (typeof kinds)[number]

/** Maximum age of results by its name, in days. */
export const timeRanges = { day: 1, week: 7, month: 31, year: 366 } as const
export type TimeRange = keyof typeof timeRanges

/** How strictly an engine leaves out adult content. Without one, the engine's own default applies. */
export const safeLevels = ["off", "moderate", "strict"] as const
export type SafeSearch = (typeof safeLevels)[number]

/** The query of a search, and how many results each engine returns. */
export interface EngineQuery {
  query: string
  limit: number
  region?: Region | undefined
  timeRange?: TimeRange | undefined
  safeSearch?: SafeSearch | undefined
}

/** Options that some engines do not have. */
export type Option = "region" | "timeRange" | "safeSearch"

/** One result of one engine. */
export interface Hit {
  url: string
  title: string
  snippet: string
  /** ISO 8601. */
  publishedAt: string | null
}

export interface Engine {
  name: string
  slug: string
  kind: Kind
  input(query: EngineQuery): Record<string, unknown>
  hit(item: Record<string, unknown>): Hit | undefined
  ignores: readonly Option[]
  /** It refuses most servers: it is used only if its health shows that it works here. */
  needsHealth?: true
  /** It is used only if a search names it. */
  isNamedOnly?: true
}

/** Returns the result in an item whose fields have their usual names. */
function usualHit(item: Record<string, unknown>): Hit | undefined {
  const { url, title, publishedAt } = item
  if (typeof url !== "string" || !/^https?:/i.test(url)) return undefined
  return {
    url,
    title: String(title ?? ""),
    snippet: String(item.snippet ?? item.description ?? ""),
    publishedAt: typeof publishedAt === "string" ? publishedAt : null,
  }
}

const pagesOfTen = (limit: number, max: number) => Math.min(max, Math.ceil(limit / 10))

export const engines: readonly Engine[] = [
  {
    name: "duckduckgo",
    slug: "duckduckgo-search-scraper",
    kind: "web",
    input: ({ query, limit, region, timeRange, safeSearch }) => ({
      queries: [query],
      maxResults: limit,
      ...(region && { region: region.region }),
      ...(timeRange && { timeRange }),
      ...(safeSearch && { safeSearch }),
    }),
    hit: usualHit,
    ignores: [],
  },
  {
    name: "bing",
    slug: "bing-search-scraper",
    kind: "web",
    input: ({ query, limit, region, safeSearch }) => ({
      queries: [query],
      maxResults: limit,
      pagesPerQuery: pagesOfTen(limit, 20),
      ...(region && { market: region.market }),
      ...(safeSearch && { safeSearch }),
    }),
    hit: usualHit,
    ignores: ["timeRange"],
  },
  {
    name: "google",
    slug: "google-search-scraper",
    kind: "web",
    input: ({ query, limit, region, safeSearch }) => ({
      queries: [query],
      resultsPerQuery: limit,
      ...(region && { countryCode: region.country, language: region.language }),
      ...(safeSearch && { safeSearch }),
    }),
    hit: (item) => (item.type === "organic" ? usualHit(item) : undefined),
    ignores: ["timeRange"],
    needsHealth: true,
  },
  {
    name: "wikipedia",
    slug: "wikipedia-search-scraper",
    kind: "web",
    input: ({ query, limit, region }) => ({
      queries: [query],
      resultsPerQuery: limit,
      ...(region && { language: region.language }),
    }),
    hit: usualHit,
    ignores: ["timeRange", "safeSearch"],
    isNamedOnly: true,
  },
  {
    name: "bing news",
    slug: "bing-news-scraper",
    kind: "news",
    input: ({ query, limit }) => ({ queries: [query], maxPerFeed: limit }),
    hit: usualHit,
    ignores: ["region", "safeSearch"],
  },
  {
    name: "google news",
    slug: "google-news-scraper",
    kind: "news",
    input: ({ query, limit, region, timeRange }) => ({
      queries: [timeRange ? `${query} when:${timeRanges[timeRange]}d` : query],
      maxPerFeed: limit,
      ...(region && { language: region.language, country: region.country }),
    }),
    hit: (item) => usualHit({ ...item, url: item.articleUrl ?? item.url }),
    ignores: ["safeSearch"],
  },
]

export const engineNames: readonly string[] = engines.map(({ name }) => name)

/** The scrapers of this service, and their health if it is measured. */
export interface EngineScrapers {
  scraper(slug: string): AnyScraper | undefined
  healthOf(slug: string): Health | undefined
}

const failing: readonly string[] = ["broken", "blocked", "needs"]
const working: readonly string[] = ["works", "degraded"]

/**
 * Returns the engines of a search: those that it names, or else those of its kind that work here. If
 * none is known to work, all of its kind are tried.
 */
export function chosenEngines(
  scrapers: EngineScrapers,
  { kind, names }: { kind: Kind; names?: readonly string[] | undefined },
): Engine[] {
  const present = engines.filter(({ slug }) => scrapers.scraper(slug) !== undefined)
  const named = present.filter(({ name }) => names?.includes(name))
  if (named.length > 0) return named
  const ofKind = present.filter((engine) => engine.kind === kind && !engine.isNamedOnly)
  const stateOf = ({ slug }: Engine) => scrapers.healthOf(slug)?.state ?? "unknown"
  const able = ofKind.filter((engine) =>
    engine.needsHealth ? working.includes(stateOf(engine)) : !failing.includes(stateOf(engine)),
  )
  return able.length > 0 ? able : ofKind
}
