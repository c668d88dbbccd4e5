import type { Availability } from "../price/index.ts"

/** The facts about a product in one source; missing ones are left out. */
export interface ProductFacts {
  name?: string
  brand?: string
  description?: string
  sku?: string
  mpn?: string
  gtin?: string
  price?: number
  currency?: string
  /** As on the page, if the price was read from a text. */
  priceText?: string
  listPrice?: number
  lowPrice?: number
  highPrice?: number
  offerCount?: number
  priceValidUntil?: string
  availability?: Availability
  condition?: Condition
  rating?: number
  reviewCount?: number
  ratingBest?: number
  images?: string[]
  category?: string
  breadcrumbs?: string[]
  seller?: string
  variants?: ProductVariant[]
  shipping?: { price: number | null; currency: string | null }
  attributes?: Record<string, string>
}

export type Condition = "new" | "used" | "refurbished" | "damaged"

export interface ProductVariant {
  name: string | null
  sku: string | null
  gtin: string | null
  price: number | null
  currency: string | null
  availability: Availability | null
  inStock: boolean | null
  url: string | null
  image: string | null
  options: Record<string, string>
}

export type ProductSource = "json-ld" | "microdata" | "rdfa" | "meta" | "state" | "selectors"

/** The facts without those that are null, undefined, empty lists or empty records. */
export function known(facts: { [K in keyof ProductFacts]: ProductFacts[K] | null }): ProductFacts {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value != null && !isEmpty(value)),
  )
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return typeof value === "object" && Object.keys(value as object).length === 0
}
