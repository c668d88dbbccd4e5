import { numberOrNull, round } from "../../../extract/core/index.ts"
import type { JsonReader } from "../../../extract/embedded/index.ts"
import {
  availabilityOf,
  isInStock,
  type PriceHints,
  parsePrice,
} from "../../../extract/price/index.ts"
import { shortType } from "../../../extract/structured/index.ts"
import { items } from "../core/fields.ts"
import { field, required, type Source, schemasOf, shared } from "../core/record.ts"

/**
 * Fields that shops have in common, under the same names, so that their items fit one table. Each
 * shop adds the sources.
 * @example const product = record({ price: productField.price("offer.price") })
 */
export const productField = {
  title: <R>(source: Source<R>) => required(field.title(source, "Name of the product.")),
  brand: shared(field.title, "Brand of the product."),
  description: shared(field.text, "Description as plain text."),
  price: shared(field.number, "Current price in the currency of `currency`."),
  currency: shared(field.text, "Currency of the prices (ISO 4217)."),
  originalPrice: shared(field.number, "Former or recommended price, if the shop displays one."),
  discountPercent: shared(field.number, "Percent by which `price` is below `originalPrice`."),
  priceMin: shared(field.number, "Lowest price, if there are several prices."),
  priceMax: shared(field.number, "Highest price, if there are several prices."),
  availability: shared(field.text, "Availability in the shop's words."),
  available: shared(field.boolean, "Whether the product can be bought now."),
  rating: shared(field.number, "Average rating in stars, of five."),
  ratingCount: shared(field.integer, "Number of ratings."),
  reviewCount: shared(field.integer, "Number of ratings or reviews, as the shop counts them."),
  seller: shared(field.title, "Name of the seller."),
  sellerId: shared(field.text, "The shop's ID of the seller."),
  imageUrl: shared(field.text, "URL of the main image."),
  images: shared(field.texts, "URLs of the large images."),
  categories: shared(field.texts, "Categories, the most general first."),
  specs: <R>(source: (row: R) => Record<string, string>) =>
    field.of(items.textsByName("Specifications by name."), source),
}

/**
 * Returns a schema of ratings by number of stars. `each` describes the values: counts or percent.
 * @example ratingsByStars: byStars("Number of ratings by stars."),
 */
export function byStars(description: string, each = "Number of ratings") {
  const ratings = (stars: string) => items.requiredInteger(`${each} with ${stars}.`)
  return items.object(description, {
    1: ratings("1 star"),
    2: ratings("2 stars"),
    3: ratings("3 stars"),
    4: ratings("4 stars"),
    5: ratings("5 stars"),
  })
}

/**
 * Returns the schemas of the named fields, for items that are read by other means.
 * @example const item = itemObject({ ...productFields("title", "price", "currency") })
 */
export const productFields = schemasOf(productField)

/**
 * Returns a source: the first number other than 0, which shops write if a value is not set yet.
 * @example price: productField.price(positive("sale.price", "price")),
 */
export const positive =
  (...paths: string[]) =>
  (row: JsonReader) =>
    paths.map((path) => nonZeroOrNull(row.value(...path.split(".")))).find(Boolean) ?? null

/**
 * Returns the names and values of rows that have both. Of rows with one name, the last counts.
 * @example namedValues(page.list("specs"), "label", "text") // { Weight: "2 kg" }
 */
export function namedValues(rows: JsonReader[], name: string, value: string) {
  const pairs = rows.map((row) => [row.title(name), row.title(value)] as const)
  return Object.fromEntries(pairs.filter(isWhole))
}

const isWhole = (pair: readonly (string | null)[]): pair is [string, string] => pair.every(Boolean)

/**
 * Returns the stars out of five from a sentence in any language: "4.5 out of 5 stars", "5つ星のうち4.3".
 * @example ratingOf("4.5 out of 5 stars") // 4.5
 */
export function ratingOf(text: unknown): number | null {
  if (typeof text === "number") return text > 0 && text <= 5 ? text : null
  if (typeof text !== "string") return null
  const [first, second] = (text.match(/\d+(?:[.,٫]\d+)?/g) ?? []).map((number) =>
    Number(number.replace(/[,٫]/, ".")),
  )
  // In some languages the scale comes before the value.
  const value = first === 5 && second !== undefined && second <= 5 ? second : first
  return value !== undefined && value > 0 && value <= 5 ? value : null
}

/**
 * Returns a price or rating that shops write as a number or a text. 0 means that there is none.
 * @example nonZeroOrNull("12.50") // 12.5
 */
export const nonZeroOrNull = (value: unknown): number | null => numberOrNull(value) || null

/**
 * Returns the amount in a price text, such as "$1,299.00" or "12,99 €"; null if there is none.
 * @example amountOf("$1,299.00", { currency: "USD" }) // 1299
 */
export function amountOf(text: string | null, hints: PriceHints = {}): number | null {
  return text === null ? null : (parsePrice(text, hints)?.amount ?? null)
}

/**
 * Returns schema.org's availability, `https://schema.org/InStock`, as short name and meaning.
 * @example stockOf("https://schema.org/InStock") // { availability: "InStock", available: true }
 */
export function stockOf(value: unknown) {
  const stated = typeof value === "string" && value.trim() !== "" ? value : null
  const available = stated === null ? null : isInStock(availabilityOf(stated))
  return { availability: stated && shortType(stated), available }
}

/**
 * Returns the number of ratings by stars; null if none of the five is known.
 * @example countsByStars([1, 0, 2, 5, 9]) // { 1: 1, 2: 0, 3: 2, 4: 5, 5: 9 }
 */
export function countsByStars(counts: (number | null)[]) {
  if (counts.every((known) => known === null)) return null
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = counts.map((known) => known ?? 0)
  return { 1: one, 2: two, 3: three, 4: four, 5: five }
}

/**
 * Returns the whole percent by which `price` is below `original`.
 * @example discountOf(75, 100) // 25
 */
export function discountOf(price: number | null, original: number | null): number | null {
  if (price === null || original === null || original <= price) return null
  return round((1 - price / original) * 100, 0)
}

/**
 * Returns the lowest and highest of some prices; nulls if there are none.
 * @example priceRange([5, null, 3]) // { priceMin: 3, priceMax: 5 }
 */
export function priceRange(prices: (number | null)[]) {
  const known = prices.filter((price) => price !== null)
  if (known.length === 0) return { priceMin: null, priceMax: null }
  return { priceMin: Math.min(...known), priceMax: Math.max(...known) }
}
