import { tokensOf } from "../items/tokens.ts"
import type { MergedHit } from "./merge.ts"
import { type ReadPage, readPages } from "./pages.ts"
import {
  type EngineReport,
  noticesOf,
  type PartRuns,
  type RunError,
  type SearchRequest,
  searchWeb,
} from "./web-search.ts"

/** One result with its number, by which a text can cite it. */
export interface SearchItem extends MergedHit {
  source: number
  /** The page, if it was requested and is readable. */
  markdown?: string
  /** The page has more text than `markdown`. */
  isShortened?: boolean
  pageError?: RunError
}

export interface CompleteSearch extends SearchRequest {
  /** Number of results whose pages are read. */
  pages: number
  /** Tokens of all items together, about. */
  maxTokens: number
}

export interface SearchResponse {
  items: SearchItem[]
  engines: EngineReport[]
  /** Age in seconds of cached results. */
  age?: number
  notice?: string
}

/** Part of the time that the engines have if pages are read after them. */
const engineShare = 0.5

/**
 * Searches, numbers the results and reads the pages of the first ones.
 *
 * @param pageRuns Runs that read the pages: they are a call of their own.
 * @throws SearchFailed
 */
export async function search(
  runs: PartRuns,
  request: CompleteSearch,
  pageRuns: PartRuns = runs,
): Promise<SearchResponse> {
  const { pages, maxTokens, waitMs } = request
  const endsAt = performance.now() + waitMs
  const enginesMs = pages > 0 ? waitMs * engineShare : waitMs
  const response = await searchWeb(runs, { ...request, waitMs: enginesMs })
  const { offset = 0 } = request
  const items: SearchItem[] = []
  let left = maxTokens
  for (const [index, hit] of response.hits.entries()) {
    const item = { source: offset + index + 1, ...hit }
    const cost = tokensOf(JSON.stringify(item))
    if (cost > left && items.length > 0) break
    items.push(item)
    left -= cost
  }
  const cut = response.hits.length - items.length
  const notices = [
    ...noticesOf(response.ignored),
    ...(cut > 0 ? [`maxTokens left out the last ${cut} results.`] : []),
  ]
  if (pages > 0) {
    const read = items.slice(0, pages)
    const urls = [...new Set(read.map(({ url }) => url))]
    const texts = await readPages(pageRuns, urls, { maxTokens: left, endsAt })
    for (const item of read) Object.assign(item, pageOf(texts.get(item.url)))
  }
  return {
    items,
    engines: response.engines,
    ...(response.age !== undefined && pages === 0 && { age: response.age }),
    ...(notices.length > 0 && { notice: notices.join(" ") }),
  }
}

function pageOf(page: ReadPage | undefined): Partial<SearchItem> {
  if (!page) return {}
  const { error, ...rest } = page
  return error ? { pageError: error } : rest
}

/** Returns the results as Markdown: a numbered list, then the pages under the same numbers. */
export function searchMarkdown(items: readonly SearchItem[]): string {
  const list = items.map(({ source, title, url, snippet }) => {
    const text = snippet.replace(/\s+/g, " ").trim()
    return `[${source}] ${linkText(title)} <${url}>${text && `\n    ${text}`}`
  })
  const pages = items.flatMap(({ source, title, url, markdown, pageError }) => {
    if (markdown !== undefined)
      return [`## [${source}] ${linkText(title)}\n<${url}>\n\n${markdown}`]
    return pageError ? [`## [${source}] ${linkText(title)}\n<${url}>\n\n${pageError.message}`] : []
  })
  return [list.join("\n"), ...pages].join("\n\n")
}

const linkText = (title: string) => title.replace(/\s+/g, " ").trim()

/** Returns which engines failed and why, in one sentence each; "" if none did. */
export const failedEngines = (engines: readonly EngineReport[]): string =>
  engines
    .flatMap(({ engine, error }) => (error ? [`${engine} failed: ${error.message}`] : []))
    .join(" ")
