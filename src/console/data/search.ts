import type { Item, KeylessResponse } from "./keyless.ts"
import { account } from "./shell.ts"
import type { CodeSample } from "./snippets.ts"

/** The options of a search that has not been changed. */
export const usualSearch = {
  kind: "web",
  limit: 10,
  pages: 0,
  maxTokens: 20_000,
  timeRange: "",
  country: "",
  safeSearch: "",
}

export type SearchOptions = typeof usualSearch

export interface EngineReport {
  engine: string
  scraper: string
  results: number
  error?: { code: string; message: string }
}

/** A result with the number by which a text cites it. */
export interface SearchItem extends Item {
  source: number
  title: string
  url: string
  snippet: string
  publishedAt: string | null
  engines: string[]
  markdown?: string
  isShortened?: boolean
  pageError?: { code: string; message: string }
}

export interface SearchResponse extends Omit<KeylessResponse, "items"> {
  items: SearchItem[]
  engines?: EngineReport[]
}

/** Returns the query of a search, without options that have their usual value. */
export function searchQuery(words: string, options: SearchOptions): URLSearchParams {
  const query = new URLSearchParams({ q: words })
  for (const [name, value] of Object.entries(options)) {
    if (name === "maxTokens" && options.pages === 0) continue
    const usual = usualSearch[name as keyof SearchOptions]
    if (String(value).trim() !== String(usual)) query.set(name, String(value).trim())
  }
  return query
}

/** Returns the options in the URL of the screen. */
export function optionsIn(query: URLSearchParams): SearchOptions {
  const options = { ...usualSearch }
  const number = (name: "limit" | "pages" | "maxTokens") => {
    const value = Number(query.get(name))
    if (query.has(name) && Number.isInteger(value) && value >= 0) options[name] = value
  }
  for (const name of ["limit", "pages", "maxTokens"] as const) number(name)
  for (const name of ["kind", "timeRange", "country", "safeSearch"] as const) {
    options[name] = query.get(name) ?? usualSearch[name]
  }
  return options
}

/** The call of a search; a signed-in user's search is paid by the account. */
export function searchCall(words: string, options: SearchOptions): CodeSample {
  const { limit, pages, safeSearch } = options
  const more = {
    ...(limit !== usualSearch.limit && { limit }),
    ...(pages > 0 && { pages }),
    ...(safeSearch && { safeSearch }),
  }
  return {
    path: `/api/search?${searchQuery(words, options)}`,
    needsKey: account !== undefined,
    tool: { name: "search_web", input: { query: words, ...more } },
  }
}

/** Returns the results as text: a numbered list, then the pages under the same numbers. */
export function asMarkdown(items: readonly SearchItem[]): string {
  const list = items.map(
    ({ source, title, url, snippet }) =>
      `[${source}] ${oneLine(title)} <${url}>${snippet && `\n    ${oneLine(snippet)}`}`,
  )
  const pages = items.flatMap(({ source, title, url, markdown }) =>
    markdown ? [`## [${source}] ${oneLine(title)}\n<${url}>\n\n${markdown}`] : [],
  )
  return [list.join("\n"), ...pages].join("\n\n")
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim()

const columns = ["source", "title", "url", "snippet", "publishedAt", "engines"] as const

/** Returns the results as CSV (RFC 4180). */
export function asCsv(items: readonly SearchItem[]): string {
  const hasPages = items.some(({ markdown }) => markdown !== undefined)
  const names = [...columns, ...(hasPages ? (["markdown"] as const) : [])]
  const rows = items.map((item) => names.map((name) => String(item[name] ?? "")))
  return [names, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("")
}

/** A text that a spreadsheet would run as a formula gets an apostrophe. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
