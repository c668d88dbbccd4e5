import { ApiError } from "../../http/errors.ts"
import { notOffered } from "../common/refusal.ts"
import { countryIn, type Region, regionOf } from "../common/regions.ts"
import type { TimeRange } from "../common/web-search.ts"
import { type Json, ofClients, requireNone, unheard, withoutEffect } from "./options.ts"

export type Source = "web" | "news"

/** The options of a search, in addition to its words. */
export interface SearchOptions {
  sources: Source[]
  /** The words with the operators that stand for domains and categories. */
  query: string
  /** Returns the category of a result, if one was asked for that it belongs to. */
  categoryOf(url: string): string | undefined
  region?: Region | undefined
  timeRange?: TimeRange | undefined
  warnings: string[]
}

const received = new Set([
  "query",
  "limit",
  "sources",
  "categories",
  "includeDomains",
  "excludeDomains",
  "tbs",
  "country",
  "location",
  "lang",
  "timeout",
  "scrapeOptions",
  // No response contains a result without a URL.
  "ignoreInvalidURLs",
  // Results have the snippets of the search engine, as Firecrawl's have without highlights.
  "highlights",
  "enterprise",
  ...ofClients,
])

/** @throws ApiError 400 naming what cannot be kept */
export function searchOptions(words: string, body: Json): SearchOptions {
  refusePromises(body)
  const warnings: string[] = []
  const silent = unheard(body, received)
  const sources = sourcesOf(body.sources, warnings)
  const categories = categoriesOf(body.categories, warnings)
  const query = [words, ...narrowed(categories), ...domainsOf(body)].join(" ")
  const region = placeOf(body, warnings)
  const timeRange = timeRangeOf(body.tbs, warnings)
  if (silent.length > 0) warnings.push(withoutEffect(silent))
  return {
    sources,
    query,
    region,
    timeRange,
    warnings,
    categoryOf: (url) => categories.find((name) => categoryRules[name]!.holds(url)),
  }
}

/** What would be believed to be kept. */
function refusePromises(body: Json): void {
  requireNone(body, ["threatProtection", "zeroDataRetention"])
  const { enterprise } = body
  const modes = Array.isArray(enterprise) ? enterprise : []
  const promised = modes.find((mode) => mode !== "default")
  if (promised !== undefined) throw notOffered(`The search mode "${brief(promised)}"`)
}

/** Those that are here; others are left out, and refused only if nothing else is asked for. */
function sourcesOf(written: unknown, warnings: string[]): Source[] {
  if (written === undefined || written === null) return ["web"]
  const names = namesIn("sources", written)
  const sources = names.filter((name): name is Source => name === "web" || name === "news")
  const others = names.filter((name) => name !== "web" && name !== "news")
  if (sources.length === 0 && others.length > 0) {
    throw notOffered(`The source "${brief(others[0])}"`, "There are web and news.")
  }
  if (others.length > 0) {
    warnings.push(`Left out, for there are only web and news: ${others.map(brief).join(", ")}.`)
  }
  return sources.length > 0 ? sources : ["web"]
}

/** A text, or an object with a type; each once. @throws ApiError 400 */
function namesIn(field: string, written: unknown): string[] {
  if (!Array.isArray(written)) throw new ApiError(400, `"${field}" must be a list.`)
  const names = (written as unknown[]).slice(0, 20).map((entry) => {
    const name = typeof entry === "string" ? entry : (entry as Json | null)?.type
    if (typeof name === "string") return name
    throw new ApiError(400, `Each of "${field}" must be a text, or an object with a "type".`)
  })
  return [...new Set(names)]
}

const hostIn = (url: string) => URL.parse(url)?.hostname ?? ""
const isOf = (hosts: readonly string[]) => (url: string) =>
  hosts.some((host) => hostIn(url) === host || hostIn(url).endsWith(`.${host}`))
const sites = (hosts: readonly string[]) => hosts.map((host) => `site:${host}`)

const researchHosts = [
  "arxiv.org",
  "pubmed.ncbi.nlm.nih.gov",
  "nature.com",
  "science.org",
  "ieee.org",
  "acm.org",
  "springer.com",
  "sciencedirect.com",
  "biorxiv.org",
  "researchgate.net",
]
const developerHosts = ["github.com", "stackoverflow.com"]

/** A category is a filter over the search of the web, by the operators that engines take. */
const categoryRules: Record<string, { operators: string[]; holds(url: string): boolean }> = {
  github: { operators: sites(["github.com"]), holds: isOf(["github.com"]) },
  research: { operators: sites(researchHosts), holds: isOf(researchHosts) },
  developer: { operators: sites(developerHosts), holds: isOf(developerHosts) },
  pdf: {
    operators: ["filetype:pdf"],
    holds: (url) => /\.pdf$/i.test(URL.parse(url)?.pathname ?? ""),
  },
}

function categoriesOf(written: unknown, warnings: string[]): string[] {
  if (written === undefined || written === null) return []
  const names = namesIn("categories", written)
  const unknown = names.filter((name) => !Object.hasOwn(categoryRules, name))
  if (unknown.length > 0) {
    const known = Object.keys(categoryRules).join(", ")
    warnings.push(
      `Without effect: categories ${unknown.map(brief).join(", ")}; there are ${known}.`,
    )
  }
  if (names.includes("developer")) {
    warnings.push(`The category developer is a web search of ${developerHosts.join(" and ")}.`)
  }
  return names.filter((name) => Object.hasOwn(categoryRules, name))
}

const narrowed = (categories: readonly string[]) =>
  anyOf(categories.flatMap((name) => categoryRules[name]!.operators))

const anyOf = (operators: readonly string[]) => {
  const distinct = [...new Set(operators)]
  return distinct.length > 1 ? [`(${distinct.join(" OR ")})`] : distinct
}

/** Search engines take sites as operators. */
function domainsOf({ includeDomains, excludeDomains }: Json): string[] {
  const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return [
    ...anyOf(sites(list(includeDomains))),
    ...list(excludeDomains).map((domain) => `-site:${domain}`),
  ]
}

/** A country by its code or by its name; of a city engines know nothing here. */
function placeOf({ country, location, lang }: Json, warnings: string[]): Region | undefined {
  const place = typeof location === "string" ? location : ""
  const named = typeof country === "string" && country !== "" ? country : countryIn(place)
  const region =
    named === undefined ? undefined : regionOf(named, typeof lang === "string" ? lang : undefined)
  if (place !== "" && (place.includes(",") || countryIn(place) === undefined)) {
    warnings.push(`Of "location" only its country has effect, not "${brief(place)}".`)
  }
  if (typeof country === "string" && country !== "" && !region) {
    warnings.push(`Without effect: country ${brief(country)}, which the search does not know.`)
  }
  if (typeof lang === "string" && lang !== "" && !region) {
    warnings.push('Without effect: "lang" without a country.')
  }
  return region
}

const ranges: Record<string, TimeRange> = { h: "day", d: "day", w: "week", m: "month", y: "year" }
const days: Record<string, number> = { h: 1 / 24, d: 1, w: 7, m: 31, y: 366 }
const spanDays: readonly [TimeRange, number][] = [
  ["day", 1],
  ["week", 7],
  ["month", 31],
  ["year", 366],
]

/** Google's `tbs`: `qdr:d` and the like, `qdr:d3` for three days. */
function timeRangeOf(tbs: unknown, warnings: string[]): TimeRange | undefined {
  if (typeof tbs !== "string" || tbs.trim() === "") return undefined
  const parts = tbs.trim().split(",")
  const qdr = parts.map((part) => /^qdr:([hdwmy])(\d{0,4})$/i.exec(part.trim())).find(Boolean)
  const others = parts.filter((part) => !/^qdr:[hdwmy]\d{0,4}$/i.test(part.trim()))
  if (others.length > 0) warnings.push(`Without effect: tbs ${brief(others.join(","))}.`)
  if (!qdr) return undefined
  const unit = qdr[1]!.toLowerCase()
  const count = qdr[2] === "" ? 1 : Number(qdr[2])
  const wanted = days[unit]! * count
  const found = spanDays.find(([, span]) => span >= wanted)?.[0]
  if (count === 1 && unit !== "h") return ranges[unit]
  if (!found) {
    warnings.push(`Without effect: tbs ${brief(qdr[0])}, which is longer than a year.`)
    return undefined
  }
  warnings.push(`tbs ${brief(qdr[0])} is searched as the last ${found}.`)
  return found
}

const brief = (value: unknown) => String(value).slice(0, 60)
