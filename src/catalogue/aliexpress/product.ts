import {
  allTexts,
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
  nonZeroOrNull,
  priceRange,
  productFields,
  ratingOf,
  record,
} from "../kit/index.ts"
import { region } from "./aliexpress.ts"

/** Fields that the page's call, the state of older pages and the page itself can have. */
export const product = record({
  ...productFields("price", "currency", "originalPrice", "discountPercent"),
  ...productFields("priceMin", "priceMax", "rating", "reviewCount"),
  orders: items.integer("Number of units sold, rounded."),
  available: items.boolean("Whether the product can be bought."),
  stock: items.integer("Number of units in stock."),
  ...productFields("images", "specs"),
  variants: items.objects("Variants (SKUs).", {
    skuId: items.requiredText("AliExpress's ID of the variant."),
    options: items.textsByName("Options of the variant by name, for example Color."),
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
  const sale = parsePrice(target.text("salePriceString") ?? "", region)
  const currency = target.text("originalPrice", "currency") ?? sale?.currency ?? null
  const original = nonZeroOrNull(target.value("originalPrice", "value"))
  // Without a sale there is only the original price.
  const price = sale?.amount ?? nonZeroOrNull(target.value("salePrice", "value")) ?? original
  const prices = r.entries("PRICE", "skuPriceInfoMap")
  const stock = r.integer("QUANTITY_PC", "totalAvailableInventory")
  const store = r.in("SHOP_CARD_PC")
  return {
    title,
    price,
    currency,
    originalPrice: original,
    discountPercent: discountOf(price, original),
    ...priceRange(prices.map(([, sku]) => amountOf(sku.text("salePriceString"), region))),
    rating: nonZeroOrNull(r.value("PC_RATING", "rating")),
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
  const names = optionNames(sku.list("skuProperties"))
  const paths = new Map(
    sku.list("skuPaths").map((path) => [path.text("skuIdStr") ?? path.text("skuId"), path]),
  )
  return prices.map(([skuId, info]) => {
    const path = paths.get(skuId)
    return {
      skuId,
      options: optionsOf(path?.text("path") ?? "", names),
      price: amountOf(info.text("salePriceString"), region),
      originalPrice: nonZeroOrNull(info.value("originalPrice", "value")),
      stock: path?.integer("skuStock") ?? null,
    }
  })
}

type OptionNames = Map<string, [property: string, value: string]>

/** Returns the names of options by the ID of their value. */
function optionNames(properties: JsonReader[]): OptionNames {
  const names: OptionNames = new Map()
  for (const property of properties) {
    const name = property.title("skuPropertyName")
    for (const value of property.list("skuPropertyValues")) {
      const text = value.title("propertyValueDisplayName") ?? value.title("propertyValueName")
      if (name && text) names.set(value.text("propertyValueId") ?? "", [name, text])
    }
  }
  return names
}

/** Parses "14:193;5:100" and "14:193#Black;5:100". */
function optionsOf(path: string, names: OptionNames): Record<string, string> {
  const ids = path.split(";").flatMap((part) => /^\d+:(\d+)/.exec(part)?.[1] ?? [])
  return Object.fromEntries(ids.flatMap((id) => (names.has(id) ? [names.get(id)!] : [])))
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

/** Parses `window.runParams = { data: {…} }` of older pages: modules, since 2023 components. */
export function productOfState(html: string): Product | null {
  const data = new JsonReader(jsonAfter(html, /window\.runParams\s*=\s*\{\s*["']?data["']?\s*:/))
  const part = (...names: string[]) => data.in(names.find((name) => data.has(name)) ?? names[0]!)
  const title =
    data.title("productInfoComponent", "subject") ?? data.title("titleModule", "subject")
  if (!title) return null
  const prices = part("priceComponent", "priceModule")
  const price = prices.has("discountPrice") ? prices.in("discountPrice") : prices
  const now = price.has("minActivityAmount") ? price.in("minActivityAmount") : price.in("minAmount")
  const max = price.has("maxActivityAmount") ? price.in("maxActivityAmount") : price.in("maxAmount")
  const written = prices.text("formatedActivityPrice") ?? prices.text("formatedPrice")
  const writtenPrice = parsePrice(written ?? "", region)
  const amount = nonZeroOrNull(now.value("value")) ?? writtenPrice?.amount ?? null
  const original =
    nonZeroOrNull(price.value("minAmount", "value")) ??
    amountOf(prices.text("formatedPrice"), region)
  const state = part("titleModule", "feedbackComponent")
  const store = part("storeModule", "sellerComponent")
  const skus = part("skuModule", "skuComponent")
  const listed = skus.has("skuPriceList") ? skus : prices
  const stocked = part("quantityModule", "inventoryComponent")
  const stock = stocked.integer("totalAvailQuantity") ?? stocked.integer("totalQuantity")
  return {
    title,
    price: amount,
    currency: now.text("currency") ?? price.text("minAmount", "currency") ?? writtenPrice?.currency,
    originalPrice: original,
    discountPercent: discountOf(amount, original),
    priceMin: amount,
    priceMax: nonZeroOrNull(max.value("value")),
    rating: nonZeroOrNull(
      state.value("feedbackRating", "averageStar") ?? state.value("evarageStar"),
    ),
    reviewCount: state.integer("feedbackRating", "totalValidNum") ?? state.integer("totalValidNum"),
    orders: parseCount(
      data.text("tradeComponent", "formatTradeCount") ?? state.text("formatTradeCount"),
    ),
    available: stock === null ? null : stock > 0,
    stock,
    images: part("imageModule", "imageComponent").texts("imagePathList"),
    specs: namedValues(
      part("specsModule", "productPropComponent").list("props"),
      "attrName",
      "attrValue",
    ),
    variants: stateVariants(
      listed.list("skuPriceList"),
      optionNames(skus.list("productSKUPropertyList")),
    ),
    storeName: store.title("storeName"),
    storeId: store.text("storeNum"),
    storeUrl: absolute(store.text("storeURL")),
    storePositiveRate: percentIn(store.text("positiveRate")),
    storeFollowers: store.integer("followingNumber"),
    descriptionUrl: absolute(
      part("descriptionModule", "productDescComponent").text("descriptionUrl"),
    ),
  }
}

const stateVariants = (skus: JsonReader[], names: OptionNames): Product["variants"] =>
  skus.flatMap((sku) => {
    const skuId = sku.text("skuIdStr") ?? sku.text("skuId")
    if (!skuId) return []
    const value = sku.in("skuVal")
    const full = nonZeroOrNull(value.value("skuAmount", "value"))
    return {
      skuId,
      options: optionsOf(sku.text("skuAttr") ?? "", names),
      price: nonZeroOrNull(value.value("skuActivityAmount", "value")) ?? full,
      originalPrice: full,
      stock: value.integer("availQuantity"),
    }
  })

/** Parses "97.2%" and "97,2 %". */
function percentIn(text: string | null): number | null {
  const percent = /\d{1,3}(?:[.,]\d+)?(?=\s?%|$)/.exec(text ?? "")?.[0]
  return percent ? Number(percent.replace(",", ".")) : null
}

/** Parses the page as rendered by Chrome. */
export function productOfPage(document: Document): Product | null {
  const title =
    firstText(document, "h1[data-pl]") ??
    firstAttribute(document, 'meta[property="og:title"]', "content")
  const price = parsePrice(firstText(document, '[class*="price-default--current"]') ?? "", region)
  if (!title || !price) return null
  const original = amountOf(firstText(document, '[class*="price-default--original"]'), region)
  const specs: Record<string, string> = {}
  for (const row of document.querySelectorAll('[class*="specification--prop"]')) {
    const name = plainText(row.querySelector('[class*="specification--title"]'))
    const value = plainText(row.querySelector('[class*="specification--desc"]'))
    if (name && value) specs[name] = value
  }
  const images = [...document.querySelectorAll('[class*="slider--img"] img')].flatMap((image) => {
    const url = absolute(image.getAttribute("src"))
    // A suffix after the image's file extension selects a small size.
    return url?.replace(/(\.(?:jpe?g|png|webp))_[^/]*$/i, "$1") ?? []
  })
  const store = document.querySelector('a[data-pl="store-name"]')
  const storeUrl = absolute(store?.getAttribute("href") ?? null)?.replace(/[?#].*$/s, "") ?? null
  const facts = allTexts(document, '[class*="store-info"] strong')
  const stock = parseCount(firstText(document, '[class*="quantity--info"]'))
  return {
    title,
    price: price.amount,
    currency: price.currency,
    originalPrice: original,
    discountPercent: discountOf(price.amount, original),
    rating: ratingOf(firstText(document, '[class*="reviewer--rating"]')),
    reviewCount: parseCount(firstText(document, '[class*="reviewer--reviews"]')),
    orders: parseCount(
      firstText(document, '[class*="reviewer--sold"]', '[class*="reviewer--sliderItem"] span'),
    ),
    available: stock === null ? null : stock > 0,
    stock,
    images: distinct(images),
    specs,
    storeName: plainText(store),
    storeId: /\/store\/(\d+)/.exec(storeUrl ?? "")?.[1] ?? null,
    storeUrl,
    storePositiveRate: percentIn(facts.find((fact) => fact.includes("%")) ?? null),
    storeFollowers: parseCount(facts.find((fact) => !fact.includes("%"))),
  }
}

const absolute = (url: string | null): string | null =>
  url?.startsWith("//") ? `https:${url}` : url
