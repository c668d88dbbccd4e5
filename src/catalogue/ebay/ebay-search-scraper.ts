import { type Static, Type } from "@sinclair/typebox"
import {
  absoluteUrl,
  allTexts,
  distinct,
  firstAttribute,
  firstText,
  parseCount,
  plainText,
} from "../../extract/core/index.ts"
import {
  type Answer,
  booleanField,
  type Context,
  defineScraper,
  inputObject,
  inputs,
  integerField,
  itemObject,
  noLongerTold,
  numberField,
  partFailed,
  productFields,
  readOnce,
  textField,
  textsField,
} from "../kit/index.ts"
import { ebayPace, ebayPage, ebayPrice } from "./ebay.ts"

const sortCodes = {
  best_match: 12,
  ending_soonest: 1,
  newly_listed: 10,
  price_asc: 15,
  price_desc: 16,
  nearest: 7,
} as const
const sortOrders = Object.keys(sortCodes) as (keyof typeof sortCodes)[]
const pageSizes = [60, 120, 240]
const place = { country: "US" }

const item = itemObject({
  query: Type.String({ description: "The query." }),
  position: Type.Integer({ description: "Place in the results, from 1." }),
  itemId: Type.String({ description: "eBay's number of the listing." }),
  url: Type.String({ description: "The listing's page." }),
  ...productFields("title", "price", "currency", "priceMin", "priceMax"),
  ...productFields("originalPrice", "discountPercent"),
  shippingCost: numberField("Price of the shipping; 0 when it is free."),
  shippingText: textField("Shipping in words."),
  freeShipping: Type.Boolean({ description: "Whether it is shipped free." }),
  condition: textField("Condition."),
  subtitle: textField("What stands beside the condition, or above it."),
  buyingFormat: textField("buy_it_now, best_offer or auction."),
  bids: integerField("Bids so far."),
  timeLeft: textField("Time until the end."),
  location: textField("Where it is."),
  sellerName: textField("Name of the seller."),
  sellerFeedbackPercent: numberField("Percent of positive ratings of the seller."),
  sellerFeedbackCount: integerField("Ratings of the seller."),
  soldCount: integerField("Pieces sold."),
  watchers: integerField("Users who watch it."),
  isSponsored: noLongerTold(booleanField("Whether it is an advertisement.")),
  ...productFields("imageUrl"),
  badges: textsField("Marks such as eBay Refurbished or Free returns."),
  totalResults: integerField("Listings that the query found, roughly."),
})

const input = inputObject({
  queries: inputs.texts("What to search for on www.ebay.com.", { max: 200 }),
  maxItemsPerQuery: inputs.count("Cap for each query.", { max: 240, or: 60 }),
  sortOrder: inputs.choice(sortOrders, "Order of the results.", "best_match"),
  buyItNowOnly: inputs.flag("Leaves auctions out."),
  useUnlocker: inputs.useUnlocker(),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "ebay-search-scraper",
  name: "eBay Search",
  tagline: "eBay listings for a keyword: price, shipping, condition, seller, location, watchers.",
  category: "ecommerce",
  tier: "free",
  input,
  item,
  deprecated: { image: "imageUrl" },
  example: { queries: ["phone"], maxItemsPerQuery: 20 },
  canary: {
    input: { queries: ["lego"], maxItemsPerQuery: 10 },
    expect: [
      "items.length equals 10",
      'items[*].itemId matches "^\\\\d{9,15}$"',
      "items[*].title share 1",
      "items[*].price share 0.7",
      "items[*].currency share 0.7",
      "?items[*].condition share 0.6",
      "?items[0].totalResults gte 1000",
    ],
  },
  pace: ebayPace,
  access: ["http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.queries.map((query) => query.trim())),
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const most = ctx.input.maxItemsPerQuery
    const seen = new Set<string>()
    let position = 0
    for (let page = 1; ; page++) {
      let found: Awaited<ReturnType<typeof resultPage>>
      try {
        found = await resultPage(query, page, ctx)
      } catch (error) {
        if (page === 1) throw error
        yield partFailed(ctx, error, { input: query, query, page })
        return
      }
      const fresh = found.listings.filter((listing) => !seen.has(listing.itemId))
      for (const listing of fresh) {
        if (position >= most) return
        seen.add(listing.itemId)
        position++
        yield { query, position, ...listing, totalResults: found.totalResults }
      }
      if (position >= most || fresh.length === 0 || !found.hasMore) return
    }
  },
})

async function resultPage(query: string, page: number, ctx: Context<Input>) {
  const { maxItemsPerQuery, sortOrder, buyItNowOnly } = ctx.input
  const search = new URLSearchParams({
    _nkw: query,
    _ipg: String(pageSizes.find((size) => size >= maxItemsPerQuery) ?? pageSizes.at(-1)),
    _sop: String(sortCodes[sortOrder]),
  })
  if (buyItNowOnly) search.set("LH_BIN", "1")
  if (page > 1) search.set("_pgn", String(page))
  const answer = await ebayPage(`https://www.ebay.com/sch/i.html?${search}`, resultList, ctx)
  return read(answer)
}

const resultList = {
  has: (answer: Answer) => read(answer).listings.length > 0 || read(answer).saysNothing,
  what: "the list of results",
  // A list always says something, and be it that there is nothing.
  sign: () => true,
}

const read = readOnce(({ document }) => {
  const listings = cardsOf(document).flatMap((card) => listingOf(card) ?? [])
  const totalResults = parseCount(firstText(document, ".srp-controls__count-heading"))
  const saysNothing =
    totalResults === 0 ||
    firstText(document, ".srp-save-null-search__heading") !== null ||
    /No exact matches found/i.test(firstText(document, ".srp-river-results, #mainContent") ?? "")
  return {
    listings,
    saysNothing,
    hasMore: document.querySelector("a.pagination__next[href]") !== null,
    totalResults,
  }
})

/**
 * The cards before the notice of results that match fewer words. That of results from sellers abroad
 * has the same class and leads on with the same words.
 */
function cardsOf(document: Document): Element[] {
  const cards: Element[] = []
  for (const row of document.querySelectorAll("ul.srp-results > li")) {
    if (row.matches("li.s-card[data-listingid], li.s-item")) {
      cards.push(row)
      continue
    }
    const text = plainText(row) ?? ""
    const isNotice = /REWRITE_START/.test(row.className) && !/international sellers/i.test(text)
    if (isNotice || /Results matching fewer words/i.test(text)) break
  }
  return cards
}

/** Null for placeholders and cards without a number. */
function listingOf(card: Element) {
  const link = firstAttribute(card, 'a[href*="/itm/"]', "href")
  const itemId =
    card.getAttribute("data-listingid") ?? /\/itm\/(?:[^/?]+\/)?(\d+)/.exec(link ?? "")?.[1]
  const title = firstText(
    card,
    ".s-card__title .su-styled-text",
    ".s-card__title",
    ".s-item__title",
  )
    ?.replace(/(?<!\s)\s*Opens in a new window or tab$/i, "")
    .replace(/^New Listing\s*/i, "")
  if (!itemId || itemId === "123456" || !title || /^Shop on eBay$/i.test(title)) return null
  const rows = new CardRows(card)
  const image = firstAttribute(
    card,
    "img.s-card__image, .s-item__image img, img",
    "data-defer-load",
    "data-src",
    "src",
  )
  return {
    itemId,
    url: `https://www.ebay.com/itm/${itemId}`,
    title,
    ...priceOf(card),
    ...originalOf(card, rows),
    ...shippingOf(rows),
    ...conditionOf(card),
    ...formatOf(rows, firstText(card, ".s-card__time-left", ".s-item__time-left")),
    location: rows.take(/^(?:Located in|from) (.+)$/i)?.[1] ?? null,
    ...sellerOf(rows),
    soldCount: parseCount(rows.take(/^([\d.,]+K?)\+? sold$/i)?.[1]),
    watchers: parseCount(rows.take(/^([\d.,]+K?)\+? watch(?:ers?|ing)$/i)?.[1]),
    isSponsored: null,
    imageUrl: absoluteUrl(image, "https://www.ebay.com")?.replace("/s-l140.", "/s-l500.") ?? null,
    badges: distinct(rows.rest()),
  }
}

const price = ".s-card__price, .s-item__price"

/**
 * The rows of a card have no names: each is taken by what it says, and what is left are marks. A row
 * that holds a price, whether a range or one beside its struck former one, is none.
 */
class CardRows {
  private readonly texts: string[]
  private readonly prices: ReadonlySet<string | null>

  constructor(card: Element) {
    const rows = card.querySelectorAll(".s-card__attribute-row")
    const shown = [
      ...(rows.length > 0
        ? rows
        : card.querySelectorAll(
            ".s-item__detail > span, .s-item__dynamic, .s-item__seller-info-text",
          )),
    ]
    this.texts = distinct(shown.flatMap((row) => plainText(row) ?? []))
    const priced = shown.filter((row) => row.matches(price) || row.querySelector(price))
    this.prices = new Set(priced.map(plainText))
  }

  take(pattern: RegExp): RegExpExecArray | null {
    for (const [index, text] of this.texts.entries()) {
      const match = pattern.exec(text)
      if (!match) continue
      this.texts.splice(index, 1)
      return match
    }
    return null
  }

  rest(): string[] {
    return this.texts.filter((text) => !this.prices.has(text) && !/^Customs services/i.test(text))
  }
}

/** One price, or the two ends of a range, each in an element of its own. */
function priceOf(card: Element) {
  const row = card.querySelector(".s-card__price")?.closest(".s-card__attribute-row")
  const text = plainText(row) ?? firstText(card, ".s-card__price", ".s-item__price")
  const [low, high] = (text?.split(/(?<!\s)\s+to\s+/i) ?? []).map((part) => ebayPrice(part, place))
  return {
    price: low?.amount ?? null,
    currency: low?.currency ?? null,
    priceMin: high ? (low?.amount ?? null) : null,
    priceMax: high?.amount ?? null,
  }
}

/** "Was: $199.97 30% off", or a struck price alone. */
function originalOf(card: Element, rows: CardRows) {
  const row = rows.take(/^(?:Was|List price):|\d% off$/i)?.input ?? ""
  const struck = firstText(card, ".strikethrough", ".s-item__trending-price .STRIKETHROUGH")
  const former = struck ?? /^(?:Was|List price):\s*(\S+(?: \$[\d.,]+)?)/i.exec(row)?.[1] ?? null
  return {
    originalPrice: ebayPrice(former, place)?.amount ?? null,
    discountPercent: Number(/(\d{1,2})% off/i.exec(row.replace(struck ?? "", " "))?.[1]) || null,
  }
}

function shippingOf(rows: CardRows) {
  const row = rows.take(/\b(?:delivery|shipping|postage)\b/i)?.input ?? null
  const isFree = /^Free\b/i.test(row ?? "")
  return {
    shippingCost: isFree ? 0 : (ebayPrice(row, place)?.amount ?? null),
    shippingText: row,
    freeShipping: isFree,
  }
}

/** "Open Box · 256 GB"; a seller's own subtitle may stand above. */
function conditionOf(card: Element) {
  const lines = allTexts(card, ".s-card__subtitle, .s-item__subtitle")
  const [condition, ...more] = (lines.at(-1) ?? "").split("·").map((part) => part.trim())
  const subtitle = [...lines.slice(0, -1), ...more].join(" · ")
  return { condition: condition || null, subtitle: subtitle || null }
}

function formatOf(rows: CardRows, shownTime: string | null) {
  const bids = rows.take(/(?<!\w)(\d[\d,]{0,20}) bids?\b/i)
  const now = rows.take(/^Buy It Now$/i)
  const offer = rows.take(/^or Best Offer$/i)
  const time = shownTime ?? rows.take(/\b\d+[dhms](?: \d+[hms])* left\b/i)?.[0] ?? null
  return {
    buyingFormat: bids ? "auction" : offer ? "best_offer" : now ? "buy_it_now" : null,
    bids: parseCount(bids?.[1]),
    timeLeft: time ?? /\b\d+[dhms](?: \d+[hms])* left\b/i.exec(bids?.input ?? "")?.[0] ?? null,
  }
}

function sellerOf(rows: CardRows) {
  const seller =
    rows.take(/^(\S+) ([\d.]+)% positive \(([\d.,]+K?)\)/i) ??
    rows.take(/^(\S+) \(([\d.,]+K?)\) ([\d.]+)%$/i)
  if (!seller) return { sellerName: null, sellerFeedbackPercent: null, sellerFeedbackCount: null }
  const [, name, second, third] = seller
  const isNew = /positive/i.test(seller[0])
  return {
    sellerName: name ?? null,
    sellerFeedbackPercent: Number(isNew ? second : third),
    sellerFeedbackCount: parseCount(isNew ? third : second),
  }
}
