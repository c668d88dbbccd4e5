import {
  allTexts,
  distinct,
  firstAttribute,
  firstText,
  foldSpace,
  lineText,
  parseCount,
  plainText,
  words,
} from "../../extract/core/index.ts"
import { parsePrice } from "../../extract/price/index.ts"
import {
  amountOf,
  type Context,
  defineScraper,
  discountOf,
  inputs,
  items,
  pageByPage,
  productFields,
  ratingOf,
  record,
} from "../kit/index.ts"
import {
  type AmazonDomain,
  amazonPage,
  amazonRateLimit,
  countIn,
  domainInput,
  priceHints,
  productUrl,
} from "./amazon.ts"
import * as table from "./words.json"

const tiles = 'div[data-component-type="s-search-result"][data-asin]'
const sponsoredMarks = '.puis-sponsored-label-text, .s-sponsored-label-text, a[href*="/sspa/click"]'
const nextLink = "a.s-pagination-next[href]:not(.s-pagination-disabled)"
const nothing = new RegExp(words(table.noResults), "iu")
const lastMonth = new RegExp(words(table.lastMonth), "iu")
const sponsoredPrefix = new RegExp(`^(?:${words(table.sponsored)})\\s*[-–—:：]\\s*`, "iu")

const item = record({
  query: items.requiredText("Keyword as written in the input."),
  domain: items.requiredText("Marketplace."),
  page: items.requiredInteger("Page of the results, from 1."),
  position: items.requiredInteger("Position over all pages, from 1, including advertisements."),
  asin: items.requiredText("ASIN."),
  url: items.requiredText("URL of the product."),
  ...productFields("title", "brand"),
  sponsored: items.requiredBoolean("Whether the result is an advertisement."),
  ...productFields("price", "currency"),
  listPrice: items.number("Crossed-out list price in `currency`."),
  ...productFields("discountPercent"),
  ...productFields("priceMin", "priceMax", "rating", "ratingCount"),
  boughtPastMonth: items.text(
    "Sales of the last month, as displayed, for example 50+ bought in past month.",
  ),
  ...productFields("imageUrl"),
  badges: items.texts("Badges, for example Overall Pick."),
  coupon: items.text("Coupon, as displayed."),
  delivery: items.text("Delivery information, as displayed."),
  isPrime: items.requiredBoolean("Whether the product has the Prime badge."),
  variantsText: items.text("Other variants, as displayed."),
  totalResults: items.integer("Approximate number of products for the keyword."),
})

export default defineScraper({
  slug: "amazon-search-scraper",
  name: "Amazon Search",
  tagline: "Search results of any Amazon marketplace with price, rating, badges and ads marked.",
  notServed: ["one product's details"],
  category: "ecommerce",
  tier: "premium",
  input: {
    keywords: inputs.texts("Search words, for example usb c hub.", { max: 500, maxLength: 200 }),
    domain: domainInput(""),
    maxPages: inputs.count("Maximum result pages per search", { max: 20, or: 1 }),
  },
  item,
  example: { keywords: ["portable charger"] },
  probe: {
    input: { keywords: ["pride and prejudice"] },
    expect: [
      "items.length gte 10",
      'items[*].asin matches "^[A-Z0-9]{10}$"',
      "items[*].title share 1",
      'items[*].title matches "pride"',
      "items[*].imageUrl share 0.9",
      "?items[*].price share 0.5",
      "?items[*].rating share 0.6",
      'items[*].currency only "USD"',
    ],
  },
  rateLimit: amazonRateLimit,
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.keywords.map((keyword) => keyword.trim())),
  identify: (keyword, { domain }) => ({ input: keyword, query: keyword, domain }),

  async *scrape(query, ctx) {
    const { domain, maxPages } = ctx.input
    let position = 0
    yield* pageByPage(ctx, { input: query, query, domain }, async function* (page) {
      const { document } = await resultPage(query, domain, page, ctx)
      const totalResults = totalOf(document)
      for (const tile of document.querySelectorAll(tiles)) {
        const listing = tileOf(tile, domain)
        if (!listing) continue
        position++
        yield item.read({ query, domain, page, position, ...listing, totalResults })
      }
      return page < maxPages && document.querySelector(nextLink) !== null
    })
  },
})

/** Returns a page that has results or the notice that there are none. */
async function resultPage(query: string, domain: AmazonDomain, page: number, ctx: Context) {
  const search = new URLSearchParams({ k: query })
  if (page > 1) search.set("page", String(page))
  const url = `https://www.amazon.${domain}/s?${search}`
  const wanted = {
    selector: `${tiles}:not([data-asin=""]), .s-main-slot, #search, #noResultsTitle`,
    what: "the list of results",
  }
  const response = await amazonPage(url, domain, wanted, ctx)
  const { document } = response
  if ([...document.querySelectorAll(tiles)].some((tile) => tileOf(tile, domain))) return response
  const text = plainText(document.querySelector("#search, .s-main-slot, #noResultsTitle")) ?? ""
  if (page === 1 && !nothing.test(text)) throw response.explainMissing("a list of results")
  return response
}

/** Returns null for spacers, which have no ASIN, and for tiles without a title. */
function tileOf(tile: Element, domain: AmazonDomain) {
  const asin = tile.getAttribute("data-asin") ?? ""
  const title = titleOf(tile)
  if (!/^[A-Z0-9]{10}$/.test(asin) || !title) return null
  const reviews = tile.querySelector('[data-cy="reviews-block"]') ?? tile
  const delivery = tile.querySelector('[data-cy="delivery-recipe"]')
  return {
    asin,
    url: productUrl(domain, asin),
    title,
    brand: brandOf(tile),
    sponsored: tile.classList.contains("AdHolder") || tile.querySelector(sponsoredMarks) !== null,
    ...pricesOf(tile, domain),
    rating: ratingOf(firstText(reviews, ".a-icon-alt")),
    ratingCount: ratingCountOf(reviews),
    boughtPastMonth:
      allTexts(reviews, "span").find((text) => text.length < 80 && isSalesText(text)) ?? null,
    imageUrl: imageOf(tile),
    badges: badgesOf(tile),
    coupon: firstText(tile, ".s-coupon-unclipped"),
    delivery: delivery && (lineText(delivery) || null),
    isPrime: tile.querySelector('i.a-icon-prime, i[aria-label*="Prime"]') !== null,
    variantsText: allTexts(tile, "a").find((text) => /^\+\s?\d/.test(text)) ?? null,
  }
}

/** Recognizes "50+ bought in past month". In Japanese the month itself contains a number. */
const isSalesText = (text: string) => lastMonth.test(text) && /\d/.test(text.replace(lastMonth, ""))

/** A badge may have several elements ("Amazon's" and "Choice"). A countdown is not a badge. */
function badgesOf(tile: Element): string[] {
  const texts = new Map<Element, string>()
  for (const part of tile.querySelectorAll(".a-badge-text")) {
    const badge = part.closest(".a-badge") ?? part
    if (badge.querySelector("[data-target-time], [class*=countdown]")) continue
    texts.set(badge, `${texts.get(badge) ?? ""}${part.textContent}`)
  }
  return distinct([...texts.values()].map(foldSpace).filter(Boolean))
}

/** The brand may have its own heading; the title's heading has a label. */
function titleOf(tile: Element): string | null {
  const labelled = tile.querySelector("h2[aria-label]")
  return (
    plainText(labelled) ??
    labelled?.getAttribute("aria-label")?.replace(sponsoredPrefix, "") ??
    firstText(tile, "h2 a", "a h2", "h2 span", "h2")
  )
}

/** Returns the other heading of a tile, or null if the tile has only the title. */
function brandOf(tile: Element): string | null {
  const block = tile.querySelector("h2[aria-label]")?.closest('[data-cy="title-recipe"]')
  return block ? firstText(block, "h2:not([aria-label])") : null
}

function pricesOf(tile: Element, domain: AmazonDomain) {
  const place = tile.querySelector('[data-cy="price-recipe"]') ?? tile
  const hints = priceHints(domain)
  const prices = allTexts(place, ".a-price:not(.a-text-price) .a-offscreen").flatMap(
    (text) => parsePrice(text, hints) ?? [],
  )
  const selector = '.a-price.a-text-price[data-a-strike="true"] .a-offscreen'
  const struck = firstText(place, selector, ".a-price.a-text-price[data-a-strike] .a-offscreen")
  const amounts = prices.map((price) => price.amount)
  const isRange = amounts.length > 1 && amounts[0] !== amounts[1]
  const price = amounts[0] ?? null
  const listPrice = amountOf(struck, hints)
  return {
    price,
    currency: prices[0]?.currency ?? null,
    listPrice,
    discountPercent: discountOf(price, listPrice),
    priceMin: isRange ? Math.min(...amounts) : null,
    priceMax: isRange ? Math.max(...amounts) : null,
  }
}

/** The visible count is shortened ("84.7K"); the label of its link has the full number. */
function ratingCountOf(reviews: Element): number | null {
  for (const link of reviews.querySelectorAll("a[aria-label]")) {
    const label = link.getAttribute("aria-label") ?? ""
    if (/^\d[\d.,\s\u00a0\u202f]*\s?\p{L}[\p{L}\s]*$/u.test(label)) return countIn(label)
  }
  const short = /\((\d[^()]{0,15})\)/.exec(plainText(reviews) ?? "")?.[1]
  // In Turkish, B is a thousand ("bin").
  if (short) return parseCount(short.replace(/(?<=\d)\s?B$/, "K"))
  // Until 2024 the full count was in a link to the reviews.
  const links = allTexts(reviews, 'a[href*="customerReviews"]')
  return countIn(links.find((text) => /^\d[\d.,\s]*$/.test(text)) ?? null)
}

/** The last size is the largest. */
function imageOf(tile: Element): string | null {
  const sizes = firstAttribute(tile, "img.s-image", "srcset")?.split(/,\s+/) ?? []
  return sizes.at(-1)?.split(/\s/)[0] || firstAttribute(tile, "img.s-image", "src")
}

/** Returns the largest number in "1-16 of over 90,000 results". */
function totalOf(document: Document): number | null {
  const bar = firstText(document, '[data-component-type="s-result-info-bar"]') ?? ""
  // In Turkish the keyword is before the count.
  const withoutKeyword = bar.replace(/["“„«].{0,300}["”“»]|["“„«].*$/s, " ")
  const numbers = withoutKeyword.match(/\d{1,3}(?: \d{3})+(?!\d)|\d[\d.,]*/g) ?? []
  const counts = numbers.map((number) => Number(number.replace(/\D/g, "")))
  return counts.length > 0 ? Math.max(...counts) : null
}
