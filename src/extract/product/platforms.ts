import {
  absoluteUrl,
  decodeEntities,
  numberOrNull,
  textOrNull,
  titleOrNull,
} from "../core/index.ts"
import { at, jsonAfter, parseLoose } from "../embedded/index.ts"
import { type Availability, availabilityOf, currencyOf, isCurrencyCode } from "../price/index.ts"
import { known, type ProductFacts, type ProductVariant } from "./facts.ts"
import { spanOf } from "./span.ts"
import { gtinOf } from "./text/ids.ts"

type Json = Record<string, unknown>

/** The JSON in an attribute of the first element that a selector finds. */
function attributeJson(document: Document, selector: string, attribute: string): unknown {
  const written = document.querySelector(selector)?.getAttribute(attribute)
  return written ? (parseLoose(written) ?? parseLoose(decodeEntities(written))) : undefined
}

/** The JSON that a script assigns, as in `BCData = {…}`. */
function assignedJson(document: Document, name: string, before: RegExp): Json | undefined {
  for (const script of document.getElementsByTagName("script")) {
    const text = script.textContent ?? ""
    const value = text.includes(name) ? jsonAfter<Json>(text, before) : undefined
    if (value) return value
  }
}

const stockOf = (available: unknown) =>
  typeof available === "boolean" ? availabilityOf(available) : null

/** WooCommerce: the variations of a product with choices. */
export function wooFacts(document: Document, pageUrl: string): ProductFacts | null {
  const list = attributeJson(document, "form[data-product_variations]", "data-product_variations")
  if (!Array.isArray(list) || list.length === 0) return null
  const variations = list as Json[]
  const read = variations.map((variation): ProductVariant => {
    const available = variation.is_in_stock
    return {
      name: null,
      sku: textOrNull(variation.sku),
      gtin: gtinOf(textOrNull(variation.gtin ?? variation.ean)),
      price: numberOrNull(variation.display_price),
      currency: null,
      availability: stockOf(available),
      inStock: typeof available === "boolean" ? available : null,
      url: null,
      image: absoluteUrl(at<string>(variation, "image", "url") ?? null, pageUrl),
      options: optionsOf(variation.attributes),
    }
  })
  const chosen = read.find((variant) => variant.inStock) ?? read[0]!
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

/** Magento 2 writes the final price next to the old one. */
export function magentoFacts(document: Document): ProductFacts | null {
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

/** PrestaShop 1.7 and later: `#product-details[data-product]`. */
export function prestaShopFacts(document: Document): ProductFacts | null {
  const written = document.getElementById("product-details")?.getAttribute("data-product")
  const product = written ? (parseLoose(written) as Json | undefined) : undefined
  if (!product) return null
  const price = numberOrNull(product.price_amount)
  const regular = numberOrNull(product.regular_price_amount)
  return known({
    name: titleOrNull(product.name),
    sku: textOrNull(product.reference),
    gtin: gtinOf(textOrNull(product.ean13) ?? textOrNull(product.upc) ?? textOrNull(product.isbn)),
    mpn: textOrNull(product.mpn),
    price,
    listPrice: price !== null && regular !== null && regular > price ? regular : null,
    availability: prestaShopStock[textOrNull(product.availability) ?? ""] ?? null,
  })
}

const prestaShopStock: Record<string, Availability> = {
  available: "in_stock",
  last_remaining_items: "limited",
  unavailable: "out_of_stock",
}

/** BigCommerce: `BCData = {"product_attributes": {…}}`. */
export function bigCommerceFacts(document: Document): ProductFacts | null {
  const product = at<Json>(assignedJson(document, "BCData", /BCData\s*=/), "product_attributes")
  if (!product) return null
  const price =
    at<Json>(product, "price", "with_tax") ?? at<Json>(product, "price", "without_tax") ?? {}
  const currency = textOrNull(price.currency)
  return known({
    sku: textOrNull(product.sku),
    mpn: textOrNull(product.mpn),
    gtin: gtinOf(textOrNull(product.gtin) ?? textOrNull(product.upc)),
    price: numberOrNull(price.value),
    currency: isCurrencyCode(currency) ? currencyOf(currency) : null,
    availability: stockOf(product.instock),
  })
}

/** Squarespace: `[data-variants]`, prices as `{"currency": "USD", "value": "20.00"}`. */
export function squarespaceFacts(document: Document): ProductFacts | null {
  const list = attributeJson(document, ".product-variants[data-variants]", "data-variants")
  if (!Array.isArray(list) || list.length === 0) return null
  const variants = list as Json[]
  const isThere = (offer: Json) =>
    offer.unlimited === true || (numberOrNull(offer.qtyInStock) ?? 0) > 0
  const chosen = variants.find(isThere) ?? variants[0]!
  const regular = at<Json>(chosen, "priceMoney") ?? {}
  const paid = chosen.onSale === true ? (at<Json>(chosen, "salePriceMoney") ?? regular) : regular
  const currency = textOrNull(paid.currency)
  return known({
    sku: textOrNull(chosen.sku),
    price: numberOrNull(paid.value),
    currency: isCurrencyCode(currency) ? currencyOf(currency) : null,
    listPrice: chosen.onSale === true ? numberOrNull(regular.value) : null,
    availability: stockOf(variants.some(isThere)),
  })
}

/** VTEX before its IO: `skuJson_0 = {"skus": [{"sku": 1, "bestPrice": 6450, …}]}`, in cents. */
export function vtexFacts(document: Document): ProductFacts | null {
  const product = assignedJson(document, "skuJson", /\bskuJson(?:_0)?\s*=/)
  const skus = Array.isArray(product?.skus) ? (product.skus as Json[]) : []
  const chosen = skus.find((sku) => sku.available === true) ?? skus[0]
  if (!product || !chosen) return null
  const price = centsOf(chosen.bestPrice)
  const listed = centsOf(chosen.listPrice)
  return known({
    name: titleOrNull(product.name),
    sku: textOrNull(chosen.sku),
    price,
    listPrice: price !== null && listed !== null && listed > price ? listed : null,
    availability: stockOf(skus.some((sku) => sku.available === true)),
  })
}

function centsOf(value: unknown): number | null {
  const cents = numberOrNull(value)
  return cents === null || cents === 0 ? null : cents / 100
}
