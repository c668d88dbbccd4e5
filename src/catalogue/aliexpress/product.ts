import { Type } from "@sinclair/typebox"
import {
  distinct,
  firstAttribute,
  firstText,
  integerOrNull,
  parseCount,
  plainText,
} from "../../extract/core/index.ts"
import { JsonReader, jsonAfter } from "../../extract/embedded/index.ts"
import { parsePrice } from "../../extract/price/index.ts"
import {
  amountOf,
  discountOf,
  items,
  namedValues,
  priceOrNull,
  priceRange,
  productFields,
  ratingOrNull,
  record,
} from "../kit/index.ts"
import { region } from "./aliexpress.ts"

const visible = { country: region.country, currency: region.currency }

/**
 * Fields of a product that the page's call, the state of older pages and the page itself can have.
 */
export const product = record({
  ...productFields("price", "currency", "originalPrice", "discountPercent"),
  ...productFields("priceMin", "priceMax", "rating", "reviewCount"),
  orders: items.integer("Number of units sold, rounded."),
  available: items.boolean("Whether the product can be bought."),
  stock: items.integer("Number of units in stock."),
  ...productFields("images", "specs"),
  variants: items.objects("Variants (SKUs).", {
    skuId: items.requiredText("AliExpress's ID of the variant."),
    options: Type.Record(Type.String(), Type.String(), {
      description: "Options of the variant by name, for example Color.",
    }),
    price: items.number("Price in the currency of `currency`."),
    originalPrice: items.number("Crossed-out list price in `currency`."),
    stock: items.integer("Number of units in stock."),
  }),
  storeName: items.text("Name of the store."),
  storeId: items.text("AliExpress's ID of the store."),
  storeUrl: items.text("URL of the store."),
  storePositiveRate: items.number("Percentage of positive ratings of the store."),
  storeFollowers: items.integer("Number of followers of the store."),
  shippingCost: items.number("Shipping cost in `currency`."),
  deliveryFrom: items.text("Earliest delivery day, as displayed."),
  deliveryTo: items.text("Latest delivery day, as displayed."),
  descriptionUrl: items.text("URL of the description."),
})
export type Product = Partial<ReturnType<typeof product.read>> & { title: string }

/** Parses `data.result` of the page's own call. */
export function productOfCall(r: JsonReader): Product | null {
  const title = r.title("PRODUCT_TITLE", "text")
  const target = r.in("PRICE", "targetSkuPriceInfo")
  if (!title) return null
  const price = parsePrice(target.text("salePriceString") ?? "", visible)
  const currency = target.text("originalPrice", "currency") ?? price?.currency ?? null
  const original = priceOrNull(target.value("originalPrice", "value"))
  const prices = r.entries("PRICE", "skuPriceInfoMap")
  const stock = r.integer("QUANTITY_PC", "totalAvailableInventory")
  const store = r.in("SHOP_CARD_PC")
  return {
    title,
    price: price?.amount ?? null,
    currency,
    originalPrice: original,
    discountPercent: discountOf(price?.amount ?? null, original),
    ...priceRange(prices.map(([, sku]) => amountOf(sku.text("salePriceString"), visible))),
    rating: ratingOrNull(r.value("PC_RATING", "rating")),
    reviewCount: r.integer("PC_RATING", "totalValidNum"),
    orders: parseCount(r.text("PC_RATING", "otherText")),
    available: stock === null ? null : stock > 0,
    stock,
    images: r.texts("HEADER_IMAGE_PC", "imagePathList"),
    specs: namedValues(r.list("PRODUCT_PROP_PC", "showedProps"), "attrName", "attrValue"),
    variants: variantsOf(r.in("SKU"), prices),
    storeName: store.title("storeName"),
    storeId: store.text("storeNum") ?? store.text("sellerInfo", "storeNum"),
    storeUrl: absolute(store.text("storeHomePage") ?? store.text("sellerInfo", "storeURL")),
    storePositiveRate: store.number("sellerPositiveRate"),
    storeFollowers: integerOrNull(store.number("sellerTotalNum")),
    ...shippingOf(r),
    descriptionUrl: absolute(r.text("DESC", "pcDescUrl")),
  }
}

/** Paths like "14:193;5:100" contain a value of each property. */
function variantsOf(sku: JsonReader, prices: [string, JsonReader][]) {
  const names = new Map<string, [property: string, value: string]>()
  for (const property of sku.list("skuProperties")) {
    const name = property.title("skuPropertyName")
    for (const value of property.list("skuPropertyValues")) {
      const text = value.title("propertyValueDisplayName") ?? value.title("propertyValueName")
      if (name && text) names.set(value.text("propertyValueId") ?? "", [name, text])
    }
  }
  const paths = new Map(
    sku.list("skuPaths").map((path) => [path.text("skuIdStr") ?? path.text("skuId"), path]),
  )
  return prices.map(([skuId, info]) => {
    const path = paths.get(skuId)
    const ids = (path?.text("path") ?? "").match(/(?<=:)\d+/g) ?? []
    return {
      skuId,
      options: Object.fromEntries(ids.flatMap((id) => (names.has(id) ? [names.get(id)!] : []))),
      price: amountOf(info.text("salePriceString"), visible),
      originalPrice: priceOrNull(info.value("originalPrice", "value")),
      stock: path?.integer("skuStock") ?? null,
    }
  })
}

function shippingOf(r: JsonReader) {
  const first = r.in("SHIPPING", "originalLayoutResultList", 0, "bizData")
  const shipping = first.has() ? first : r.in("SHIPPING", "deliveryLayoutInfo", 0, "bizData")
  return {
    shippingCost: shipping.number("displayAmount"),
    deliveryFrom: shipping.text("displayEtaMinDate"),
    deliveryTo: shipping.text("displayEtaMaxDate"),
  }
}

/** Parses the state of older pages: `window.runParams = { data: {…} }`. */
export function productOfState(html: string): Product | null {
  const data = new JsonReader(jsonAfter(html, /window\.runParams\s*=\s*\{\s*["']?data["']?\s*:/))
  const title =
    data.title("productInfoComponent", "subject") ?? data.title("titleModule", "subject")
  if (!title) return null
  const price = data.has("priceComponent")
    ? data.in("priceComponent", "discountPrice")
    : data.in("priceModule")
  const now = price.has("minActivityAmount") ? price.in("minActivityAmount") : price.in("minAmount")
  const max = price.has("maxActivityAmount") ? price.in("maxActivityAmount") : price.in("maxAmount")
  const amount = priceOrNull(now.value("value"))
  const original = priceOrNull(price.value("minAmount", "value"))
  const state = data.in(data.has("titleModule") ? "titleModule" : "feedbackComponent")
  const store = data.in(data.has("storeModule") ? "storeModule" : "sellerComponent")
  return {
    title,
    price: amount,
    currency: now.text("currency") ?? price.text("minAmount", "currency"),
    originalPrice: original,
    discountPercent: discountOf(amount, original),
    priceMin: amount,
    priceMax: priceOrNull(max.value("value")),
    rating: ratingOrNull(
      state.value("feedbackRating", "averageStar") ?? state.value("evarageStar"),
    ),
    reviewCount: state.integer("feedbackRating", "totalValidNum") ?? state.integer("totalValidNum"),
    orders: parseCount(
      data.text("tradeComponent", "formatTradeCount") ?? state.text("formatTradeCount"),
    ),
    images: data.has("imageModule")
      ? data.texts("imageModule", "imagePathList")
      : data.texts("imageComponent", "imagePathList"),
    storeName: store.title("storeName"),
    storeId: store.text("storeNum"),
    storeUrl: absolute(store.text("storeURL")),
  }
}

/** Parses the page as rendered by Chrome. */
export function productOfPage(document: Document): Product | null {
  const title =
    firstText(document, "h1[data-pl]") ??
    firstAttribute(document, 'meta[property="og:title"]', "content")
  const price = parsePrice(firstText(document, '[class*="price-default--current"]') ?? "", visible)
  if (!title || !price) return null
  const original = amountOf(firstText(document, '[class*="price-default--original"]'), visible)
  const specs = [...document.querySelectorAll('[class*="specification--prop"]')].flatMap(
    (row): [string, string][] => {
      const name = plainText(row.querySelector('[class*="specification--title"]'))
      const value = plainText(row.querySelector('[class*="specification--desc"]'))
      return name && value ? [[name, value]] : []
    },
  )
  const images = [...document.querySelectorAll('[class*="slider--img"] img')].flatMap((image) => {
    const url = absolute(image.getAttribute("src"))
    // A suffix after the image's file extension selects a small size.
    return url?.replace(/(\.(?:jpe?g|png|webp))_[^/]*$/i, "$1") ?? []
  })
  return {
    title,
    price: price.amount,
    currency: price.currency,
    originalPrice: original,
    discountPercent: discountOf(price.amount, original),
    images: distinct(images),
    specs: Object.fromEntries(specs),
  }
}

function absolute(url: string | null): string | null {
  return url?.startsWith("//") ? `https:${url}` : url
}
