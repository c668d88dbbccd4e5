import type { TSchema } from "@sinclair/typebox"
import { getDomain, getDomainWithoutSuffix } from "tldts"
import type { AnyScraper } from "./kit/index.ts"
import { needsOf } from "./search-needs.ts"
import { isOtherTask, type Query, queryOf, type Shape, shapeOf, urlIn } from "./search-query.ts"
import { Spelling } from "./search-spelling.ts"
import { termsOf } from "./search-words.ts"
import { domainsOf, scrapersFor, worksOnAnySite } from "./which.ts"

export { needsOf } from "./search-needs.ts"

/** Weights of a term by its location: a scraper's name counts more than the fields of its items. */
const weights = { name: 3, serves: 2.2, tagline: 1.8, goals: 1.2, fields: 0.4 } as const
type Position = keyof typeof weights
const byWeight = (Object.keys(weights) as Position[]).sort((a, b) => weights[b] - weights[a])

/**
 * Weights of the parts of a score, fitted to four sets of needs with expected scrapers
 * (test/catalogue/needs) by five folds.
 */
const parts = {
  /** Terms by their location. */
  terms: 1.3,
  /** Terms that the scraper serves or is named by. */
  met: 0.7,
  /** The most similar need that the scraper serves, and the second. */
  need: 5.2,
  secondNeed: 1.9,
  tagline: 0.7,
  /** All texts of the scraper together. */
  profile: 0.8,
  /** Share of the scraper's name in the query: between two equal matches, the shorter name wins. */
  name: 0.5,
  /** The scraper is made for the site that the query names. */
  site: 2.9,
  /** The scraper accepts the URL in the query. */
  accepted: 1.7,
  /** The query names a site, and the scraper works on any. */
  anySite: 2.4,
  /** Terms that the scraper explicitly does not serve. */
  lack: -3.9,
  /** The query asks for many things, and the scraper is for one, or the reverse. */
  otherShape: -1.2,
} as const
/**
 * Minimum share of the query's weight that a scraper must match. It is higher for a single term
 * outside the scraper's name.
 */
const minShare = { several: 0.1, name: 0.2, one: 0.25 }
/**
 * How much goals count next to declared needs: their similarity, their terms among those that a scraper
 * must match, and their texts in a scraper's profile. `alone` is the minimum similarity if a scraper
 * matches by goals only. Chosen by goals of other folds and the needs of the tests.
 */
const ofGoals = { similarity: 0.7, met: 0.7, text: 0.5, alone: 0.6 } as const
/** Minimum share of the best score that another result needs. */
const minOfBest = 0.5
/**
 * Weight of a query's terms that no scraper has, as a share of the rarest term's weight: for the
 * first one, and for each further one.
 * Several unknown terms are usually parts of one name.
 */
const unknownShare = { first: 0.22, further: 0.08, unserved: 2.5 }
/** Returns the set of a text's terms, which are read when they are first needed. */
function setOf(text: string): Pick<ReadonlySet<string>, "has"> {
  let terms: ReadonlySet<string> | undefined
  return {
    has(term) {
      terms ??= new Set(termsOf(text))
      return terms.has(term)
    },
  }
}

/**
 * Subjects that no scraper serves: the other terms of a query must weigh more than they do, unless
 * the query names a site or one of `media`.
 */
const unserved = setOf(
  "weather flight translation lyrics timetable sport horoscope tide parcel route petrol mortgage lottery calendar insurance nutrition password visa bank puzzle concert carrental housework homework babyname reserve transcript searchvolume backlink",
)
/** What a user wants to have done, wherever it is in a query: "ein Hotelzimmer stornieren". */
const actions = setOf("cancelorder placeorder")
/** What a subject may be the topic of: "news about football". */
const media = setOf(
  "news headline podcast book review job video article paper preprint research post hashtag subreddit repository package share filing revenue workplace domain certificate",
)
/** Terms that only say how: a scraper that meets no other term of a query does not match. */
const vague = setOf("alert cheap today yesterday history")
/** Terms of a query that asks only for the page of its URL. */
const pageTerms = setOf("url page content text read site link say")
/**
 * Scores below are weak: of 2,400 served needs of the tests 4 % have less, of 51 tasks that nothing
 * serves but that find something, half.
 */
const weakScore = 6
/** Added to the number of scrapers with a term: a term of one scraper is not much rarer than one of two. */
const smoothing = 2

interface Indexed {
  scraper: AnyScraper
  places: Record<Position, ReadonlySet<string>>
  /** Terms of the site's name. */
  brand: ReadonlySet<string>
  needs: readonly ReadonlySet<string>[]
  /** Goals of people who do not know the scraper's words. */
  goals: readonly ReadonlySet<string>[]
  /** Square root of the number of the scraper's texts that have a term. */
  counts: ReadonlyMap<string, number>
  notServed: ReadonlySet<string>
  /** Whether it lists many things or has the details of one, if that is clear. */
  shape: Shape | undefined
  /** Whether the scraper works on any site. */
  isGeneral: boolean
}

/** Index entries, shared by all searches. */
const known = new WeakMap<AnyScraper, Indexed>()

export interface SearchOptions {
  limit: number
  category?: string | undefined
  /** Whether the query is still being typed: its last word may be incomplete. */
  isTyped?: boolean
}

export interface Ranking {
  scrapers: AnyScraper[]
  /** Whether the best scraper matches only a small part of the query. */
  isWeak: boolean
}

const maxCompletions = 5
/** Two words that may be one brand: "air bnb". */
const neighbours = /\b([a-z]{2,}) (?=([a-z]{2,})\b)/gi

/** Things that people look for in a town. */
const local = setOf("place plumber job")
/** A preposition of another language than English and a name. */
const placeName =
  /(?<=\p{L}{3} )(?:[aà]|en|em|bei|nahe|i|w|we|v|ve|в|во|di|u|na) (?=\p{Lu}\p{Ll})|(?<=\p{Lu}\p{Ll}{2,})['’](?:da|de|ta|te)(?!\p{L})/u
/** Two terms, in any words between them, and what they mean together. */
const pairs: [one: string, other: string, both: string][] = [
  ["alert", "cheap", "drop"],
  ["alert", "back", "restock"],
]
/** Asks for something that no scraper is made for: "what is photosynthesis". */
const whatIs = /^(?!.*\d)\s*(?:what|who)(?:['’]?s| is| are| was| were)\s/i

interface Requested extends Query {
  shape: Shape | undefined
  /** Scrapers of the site that accept the URL in the query, the likeliest first. */
  accepting: readonly string[]
  /** Whether it asks for texts, jobs or files about a subject, whatever the subject is. */
  isOfMedium: boolean
}

/** Returns the term of a domain's name: `remoteok` of `remoteok.com`. */
const siteName = (site: string) => termsOf(getDomainWithoutSuffix(site) ?? "")[0] ?? ""

/** Ranks scrapers by a user's need, given as words or as the URL of a page. */
export class ScraperSearch {
  private readonly index: Indexed[]
  private readonly frequency = new Map<string, number>()
  /** Terms of names, declared needs and taglines, without those of goals. */
  private readonly declared: ReadonlySet<string>
  private readonly brands = new Set<string>()
  /** Domains of the scrapers that are made for a site. */
  private readonly ownSites = new Set<string>()
  private readonly spelling: Spelling
  /** Length of each scraper's counts as a vector. */
  private readonly lengths = new Map<Indexed, number>()

  constructor(private readonly scrapers: readonly AnyScraper[]) {
    this.index = scrapers.map((scraper) => {
      const entry = known.get(scraper) ?? indexed(scraper)
      known.set(scraper, entry)
      return entry
    })
    for (const { scraper, places, brand, isGeneral } of this.index) {
      const near = [places.name, places.serves, places.tagline]
      for (const term of new Set(near.flatMap((terms) => [...terms]))) {
        this.frequency.set(term, (this.frequency.get(term) ?? 0) + 1)
      }
      for (const term of brand) this.brands.add(term)
      if (!isGeneral) for (const domain of domainsOf(scraper)) this.ownSites.add(domain)
    }
    this.declared = new Set(this.frequency.keys())
    for (const { places } of this.index) {
      for (const term of places.goals) {
        if (this.declared.has(term)) continue
        this.frequency.set(term, (this.frequency.get(term) ?? 0) + 1)
      }
    }
    for (const entry of this.index) {
      let sum = 0
      for (const [term, count] of entry.counts) sum += (count * this.rarity(term)) ** 2
      this.lengths.set(entry, Math.sqrt(sum))
    }
    this.spelling = new Spelling(this.frequency, this.brands)
  }

  /**
   * Returns the matching scrapers, best first. Scrapers that share only a common word do not match.
   */
  find(query: string, options: SearchOptions): AnyScraper[] {
    return this.rank(query, options).scrapers
  }

  /** Returns what `find` does, and whether even the best scraper matches only in part. */
  rank(query: string, { limit, category, isTyped }: SearchOptions): Ranking {
    const isFitting = (scraper: AnyScraper) => !category || scraper.category === category
    if (isOtherTask(query)) return { scrapers: [], isWeak: false }
    const requested = this.requested(query)
    if (requested.terms.some((term) => actions.has(term))) return { scrapers: [], isWeak: false }
    const isPage = requested.terms.every((term) => pageTerms.has(term))
    const url = urlIn(query) ?? (isPage ? requested.url : undefined)
    if (url) {
      return { scrapers: this.forUrl(url).filter(isFitting).slice(0, limit), isWeak: false }
    }
    if (isTyped) this.complete(requested.terms)
    const ranked = this.index
      .filter(({ scraper }) => isFitting(scraper))
      .map((entry) => ({ scraper: entry.scraper, score: this.score(entry, requested) }))
      .sort((a, b) => b.score - a.score || a.scraper.slug.localeCompare(b.scraper.slug))
    const best = ranked[0]?.score ?? 0
    const min = Math.max(Number.EPSILON, best * minOfBest)
    const scrapers = ranked.filter(({ score }) => score >= min).map(({ scraper }) => scraper)
    const isWeak = scrapers.length > 0 && best < weakScore && requested.sites.size === 0
    return { scrapers: scrapers.slice(0, limit), isWeak }
  }

  private requested(query: string): Requested {
    const text = query.replace(neighbours, (whole, first: string, second: string) => {
      const [term = ""] = termsOf(first + second)
      return this.brands.has(term) ? first : whole
    })
    const { terms, sites, url } = queryOf(
      text,
      (word) => this.declared.has(word),
      (site) => this.ownSites.has(site) || this.brands.has(siteName(site)),
      (term) => term.length > 3 && this.brands.has(term),
    )
    for (const site of sites) {
      const name = siteName(site)
      if (!this.ownSites.has(site) && this.brands.has(name)) terms.push(name)
    }
    const corrected = terms.map((term) =>
      this.frequency.has(term) || unserved.has(term) ? term : this.spelling.corrected(term),
    )
    const isUnknown = (term: string) => !this.frequency.has(term) && !unserved.has(term)
    if (corrected.length > 0 && corrected.every(isUnknown) && whatIs.test(query)) {
      corrected.push(...termsOf("definition"))
    }
    for (const [one, other, both] of pairs) {
      if (corrected.includes(one) && corrected.includes(other)) corrected.push(both)
    }
    if (corrected.some((term) => local.has(term)) && placeName.test(text))
      corrected.push(...termsOf("city"))
    const isOwnSite = url !== undefined && this.ownSites.has(getDomain(url) ?? "")
    const accepting = isOwnSite
      ? scrapersFor(url).filter(({ scraper, input }) => input && domainsOf(scraper).size > 0)
      : []
    return {
      terms: [...new Set(corrected)],
      shape: shapeOf(query),
      sites,
      url,
      accepting: accepting.map(({ scraper }) => scraper.slug),
      isOfMedium: corrected.some((term) => media.has(term) || this.brands.has(term)),
    }
  }

  /** Replaces the last term by the terms that begin with it. */
  private complete(terms: string[]): void {
    const last = terms.at(-1)
    if (last === undefined || last.length < 2 || this.frequency.has(last)) return
    const longer = [...this.frequency.keys()].filter((term) => term.startsWith(last))
    if (longer.length > 0) terms.splice(-1, 1, ...longer.slice(0, maxCompletions))
  }

  private forUrl(url: string): AnyScraper[] {
    const own = this.scrapers.filter((scraper) => scraper.own)
    return scrapersFor(url, own)
      .map(({ scraper }) => scraper)
      .filter((scraper) => this.scrapers.includes(scraper))
  }

  /** Returns the score, or 0 for a scraper that matches too little of the query. */
  private score(entry: Indexed, requested: Requested): number {
    const { terms, sites, accepting, isOfMedium } = requested
    const { scraper, places, brand, needs, goals, counts, notServed, isGeneral } = entry
    const isOfSite = !isGeneral && [...sites].some((site) => domainsOf(scraper).has(site))
    const place = accepting.indexOf(scraper.slug)
    const accepted = place < 0 ? 0 : parts.accepted / (place === 0 ? 1 : 2)
    const isOtherShape =
      entry.shape !== undefined && requested.shape !== undefined && entry.shape !== requested.shape
    const site = isOfSite ? parts.site + accepted : 0
    if (terms.length === 0) return site
    let all = 0
    let met = 0
    let served = 0
    let words = 0
    let missing = 0
    let count = 0
    let isNamed = false
    let isVague = true
    let unknown = 0
    let shared = 0
    let squares = 0
    for (const term of terms) {
      const isUnserved = !isOfMedium && unserved.has(term)
      if (!this.frequency.has(term) || isUnserved) {
        const share = unknown++ === 0 ? unknownShare.first : unknownShare.further
        const rarest = Math.log(1 + this.index.length)
        all += (isUnserved ? unknownShare.unserved : share) * rarest
        if (notServed.has(term)) missing += rarest
        continue
      }
      const rarity = this.rarity(term)
      all += rarity
      squares += rarity ** 2
      shared += rarity ** 2 * (counts.get(term) ?? 0)
      const weight = weightOf(places, term)
      words += rarity * weight
      if (weight >= weights.serves) {
        met += rarity
        served++
        count++
        isVague &&= vague.has(term)
        isNamed ||= weight === weights.name
      } else if (notServed.has(term)) missing += rarity
      else if (places.goals.has(term)) {
        met += ofGoals.met * rarity
        count++
        isVague &&= vague.has(term)
      }
    }
    const min = minShare[count > 1 ? "several" : isNamed ? "name" : "one"]
    const isBrand = terms.some((term) => brand.has(term))
    const isTooLittle = (met - 2 * missing) / all < min || (isVague && unknown > 0)
    if (isTooLittle && !isOfSite && !isBrand) return 0
    const [goal, secondGoal] = this.nearestNeeds(goals, terms, all)
    if (served === 0 && !isOfSite && !isBrand && goal < ofGoals.alone) return 0
    const near = this.nearestNeeds(needs, terms, all)
    const [need, second] = twoBest(
      ...near,
      ofGoals.similarity * goal,
      ofGoals.similarity * secondGoal,
    )
    const named = terms.filter((term) => places.name.has(term)).length / places.name.size
    const length = this.lengths.get(entry)! * Math.sqrt(squares)
    return (
      parts.terms * (words / all) +
      parts.met * (met / all) +
      parts.need * need +
      parts.secondNeed * second +
      parts.tagline * this.similarity(places.tagline, terms, all) +
      parts.profile * (length > 0 ? shared / length : 0) +
      parts.name * named +
      site +
      (isOtherShape ? parts.otherShape : 0) +
      parts.anySite * (sites.size > 0 && isGeneral ? need : 0) +
      parts.lack * (missing / all)
    )
  }

  /** Returns the similarities of the two needs that are most similar to a query. */
  private nearestNeeds(
    needs: Indexed["needs"],
    terms: readonly string[],
    all: number,
  ): [first: number, second: number] {
    let first = 0
    let second = 0
    for (const need of needs) {
      const like = this.similarity(need, terms, all)
      if (like > first) [first, second] = [like, first]
      else if (like > second) second = like
    }
    return [first, second]
  }

  /** Returns the similarity of a text and a query (0-1). */
  private similarity(text: ReadonlySet<string>, terms: readonly string[], all: number): number {
    let shared = 0
    for (const term of terms) if (text.has(term)) shared += this.rarity(term)
    if (shared === 0) return 0
    let whole = 0
    for (const term of text) whole += this.rarity(term)
    return shared / Math.sqrt(whole * all)
  }

  private rarity(term: string): number {
    const frequency = this.frequency.get(term)
    if (frequency === undefined) return 0
    return Math.log(1 + this.index.length / (frequency + smoothing))
  }
}

const twoBest = (...numbers: number[]) => numbers.sort((a, b) => b - a) as [number, number]

function weightOf(places: Indexed["places"], term: string): number {
  for (const place of byWeight) if (places[place].has(term)) return weights[place]
  return 0
}

function indexed(scraper: AnyScraper): Indexed {
  const { slug, name, tagline, notServed = [] } = scraper
  const wanted = needsOf(slug)
  const nameTerms = new Set(termsOf(`${slug} ${name}`))
  const brand = new Set(
    [...domainsOf(scraper)]
      .flatMap((domain) => termsOf(getDomainWithoutSuffix(domain) ?? ""))
      .filter((term) => nameTerms.has(term)),
  )
  const needs = wanted.needs.map((need) => new Set(termsOf(need)))
  const taglineTerms = new Set(termsOf(tagline))
  const lacking = new Set(notServed.flatMap((text) => termsOf(text)))
  const goals = wanted.goals.map((goal) => new Set(termsOf(goal)))
  return {
    scraper,
    places: {
      name: nameTerms,
      serves: new Set(needs.flatMap((need) => [...need])),
      tagline: taglineTerms,
      goals: new Set(goals.flatMap((goal) => [...goal])),
      fields: new Set([...fieldTerms(scraper.input), ...fieldTerms(scraper.item)]),
    },
    brand,
    needs,
    goals,
    counts: countsOf([nameTerms, nameTerms, taglineTerms, ...needs], goals),
    notServed: lacking,
    shape: shapeOfScraper(slug),
    isGeneral: worksOnAnySite(scraper),
  }
}

/** Scrapers of sites that also have a search scraper: they differ by how many things they return. */
const ofOneThing =
  /^(?:amazon-product|ebay-product|walmart-product|youtube-video|github-repo|podcast-episodes|docker-hub)-(?:scraper|metadata)$/

function shapeOfScraper(slug: string): Shape | undefined {
  if (ofOneThing.test(slug)) return "one"
  return /^(?:amazon|ebay|walmart|youtube|github-repo|podcast|docker-hub)-search-scraper$/.test(
    slug,
  )
    ? "many"
    : undefined
}

/**
 * Returns how many of the texts have each term, as square roots: the tenth text adds less than the first.
 * Goals count as parts of a text.
 */
function countsOf(
  texts: readonly ReadonlySet<string>[],
  goals: readonly ReadonlySet<string>[],
): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (term: string, count: number) => counts.set(term, (counts.get(term) ?? 0) + count)
  for (const text of texts) for (const term of text) add(term, 1)
  for (const goal of goals) for (const term of goal) add(term, ofGoals.text)
  return new Map([...counts].map(([term, count]) => [term, Math.sqrt(count)]))
}

const spaced = (name: string) => name.replace(/([a-z])([A-Z])/g, "$1 $2")

/** Terms of a field by its name and description, which many scrapers share. */
const fields = new Map<string, readonly string[]>()
const maxFields = 10_000

function termsOfField(name: string, description: string): readonly string[] {
  const text = `${spaced(name)} ${description}`
  const known = fields.get(text)
  if (known !== undefined) return known
  const terms = termsOf(text)
  if (fields.size < maxFields) fields.set(text, terms)
  return terms
}

function fieldTerms(schema: TSchema): string[] {
  const shapes: TSchema[] = schema.anyOf ?? [schema]
  return shapes.flatMap((shape) =>
    Object.entries((shape.properties ?? {}) as Record<string, TSchema>).flatMap(
      ([name, { description }]) => termsOfField(name, description ?? ""),
    ),
  )
}
