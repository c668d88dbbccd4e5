import { bodyOf } from "../dropin/body.ts"
import { notOffered, type Work } from "../dropin/refusal.ts"
import { errorOf, goodItem, runNow } from "../dropin/run-now.ts"
import { searchWeb } from "../dropin/web-search.ts"
import { ApiError } from "../http/errors.ts"
import type { KeylessSurface } from "../keyless/surface.ts"
import type { Call } from "../service.ts"
import { documentOf } from "./document.ts"
import { callerOf } from "./extraction.ts"
import { type Json, pageOptions, type Version } from "./options.ts"

export const pageSlug = "url-to-markdown-scraper"
const alias = { field: "urls", parameter: "url" }

export function textOf(body: Json, name: string): string {
  const value = body[name]
  if (typeof value === "string" && value.trim() !== "") return value.trim()
  throw new ApiError(400, `"${name}" is missing: it must be a text.`)
}

export function countOf(body: Json, name: string, or: number, most: number): number {
  const value = body[name] ?? or
  if (typeof value === "number" && Number.isInteger(value) && value >= 1)
    return Math.min(value, most)
  throw new ApiError(400, `"${name}" must be a whole number above 0.`)
}

export function scrape(surface: KeylessSurface): Work {
  return async (call) => {
    const body = await bodyOf(call)
    if (body.alexandria) throw notOffered("Alexandria")
    const url = textOf(body, "url")
    const options = pageOptions(body, callerOf(surface.service, call))
    const { input, waitMs, maxAgeMs } = options
    const asked = { slug: pageSlug, input: { urls: [url], ...input }, waitMs, maxAgeMs, alias }
    const [item] = await runNow(surface, call, asked)
    return { success: true, data: documentOf(goodItem(item), options) }
  }
}

const mostHits = 100

export function search(surface: KeylessSurface, version: Version): Work {
  return async (call) => {
    const body = await bodyOf(call)
    const query = textOf(body, "query")
    const limit = countOf(body, "limit", 5, mostHits)
    const results: Record<string, Json[]> = {}
    for (const source of sourcesOf(body.sources)) {
      const hits = await searchWeb(surface, call, {
        query: withDomains(query, body),
        limit,
        kind: source,
      })
      const shown = hits.map(({ url, title, description, date }, index) =>
        source === "news"
          ? { url, title, snippet: description, ...(date && { date }), position: index + 1 }
          : { url, title, description, position: index + 1 },
      )
      results[source] = await withPages(surface, call, shown, body.scrapeOptions)
    }
    return { success: true, data: version === "v1" ? (results.web ?? []) : results }
  }
}

/** Each hit with its page, where pages are asked for; a page that fails is told in its place. */
async function withPages(
  surface: KeylessSurface,
  call: Call,
  hits: (Json & { url: string })[],
  scrapeOptions: unknown,
): Promise<Json[]> {
  const wanted = (scrapeOptions ?? {}) as Json
  if (!Array.isArray(wanted.formats) || wanted.formats.length === 0 || hits.length === 0)
    return hits
  const options = pageOptions(wanted, callerOf(surface.service, call))
  const { input, waitMs, maxAgeMs } = options
  const urls = [...new Set(hits.map(({ url }) => url))]
  const items = await runNow(surface, call, {
    slug: pageSlug,
    input: { urls, ...input },
    waitMs,
    maxAgeMs,
  })
  const byUrl = new Map(items.map((item) => [item.url, item]))
  return hits.map((hit) => {
    const item = byUrl.get(hit.url)
    const error = errorOf(item)
    if (item && !error) return { ...hit, ...documentOf(item, options) }
    const message = error?.message ?? "The page was not read: the run ended before."
    return { ...hit, metadata: { sourceURL: hit.url, error: message } }
  })
}

function sourcesOf(written: unknown): ("web" | "news")[] {
  if (written === undefined || written === null) return ["web"]
  if (!Array.isArray(written)) throw new ApiError(400, '"sources" must be a list.')
  return written.map((entry: unknown) => {
    const name = typeof entry === "string" ? entry : (entry as Json | null)?.type
    if (name === "web" || name === "news") return name
    throw notOffered(`The source "${String(name).slice(0, 40)}"`, "There are web and news.")
  })
}

/** Search engines take sites as operators. */
function withDomains(query: string, { includeDomains, excludeDomains }: Json): string {
  const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  const included = list(includeDomains).map((domain) => `site:${domain}`)
  const excluded = list(excludeDomains).map((domain) => `-site:${domain}`)
  const sites = included.length > 1 ? [`(${included.join(" OR ")})`] : included
  return [query, ...sites, ...excluded].join(" ")
}
