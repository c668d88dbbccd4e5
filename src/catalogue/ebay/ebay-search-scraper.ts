import {
  absoluteUrl,
  allTexts,
  distinct,
  firstAttribute,
  firstText,
  parseCount,
  plainText,
  words,
} from "../../extract/core/index.ts"
import {
  type Context,
  defineScraper,
  discontinued,
  discountOf,
  type InputOf,
  inputs,
  isPlain,
  items,
  pageByPage,
  productFields,
  record,
  type UpstreamResponse,
} from "../kit/index.ts"
import { anyOf, ebayPart, ebayPrice, ebayRateLimit } from "./ebay.ts"
import * as table from "./words.json"
import { soldAbroad } from "./words.json"

const number = "\\d[\\d.,\u00a0\u202f]*(?:\\s?(?:[KM]|mil|tsd\\.?|tys\\.?|тыс\\.?|万))?"
const timeLeft = ".s-item__time-left, .s-card__time-left"

const sortCodes = {
  best_match: 12,
  ending_soonest: 1,
  newly_listed: 10,
  price_asc: 15,
  price_desc: 16,
  nearest: 7,
} as const
const pageSizes = [60, 120, 240]

const item = record({
  query: items.requiredText("Search query."),
  position: items.requiredInteger("Position in the results, from 1."),
  itemId: items.requiredText("eBay's ID of the listing."),
  url: items.requiredText("URL of the listing."),
  ...productFields("title", "price", "currency", "priceMin", "priceMax"),
  ...productFields("originalPrice", "discountPercent"),
  shippingCost: items.number("Shipping cost; 0 if shipping is free."),
  shippingText: items.text("Shipping information, as displayed."),
  freeShipping: items.boolean("Whether shipping is free; null if the listing does not state it."),
  condition: items.text("Condition."),
  subtitle: items.text("Text next to the condition, or above it."),
  buyingFormat: items.text("buy_it_now, best_offer or auction."),
  bids: items.integer("Number of bids."),
  timeLeft: items.text("Time left, as displayed."),
  location: items.text("Location of the item."),
  sellerName: items.text("Name of the seller."),
  sellerFeedbackPercent: items.number("Percentage of positive ratings of the seller."),
  sellerFeedbackCount: items.integer("Number of ratings of the seller."),
  soldCount: items.integer("Number of units sold."),
  watchers: items.integer("Number of users who watch the item."),
  isSponsored: discontinued(items.boolean("Whether the result is an advertisement.")),
  ...productFields("imageUrl"),
  badges: items.texts("Badges, for example eBay Refurbished or Free returns."),
  totalResults: items.integer("Approximate number of listings for the query."),
})

const input = {
  queries: inputs.texts("Search words for www.ebay.com, for example leica m6.", { max: 200 }),
  maxItemsPerQuery: inputs.count("Maximum items per search", { max: 240, or: 60 }),
  sortOrder: inputs.choice(sortCodes, "Sort order of the results.", "best_match"),
  buyItNowOnly: inputs.flag("Whether to leave out auctions."),
  useUnlocker: inputs.useUnlocker(),
}

export default defineScraper({
  slug: "ebay-search-scraper",
  name: "eBay Search",
  tagline: "eBay listings for a keyword: price, shipping, condition, seller, location, watchers.",
  notServed: ["one listing in full"],
  category: "ecommerce",
  input,
  item,
  example: { queries: ["phone"], maxItemsPerQuery: 20 },
  probe: {
    input: { queries: ["lego"], maxItemsPerQuery: 10 },
    expect: [
      "items.length equals 10",
      'items[*].itemId matches "^\\\\d{9,15}$"',
      "items[*].title share 1",
      "items[*].price share 0.7",
      "items[*].currency share 0.7",
      "?items[*].condition share 0.6",
      "?items[0].totalResults gte 1000",
      '?items[*].currency only "USD"',
    ],
  },
  rateLimit: ebayRateLimit,
  fetchMethods: ["http", "browser-http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.queries.map((query) => query.trim())),
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const max = ctx.input.maxItemsPerQuery
    const seen = new Set<string>()
    let position = 0
    yield* pageByPage(ctx, { input: query, query }, async function* (page) {
      const { listings, totalResults, hasMore } = await resultPage(query, page, ctx)
      const fresh = listings.filter((listing) => !seen.has(listing.itemId))
      for (const listing of fresh) {
        if (position >= max) return false
        seen.add(listing.itemId)
        position++
        yield item.read({ query, position, ...listing, totalResults })
      }
      return position < max && fresh.length > 0 && hasMore
    })
  },
})

async function resultPage(query: string, page: number, ctx: Context<InputOf<typeof input>>) {
  const { maxItemsPerQuery, sortOrder, buyItNowOnly } = ctx.input
  const search = new URLSearchParams({
    _nkw: query,
    _ipg: String(pageSizes.find((size) => size >= maxItemsPerQuery) ?? pageSizes.at(-1)),
    _sop: String(sortCodes[sortOrder]),
  })
  if (buyItNowOnly) search.set("LH_BIN", "1")
  if (page > 1) search.set("_pgn", String(page))
  return ebayPart(`https://www.ebay.com/sch/i.html?${search}`, resultList, ctx)
}

const resultList = {
  read: resultsIn,
  what: "the list of results",
  // Parts of the list's frame are on every page of results, even if it is empty.
  sign: (response: UpstreamResponse) =>
    isPlain(response) && response.document.querySelector("[class*='srp-']") === null,
}

function resultsIn({ document }: UpstreamResponse) {
  const listings = cardsOf(document).flatMap((card) => listingOf(card) ?? [])
  const totalResults = totalOf(document)
  const statesNothing =
    totalResults === 0 ||
    firstText(document, ".srp-save-null-search__heading") !== null ||
    /No exact matches found/i.test(firstText(document, ".srp-river-results, #mainContent") ?? "")
  if (listings.length === 0 && !statesNothing) return null
  const hasMore = document.querySelector("a.pagination__next[href]") !== null
  return { listings, hasMore, totalResults }
}

/** The heading contains the query and the count in the order of the page's language. */
function totalOf(document: Document): number | null {
  const heading = document.querySelector(".srp-controls__count-heading")
  if (!heading) return null
  const counts = allTexts(heading, ".BOLD").filter((text) => /^\d[\d.,\s]*\+?$/.test(text))
  // A query may itself be a number; in most languages the count comes first.
  return parseCount(counts[0] ?? plainText(heading))
}

const soldAbroadWord = new RegExp(words(soldAbroad), "iu")

/**
 * Returns the cards before the notice of results that match fewer words.
 * The notice of results from sellers abroad has the same class and the same first words.
 */
function cardsOf(document: Document): Element[] {
  const rows = [...document.querySelectorAll("ul.srp-results > li")]
  const isCard = (row: Element) => row.matches("li.s-card, li.s-item")
  const end = rows.findIndex((row) => {
    const text = isCard(row) ? "" : (plainText(row) ?? "")
    const isNotice = /REWRITE_START/.test(row.className) && !soldAbroadWord.test(text)
    return !isCard(row) && (isNotice || /Results matching fewer words/i.test(text))
  })
  return rows.slice(0, end < 0 ? undefined : end).filter(isCard)
}

const place = { country: "US" }

const pattern = (source: string) => new RegExp(source, "iu")
/** Matches only outside a word; scripts such as Japanese have no spaces between words. */
const before = "(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])"
const after = "(?![\\p{Script=Latin}\\p{Script=Cyrillic}])"
const bidsRow = pattern(`(?<![\\p{L}\\d])(\\d[\\d.,]{0,20})\\s?${anyOf(table.bids)}${after}`)
const buyItNowRow = pattern(`^${anyOf(table.buyItNow)}$`)
const bestOfferRow = pattern(anyOf(table.bestOffer))
const shippingRow = pattern(`${before}${anyOf(table.shipping)}|^[+＋]\\D{0,20}\\d`)
const freeWord = pattern(`${before}${anyOf(table.free)}${after}`)
const locationRow = pattern(`^${anyOf(table.locatedIn)}\\s(\\D+)$`)
const soldRow = pattern(
  `^\\D{0,20}?(${number})\\+?\\s?${anyOf(table.sold)}|^${anyOf(table.sold)}:?\\s(${number})`,
)
const watchersRow = pattern(
  `(${number})\\+?\\s(?:lo )?${anyOf(table.watched)}|^${anyOf(table.watched)}\\D{0,5}(${number})`,
)
const customsRow = pattern(anyOf(table.customs))
const rangeWord = pattern(`(?<!\\s)\\s+${anyOf(table.openEnded)}\\s+|\\s*[～~]\\s*`)
const discountRow =
  /^(?:was|list price):|\d\s?% off$|[-–−]\s?\d{1,2}\s?%|\d\s?% (?:de )?(?:descuento|rabatt|de réduction|di sconto|desconto)|\d%オフ/iu
/** A name, a percentage and a count, in two orders; the words between them differ by language. */
const sellerRows = [
  /^(?<name>\S+) (?<percent>\d{1,3}(?:[.,]\d+)?)\s?%[^(\d]*\((?<count>\d[^)]*)\)/u,
  /^(?<name>\S+) \((?<count>\d[^)]*)\) (?<percent>\d{1,3}(?:[.,]\d+)?)\s?%$/u,
]

const price = ".s-card__price, .s-item__price"
const englishTime = /\b\d+[dhms](?: \d+[hms])* left\b/i
const rowsOfCard = ".s-item__detail > span, .s-item__dynamic, .s-item__seller-info-text"

/** Returns the listing of a card, or null for placeholders and cards without an item number. */
function listingOf(card: Element) {
  const link = firstAttribute(card, 'a[href*="/itm/"]', "href")
  const linked = /\/itm\/(?:[^/?]+\/)?(\d+)/.exec(link ?? "")?.[1]
  const itemId = card.getAttribute("data-listingid") || linked
  const name = ".s-card__title"
  const title = firstText(card, `${name} .su-styled-text`, name, ".s-item__title")
    ?.replace(/(?<!\s)\s*Opens in a new window or tab$/i, "")
    .replace(/^New Listing\s*/i, "")
  // The first card may be a placeholder, with or without its own number.
  const isPlaceholder = linked === "123456" || /^Shop on eBay$/i.test(title ?? "")
  if (!itemId || !title || isPlaceholder) return null
  const rows = new CardRows(card)
  const images = "img.s-card__image, .s-item__image img, img"
  const image = firstAttribute(card, images, "data-defer-load", "data-src", "src")
  const current = priceOf(card)
  return {
    itemId,
    url: `https://www.ebay.com/itm/${itemId}`,
    title,
    ...current,
    ...originalOf(card, rows, current.price),
    ...sellerOf(rows),
    ...formatOf(card, rows),
    ...shippingOf(rows),
    ...conditionOf(card),
    soldCount: countOf(rows.take(soldRow)),
    watchers: countOf(rows.take(watchersRow)),
    location: rows.take(locationRow)?.[1] ?? null,
    imageUrl: absoluteUrl(image, "https://www.ebay.com")?.replace("/s-l140.", "/s-l500.") ?? null,
    badges: distinct(rows.rest()),
  }
}

/**
 * The rows of a card have no names: each is recognized by its format or text, and the rest are
 * badges.
 * Rows with a price, a price range or the crossed-out earlier price are left out.
 * So are rows that only link to similar listings.
 */
class CardRows {
  private readonly texts: string[]
  private readonly ignored: ReadonlySet<string | null>

  constructor(card: Element) {
    const rows = card.querySelectorAll(".s-card__attribute-row")
    const visible = [...(rows.length > 0 ? rows : card.querySelectorAll(rowsOfCard))]
    this.texts = distinct(
      [...visible, ...countingCaptions(card)].flatMap((row) => plainText(row) ?? []),
    )
    const ignored = visible.filter(
      (row) => row.matches(price) || row.querySelector(price) || row.querySelector(".su-link"),
    )
    this.ignored = new Set(ignored.map(plainText))
  }

  /** Removes and returns the first row that one of the patterns matches. */
  take(...patterns: RegExp[]): RegExpExecArray | null {
    const matches = patterns.flatMap((pattern) => this.texts.map((text) => pattern.exec(text)))
    const match = matches.find((one) => one !== null) ?? null
    if (match) this.texts.splice(this.texts.indexOf(match.input), 1)
    return match
  }

  rest(): string[] {
    return this.texts.filter((text) => !this.ignored.has(text) && !customsRow.test(text))
  }
}

/** A caption may be "289 sold". That of an ended listing has a date instead of a count. */
const countingCaptions = (card: Element) =>
  [...card.querySelectorAll(".s-card__caption")].filter(
    (caption) =>
      /^\D*\d[\d.,]*\+?\D*$/.test(caption.textContent) && soldRow.test(plainText(caption) ?? ""),
  )

const countOf = (match: RegExpExecArray | null) => parseCount(match?.slice(1).find(Boolean))

/** One price, or the two ends of a range, each in its own element. */
function priceOf(card: Element) {
  const row = card.querySelector(".s-card__price")?.closest(".s-card__attribute-row")
  const text = plainText(row) ?? firstText(card, ".s-card__price", ".s-item__price")
  const [low, high] = (text?.split(rangeWord) ?? []).map((part) => ebayPrice(part, place))
  return {
    price: low?.amount ?? null,
    currency: low?.currency ?? null,
    priceMin: high ? (low?.amount ?? null) : null,
    priceMax: high?.amount ?? null,
  }
}

/** Parses "Was: $199.97 30% off", or only a crossed-out price. */
function originalOf(card: Element, rows: CardRows, price: number | null) {
  const row = rows.take(discountRow)?.input ?? ""
  const crossed = [".strikethrough:not(.s-card__price)", ".s-item__trending-price .STRIKETHROUGH"]
  const struck = firstText(card, ...crossed)
  const former = struck ?? /^(?:Was|List price):\s*(\S+(?: \$[\d.,]+)?)/i.exec(row)?.[1] ?? null
  const originalPrice = ebayPrice(former, place)?.amount ?? null
  const percent = /(\d{1,2})\s?%/.exec(row.replace(struck ?? "", " "))?.[1]
  return {
    originalPrice,
    discountPercent: percent ? Number(percent) || null : discountOf(price, originalPrice),
  }
}

/** Free shipping is null if the card has neither a price nor the word "free". */
function shippingOf(rows: CardRows) {
  const row = rows.take(shippingRow)?.input ?? null
  const isFree = freeWord.test(row ?? "")
  const cost = isFree ? 0 : (ebayPrice(row, place)?.amount ?? null)
  return { shippingCost: cost, shippingText: row, freeShipping: cost === null ? null : isFree }
}

/** Parses "Open Box · 256 GB"; a seller's own subtitle may be above it. */
function conditionOf(card: Element) {
  const lines = allTexts(card, ".s-card__subtitle, .s-item__subtitle")
  const [condition, ...more] = (lines.at(-1) ?? "").split("·").map((part) => part.trim())
  const subtitle = [...lines.slice(0, -1), ...more].join(" · ")
  return { condition: condition || null, subtitle: subtitle || null }
}

function formatOf(card: Element, rows: CardRows) {
  const bids = rows.take(bidsRow)
  const now = rows.take(buyItNowRow)
  const offer = rows.take(bestOfferRow)
  const time = firstText(card, timeLeft) ?? rows.take(englishTime)?.[0]
  return {
    buyingFormat: bids ? "auction" : offer ? "best_offer" : now ? "buy_it_now" : null,
    bids: parseCount(bids?.[1]),
    timeLeft: time ?? timeBehind(bids?.input ?? ""),
  }
}

/** Returns the time left of "3 bids · 1d 4h left", or of "3 Gebote · Noch 1T 4Std". */
const timeBehind = (bidsRow: string): string | null =>
  englishTime.exec(bidsRow)?.[0] ?? /·\s*([^·]*\d[^·]*)$/.exec(bidsRow)?.[1]?.trim() ?? null

function sellerOf(rows: CardRows) {
  const { name, percent, count } = rows.take(...sellerRows)?.groups ?? {}
  return {
    sellerName: name ?? null,
    sellerFeedbackPercent: percent ? Number(percent.replace(",", ".")) : null,
    sellerFeedbackCount: parseCount(count),
  }
}
