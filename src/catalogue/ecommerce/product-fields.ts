import { Type } from "@sinclair/typebox"
import { availabilityOf, isInStock } from "../../extract/availability.ts"
import { numberOrNull, round } from "../../extract/numbers.ts"
import { type PriceHints, parsePrice } from "../../extract/prices.ts"
import { shortType } from "../../extract/schema-node.ts"
import { booleanField, integerField, numberField, textField, textsField } from "../fields.ts"

/** What shops have in common, under the same names, so that their items fit one table. */
const shared = {
  title: Type.String({ description: "Name of the product." }),
  brand: textField("Brand."),
  description: textField("Description as plain text."),
  price: numberField("Price as it is asked now."),
  currency: textField("Currency of the prices (ISO 4217)."),
  originalPrice: numberField("Former or recommended price, where the shop strikes one out."),
  discountPercent: numberField("Percent by which the price is below that."),
  priceMin: numberField("Lowest price, where there are several."),
  priceMax: numberField("Highest price, where there are several."),
  availability: textField("Availability as the shop says it."),
  inStock: booleanField("Whether it can be bought now."),
  rating: numberField("Average rating in stars, of five."),
  ratingCount: integerField("Number of ratings."),
  reviewCount: integerField("Number of ratings or reviews, as the shop counts them."),
  seller: textField("Who sells it."),
  sellerId: textField("The shop's id of the seller."),
  image: textField("Address of the main picture."),
  images: textsField("Addresses of the pictures, large ones."),
  categories: textsField("Categories, the widest first."),
  specs: Type.Record(Type.String(), Type.String(), { description: "Specifications by name." }),
}

type SharedName = keyof typeof shared

/** The named ones of the fields that shops have in common, for an item's schema. */
export function productFields<const N extends SharedName>(...names: N[]): Pick<typeof shared, N> {
  return Object.fromEntries(names.map((name) => [name, shared[name]])) as Pick<typeof shared, N>
}

/** Stars out of five in a sentence of any language: "4.5 out of 5 stars", "5つ星のうち4.3". */
export function ratingOf(text: unknown): number | null {
  if (typeof text === "number") return text > 0 && text <= 5 ? text : null
  if (typeof text !== "string") return null
  const [first, second] = (text.match(/\d+(?:[.,٫]\d+)?/g) ?? []).map((one) =>
    Number(one.replace(/[,٫]/, ".")),
  )
  // Some languages name the scale before the value.
  const value = first === 5 && second !== undefined && second <= 5 ? second : first
  return value !== undefined && value > 0 && value <= 5 ? value : null
}

/** A rating that shops give as a number or a text; 0 means that nobody has rated yet. */
export function ratingOrNull(value: unknown): number | null {
  return numberOrNull(value) || null
}

/** A price that shops give as a number or a text of one; 0 means that there is none. */
export function priceOrNull(value: unknown): number | null {
  return numberOrNull(value) || null
}

/** The amount in a price text, such as "$1,299.00" or "12,99 €"; null when there is none. */
export function amountOf(text: string | null, hints: PriceHints = {}): number | null {
  return text === null ? null : (parsePrice(text, hints)?.amount ?? null)
}

/** schema.org's availability, `https://schema.org/InStock`: its short name and what it means. */
export function stockOf(value: unknown): { availability: string | null; inStock: boolean | null } {
  if (typeof value !== "string" || value.trim() === "") return { availability: null, inStock: null }
  return { availability: shortType(value), inStock: isInStock(availabilityOf(value)) }
}

/** Percent by which `price` is below `original`, whole. */
export function discountOf(price: number | null, original: number | null): number | null {
  if (price === null || original === null || original <= price) return null
  return round((1 - price / original) * 100, 0)
}

/** Lowest and highest of some prices; nulls when there is none. */
export function priceRange(prices: (number | null)[]): {
  priceMin: number | null
  priceMax: number | null
} {
  const known = prices.filter((price) => price !== null)
  if (known.length === 0) return { priceMin: null, priceMax: null }
  return { priceMin: Math.min(...known), priceMax: Math.max(...known) }
}
