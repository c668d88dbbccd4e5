import type { TSchema } from "@sinclair/typebox"
import { getDomain, getDomainWithoutSuffix } from "tldts"
import { catalogue } from "./index.ts"
import { type AnyScraper, checkInput } from "./kit/index.ts"
import { scraperOfPage } from "./page-types.ts"

export interface Suggestion {
  scraper: AnyScraper
  /** Input that makes the scraper read this URL; undefined if the scraper cannot read it. */
  input?: Record<string, unknown>
}

const anyPage = ["url-to-markdown-scraper", "web-scraper"]

/**
 * Returns the scrapers for a URL: the account's own, that of the page's type, those that accept the
 * URL, others for its site, then those for any page.
 */
export function scrapersFor(url: string, own: readonly AnyScraper[] = []): Suggestion[] {
  const domain = getDomain(url)
  const site = domain === null ? null : (sameSites[domain] ?? domain)
  const ofSite = catalogue
    .filter((scraper) => site !== null && isOfSite(scraper, site))
    .map((scraper) => ({ ...suggestion(scraper, url), likeness: likeness(scraper, url) }))
    .filter(({ scraper, input }) => input || domainsOf(scraper).has(site!))
    .sort((a, b) => b.likeness - a.likeness)
    .map(({ likeness: _, ...found }) => found)
  const ofPage = scraperOfPage(url)
  const named = (slugs: (string | undefined)[]) =>
    catalogue.filter(({ slug }) => slugs.includes(slug)).map((scraper) => suggestion(scraper, url))
  const others = ofSite.filter(({ scraper }) => scraper.slug !== ofPage)
  return [
    ...own.filter(({ own }) => own?.fits(url)).map((scraper) => suggestion(scraper, url)),
    ...named([ofPage]),
    ...others.filter(({ input }) => input),
    ...others.filter(({ input }) => !input),
    ...named(anyPage),
  ]
}

/** Short domains of sites that have scrapers. */
const sameSites: Record<string, string> = {
  "youtu.be": "youtube.com",
  "redd.it": "reddit.com",
  "doi.org": "crossref.org",
  "amzn.to": "amazon.com",
  "amzn.eu": "amazon.com",
  "a.co": "amazon.com",
  "instagr.am": "instagram.com",
}

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]{2,}/g) ?? []

/**
 * Returns how much a URL looks like those that a scraper names: by its host, by words of its path, and
 * by words of the scraper's slug, of which others count against it.
 */
function likeness(scraper: AnyScraper, url: string): number {
  const { hostname, pathname } = new URL(url)
  const words = new Set(wordsOf(`${hostname} ${pathname}`))
  const texts = textsOf(scraper)
  const paths = new Set(texts.match(/(?<=\/)[a-z][a-z-]*(?=[/"?\s])/g))
  const named = scraper.slug.split("-").filter((word) => word !== "scraper")
  const met = named.filter((word) => words.has(word) || words.has(`${word}s`)).length
  const segments = pathname.split("/").filter((segment) => paths.has(segment)).length
  const host = hostname.replace(/^www\./, "")
  return (texts.includes(host) ? 1 : 0) + segments + met - (named.length - met) / 10
}

/** Returns whether a domain is one of a scraper's, or the same site in another country: `ebay.de`. */
function isOfSite(scraper: AnyScraper, site: string): boolean {
  const domains = domainsOf(scraper)
  if (domains.has(site)) return true
  const name = getDomainWithoutSuffix(site)
  return [...domains].some((domain) => getDomainWithoutSuffix(domain) === name)
}

function suggestion(scraper: AnyScraper, url: string): Suggestion {
  const input = inputForUrl(scraper, url)
  return input ? { scraper, input } : { scraper }
}

/** Matches the name of a field whose values may be URLs. */
const urlField = /url/i

/** Returns an input that makes a scraper read this URL, or undefined if it accepts none. */
export function inputForUrl(scraper: AnyScraper, url: string): Record<string, unknown> | undefined {
  for (const [name, schema] of Object.entries<TSchema>(scraper.input.properties)) {
    const text = `${name} ${schema.description ?? ""} ${schema.items?.description ?? ""}`
    if (!urlField.test(name) && !/https?:|\baddress|\bURL/.test(text)) continue
    const input = schema.type === "array" ? { [name]: [url] } : { [name]: url }
    if (accepts(scraper, input)) return input
  }
  return undefined
}

function accepts(scraper: AnyScraper, input: Record<string, unknown>): boolean {
  const checked = checkInput(scraper.input, input)
  if (!checked.ok) return false
  try {
    return scraper.targets(checked.input).length > 0
  } catch {
    return false
  }
}

const known = new WeakMap<AnyScraper, ReadonlySet<string>>()
const addresses = /https?:\/\/([^/"\\\s]+)|\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b/g

const siteFields = [
  ...["url", "urls", "startUrl", "startUrls", "siteUrl", "productUrls", "storeUrls", "feedUrls"],
  ...["domain", "domains", "websites", "sources"],
]
/** Categories whose scrapers work on any site. */
const generalCategories = ["web", "network"]
/** Domains of documentation, which belong to no scraper. */
const exampleDomains = new Set(["example.com", "example.net", "example.org"])
const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "")

/** Returns whether a scraper works on any site: it accepts URLs, and has no fixed domain. */
export const worksOnAnySite = (scraper: AnyScraper) =>
  domainsOf(scraper).size === 0 && siteFields.some((name) => name in scraper.input.properties)

/** Returns the texts of a scraper that name its site. */
const textsOf = ({ rateLimit, example, input }: AnyScraper) =>
  JSON.stringify([Object.keys(rateLimit ?? {}), example, input.properties])

/**
 * Returns the registrable domains of a scraper's sites, from its rate limits, example and input
 * descriptions. Empty for a scraper of any site.
 */
export function domainsOf(scraper: AnyScraper): ReadonlySet<string> {
  const before = known.get(scraper)
  if (before) return before
  const all = [...textsOf(scraper).matchAll(addresses)]
    .flatMap(([all, host]) => getDomain(host ?? all) ?? [])
    .filter((domain) => !exampleDomains.has(domain))
  const name = plain(`${scraper.slug} ${scraper.name}`)
  const isNamed = all.some((domain) => name.includes(plain(getDomainWithoutSuffix(domain) ?? "")))
  const takesSites = siteFields.some((field) => field in scraper.input.properties)
  const isGeneral = generalCategories.includes(scraper.category) || (takesSites && !isNamed)
  const domains = new Set(isGeneral ? [] : all)
  known.set(scraper, domains)
  return domains
}
