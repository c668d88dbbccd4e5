import {
  allTexts,
  distinct,
  firstText,
  parseCount,
  plainText,
  words,
} from "../../extract/core/index.ts"
import {
  type Context,
  defineScraper,
  discontinued,
  type InputOf,
  inputs,
  isPlain,
  items,
  pageByPage,
  productFields,
  record,
  type UpstreamResponse,
} from "../kit/index.ts"
import { ebayPart, ebayRateLimit } from "./ebay.ts"
import { listingOf } from "./search-card.ts"
import { soldAbroad } from "./words.json"

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
