import { numberOrNull, textOrNull, titleOrNull } from "../core/index.ts"
import { at, findObjects, parseLoose } from "../embedded/index.ts"
import { sharedWords } from "../page/index.ts"
import { availabilityOf, isCurrencyCode } from "../price/index.ts"
import { known, type ProductFacts } from "./facts.ts"
import { gtinOf } from "./ids.ts"
import {
  bigCommerceFacts,
  magentoFacts,
  prestaShopFacts,
  squarespaceFacts,
  vtexFacts,
  wooFacts,
} from "./platforms.ts"
import { shopifyFacts, shownVendor } from "./shopify.ts"

type Json = Record<string, unknown>

/** What the shop software left in the page for its own scripts; the first kind found. */
export function stateFacts(
  document: Document,
  pageUrl: string,
  heading: string | null,
): ProductFacts {
  return (
    shopifyFacts(document, pageUrl) ??
    wooFacts(document, pageUrl) ??
    magentoFacts(document) ??
    prestaShopFacts(document) ??
    bigCommerceFacts(document) ??
    squarespaceFacts(document) ??
    vtexFacts(document) ??
    applicationFacts(document, heading) ??
    known({ brand: shownVendor(document) })
  )
}

const priceKeys = ["price", "currentPrice", "finalPrice", "salePrice", "sellingPrice", "offerPrice"]

const codeKeys = ["sku", "productCode", "articleNumber", "itemNumber"]

/** The state of a JavaScript application: the object that is named like the page's heading. */
function applicationFacts(document: Document, heading: string | null): ProductFacts | null {
  const script = document.querySelector(
    "script#__NEXT_DATA__, script#__NUXT_DATA__[type='application/json']",
  )
  const words = heading?.split(/\s+/).length ?? 0
  if (!script || !heading) return null
  const named = (object: Json) => {
    const name = textOrNull(object.name ?? object.title)
    return name !== null && sharedWords(name, heading) >= Math.max(1, words * 0.6)
  }
  for (const object of findObjects(parseLoose(script.textContent ?? ""), named)) {
    const price = priceKeys.map((key) => priceOf(object[key])).find((stated) => stated !== null)
    if (!price) continue
    const available = object.available ?? object.inStock ?? object.isAvailable
    return known({
      name: titleOrNull(object.name ?? object.title),
      brand: titleOrNull(object.brand ?? at(object, "brand", "name")),
      sku: codeKeys.map((key) => textOrNull(object[key])).find((code) => code !== null) ?? null,
      gtin: gtinOf(textOrNull(object.gtin ?? object.ean ?? object.gtin13)),
      ...price,
      availability: typeof available === "boolean" ? availabilityOf(available) : null,
    })
  }
  return null
}

function priceOf(value: unknown): { price: number; currency?: string } | null {
  const holder = typeof value === "object" && value !== null ? (value as Json) : { amount: value }
  const price = numberOrNull(holder.amount ?? holder.value ?? holder.price ?? holder.current)
  if (price === null || price <= 0) return null
  const currency = textOrNull(holder.currency ?? holder.currencyCode)
  return isCurrencyCode(currency) ? { price, currency } : { price }
}
