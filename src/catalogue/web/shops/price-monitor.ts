import { round } from "../../../extract/core/index.ts"
import { normaliseUrl } from "../../../extract/links/index.ts"
import { type Availability, availabilities, isInStock } from "../../../extract/price/index.ts"
import type { Product } from "../../../extract/product/index.ts"
import {
  Changed,
  defineScraper,
  field,
  items,
  nullable,
  oneOf,
  pageUrls,
  partFailed,
  record,
  toPageUrl,
} from "../../kit/index.ts"
import { validatorsOf } from "../crawl/known-pages.ts"
import { identifyPage, pageFacts, pageFields } from "../page/open.ts"
import { openShopPage, type ShopPage, useUnlocker } from "./shop-page.ts"

const statuses = [
  "first_check",
  "unchanged",
  "price_drop",
  "price_rise",
  "back_in_stock",
  "out_of_stock",
  "currency_changed",
  "error",
] as const
type Status = (typeof statuses)[number]

const priceAt = (description: string) =>
  items.requiredObject(description, {
    price: items.requiredNumber("Price, in the currency of `currency`."),
    at: items.requiredText("Time of the check that found the price (ISO 8601)."),
  })

const item = record({
  ...pageFields,
  name: items.requiredText("Name of the product."),
  brand: items.text("Brand or manufacturer."),
  sku: items.text("The shop's own number of the product (SKU)."),
  imageUrl: items.text("URL of an image of the product."),
  price: items.requiredNumber("Current price; the lowest of several offers."),
  currency: items.text("Currency of the prices (ISO 4217)."),
  priceText: items.text(
    "Price as displayed, if it was read from a text or differs from the page's data.",
  ),
  availability: nullable(oneOf(availabilities, { description: "Availability of the product." })),
  available: field.boolean("inStock", "Whether it can be bought now."),
  status: oneOf(statuses, { description: "Event since the last check." }),
  changed: items.requiredBoolean("Whether the price or availability differs from the last check."),
  previousPrice: items.number("Price at the last check."),
  previousCurrency: items.text("Currency at the last check."),
  previousAvailability: items.text("Availability at the last check."),
  priceChange: items.number("Price minus the previous one; null if the currency changed."),
  priceChangePercent: items.number("Change in percent of the previous price."),
  lowestPrice: priceAt("Lowest price so far, and its time."),
  highestPrice: priceAt("Highest price so far, and its time."),
  isLowest: items.requiredBoolean("Whether no earlier check had a lower price."),
  checks: items.requiredInteger("Number of checks so far, including this one."),
  firstSeenAt: items.requiredText("Time of the first check."),
  previousCheckedAt: items.text("Time of the check before (ISO 8601, UTC)."),
  checkedAt: items.requiredText("Time of this check."),
  extractedFrom: items.requiredText(
    "Source of the price: json-ld, microdata, rdfa, meta, state or selectors.",
  ),
})

const failed = { status: "error", changed: false, price: null }

export default defineScraper({
  slug: "price-monitor",
  name: "Price Monitor",
  tagline: "Watch product pages and report price and stock changes since the last run.",
  notServed: ["price history before the first check"],
  category: "ecommerce",
  isCheck: true,
  fetchMethods: ["http", "browser-http", "browser", "unlocker"],
  input: { productUrls: pageUrls(1000, "Product page URLs of any shop"), useUnlocker },
  item,
  watch: {
    key: ["url"],
    name: ["name", "url"],
    value: "price",
    label: "Price",
    unit: "currency",
    stock: "available",
    conditions: [{ when: "changed" }, { when: "back_in_stock" }, { when: "out_of_stock" }],
  },
  example: { productUrls: ["https://www.ikea.com/gb/en/p/moeckelby-table-oak-00293772/"] },
  probe: {
    input: { productUrls: ["https://www.ikea.com/gb/en/p/billy-bookcase-white-00263850/"] },
    expect: [
      "items.length equals 1",
      'items[0].name matches "billy"',
      "items[0].price gte 5",
      'items[0].currency equals "GBP"',
      "items[0].checkedAt fresh 1",
    ],
  },
  pages: { ofTarget: 1 },
  targets: (input) => input.productUrls,
  identify: (target) => ({ ...identifyPage(target), ...failed }),

  async *scrape(target, ctx) {
    const key = normaliseUrl(toPageUrl(target))
    const last = await ctx.memory.get<PriceRecord>(key)
    const readingKey = `read ${key}`
    const before = last && ((await ctx.memory.get<Reading>(readingKey)) ?? undefined)
    try {
      const shopPage = await openShopPage(target, ctx, before)
      const reading = shopPage ? readingOf(shopPage) : before!
      const seen = { ...reading.seen, at: ctx.now().toISOString() }
      const record = nextRecord(last, seen)
      yield item.read({
        ...reading.page,
        ...reading.product,
        ...record,
        ...seen,
        ...compared(seen, last, record),
      })
      await ctx.memory.set(key, record)
      if (shopPage) await ctx.memory.set(readingKey, reading)
    } catch (error) {
      yield partFailed(ctx, error, { ...identifyPage(target), ...failed, ...previous(last) })
    }
  },
})

type Reading = ReturnType<typeof readingOf>

/** Returns what is stored of a product's page, for checks in which its host reports no change. */
function readingOf(shopPage: ShopPage) {
  const { response, product } = shopPage
  const { url } = response
  const { price, currency = null, availability = null, inStock } = product
  if (price === undefined) {
    throw new Changed(`${url} has the product, but no price.`, { code: "no_price", url })
  }
  return {
    ...validatorsOf(response),
    page: pageFacts(shopPage),
    product: {
      name: product.name!,
      brand: product.brand ?? null,
      sku: product.sku ?? null,
      imageUrl: product.images?.[0] ?? null,
      priceText: product.priceText ?? differingPrice(product),
      extractedFrom: product.extractedFrom,
    },
    seen: { price, currency, availability, inStock },
  }
}

/** Returns the displayed price if it differs. A page's data may be older than its display. */
function differingPrice({ price, visiblePrice }: Product): string | null {
  const differs = visiblePrice !== null && Math.abs(visiblePrice.amount - (price ?? 0)) >= 0.01
  return differs ? visiblePrice.text : null
}

function previous(last: PriceRecord | undefined) {
  return {
    previousPrice: last?.price ?? null,
    previousCurrency: last?.currency ?? null,
    previousAvailability: last?.availability ?? null,
    previousCheckedAt: last?.checkedAt ?? null,
  }
}

function compared(seen: Seen, last: PriceRecord | undefined, record: PriceRecord) {
  const status = statusOf(seen, last)
  return {
    status,
    changed: status !== "first_check" && status !== "unchanged",
    ...previous(last),
    ...priceChange(seen, last),
    lowestPrice: { price: record.minPrice, at: record.minPriceAt },
    highestPrice: { price: record.maxPrice, at: record.maxPriceAt },
    isLowest: record.checks > 1 && seen.price <= record.minPrice,
  }
}

/** Data of a product that is stored between checks. Times are ISO 8601. */
interface PriceRecord {
  price: number
  currency: string | null
  availability: Availability | null
  checkedAt: string
  firstSeenAt: string
  firstPrice: number
  minPrice: number
  minPriceAt: string
  maxPrice: number
  maxPriceAt: string
  checks: number
}

/** The result of a check. */
interface Seen extends Pick<PriceRecord, "price" | "currency" | "availability"> {
  inStock: boolean | null
  at: string
}

/** Compares prices in hundredths, so that 0.1 + 0.2 is 0.3. */
const cents = (price: number) => Math.round(price * 100)

const otherCurrency = (seen: Seen, last: PriceRecord) =>
  seen.currency !== null && last.currency !== null && seen.currency !== last.currency

/** Returns the most important of several changes: currency, then availability, then price. */
function statusOf(seen: Seen, last: PriceRecord | undefined): Status {
  if (!last) return "first_check"
  if (otherCurrency(seen, last)) return "currency_changed"
  const wasInStock = isInStock(last.availability)
  if (wasInStock === false && seen.inStock === true) return "back_in_stock"
  if (wasInStock === true && seen.inStock === false) return "out_of_stock"
  const change = cents(seen.price) - cents(last.price)
  if (change === 0) return "unchanged"
  return change < 0 ? "price_drop" : "price_rise"
}

function priceChange(seen: Seen, last: PriceRecord | undefined) {
  if (!last || otherCurrency(seen, last)) return { priceChange: null, priceChangePercent: null }
  const change = cents(seen.price) - cents(last.price)
  return {
    priceChange: change / 100,
    priceChangePercent: last.price === 0 ? null : round((change / cents(last.price)) * 100, 1),
  }
}

/**
 * Returns the record for the next check. A new currency resets the highest and lowest price,
 * because the amounts are not comparable.
 */
function nextRecord(last: PriceRecord | undefined, seen: Seen): PriceRecord {
  const { price, currency, availability, at } = seen
  const stored = last && !otherCurrency(seen, last) ? last : undefined
  const isLowest = !stored || price < stored.minPrice
  const isHighest = !stored || price > stored.maxPrice
  return {
    price,
    currency: currency ?? last?.currency ?? null,
    availability,
    checkedAt: at,
    firstSeenAt: last?.firstSeenAt ?? at,
    firstPrice: last?.firstPrice ?? price,
    minPrice: isLowest ? price : stored.minPrice,
    minPriceAt: isLowest ? at : stored.minPriceAt,
    maxPrice: isHighest ? price : stored.maxPrice,
    maxPriceAt: isHighest ? at : stored.maxPriceAt,
    checks: (last?.checks ?? 0) + 1,
  }
}
