import { ApiError } from "../../http/errors.ts"
import type { KeylessSurface } from "../../keyless/surface.ts"
import type { Call } from "../../service.ts"
import type { Region } from "./regions.ts"
import { errorOf, failureOf, type Item, runNow } from "./run-now.ts"

export interface Hit {
  url: string
  title: string
  description: string
  date: string | null
}

const spans = { day: 1, week: 7, month: 31, year: 366 } as const
export type TimeRange = keyof typeof spans

export interface SearchWanted {
  query: string
  limit: number
  kind?: "web" | "news"
  region?: Region | undefined
  timeRange?: TimeRange | undefined
  /** Milliseconds for all of it. */
  waitMs?: number | undefined
}

export interface Found {
  hits: Hit[]
  /** What was asked for and the engine that answered cannot do. */
  ignored: ("region" | "timeRange")[]
}

interface Engine {
  slug: string
  input(wanted: SearchWanted): Record<string, unknown>
  ignores: readonly Found["ignored"][number][]
}

/** Asked in turn, until one answers. */
const webEngines: readonly Engine[] = [
  {
    slug: "duckduckgo-search-scraper",
    input: ({ query, limit, region, timeRange }) => ({
      queries: [query],
      maxResults: limit,
      ...(region && { region: region.region }),
      ...(timeRange && { timeRange }),
    }),
    ignores: [],
  },
  {
    slug: "bing-search-scraper",
    input: ({ query, limit, region }) => ({
      queries: [query],
      maxResults: limit,
      pagesPerQuery: Math.min(20, Math.ceil(limit / 10)),
      ...(region && { market: region.market }),
    }),
    ignores: ["timeRange"],
  },
]
const newsEngines: readonly Engine[] = [
  {
    slug: "bing-news-scraper",
    input: ({ query, limit }) => ({ queries: [query], maxPerFeed: limit }),
    ignores: ["region"],
  },
]

/** @throws ApiError if no engine answers */
export async function searchWeb(
  surface: KeylessSurface,
  call: Call,
  wanted: SearchWanted,
): Promise<Found> {
  const { kind = "web", limit, waitMs } = wanted
  const endsAt = waitMs === undefined ? undefined : Date.now() + waitMs
  let refusal: ApiError | undefined
  for (const { slug, input, ignores } of kind === "web" ? webEngines : newsEngines) {
    const items = await runNow(surface, call, {
      slug,
      input: input(wanted),
      ...(endsAt !== undefined && { waitMs: Math.max(1, endsAt - Date.now()) }),
    })
    const found = items.filter((item) => !errorOf(item) && typeof item.url === "string")
    const error = items.map(errorOf).find((error) => error !== undefined)
    if (found.length > 0 || !error) {
      const hits = found.map(hit)
      return {
        hits: (kind === "news" ? since(hits, wanted.timeRange) : hits).slice(0, limit),
        ignored: ignores.filter((name) => wanted[name] !== undefined),
      }
    }
    refusal = failureOf(error)
  }
  throw refusal ?? new ApiError(422, "No search engine answered.")
}

/** News have their dates; those without one are not known to be recent. */
function since(hits: Hit[], timeRange: TimeRange | undefined): Hit[] {
  if (!timeRange) return hits
  const from = Date.now() - spans[timeRange] * 86_400_000
  return hits.filter(({ date }) => date !== null && Date.parse(date) >= from)
}

function hit(item: Item): Hit {
  return {
    url: String(item.url),
    title: String(item.title ?? ""),
    description: String(item.snippet ?? item.description ?? ""),
    date: typeof item.publishedAt === "string" ? item.publishedAt : null,
  }
}
