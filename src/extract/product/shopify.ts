import { absoluteUrl, numberOrNull, textOrNull, titleOrNull } from "../core/index.ts"
import { at, jsonAfter, parseLoose } from "../embedded/index.ts"
import { availabilityOf } from "../price/index.ts"
import { known, type ProductFacts, type ProductVariant } from "./facts.ts"
import { productHeading } from "./heading.ts"
import { spanOf } from "./span.ts"
import { gtinOf } from "./text/ids.ts"

type Json = Record<string, unknown>

/** Returns facts of the theme's product JSON, else of Shopify's analytics. Prices are in cents. */
export function shopifyFacts(document: Document, pageUrl: string): ProductFacts | null {
  const product = productJson(document)
  const variants = Array.isArray(product?.variants) ? (product.variants as Json[]) : []
  if (!product || variants.length === 0) return null
  const read = variants.map((variant) => shopifyVariant(variant, pageUrl))
  const wanted = new URL(pageUrl).searchParams.get("variant")
  const selected = wanted
    ? read[variants.findIndex((variant) => String(variant.id) === wanted)]
    : undefined
  const chosen = selected ?? read.find((variant) => variant.inStock) ?? read[0]!
  const inStock = selected === undefined && read.some((variant) => variant.inStock)
  return known({
    name: titleOrNull(product.title),
    brand: titleOrNull(product.vendor),
    category: titleOrNull(product.type),
    ...spanOf(read),
    sku: chosen.sku,
    gtin: chosen.gtin,
    price: chosen.price,
    listPrice: centsOf(variants[read.indexOf(chosen)]!.compare_at_price),
    availability: inStock ? "in_stock" : chosen.availability,
    variants: read.length > 1 ? read : null,
  })
}

function productJson(document: Document): Json | undefined {
  const embedded = document.querySelector(
    "script[data-product-json], script[id^=ProductJson], script[type='application/json'][id*=product-json]",
  )
  const product = parseLoose(embedded?.textContent ?? "") as Json | undefined
  if (product) return product
  for (const script of document.getElementsByTagName("script")) {
    const text = script.textContent ?? ""
    const reported = text.includes("ShopifyAnalytics.meta")
      ? at<Json>(jsonAfter(text, /var meta\s*=/), "product")
      : undefined
    if (reported) return reported
  }
}

function shopifyVariant(variant: Json, pageUrl: string): ProductVariant {
  const { available } = variant
  const options = [variant.option1, variant.option2, variant.option3].map(textOrNull)
  const image = at<string>(variant, "featured_image", "src") ?? null
  return {
    name: titleOrNull(variant.public_title ?? variant.title ?? variant.name),
    sku: textOrNull(variant.sku),
    gtin: gtinOf(textOrNull(variant.barcode)),
    price: centsOf(variant.price),
    currency: null,
    availability: typeof available === "boolean" ? availabilityOf(available) : null,
    inStock: typeof available === "boolean" ? available : null,
    url: variant.id ? absoluteUrl(`?variant=${variant.id}`, pageUrl) : null,
    image: absoluteUrl(image, pageUrl),
    options: Object.fromEntries(
      options.flatMap((value, index) => (value === null ? [] : [[`option${index + 1}`, value]])),
    ),
  }
}

function centsOf(value: unknown): number | null {
  const cents = numberOrNull(value)
  return cents === null || cents === 0 ? null : cents / 100
}

/** Maximum number of levels from the product's heading up to its vendor. */
const maxLevels = 8
const vendorLink = 'a[href*="/collections/vendors?"]'
const maxName = 80

/** Shopify's themes link the vendor of a product to all that the shop has of it. */
export function visibleVendor(document: Document): string | null {
  const heading = document.querySelector(vendorLink) && productHeading(document)
  let at = heading ? heading.parentElement : null
  for (let level = 0; at && level < maxLevels; level++, at = at.parentElement) {
    const href = at.querySelector(vendorLink)?.getAttribute("href")
    if (!href) continue
    const name = new URLSearchParams(href.slice(href.indexOf("?"))).get("q")?.trim()
    return name && name.length <= maxName ? name : null
  }
  return null
}
