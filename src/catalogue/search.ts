import type { TSchema } from "@sinclair/typebox"
import { getDomain, getDomainWithoutSuffix } from "tldts"
import type { AnyScraper } from "./kit/index.ts"
import { termsOf } from "./search-words.ts"
import { domainsOf, scrapersFor, worksOnAnySite } from "./which.ts"

/** Weights of a term by its location: a scraper's name counts more than the fields of its items. */
const weights = { name: 3, serves: 2.2, tagline: 1.8, fields: 0.4 } as const
type Position = keyof typeof weights

/** Weight of a served need, in addition to its single terms. */
const needWeight = 4
/**
 * Weight of the part of a scraper's name that the query contains: between two equal matches, the
 * shorter name wins.
 */
const nameWeight = 0.2
/** Penalty for terms that the scraper explicitly does not serve. */
const lackWeight = 4
/** Weight of a scraper for the site that the query names. */
const siteWeight = 2.5
/**
 * Minimum share of the query's weight that a scraper must match. It is higher for a single term
 * outside the scraper's name.
 */
const minShare = { several: 0.1, name: 0.2, one: 0.25 }
/** Minimum share of the best score that another result needs. */
const minOfBest = 0.5
/**
 * Weight of a query's terms that no scraper has, as a share of the rarest term's weight: for the
 * first one, and for each further one.
 * Several unknown terms are usually parts of one name.
 */
const unknownShare = { first: 0.22, further: 0.08 }

interface Indexed {
  scraper: AnyScraper
  places: Record<Position, ReadonlySet<string>>
  /** Terms of the site's name. */
  brand: ReadonlySet<string>
  needs: readonly ReadonlySet<string>[]
  notServed: ReadonlySet<string>
  /** Whether the scraper works on any site. */
  isGeneral: boolean
}

/** Index entries, shared by all searches. */
const known = new WeakMap<AnyScraper, Indexed>()

interface Query {
  terms: string[]
  /** Registrable domains in the query. */
  sites: ReadonlySet<string>
}

const url = /\bhttps?:\/\/[^\s"'<>]+/gi
const host = /\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?:\/\S*)?/gi
/** Text that looks like a host name but is a file name. */
const fileName = /\.(?:txt|xml|json|jsx?|tsx?|md|csv|pdf|html?|ya?ml|py|rb|rs|go)$/i

/** Patterns that recognize a type of value, and the search terms for it. */
const forms: [form: RegExp, words: string][] = [
  [/\b(?:bit\.ly|t\.co|tinyurl\.com|goo\.gl|ow\.ly|is\.gd|buff\.ly)\b\S*/gi, " shortlink "],
  [
    /\b\d+ (?:[A-Z]\w+ ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Lane|Ln|Boulevard|Blvd)\b/g,
    " house at postal address ",
  ],
  [
    /\b(?:on|in|since|of) (?:\d{1,2}(?:st|nd|rd|th)? )?(?:january|february|march|april|june|july|august|september|october|november|december)\b/gi,
    " history ",
  ],
  [/\b(?:in|for|since) (?:19|20)\d\d\b/g, " history "],
  [/\b(?:did|has) .{2,60}? (?:write|written)\W*$/gi, " books by author "],
  [/\b(?:feed|rss|atom)\.xml\b/gi, " rss feed "],
  [/\bUS\b/g, " america "],
  [/\bwho (?:was|were) (?=\p{Lu})/giu, " biography "],
  [/\b[\w-]+\.bsky\.\w+/gi, " bluesky "],
  [/\bschema\.org\b/gi, " structured data "],
  [/\bcrt\.sh\b/gi, " certificate transparency "],
  [/\bB0[A-Z0-9]{8}\b/g, " asin amazon product "],
  [/\b10\.\d{4,9}\/\S+/g, " doi "],
  [/\b(?:arxiv:)?\d{4}\.\d{4,5}(?:v\d+)?\b/gi, " arxiv "],
  [/(?<![\w/])r\/\w+/g, " subreddit reddit "],
  [/(?<![\w/])u\/[\w-]+/g, " redditor reddit "],
  [/\b(?:bc1|[13])[a-zA-HJ-NP-Z0-9]{25,60}\b/g, " bitcoin address "],
  [/(?<!\w)#\p{L}[\p{L}\p{N}_]*/gu, " hashtag "],
  [/(?<![\w/@.:])@[\w.-]+/g, " "],
]

export interface SearchOptions {
  limit: number
  category?: string | undefined
  /** Whether the query is still being typed: its last word may be incomplete. */
  isTyped?: boolean
}

const maxCompletions = 5

/** Ranks scrapers by a user's need, given as words or as the URL of a page. */
export class ScraperSearch {
  private readonly index: Indexed[]
  private readonly frequency = new Map<string, number>()

  constructor(private readonly scrapers: readonly AnyScraper[]) {
    this.index = scrapers.map((scraper) => {
      const entry = known.get(scraper) ?? indexed(scraper)
      known.set(scraper, entry)
      return entry
    })
    for (const { places } of this.index) {
      const near = [places.name, places.serves, places.tagline]
      for (const term of new Set(near.flatMap((terms) => [...terms]))) {
        this.frequency.set(term, (this.frequency.get(term) ?? 0) + 1)
      }
    }
  }

  /**
   * Returns the matching scrapers, best first. Scrapers that share only a common word do not match.
   */
  find(query: string, { limit, category, isTyped }: SearchOptions): AnyScraper[] {
    const isFitting = (scraper: AnyScraper) => !category || scraper.category === category
    const address = addressOf(query)
    if (address) return this.forAddress(address).filter(isFitting).slice(0, limit)
    const requested = queryOf(
      query,
      (word) => this.frequency.has(word),
      (site) => this.index.some((entry) => !entry.isGeneral && domainsOf(entry.scraper).has(site)),
    )
    if (isTyped) this.complete(requested.terms)
    const ranked = this.index
      .filter(({ scraper }) => isFitting(scraper))
      .map((entry) => ({ scraper: entry.scraper, score: this.score(entry, requested) }))
      .sort((a, b) => b.score - a.score || a.scraper.slug.localeCompare(b.scraper.slug))
    const least = Math.max(Number.EPSILON, (ranked[0]?.score ?? 0) * minOfBest)
    return ranked
      .filter(({ score }) => score >= least)
      .slice(0, limit)
      .map(({ scraper }) => scraper)
  }

  /** Replaces the last term by the terms that begin with it. */
  private complete(terms: string[]): void {
    const last = terms.at(-1)
    if (last === undefined || last.length < 2 || this.frequency.has(last)) return
    const longer = [...this.frequency.keys()].filter((term) => term.startsWith(last))
    if (longer.length > 0) terms.splice(-1, 1, ...longer.slice(0, maxCompletions))
  }

  private forAddress(address: string): AnyScraper[] {
    const own = this.scrapers.filter((scraper) => scraper.own)
    return scrapersFor(address, own)
      .map(({ scraper }) => scraper)
      .filter((scraper) => this.scrapers.includes(scraper))
  }

  /** Returns the score, or 0 for a scraper that matches too little of the query. */
  private score(
    { scraper, places, brand, needs, notServed, isGeneral }: Indexed,
    { terms, sites }: Query,
  ): number {
    const isOfSite = !isGeneral && [...sites].some((site) => domainsOf(scraper).has(site))
    if (terms.length === 0) return isOfSite ? siteWeight : 0
    let all = 0
    let met = 0
    let words = 0
    let missing = 0
    let count = 0
    let isNamed = false
    let unknown = 0
    for (const term of terms) {
      const isKnown = this.frequency.has(term)
      if (!isKnown) {
        const share = unknown++ === 0 ? unknownShare.first : unknownShare.further
        const rarest = Math.log(1 + this.index.length)
        all += share * rarest
        if (notServed.has(term)) missing += rarest
        continue
      }
      const rarity = this.rarity(term)
      all += rarity
      const weight = weightOf(places, term)
      words += rarity * weight
      if (weight >= weights.serves) {
        met += rarity
        count++
        isNamed ||= weight === weights.name
      } else if (notServed.has(term)) missing += rarity
    }
    const least = minShare[count > 1 ? "several" : isNamed ? "name" : "one"]
    const isBrand = terms.some((term) => brand.has(term))
    if ((met - 2 * missing) / all < least && !isOfSite && !isBrand) return 0
    const need = Math.max(0, ...needs.map((need) => this.likeness(need, terms, all)))
    const named = terms.filter((term) => places.name.has(term)).length / places.name.size
    const ofSite = isOfSite ? 1 : sites.size > 0 && isGeneral ? need : 0
    return (
      words / all +
      needWeight * need +
      nameWeight * named +
      siteWeight * ofSite -
      (lackWeight * missing) / all
    )
  }

  /** Returns the similarity of a need and a query (0-1). */
  private likeness(need: ReadonlySet<string>, terms: readonly string[], all: number): number {
    let shared = 0
    for (const term of terms) if (need.has(term)) shared += this.rarity(term)
    if (shared === 0) return 0
    let whole = 0
    for (const term of need) whole += this.rarity(term)
    return shared / Math.sqrt(whole * all)
  }

  private rarity(term: string): number {
    const frequency = this.frequency.get(term)
    return frequency === undefined ? 0 : Math.log(1 + this.index.length / frequency)
  }
}

function weightOf(places: Indexed["places"], term: string): number {
  let weight = 0
  for (const [place, terms] of Object.entries(places)) {
    if (terms.has(term)) weight = Math.max(weight, weights[place as Position])
  }
  return weight
}

function indexed(scraper: AnyScraper): Indexed {
  const { slug, name, tagline, serves = [], notServed = [] } = scraper
  const nameTerms = new Set(termsOf(`${slug} ${name}`))
  const brand = new Set(
    [...domainsOf(scraper)]
      .flatMap((domain) => termsOf(getDomainWithoutSuffix(domain) ?? ""))
      .filter((term) => nameTerms.has(term)),
  )
  const needs = serves.map((need) => new Set(termsOf(need)))
  return {
    scraper,
    places: {
      name: nameTerms,
      serves: new Set(needs.flatMap((need) => [...need])),
      tagline: new Set(termsOf(tagline)),
      fields: new Set([...fieldTerms(scraper.input), ...fieldTerms(scraper.item)]),
    },
    brand,
    needs,
    notServed: new Set(notServed.flatMap(termsOf)),
    isGeneral: worksOnAnySite(scraper),
  }
}

const spaced = (name: string) => name.replace(/([a-z])([A-Z])/g, "$1 $2")

function fieldTerms(schema: TSchema): string[] {
  const shapes: TSchema[] = schema.anyOf ?? [schema]
  return shapes.flatMap((shape) =>
    Object.entries((shape.properties ?? {}) as Record<string, TSchema>).flatMap(
      ([name, { description }]) => termsOf(`${spaced(name)} ${description ?? ""}`),
    ),
  )
}

/**
 * Returns the query as a URL, with `https://` if it was left out, or undefined if it contains other
 * words.
 */
function addressOf(query: string): string | undefined {
  const text = query.trim()
  if (/\s/.test(text) || text.length > maxUrl) return undefined
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? text : undefined
  const isHost = text.match(host)?.[0] === text && !fileName.test(text) && getDomain(text) !== null
  return isHost ? `https://${text}` : undefined
}

const maxUrl = 2000

/** Matches `owner/name` if neither part is an ordinary word. */
const repository = /(?<![\w./:-])([\w-]{2,39})\/([\w.-]{2,100})(?![\w/])/g

function queryOf(
  query: string,
  isKnown: (term: string) => boolean,
  isOwnSite: (site: string) => boolean,
): Query {
  let text = query.slice(0, maxUrl)
  const sites = new Set<string>()
  for (const [form, words] of forms) text = text.replace(form, words)
  text = text.replace(repository, (whole, owner: string, name: string) =>
    [...termsOf(owner), ...termsOf(name)].every(isKnown) ? whole : " github repository ",
  )
  text = text.replace(url, (address) => {
    const site = getDomain(address)
    if (site !== null) sites.add(site)
    return site !== null && isOwnSite(site) ? " " : " url "
  })
  text = text.replace(host, (name) => {
    if (fileName.test(name)) return name
    const site = getDomain(name)
    if (site === null) return name
    sites.add(site)
    return " "
  })
  return { terms: [...new Set(termsOf(text))], sites }
}
