import { availabilityOf } from "./availability.ts"
import { currencyOf, isCurrencyCode } from "./currencies.ts"
import { allJsonAfter, at, findObjects, jsonAfter, parseLoose } from "./embedded.ts"
import { absoluteUrl } from "./html.ts"
import { numberOrNull } from "./numbers.ts"
import { known, type ProductFacts, type ProductVariant } from "./product-facts.ts"
import { gtinOf } from "./product-ids.ts"
import { decodeEntities, textOrNull, titleOrNull } from "./text.ts"
import { sharedWords } from "./title.ts"

type Json = Record<string, unknown>

/** Events of a tag manager that are looked at in one script. */
const mostEvents = 50

/** What the shop software left in the page for its own scripts, of the first kind that is there. */
export function stateFacts(
  document: Document,
  pageUrl: string,
  heading: string | null,
): ProductFacts {
  return (
    shopifyFacts(document, pageUrl) ??
    wooFacts(document, pageUrl) ??
    magentoFacts(document) ??
    dataLayerFacts(document) ??
    applicationFacts(document, heading) ??
    {}
  )
}

const scriptTexts = (document: Document, marker: string) =>
  [...document.getElementsByTagName("script")]
    .map((script) => script.textContent ?? "")
    .filter((text) => text.includes(marker))

/** Shopify: the theme's product JSON, else what its analytics are told. Prices are in cents. */
function shopifyFacts(document: Document, pageUrl: string): ProductFacts | null {
  const embedded = document.querySelector(
    "script[data-product-json], script[id^=ProductJson], script[type='application/json'][id*=product-json]",
  )
  const product =
    (parseLoose(embedded?.textContent ?? "") as Json | undefined) ??
    scriptTexts(document, "ShopifyAnalytics.meta")
      .map((text) => at<Json>(jsonAfter(text, /var meta\s*=/), "product"))
      .find(Boolean)
  const variants = Array.isArray(product?.variants) ? (product.variants as Json[]) : []
  if (!product || variants.length === 0) return null
  const read = variants.map((one) => shopifyVariant(one, pageUrl))
  const chosen = read.find((one) => one.inStock) ?? read[0]!
  return known({
    name: titleOrNull(product.title),
    brand: titleOrNull(product.vendor),
    category: titleOrNull(product.type),
    ...spanOf(read),
    sku: chosen.sku,
    gtin: chosen.gtin,
    price: chosen.price,
    listPrice: centsOf(variants[read.indexOf(chosen)]!.compare_at_price),
    availability: read.some((one) => one.inStock) ? "in_stock" : chosen.availability,
    variants: read.length > 1 ? read : null,
  })
}

function shopifyVariant(one: Json, pageUrl: string): ProductVariant {
  const { available } = one
  const options = [one.option1, one.option2, one.option3].map(textOrNull)
  const image = at<string>(one, "featured_image", "src") ?? null
  return {
    name: titleOrNull(one.public_title ?? one.title ?? one.name),
    sku: textOrNull(one.sku),
    gtin: gtinOf(textOrNull(one.barcode)),
    price: centsOf(one.price),
    currency: null,
    availability: typeof available === "boolean" ? availabilityOf(available) : null,
    inStock: typeof available === "boolean" ? available : null,
    url: one.id ? absoluteUrl(`?variant=${one.id}`, pageUrl) : null,
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

/** WooCommerce: the variations of a product with choices. */
function wooFacts(document: Document, pageUrl: string): ProductFacts | null {
  const form = document.querySelector("form[data-product_variations]")
  const written = form?.getAttribute("data-product_variations")
  const list = written ? parseLoose(decodeEntities(written)) : null
  if (!Array.isArray(list) || list.length === 0) return null
  const variations = list as Json[]
  const read = variations.map((one): ProductVariant => {
    const available = one.is_in_stock
    return {
      name: null,
      sku: textOrNull(one.sku),
      gtin: gtinOf(textOrNull(one.gtin ?? one.ean)),
      price: numberOrNull(one.display_price),
      currency: null,
      availability: typeof available === "boolean" ? availabilityOf(available) : null,
      inStock: typeof available === "boolean" ? available : null,
      url: null,
      image: absoluteUrl(at<string>(one, "image", "url") ?? null, pageUrl),
      options: optionsOf(one.attributes),
    }
  })
  const chosen = read.find((one) => one.inStock) ?? read[0]!
  const regular = numberOrNull(variations[read.indexOf(chosen)]!.display_regular_price)
  return known({
    ...spanOf(read),
    price: chosen.price,
    listPrice: regular !== null && chosen.price !== null && regular > chosen.price ? regular : null,
    availability: chosen.availability,
    variants: read,
  })
}

/** `attribute_pa_color` is color. */
function optionsOf(attributes: unknown): Record<string, string> {
  if (typeof attributes !== "object" || attributes === null) return {}
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      typeof value === "string" && value !== ""
        ? [[name.replace(/^attribute_(?:pa_)?/, ""), value]]
        : [],
    ),
  )
}

function spanOf(variants: ProductVariant[]): ProductFacts {
  const prices = variants.flatMap((one) => one.price ?? [])
  if (prices.length < 2) return {}
  return {
    lowPrice: Math.min(...prices),
    highPrice: Math.max(...prices),
    offerCount: variants.length,
  }
}

/** Magento 2 writes the final and the old price beside each other. */
function magentoFacts(document: Document): ProductFacts | null {
  const main = document.querySelector(".product-info-main, .product-info-price") ?? document
  const amountOf = (type: string) =>
    numberOrNull(
      main
        .querySelector(`[data-price-type=${type}][data-price-amount]`)
        ?.getAttribute("data-price-amount"),
    )
  const price = amountOf("finalPrice") ?? amountOf("minPrice")
  if (price === null) return null
  const old = amountOf("oldPrice")
  return known({ price, listPrice: old !== null && old > price ? old : null })
}

/** What Google's tag manager is told: `ecommerce.detail` before GA4, `view_item` since. */
function dataLayerFacts(document: Document): ProductFacts | null {
  for (const text of scriptTexts(document, "dataLayer")) {
    const calls = allJsonAfter<Json | Json[]>(text, /dataLayer\s*(?:\.push\s*\(|=)/)
    for (const event of calls.take(mostEvents)) {
      for (const one of Array.isArray(event) ? event : [event]) {
        const facts = one && eventFacts(one)
        if (facts) return facts
      }
    }
  }
  return null
}

function eventFacts(event: Json): ProductFacts | null {
  const details = at<Json[]>(event, "ecommerce", "detail", "products")
  const items = event.event === "view_item" ? at<Json[]>(event, "ecommerce", "items") : undefined
  const products = details ?? items
  if (!Array.isArray(products) || products.length !== 1) return null
  const [product] = products
  const currency = textOrNull(
    product!.currency ??
      at(event, "ecommerce", "currency") ??
      at(event, "ecommerce", "currencyCode"),
  )
  return known({
    name: titleOrNull(product!.name ?? product!.item_name),
    brand: titleOrNull(product!.brand ?? product!.item_brand),
    category: titleOrNull(product!.category ?? product!.item_category),
    sku: textOrNull(product!.id ?? product!.item_id),
    price: numberOrNull(product!.price) || null,
    currency: isCurrencyCode(currency) ? currencyOf(currency) : null,
  })
}

const priceKeys = ["price", "currentPrice", "finalPrice", "salePrice", "sellingPrice", "offerPrice"]

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
    const price = priceKeys.map((key) => priceOf(object[key])).find((one) => one !== null)
    if (!price) continue
    const available = object.available ?? object.inStock ?? object.isAvailable
    return known({
      name: titleOrNull(object.name ?? object.title),
      brand: titleOrNull(object.brand ?? at(object, "brand", "name")),
      sku: textOrNull(object.sku),
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
