import type { TSchema } from "@sinclair/typebox"
import { getDomain } from "tldts"
import { catalogue } from "./index.ts"
import { type AnyScraper, checkInput } from "./kit/index.ts"

export interface Suggestion {
  scraper: AnyScraper
  /** An input that has the scraper work on this very address; undefined where it takes other things of the site. */
  input?: Record<string, unknown>
}

const anyPage = ["url-to-markdown-scraper", "web-scraper"]

/**
 * The scrapers made for an address: an account's own that are, those that take it, others of its site,
 * then those of any page.
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
  const input = inputFor(scraper, url)
  return input ? { scraper, input } : { scraper }
}

/** The name of a field whose values may be addresses. */
const addressField = /url/i

function inputFor(scraper: AnyScraper, url: string): Record<string, unknown> | undefined {
  for (const [name, schema] of Object.entries<TSchema>(scraper.input.properties)) {
    const says = `${name} ${schema.description ?? ""} ${schema.items?.description ?? ""}`
    if (!addressField.test(name) && !/https?:|\baddress|\bURL/.test(says)) continue
    const input = schema.type === "array" ? { [name]: [url] } : { [name]: url }
    if (takes(scraper, input)) return input
  }
  return undefined
}

function takes(scraper: AnyScraper, input: Record<string, unknown>): boolean {
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

/** The sites that a scraper names: in its pace, its example, its input's descriptions. */
export function domainsOf(scraper: AnyScraper): ReadonlySet<string> {
  const before = known.get(scraper)
  if (before) return before
  // Scrapers of any page have examples of theirs, which say nothing.
  const texts =
    scraper.category === "web"
      ? ""
      : JSON.stringify([Object.keys(scraper.pace ?? {}), scraper.example, scraper.input.properties])
  const found = [...texts.matchAll(addresses)].map(([all, host]) => getDomain(host ?? all))
  const domains = new Set(found.filter((domain) => domain !== null))
  known.set(scraper, domains)
  return domains
}
