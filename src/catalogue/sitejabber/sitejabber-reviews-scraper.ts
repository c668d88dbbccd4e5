import {
  absoluteUrl,
  decodeEntities,
  distinct,
  firstAttribute,
  firstText,
  isoDate,
  isoDay,
  numberOrNull,
  parseCount,
  plainText,
  textLines,
} from "../../extract/core/index.ts"
import { findObjects } from "../../extract/embedded/index.ts"
import {
  allEntities,
  isOfType,
  readStructuredData,
  SchemaReader,
} from "../../extract/structured/index.ts"
import {
  BadInput,
  type Context,
  cursor,
  datedReply,
  defineScraper,
  inputs,
  items,
  NotFound,
  nullable,
  parseError,
  ratingsOf,
  readOnce,
  record,
  reviewFields,
  starsOf,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"

/** Selectors of the parts of a review's card. */
const parts = {
  card: '[data-review-id], .review, article[id^="review"]',
  title: ".review__title, .review-title",
  text: ".review__body, .review__text, .review-body",
  stars: '[title*="star"], [aria-label*="star"], .stars__count',
  author: ".review__author-name, .review__author, .author-name",
  location: ".review__author-location, .author-location",
  reply: ".review__response, .business-response, .review-response",
  permalink: 'a[href*="#review"], a[href*="/reviews/"][href*="#"]',
}

const stars = items.number("Number of stars (0-5).")
const byTopic = { service: stars, value: stars, shipping: stars, returns: stars, quality: stars }

const review = record({
  id: items.text("ID of the review; null if the page has none."),
  url: items.requiredText("URL of the review; if it has none, of its page."),
  ...reviewFields("rating", "title", "text", "publishedAt"),
  experiencedOn: items.text("Day of the reviewer's experience with the business (YYYY-MM-DD)."),
  ...reviewFields("reviewerName"),
  reviewerLocation: items.text("Location of the reviewer."),
  ...reviewFields("reviewerReviewCount"),
  reviewerHelpfulVotes: items.integer("Number of helpful votes for all reviews of the reviewer."),
  helpfulCount: items.integer("Number of readers who found the review helpful."),
  productsPurchased: items.text("Product or variant that the reviewer bought."),
  subRatings: items.object("Stars by topic.", byTopic),
  reply: nullable(datedReply),
  ...reviewFields("verified"),
})

/** Returns a page's facts of its business, and its reviews from the embedded data and the cards. */
function readBusinessPage(response: UpstreamResponse, domain: string, now: Date) {
  const { document, url } = response
  const roots = allEntities(readStructuredData(document, url)).map(({ data }) => data)
  const nodes = [...findObjects(roots, (node) => isOfType(node, "Review"))]
  const rated = findObjects(roots, (node) => "aggregateRating" in node).next().value
  const node = new SchemaReader(rated)
  const ratings = ratingsOf(node.in("aggregateRating"))
  const canonical = firstAttribute(document, 'link[rel="canonical"]', "href")
  const heading = firstText(document, "h1")?.replace(/ Reviews.*$/, "") ?? null
  const entries = nodes.map((review) => entryOf(new SchemaReader(review), url))
  const cards = outermost(document).map((card) => cardOf(card, url, now))
  return {
    business: {
      businessDomain: domain,
      businessName: node.title("name") ?? heading,
      businessUrl: absoluteUrl(canonical, url) ?? url.replace(/\?.*$/, ""),
      businessRating: ratings.rating,
      businessReviewCount: ratings.reviewCount,
    },
    reviews: joined(cards, entries).filter(({ rating, text }) => rating !== null || text !== null),
  }
}

const outermost = (document: Document): Element[] =>
  [...document.querySelectorAll(parts.card)].filter(
    (card) => !card.parentElement?.closest(parts.card),
  )

type Card = ReturnType<typeof cardOf>
/** A review of the embedded data has only some fields. */
type Review = Pick<Card, keyof ReturnType<typeof entryOf>> & Partial<Card>

function entryOf(review: SchemaReader, pageUrl: string) {
  const link = review.text("url") ?? review.text("@id")
  const text = review.text("reviewBody") ?? review.text("description")
  return {
    id: idIn(link),
    url: absoluteUrl(link, pageUrl) ?? pageUrl,
    rating: starsOf(review.in("reviewRating")),
    title: review.title("name") ?? review.title("headline"),
    text: text === null ? null : decodeEntities(text),
    publishedAt: isoDate(review.text("datePublished")),
    reviewerName: review.title("author", "name") ?? review.title("author"),
  }
}

function cardOf(card: Element, pageUrl: string, now: Date) {
  const lines = textLines(card)
  const link = firstAttribute(card, parts.permalink, "href")
  const after = (label: RegExp) => {
    const at = lines.findIndex((line) => label.test(line))
    return at < 0 ? null : lines[at]!.replace(label, "").trim() || (lines[at + 1] ?? null)
  }
  const counted = (pattern: RegExp) => {
    const line = lines.find((line) => pattern.test(line))
    return line === undefined ? null : parseCount(pattern.exec(line)![1])
  }
  const date = firstAttribute(card, "time[datetime]", "datetime")
  const dated = lines.find((line) => line.length < 60 && writtenDay(line, now) !== null)
  return {
    id: card.getAttribute("data-review-id") ?? idIn(card.getAttribute("id")) ?? idIn(link),
    url: absoluteUrl(link, pageUrl) ?? pageUrl,
    rating: starsIn(card),
    title: firstText(card, parts.title),
    text: firstBlock(card, parts.text),
    publishedAt: isoDate(date) ?? writtenDay(dated ?? null, now),
    experiencedOn: writtenDay(after(/^Date of experience:?/i), now),
    reviewerName: firstText(card, parts.author),
    reviewerLocation: firstText(card, parts.location),
    reviewerReviewCount: counted(/^([\d,]+) reviews?$/i),
    reviewerHelpfulVotes: counted(/^([\d,]+) helpful votes?$/i),
    helpfulCount: counted(/^Helpful \(([\d,]+)\)/i),
    productsPurchased: after(/^Products? used:?/i),
    subRatings: subRatingsOf(card),
    reply: replyOf(card, now),
    verified: lines.some((line) => /^Verified purchase\b/i.test(line)),
  }
}

const idIn = (text: string | null) => /(?:^|[#/_-])(\d{3,})\/?$/.exec(text ?? "")?.[1] ?? null

function starsIn(root: Element): number | null {
  for (const element of root.querySelectorAll(parts.stars)) {
    const words = element.getAttribute("title") ?? element.getAttribute("aria-label")
    const value = numberOrNull(/\d(?:\.\d)?/.exec(words ?? plainText(element) ?? "")?.[0])
    if (value !== null && value <= 5) return value
  }
  return null
}

function firstBlock(root: Element, selector: string): string | null {
  const element = root.querySelector(selector)
  return (element && textLines(element).join("\n")) || null
}

type SubRatings = Record<keyof typeof byTopic, number | null>

/** Reads rows of a label and its stars. */
function subRatingsOf(card: Element): SubRatings | null {
  const stars = new Map<string, number | null>()
  for (const element of card.querySelectorAll("span, div, dt, td, th, label")) {
    const label = plainText(element)?.replace(/:$/, "").toLowerCase() ?? ""
    const row = element.parentElement
    if (!Object.hasOwn(byTopic, label) || stars.has(label) || !row) continue
    if ((plainText(row) ?? "").length <= 40) stars.set(label, starsIn(row))
  }
  if (![...stars.values()].some((value) => value !== null)) return null
  const known = Object.keys(byTopic).map((topic) => [topic, stars.get(topic) ?? null])
  return Object.fromEntries(known) as SubRatings
}

function replyOf(card: Element, now: Date) {
  const block = card.querySelector(parts.reply)
  if (!block) return null
  const lines = textLines(block)
  const dated = lines.find((line) => line.length < 60 && writtenDay(line, now) !== null) ?? null
  return {
    text: firstBlock(block, "p") ?? (lines.filter((line) => line !== dated).join("\n") || null),
    publishedAt: writtenDay(dated, now),
  }
}

/** Yields the cards with their data; entries without a card come after them. */
function joined(cards: Review[], entries: Review[]): Review[] {
  const left = new Set(entries)
  const rows = cards.map((card) => {
    const entry = entries.find((entry) => left.has(entry) && isSame(entry, card))
    if (!entry) return card
    left.delete(entry)
    const known = Object.entries(entry).filter(([, value]) => value !== null)
    return { ...card, ...Object.fromEntries(known), url: entry.id ? entry.url : card.url }
  })
  return [...rows, ...left]
}

function isSame(entry: Review, card: Review): boolean {
  if (entry.id && card.id) return entry.id === card.id
  if (entry.reviewerName !== card.reviewerName && card.reviewerName !== null) return false
  if (entry.title && card.title) return entry.title === card.title
  const start = (text: string | null) => text?.replace(/\s+/g, " ").slice(0, 60) ?? null
  return start(entry.text) !== null && start(entry.text) === start(card.text)
}

const ago = /^\s*(an?|\d+)\s+(hour|day|week|month|year)s?\s+ago\s*$/i
const days: Record<string, number> = { hour: 1 / 24, day: 1, week: 7, month: 30, year: 365 }

/** Returns the day of a date in words: "August 13th, 2026", "yesterday", "3 weeks ago". */
function writtenDay(text: string | null, now: Date): string | null {
  if (text === null) return null
  const exact = isoDay(text)
  if (exact) return exact
  if (/^\s*today\s*$/i.test(text)) return isoDay(now)
  const past = ago.exec(text)
  const count = /^\s*yesterday\s*$/i.test(text) ? 1 : past && (Number(past[1]) || 1)
  if (!count) return null
  const span = count * (days[past?.[2]?.toLowerCase() ?? "day"] ?? 1)
  return isoDay(new Date(now.getTime() - span * 86_400_000))
}

const pageSize = 20
const refusal = { statuses: [403] }
const headers = { "accept-language": "en-US,en;q=0.9" }
const site = "https://www.smartcustomer.com/reviews/"
const formerSite = "https://www.sitejabber.com/reviews/"

export default defineScraper({
  slug: "sitejabber-reviews-scraper",
  name: "Sitejabber Reviews",
  tagline: "Reviews of a web shop on Sitejabber (now SmartCustomer).",
  category: "reviews",
  input: {
    businesses: inputs.texts(
      "Domains, for example thriftbooks.com, or Sitejabber review page URLs.",
      { max: 500 },
    ),
    maxReviewsPerBusiness: inputs.count("Maximum reviews per business; a page lists 20", {
      max: 1000,
      or: 20,
    }),
  },
  item: {
    business: items.requiredText("Business as written in the input."),
    businessDomain: items.requiredText("Domain of the business."),
    businessName: items.text("Name of the business."),
    businessUrl: items.requiredText("URL of the page with the business's reviews."),
    businessRating: items.number("Mean rating of the business (0-5)."),
    businessReviewCount: items.integer("Number of reviews of the business."),
    ...review.fields,
  },
  example: { businesses: ["thriftbooks.com"], maxReviewsPerBusiness: 20 },
  probe: {
    input: { businesses: ["thriftbooks.com"], maxReviewsPerBusiness: 5 },
    expect: [
      "items.length gte 3",
      'items[0].businessName matches "thrift"',
      "items[*].rating gte 1",
      "items[*].rating lte 5",
      "items[*].text share 0.8",
      "?items[*].publishedAt share 0.8",
    ],
  },
  rateLimit: {
    "www.smartcustomer.com": { perSecond: 0.33, concurrency: 1 },
    "www.sitejabber.com": { perSecond: 0.33, concurrency: 1 },
  },
  fetchMethods: ["http", "browser-http", "browser"],
  concurrency: 2,
  targets: (input) => distinct(input.businesses),
  identify: (business) => ({ input: business, business }),

  async *scrape(business, ctx) {
    const cap = ctx.input.maxReviewsPerBusiness
    for await (const row of reviews(businessDomain(business), cap, ctx)) yield { business, ...row }
  },
})

function businessDomain(business: string): string {
  const text = business.trim().toLowerCase()
  const page =
    /(?:sitejabber|smartcustomer)\.com\/(?:online-business-review(?:\/|\?url=)|reviews\/)([^/?#&]+)/
  const domain =
    page.exec(text)?.[1] ?? text.replace(/^https?:\/\//, "").replace(/^www\.|[/?#].*$/g, "")
  if (/^[a-z0-9.-]+\.[a-z]{2,}$/.test(domain)) return domain
  throw new BadInput(`"${business}" is neither a domain nor a Sitejabber URL.`)
}

function reviews(domain: string, cap: number, ctx: Context) {
  const read = readOnce((response) => readBusinessPage(response, domain, ctx.now()))
  const open = (url: string) =>
    ctx.page(url, {
      has: (response) => read(response).reviews.length > 0 || reportsNone(response),
      what: "the reviews",
      refusal,
      headers,
    })
  let address = ""
  let count = 0
  const page = async (number = 1) => {
    const response =
      number === 1 ? await firstPage(domain, open) : await open(`${address}?page=${number}`)
    if (number === 1) address = response.url.replace(/[?#].*$/, "")
    const { business, reviews } = read(response)
    const { businessReviewCount: total } = business
    if (reviews.length === 0 && number === 1) requireEmpty(response, total)
    count += reviews.length
    const hasNext = response.document.querySelector(
      'a[rel="next"], link[rel="next"], .pagination__next',
    )
    const isLast = (total !== null && count >= total) || !(hasNext || reviews.length >= pageSize)
    const rows = reviews.map((row) => ({ ...business, ...review.read(row) }))
    return { rows, next: isLast ? null : number + 1 }
  }
  return cursor(page, {
    cap,
    keyOf: ({ id, reviewerName, publishedAt, title }) =>
      id ?? [reviewerName, publishedAt, title].join("|"),
  })
}

/**
 * Requests the page under the site's new name, then under its old one, then with `www.` in the
 * domain.
 */
async function firstPage(domain: string, open: (url: string) => Promise<UpstreamResponse>) {
  const addresses = [`${site}${domain}`, `${formerSite}${domain}`]
  if (!domain.startsWith("www.")) addresses.push(`${site}www.${domain}`)
  let failure: NotFound | Unreachable | undefined
  for (const address of addresses) {
    try {
      const response = await open(address)
      if (/\/reviews\/./.test(new URL(response.url).pathname)) return response
      const details = { url: address, statusCode: response.status }
      failure = new NotFound(`No such business on Sitejabber: ${domain}.`, details)
    } catch (error) {
      if (!(error instanceof NotFound || error instanceof Unreachable)) throw error
      if (!(failure instanceof NotFound)) failure = error
    }
  }
  throw failure!
}

/** Throws unless a page without reviews states that there are none. */
function requireEmpty(response: UpstreamResponse, counted: number | null): void {
  if (counted === 0) return
  if (counted !== null)
    throw parseError(`Sitejabber counts ${counted} reviews, but its page has none.`, response)
  if (!reportsNone(response)) throw response.explainMissing("the reviews")
}

function reportsNone({ document }: UpstreamResponse): boolean {
  const text = plainText(document.body) ?? ""
  return document.querySelector("h1") !== null && /\b0 reviews\b|be the first to review/i.test(text)
}
