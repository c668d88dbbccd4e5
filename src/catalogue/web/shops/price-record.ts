import { round } from "../../../extract/core/index.ts"
import { type Availability, isInStock } from "../../../extract/price/index.ts"

/** Data of a product that is stored between checks. Times are ISO 8601. */
export interface PriceRecord {
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
export interface Seen {
  price: number
  currency: string | null
  availability: Availability | null
  inStock: boolean | null
  at: string
}

export const statuses = [
  "first_check",
  "unchanged",
  "price_drop",
  "price_rise",
  "back_in_stock",
  "out_of_stock",
  "currency_changed",
  "error",
] as const
export type Status = (typeof statuses)[number]

/** Compares prices in hundredths, so that 0.1 + 0.2 is 0.3. */
const cents = (price: number) => Math.round(price * 100)

const otherCurrency = (seen: Seen, last: PriceRecord) =>
  seen.currency !== null && last.currency !== null && seen.currency !== last.currency

/** Returns the most important of several changes: currency, then availability, then price. */
export function statusOf(seen: Seen, last: PriceRecord | undefined): Status {
  if (!last) return "first_check"
  if (otherCurrency(seen, last)) return "currency_changed"
  const wasInStock = isInStock(last.availability)
  if (wasInStock === false && seen.inStock === true) return "back_in_stock"
  if (wasInStock === true && seen.inStock === false) return "out_of_stock"
  const change = cents(seen.price) - cents(last.price)
  if (change === 0) return "unchanged"
  return change < 0 ? "price_drop" : "price_rise"
}

export function priceChange(seen: Seen, last: PriceRecord | undefined) {
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
export function nextRecord(last: PriceRecord | undefined, seen: Seen): PriceRecord {
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
