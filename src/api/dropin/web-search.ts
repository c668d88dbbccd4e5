import { ApiError } from "../http/errors.ts"
import type { KeylessSurface } from "../keyless/surface.ts"
import type { Call } from "../service.ts"
import { errorOf, failureOf, type Item, runNow } from "./run-now.ts"

export interface Hit {
  url: string
  title: string
  description: string
  date: string | null
}

type Input = (query: string, limit: number) => Record<string, unknown>

/** Asked in turn, until one answers. */
const webEngines: readonly [slug: string, input: Input][] = [
  ["duckduckgo-search-scraper", (query, limit) => ({ queries: [query], maxResults: limit })],
  [
    "bing-search-scraper",
    (query, limit) => ({
      queries: [query],
      maxResults: limit,
      pagesPerQuery: Math.min(20, Math.ceil(limit / 10)),
    }),
  ],
]
const newsEngines: readonly [slug: string, input: Input][] = [
  ["bing-news-scraper", (query, limit) => ({ queries: [query], maxPerFeed: limit })],
]

/** @throws ApiError where no engine answers */
export async function searchWeb(
  surface: KeylessSurface,
  call: Call,
  { query, limit, kind = "web" }: { query: string; limit: number; kind?: "web" | "news" },
): Promise<Hit[]> {
  let refusal: ApiError | undefined
  for (const [slug, input] of kind === "web" ? webEngines : newsEngines) {
    const items = await runNow(surface, call, { slug, input: input(query, limit) })
    const hits = items.filter((item) => !errorOf(item) && typeof item.url === "string")
    const error = items.map(errorOf).find((error) => error !== undefined)
    if (hits.length > 0 || !error) return hits.slice(0, limit).map(hit)
    refusal = failureOf(error)
  }
  throw refusal ?? new ApiError(422, "No search engine answered.")
}

function hit(item: Item): Hit {
  return {
    url: String(item.url),
    title: String(item.title ?? ""),
    description: String(item.snippet ?? item.description ?? ""),
    date: typeof item.publishedAt === "string" ? item.publishedAt : null,
  }
}
