import { ApiError } from "../../http/errors.ts"
import { safeLevels, timeRanges } from "../../search/engines.ts"
import { regionOfLanguage } from "../../search/regions.ts"
import { maxQuery, maxResults, type SearchRequest } from "../../search/web-search.ts"

/** Results per page. */
const pageSize = 10

/** Bangs of SearXNG, and the engines and categories that they select. */
const bangs: Record<string, { engine?: string; category?: string }> = {
  ddg: { engine: "duckduckgo" },
  duckduckgo: { engine: "duckduckgo" },
  bi: { engine: "bing" },
  bing: { engine: "bing" },
  go: { engine: "google" },
  google: { engine: "google" },
  wp: { engine: "wikipedia" },
  wikipedia: { engine: "wikipedia" },
  bin: { engine: "bing news" },
  gon: { engine: "google news" },
  news: { category: "news" },
}

/** Returns the search that a call to SearXNG describes. @throws ApiError 400, 403 */
export function searxngRequest(
  parameters: URLSearchParams,
): Omit<SearchRequest, "waitMs"> & { category: string } {
  const value = (name: string) => parameters.get(name)?.trim() ?? ""
  const format = value("format")
  if (format !== "json") {
    const requested = format === "" || format === "html" ? "web pages" : `"${brief(format)}"`
    throw new ApiError(403, `This server does not have ${requested} as a format; add format=json.`)
  }
  const level = value("safesearch")
  const safeSearch =
    level === ""
      ? undefined
      : safeLevels[wholeNumber("safesearch", level, { min: 0, max: 2, otherwise: 0 })]
  const page = wholeNumber("pageno", value("pageno"), { min: 1, max: 1000, otherwise: 1 })
  const timeRange = value("time_range")
  if (timeRange !== "" && !Object.hasOwn(timeRanges, timeRange)) {
    throw invalid("time_range", timeRange, `one of ${Object.keys(timeRanges).join(", ")}`)
  }
  const { query, names, categories, language } = inWords(value("q"))
  if (query === "") throw new ApiError(400, 'The query is empty: set "q".')
  if (query.length > maxQuery) {
    throw invalid("q", query, `a string of at most ${maxQuery} characters`)
  }
  const listed = [...names, ...listOf(value("engines"))]
  const isNews = [...categories, ...listOf(value("categories"))].includes("news")
  const tag = language ?? value("language")
  const region = /^[a-z]{2}(?:[-_][a-z]{2})?$/i.test(tag) ? regionOfLanguage(tag) : undefined
  return {
    query,
    kind: isNews ? "news" : "web",
    category: isNews ? "news" : "general",
    limit: pageSize,
    offset: Math.min(maxResults, (page - 1) * pageSize),
    ...(listed.length > 0 && { names: listed }),
    ...(region && { region }),
    ...(timeRange !== "" && { timeRange: timeRange as keyof typeof timeRanges }),
    ...(safeSearch && { safeSearch }),
  }
}

/** Splits a query such as `!ddg :de anchors` into its bangs, language and words. */
function inWords(text: string) {
  const names: string[] = []
  const categories: string[] = []
  let language: string | undefined
  const words = text.split(/\s+/).filter((word) => {
    const bang = bangs[/^!([a-z]+)$/i.exec(word)?.[1]?.toLowerCase() ?? ""]
    if (bang?.engine) names.push(bang.engine)
    if (bang?.category) categories.push(bang.category)
    const tag = /^:([a-z]{2}(?:[-_][a-z]{2})?)$/i.exec(word)?.[1]
    language = tag ?? language
    return !bang && tag === undefined
  })
  return { query: words.join(" "), names, categories, language }
}

const listOf = (text: string) =>
  text
    .split(",", 50)
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean)

/** @throws ApiError 400 */
function wholeNumber(
  name: string,
  text: string,
  { min: minimum, max: maximum, otherwise }: { min: number; max: number; otherwise: number },
): number {
  if (text === "") return otherwise
  const number = Number(text)
  if (Number.isInteger(number) && number >= minimum && number <= maximum) return number
  throw invalid(name, text, `an integer from ${minimum} to ${maximum}`)
}

const invalid = (name: string, actual: string, expected: string) =>
  new ApiError(400, `"${name}" must be ${expected}, not "${brief(actual)}".`)

const brief = (text: string) => text.slice(0, 60)
