import { numberOrNull, textOrNull, titleOrNull } from "../core/index.ts"
import { allJsonAfter, at, parseLiteral, parseLoose } from "../embedded/index.ts"
import { currencyOf, isCurrencyCode } from "../price/index.ts"
import { known, type ProductFacts } from "./facts.ts"
import { isPlaceholder } from "./text/ids.ts"

type Json = Record<string, unknown>

/** Calls of one kind examined in one script. */
const maxCalls = 50
/** A longer literal is not a tracker's call. */
const maxCallChars = 100_000

/** Each tracker: a marker of its script, the text before its data, and the reader of the data. */
const trackers: [marker: string, before: RegExp, read: (call: Json) => ProductFacts | null][] = [
  // Google's tag manager.
  ["dataLayer", /dataLayer\s*(?:\.push\s*\(|=)/g, eventFacts],
  // Google's tag of 2017, and the same for GA4.
  [
    "view_item",
    /gtag\s*\(\s*["']event["']\s*,\s*["']view_item["']\s*,/g,
    (call) => itemFacts(call.items, call),
  ],
  // Tealium.
  ["utag_data", /utag_data\s*=/g, utagFacts],
  // The W3C's Customer Experience Digital Data, as Adobe's tools read it.
  ["digitalData", /digitalData\s*=/g, digitalDataFacts],
]

/** Returns the facts that a page sends to the first tracker that receives any about its product. */
export function trackerFacts(document: Document): ProductFacts {
  const scripts = [...document.getElementsByTagName("script")].map(
    (script) => script.textContent ?? "",
  )
  for (const [marker, before, read] of trackers) {
    for (const text of scripts) {
      if (!text.includes(marker)) continue
      for (const call of allJsonAfter<Json | Json[]>(text, before, parseCall).take(maxCalls)) {
        for (const reported of Array.isArray(call) ? call : [call]) {
          const facts = reported && typeof reported === "object" ? read(reported) : null
          if (facts && Object.keys(facts).length > 0) return facts
        }
      }
    }
  }
  return {}
}

const parseCall = (text: string) =>
  parseLoose(text) ?? (text.length < maxCallChars ? parseLiteral(text) : undefined)

/** `ecommerce.detail` before GA4, `view_item` since. */
function eventFacts(event: Json): ProductFacts | null {
  const holder = at<Json>(event, "ecommerce") ?? {}
  return (
    itemFacts(at(holder, "detail", "products"), holder) ??
    (event.event === "view_item" ? itemFacts(holder.items, holder) : null)
  )
}

/** The one product of a list; several are a list of products. */
function itemFacts(items: unknown, holder: Json): ProductFacts | null {
  if (!Array.isArray(items) || items.length !== 1) return null
  const product = items[0] as Json
  return known({
    name: titleOrNull(product.name ?? product.item_name),
    brand: titleOrNull(product.brand ?? product.item_brand),
    category: titleOrNull(product.category ?? product.item_category),
    sku: codeOf(product.sku ?? product.id ?? product.item_id),
    price: numberOrNull(product.price) || null,
    currency: currencyAmong(product.currency, holder.currency, holder.currencyCode),
  })
}

/** Values are lists, of one on the page of a product. */
function utagFacts(data: Json): ProductFacts | null {
  const single = (...keys: string[]) => {
    for (const key of keys) {
      const value = data[key]
      if (Array.isArray(value) ? value.length === 1 : value) {
        return Array.isArray(value) ? value[0] : value
      }
    }
    return null
  }
  const sku = codeOf(single("product_sku", "product_id"))
  if (sku === null) return null
  return known({
    sku,
    name: titleOrNull(single("product_name")),
    brand: titleOrNull(single("product_brand")),
    price: numberOrNull(single("product_unit_price", "product_price")) || null,
    currency: currencyAmong(single("product_currency"), data.currency, data.site_currency),
  })
}

function digitalDataFacts(data: Json): ProductFacts | null {
  const products = Array.isArray(data.product) ? data.product : [data.product]
  const info = products.length === 1 ? at<Json>(products[0], "productInfo") : undefined
  if (!info) return null
  const price = at<Json>(products[0], "price") ?? {}
  return known({
    sku: codeOf(info.sku ?? info.productID ?? info.productId),
    name: titleOrNull(info.productName),
    brand: titleOrNull(info.brand ?? info.manufacturer),
    price: numberOrNull(price.priceWithTax ?? price.basePrice) || null,
    currency: currencyAmong(price.currency),
  })
}

function codeOf(value: unknown): string | null {
  const code = textOrNull(value)
  return code === null || isPlaceholder(code) ? null : code.trim()
}

function currencyAmong(...values: unknown[]): string | null {
  const code = values.map(textOrNull).find((text) => text !== null && isCurrencyCode(text))
  return code ? currencyOf(code) : null
}
