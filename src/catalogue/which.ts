import type { TSchema } from "@sinclair/typebox"
import { getDomain, getDomainWithoutSuffix } from "tldts"
import { catalogue } from "./index.ts"
import { type AnyScraper, checkInput } from "./kit/index.ts"

export interface Suggestion {
  scraper: AnyScraper
  /** Input that makes the scraper read this URL; undefined if the scraper cannot read it. */
  input?: Record<string, unknown>
}

const anyPage = ["url-to-markdown-scraper", "web-scraper"]

/**
 * Returns the scrapers for a URL: the account's own, those that accept the URL, others for its
 * site, then those for any page.
 */
export function scrapersFor(url: string, own: readonly AnyScraper[] = []): Suggestion[] {
  const site = getDomain(url)
  const ofSite = catalogue
    .filter((scraper) => site !== null && domainsOf(scraper).has(site))
    .map((scraper) => suggestion(scraper, url))
  const general = catalogue
    .filter(({ slug }) => anyPage.includes(slug))
    .map((scraper) => suggestion(scraper, url))
  return [
    ...own.filter(({ own }) => own?.fits(url)).map((scraper) => suggestion(scraper, url)),
    ...ofSite.filter(({ input }) => input),
    ...ofSite.filter(({ input }) => !input),
    ...general,
  ]
}

function suggestion(scraper: AnyScraper, url: string): Suggestion {
  const input = inputForUrl(scraper, url)
  return input ? { scraper, input } : { scraper }
}

/** Matches the name of a field whose values may be URLs. */
const addressField = /url/i

/** Returns an input that makes a scraper read this URL, or undefined if it accepts none. */
export function inputForUrl(scraper: AnyScraper, url: string): Record<string, unknown> | undefined {
  for (const [name, schema] of Object.entries<TSchema>(scraper.input.properties)) {
    const text = `${name} ${schema.description ?? ""} ${schema.items?.description ?? ""}`
    if (!addressField.test(name) && !/https?:|\baddress|\bURL/.test(text)) continue
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
const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "")

/**
 * Returns whether a scraper works on any site: it accepts URLs or domains, and none of its domains
 * is fixed.
 */
export const worksOnAnySite = (scraper: AnyScraper) =>
  domainsOf(scraper).size === 0 && siteFields.some((name) => name in scraper.input.properties)

/**
 * Returns the registrable domains of a scraper's sites, from its rate limits, example and input
 * descriptions. Empty for a scraper of any site.
 */
export function domainsOf(scraper: AnyScraper): ReadonlySet<string> {
  const before = known.get(scraper)
  if (before) return before
  const texts = JSON.stringify([
    Object.keys(scraper.rateLimit ?? {}),
    scraper.example,
    scraper.input.properties,
  ])
  const found = [...texts.matchAll(addresses)].map(([all, host]) => getDomain(host ?? all))
  const all = found.filter((domain) => domain !== null)
  const name = plain(`${scraper.slug} ${scraper.name}`)
  const isNamed = all.some((domain) => name.includes(plain(getDomainWithoutSuffix(domain) ?? "")))
  const takesSites = siteFields.some((field) => field in scraper.input.properties)
  const isGeneral = generalCategories.includes(scraper.category) || (takesSites && !isNamed)
  const domains = new Set(isGeneral ? [] : all)
  known.set(scraper, domains)
  return domains
}
