import { Type } from "@sinclair/typebox"
import type { JsonReader } from "../../extract/json-reader.ts"
import { distinct } from "../../extract/text.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  numberField,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { Changed } from "../outcome.ts"
import { amountOf, priceOrNull, productFields, ratingOrNull } from "./product-fields.ts"
import { walmart, walmartData, walmartPace, walmartUrl } from "./walmart.ts"

const item = itemObject({
  query: Type.String({ description: "The query." }),
  position: Type.Integer({ description: "Place among the products, from 1." }),
  usItemId: Type.String({ description: "Number of the item, as in its address." }),
  id: textField("Walmart's inner id of the product."),
  url: Type.String({ description: "The product's page." }),
  ...productFields("title", "brand"),
  category: textField("Kind of product."),
  ...productFields("price", "currency"),
  wasPrice: numberField("Former price."),
  savings: numberField("What is saved against it."),
  priceText: textField("Price as it is shown."),
  unitPrice: textField("Price of a unit, as it is shown."),
  ...productFields("priceMin", "priceMax", "rating", "reviewCount", "availability", "inStock"),
  ...productFields("seller", "sellerId"),
  sponsored: Type.Boolean({ description: "Whether it is an advertisement." }),
  ...productFields("image"),
  badges: textsField("Marks such as Rollback."),
  fulfillment: textsField("Ways of delivery in words."),
  shippingEligible: booleanField("Whether it is shipped or delivered."),
  pickupStoreId: textField("Store where it can be picked up."),
  variants: Type.Array(
    itemObject({
      name: Type.String(),
      swatchImage: textField("Picture of the colour."),
      usItemId: textField("Number of the variant's own item."),
    }),
    { description: "Variants shown with it." },
  ),
  additionalOffers: integerField("Offers of other sellers."),
  totalResults: integerField("Products that the query found."),
})

export default defineScraper({
  slug: "walmart-search-scraper",
  name: "Walmart Search",
  tagline: "Walmart search results with price, was-price, rating, seller, badges and ads marked.",
  category: "ecommerce",
  tier: "premium",
  input: inputObject({
    queries: inputs.texts("What to search for.", { max: 500 }),
    maxItemsPerQuery: inputs.count("Cap for each query; one page is read.", { max: 40, or: 40 }),
  }),
  item,
  example: { queries: ["laptop"], maxItemsPerQuery: 10 },
  pace: walmartPace,
  access: ["http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.queries.map((query) => query.trim())),
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const search = new URLSearchParams({ q: query })
    const data = await walmartData(`${walmart}/search?${search}`, ctx)
    const result = data.in("searchResult")
    const stacks = result.list("itemStacks")
    if (!result.has("itemStacks")) {
      throw new Changed("Walmart's page holds no search result in its state.")
    }
    // Later stacks hold related products, and count only where the first is empty.
    const entries = stacks.map(productsOf).find((products) => products.length > 0) ?? []
    if (entries.length === 0 && !stacks.every(isEmpty)) {
      throw new Changed("Walmart's search result counts products, but holds none.")
    }
    const total = result.integer("aggregatedCount") ?? stacks[0]?.integer("count") ?? null
    let position = 0
    for (const entry of entries.slice(0, ctx.input.maxItemsPerQuery)) {
      position++
      yield { query, position, ...productOf(entry), totalResults: total }
    }
  },
})

/** The products of a stack; advertisements that are no products have other types. */
function productsOf(stack: JsonReader): JsonReader[] {
  const entries = stack.has("itemsV2") ? stack.list("itemsV2") : stack.list("items")
  return entries.filter((entry) => entry.text("__typename") === "Product")
}

function isEmpty(stack: JsonReader): boolean {
  const hasItems = stack.has("itemsV2") || stack.has("items")
  const count = stack.integer("count")
  return count === 0 || (hasItems && count === null)
}

function productOf(entry: JsonReader) {
  const usItemId = entry.text("usItemId")
  const title = entry.title("name")
  if (!usItemId || !title) throw new Changed("A product of Walmart's search has no id or name.")
  const price = entry.in("priceInfo")
  return {
    usItemId,
    id: entry.text("id"),
    url: walmartUrl(entry.text("canonicalUrl")) ?? `${walmart}/ip/${usItemId}`,
    title,
    brand: entry.title("brand"),
    category: entry.title("catalogProductType"),
    price:
      priceOrNull(entry.value("price")) ??
      priceOrNull(price.value("currentPrice", "price")) ??
      amountOf(price.text("linePrice"), dollars),
    currency: "USD",
    wasPrice:
      priceOrNull(price.value("wasPrice", "price")) ?? amountOf(price.text("wasPrice"), dollars),
    savings:
      priceOrNull(price.value("savingsAmt")) ?? priceOrNull(price.value("savingsAmount", "amount")),
    priceText: price.text("linePriceDisplay") ?? price.text("currentPrice", "priceString"),
    unitPrice: price.text("unitPrice") ?? price.text("unitPrice", "priceString"),
    ...rangeOf(price),
    rating: ratingOrNull(entry.value("averageRating") ?? entry.value("rating", "averageRating")),
    reviewCount: entry.integer("numberOfReviews") ?? entry.integer("rating", "numberOfReviews"),
    ...stockOf(entry),
    seller: entry.title("sellerName"),
    sellerId: entry.text("sellerId"),
    sponsored: entry.flag("isSponsoredFlag") ?? entry.has("sponsoredProduct", "clickBeacon"),
    image: entry.text("image") ?? entry.text("imageInfo", "thumbnailUrl"),
    badges: badgesOf(entry),
    ...deliveryOf(entry),
    variants: entry.list("variantList").flatMap((variant) => {
      const name = variant.title("name")
      if (!name) return []
      return {
        name,
        swatchImage: variant.text("swatchImageUrl"),
        usItemId: variant.text("usItemId"),
      }
    }),
    additionalOffers: entry.integer("additionalOfferCount"),
  }
}

const dollars = { currency: "USD", country: "US" }

/** Shown as "Options from $279.00 – $479.99"; 0 where there is one price. */
function rangeOf(price: JsonReader) {
  const shown = price.text("priceRangeString")?.split(/[–-]/)[1] ?? null
  return {
    priceMin:
      priceOrNull(price.value("minPrice")) ?? priceOrNull(price.value("priceRange", "minPrice")),
    priceMax:
      priceOrNull(price.value("maxPrice")) ??
      priceOrNull(price.value("priceRange", "maxPrice")) ??
      amountOf(shown, dollars),
  }
}

function stockOf(entry: JsonReader) {
  const availability =
    entry.text("availabilityStatusV2", "value") ?? entry.text("availabilityStatus")
  const isOut = entry.flag("isOutOfStock")
  if (isOut !== null) return { availability, inStock: !isOut }
  return { availability, inStock: availability === null ? null : availability === "IN_STOCK" }
}

function badgesOf(entry: JsonReader): string[] {
  const marks = [...entry.list("badges", "flags"), ...entry.list("badges", "tags")]
  const texts = [entry.title("flag"), ...marks.map((mark) => mark.title("text"))]
  return distinct(texts.filter((text) => text !== null))
}

function deliveryOf(entry: JsonReader) {
  const ways = entry.list("fulfillmentSummary")
  const pickup = ways.find((way) => way.text("fulfillment") === "PICKUP")
  return {
    fulfillment: distinct(
      entry.list("fulfillmentBadgeGroups").flatMap((badge) => {
        return [badge.text("text"), badge.text("slaText")].filter(Boolean).join(" ") || []
      }),
    ),
    shippingEligible: entry.has("fulfillmentSummary")
      ? ways.some((way) => way.text("fulfillment") === "DELIVERY")
      : null,
    pickupStoreId: pickup?.text("storeId") ?? null,
  }
}
