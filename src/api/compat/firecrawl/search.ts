import type { KeylessSurface } from "../../keyless/surface.ts"
import type { Hit, Option } from "../../search/engines.ts"
import type { Call } from "../../service.ts"
import { bodyOf } from "../common/body.ts"
import type { Work } from "../common/refusal.ts"
import { errorOf, runNow } from "../common/run-now.ts"
import { searchForCall } from "../common/web-search.ts"
import { countOf, pageSlug, textOf } from "./calls.ts"
import { documentOf } from "./document.ts"
import { callerOf } from "./extraction.ts"
import { type Json, type PageOptions, pageOptions, type Version, waitOf } from "./options.ts"
import { type Source, searchOptions } from "./search-options.ts"

const maxHits = 100

export function search(surface: KeylessSurface, version: Version): Work {
  return async (call) => {
    const body = await bodyOf(call)
    const limit = countOf(body, "limit", 5, maxHits)
    const { sources, warnings, categoryOf, ...wanted } = searchOptions(textOf(body, "query"), body)
    const endsAt = body.timeout == null ? undefined : Date.now() + waitOf(body.timeout)
    const left = () => (endsAt === undefined ? undefined : Math.max(1, endsAt - Date.now()))
    const pages = pagesWanted(surface, call, body.scrapeOptions)
    const results: Record<string, Json[]> = {}
    for (const kind of sources) {
      const requested = { ...wanted, limit, kind, waitMs: left() }
      const { hits, ignored } = await searchForCall(surface, call, requested)
      if (ignored.length > 0) warnings.push(ignoredBy(kind, ignored))
      const visible = hits.map((hit, index) => resultOf(hit, index, kind, categoryOf(hit.url)))
      results[kind] = pages ? await withPages(surface, call, visible, pages, left()) : visible
    }
    const reported = [...new Set(warnings)].join(" ")
    const data = version === "v1" ? (results.web ?? []) : results
    return { success: true, data, ...(reported !== "" && { warning: reported }) }
  }
}

const parameters = {
  region: '"country" and "location"',
  timeRange: "tbs",
  // Firecrawl has no such parameter.
  safeSearch: "safeSearch",
} as const

const ignoredBy = (kind: Source, ignored: readonly Option[]) =>
  `Ignored by the ${kind} results: ${ignored.map((name) => parameters[name]).join(", ")}.`

function resultOf(
  { url, title, snippet, publishedAt: date }: Hit,
  index: number,
  kind: Source,
  category: string | undefined,
): Json & { url: string } {
  const position = index + 1
  if (kind === "news") return { url, title, snippet, ...(date && { date }), position }
  return { url, title, description: snippet, ...(category && { category }), position }
}

/**
 * Returns the page options, if formats are requested: otherwise pages are not fetched. @throws
 * ApiError 400
 */
function pagesWanted({ service }: KeylessSurface, call: Call, scrapeOptions: unknown) {
  const wanted = (scrapeOptions ?? {}) as Json
  if (!Array.isArray(wanted.formats) || wanted.formats.length === 0) return undefined
  return pageOptions(wanted, callerOf(service, call))
}

/** Adds to each result its page, or the error of its page. */
async function withPages(
  surface: KeylessSurface,
  call: Call,
  hits: (Json & { url: string })[],
  options: PageOptions,
  leftMs: number | undefined,
): Promise<Json[]> {
  if (hits.length === 0) return hits
  const { input, waitMs, maxAgeMs } = options
  const urls = [...new Set(hits.map(({ url }) => url))]
  const items = await runNow(surface, call, {
    slug: pageSlug,
    input: { urls, ...input },
    waitMs: leftMs ?? waitMs,
    maxAgeMs,
  })
  const byUrl = new Map(items.map((item) => [item.url, item]))
  return hits.map((hit) => {
    const item = byUrl.get(hit.url)
    const error = errorOf(item)
    if (item && !error) return { ...hit, ...documentOf(item, options) }
    const message = error?.message ?? "The page was not read: the run ended first."
    return { ...hit, metadata: { sourceURL: hit.url, error: message } }
  })
}
