import { ApiError } from "../../http/errors.ts"
import type { TimeRange } from "../../search/engines.ts"
import { countryIn, type Region, regionOf } from "../../search/regions.ts"
import { notOffered } from "../common/refusal.ts"
import { type Json, ofClients, requireNone, unheard, withoutEffect } from "./options.ts"

export type Source = "web" | "news"

/** The options of a search in addition to its query. */
export interface SearchOptions {
  sources: Source[]
  /** The query with search operators for domains and categories. */
  query: string
  /** Returns the requested category that a result belongs to. */
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
  // All results have a URL.
  "ignoreInvalidURLs",
  // Results contain the search engine's snippets, like Firecrawl's without highlights.
  "highlights",
  "enterprise",
  ...ofClients,
])

/** Reads the options of a search. @throws ApiError 400 for options that Trawl does not have */
export function searchOptions(words: string, body: Json): SearchOptions {
  refusePromises(body)
  const warnings: string[] = []
  const silent = unheard(body, received)
  const sources = sourcesOf(body.sources, warnings)
  const categories = categoriesOf(body.categories, warnings)
  const query = [words, ...narrowed(categories), ...domainsOf(body)].join(" ")
  const region = positionOf(body, warnings)
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

/**
 * Refuses options that promise something about the search, because ignoring them would break the
 * promise.
 */
function refusePromises(body: Json): void {
  requireNone(body, ["threatProtection", "zeroDataRetention"])
  const { enterprise } = body
  const modes = Array.isArray(enterprise) ? enterprise : []
  const promised = modes.find((mode) => mode !== "default")
  if (promised !== undefined) throw notOffered(`The search mode "${brief(promised)}"`)
}

/**
 * Returns the supported sources. Unsupported ones are skipped with a warning, and refused if there
 * are no others.
 */
function sourcesOf(written: unknown, warnings: string[]): Source[] {
  if (written === undefined || written === null) return ["web"]
  const names = namesIn("sources", written)
  const sources = names.filter((name): name is Source => name === "web" || name === "news")
  const others = names.filter((name) => name !== "web" && name !== "news")
  if (sources.length === 0 && others.length > 0) {
    throw notOffered(`The source "${brief(others[0])}"`, "Supported sources: web and news.")
  }
  if (others.length > 0) {
    warnings.push(`Skipped sources (supported: web and news): ${others.map(brief).join(", ")}.`)
  }
  return sources.length > 0 ? sources : ["web"]
}

/**
 * Returns a list's names, each once. An entry is a string, or an object with a type. @throws
 * ApiError 400
 */
function namesIn(field: string, written: unknown): string[] {
  if (!Array.isArray(written)) throw new ApiError(400, `"${field}" must be a list.`)
  const names = (written as unknown[]).slice(0, 20).map((entry) => {
    const name = typeof entry === "string" ? entry : (entry as Json | null)?.type
    if (typeof name === "string") return name
    throw new ApiError(400, `Each of "${field}" must be a string, or an object with a "type".`)
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

/** Categories filter the web search with search operators. */
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
      `Unknown categories were ignored: ${unknown.map(brief).join(", ")}. Supported: ${known}.`,
    )
  }
  if (names.includes("developer")) {
    warnings.push(`The category "developer" searches ${developerHosts.join(" and ")}.`)
  }
  return names.filter((name) => Object.hasOwn(categoryRules, name))
}

const narrowed = (categories: readonly string[]) =>
  anyOf(categories.flatMap((name) => categoryRules[name]!.operators))

const anyOf = (operators: readonly string[]) => {
  const distinct = [...new Set(operators)]
  return distinct.length > 1 ? [`(${distinct.join(" OR ")})`] : distinct
}

/** Domains become search operators. */
function domainsOf({ includeDomains, excludeDomains }: Json): string[] {
  const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return [
    ...anyOf(sites(list(includeDomains))),
    ...list(excludeDomains).map((domain) => `-site:${domain}`),
  ]
}

/**
 * Returns the country of a search, by its code or name. Search engines do not accept cities here.
 */
function positionOf({ country, location, lang }: Json, warnings: string[]): Region | undefined {
  const countryName = typeof location === "string" ? location : ""
  const named = typeof country === "string" && country !== "" ? country : countryIn(countryName)
  const region =
    named === undefined ? undefined : regionOf(named, typeof lang === "string" ? lang : undefined)
  if (countryName !== "" && (countryName.includes(",") || countryIn(countryName) === undefined)) {
    warnings.push(`Only the country of "location" is used, not "${brief(countryName)}".`)
  }
  if (typeof country === "string" && country !== "" && !region) {
    warnings.push(`Ignored: country ${brief(country)} is not supported by the search.`)
  }
  if (typeof lang === "string" && lang !== "" && !region) {
    warnings.push('Ignored: "lang" without a country.')
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

/** Reads Google's `tbs`, for example `qdr:d` (a day) or `qdr:d3` (three days). */
function timeRangeOf(tbs: unknown, warnings: string[]): TimeRange | undefined {
  if (typeof tbs !== "string" || tbs.trim() === "") return undefined
  const parts = tbs.trim().split(",")
  const qdr = parts.map((part) => /^qdr:([hdwmy])(\d{0,4})$/i.exec(part.trim())).find(Boolean)
  const others = parts.filter((part) => !/^qdr:[hdwmy]\d{0,4}$/i.test(part.trim()))
  if (others.length > 0) warnings.push(`Ignored: tbs ${brief(others.join(","))}.`)
  if (!qdr) return undefined
  const unit = qdr[1]!.toLowerCase()
  const count = qdr[2] === "" ? 1 : Number(qdr[2])
  const wanted = days[unit]! * count
  const timeRange = spanDays.find(([, span]) => span >= wanted)?.[0]
  if (count === 1 && unit !== "h") return ranges[unit]
  if (!timeRange) {
    warnings.push(`Ignored: tbs ${brief(qdr[0])} is longer than a year.`)
    return undefined
  }
  warnings.push(`tbs ${brief(qdr[0])} is searched as the last ${timeRange}.`)
  return timeRange
}

const brief = (value: unknown) => String(value).slice(0, 60)
