import { htmlToText, numberOrNull, textOrNull, titleOrNull } from "../core/index.ts"
import { at, findObjects, parseLoose } from "../embedded/index.ts"
import {
  documentTitle,
  metaContent,
  readMeta,
  sharedWords,
  withoutSiteName,
} from "../page/index.ts"
import { availabilityOf, isCurrencyCode } from "../price/index.ts"
import { known, type ProductFacts, type ProductVariant } from "./facts.ts"
import {
  bigCommerceFacts,
  magentoFacts,
  prestaShopFacts,
  squarespaceFacts,
  vtexFacts,
  wooFacts,
} from "./platforms.ts"
import { shopifyFacts, visibleVendor } from "./shopify.ts"
import { gtinOf } from "./text/ids.ts"

type Json = Record<string, unknown>

/** Returns the facts of the state that the shop software hands to its scripts; the first kind found. */
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
    applicationFacts(document, heading ?? nameInTitle(document, pageUrl)) ??
    known({ brand: visibleVendor(document) })
  )
}

/** For a page that shows nothing until its scripts have run. */
function nameInTitle(document: Document, pageUrl: string): string | null {
  const title = documentTitle(document)
  return title && withoutSiteName(title, metaContent(readMeta(document), "og:site_name"), pageUrl)
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
      description: textOfHtml(object.description ?? object.descriptionHtml),
      attributes: applicationAttributes(object),
      variants: applicationVariants(object),
    })
  }
  return null
}

const textOfHtml = (html: unknown) => (typeof html === "string" ? htmlToText(html) || null : null)

const maxEntries = 200
const listOf = (object: Json, keys: string[]): Json[] => {
  const list = keys.map((key) => object[key]).find(Array.isArray) ?? []
  return list.slice(0, maxEntries).filter((entry) => typeof entry === "object" && entry !== null)
}

function applicationAttributes(object: Json): Record<string, string> {
  const pairs = listOf(object, ["specifications", "specs", "attributes"]).flatMap((entry) => {
    const name = titleOrNull(entry.name ?? entry.label ?? entry.key)
    const value = titleOrNull(textOrNull(entry.value))
    return name !== null && value !== null ? [[name, value]] : []
  })
  return Object.fromEntries(pairs)
}

/** Several that have names of their own. */
function applicationVariants(object: Json): ProductVariant[] | null {
  const named = listOf(object, ["variants", "skus"]).flatMap((entry) => {
    const name = titleOrNull(entry.title ?? entry.name)
    return name === null ? [] : [applicationVariant(name, entry)]
  })
  return named.length > 1 ? named : null
}

function applicationVariant(name: string, entry: Json): ProductVariant {
  const stated = priceKeys.map((key) => priceOf(entry[key])).find((price) => price !== null)
  const available = entry.available ?? entry.inStock ?? entry.isAvailable
  const inStock = typeof available === "boolean" ? available : null
  return {
    name,
    sku: textOrNull(entry.sku),
    gtin: gtinOf(textOrNull(entry.gtin ?? entry.ean ?? entry.barcode)),
    price: stated?.price ?? null,
    currency: stated?.currency ?? null,
    availability: inStock === null ? null : availabilityOf(inStock),
    inStock,
    url: null,
    image: null,
    options: {},
  }
}

function priceOf(value: unknown): { price: number; currency?: string } | null {
  const holder = typeof value === "object" && value !== null ? (value as Json) : { amount: value }
  const price = numberOrNull(holder.amount ?? holder.value ?? holder.price ?? holder.current)
  if (price === null || price <= 0) return null
  const currency = textOrNull(holder.currency ?? holder.currencyCode)
  return isCurrencyCode(currency) ? { price, currency } : { price }
}
