import { distinct } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import {
  amountOf,
  Changed,
  defineScraper,
  discountOf,
  field,
  inputs,
  items,
  positive,
  productField,
  readRows,
  recordOf,
  required,
} from "../kit/index.ts"
import { walmart, walmartData, walmartRateLimit, walmartUrl } from "./walmart.ts"

const dollars = { currency: "USD", country: "US" }

const priceNow = (entry: JsonReader) =>
  positive("price", "priceInfo.currentPrice.price")(entry) ??
  amountOf(entry.text("priceInfo", "linePrice"), dollars)
const wasPrice = (entry: JsonReader) =>
  positive("priceInfo.wasPrice.price")(entry) ??
  amountOf(entry.text("priceInfo", "wasPrice"), dollars)

const methodsOf = (entry: JsonReader): string[] =>
  distinct(
    entry.list("fulfillmentBadgeGroups").flatMap((badge) => {
      return [badge.text("text"), badge.text("slaText")].filter(Boolean).join(" ") || []
    }),
  )

const product = recordOf<JsonReader>()({
  usItemId: required(field.text("usItemId", "Item ID, as in the product's URL.")),
  id: field.text("id", "Internal ID of the product at Walmart."),
  url: required(
    field.text(
      (entry) =>
        walmartUrl(entry.text("canonicalUrl")) ?? `${walmart}/ip/${entry.text("usItemId")}`,
      "URL of the product's page.",
    ),
  ),
  title: productField.title("name"),
  brand: productField.brand("brand"),
  category: field.title("catalogProductType", "Kind of product."),
  price: productField.price(priceNow),
  currency: productField.currency(() => "USD"),
  wasPrice: field.number(wasPrice, "Price before a discount."),
  discountPercent: productField.discountPercent((entry) =>
    discountOf(priceNow(entry), wasPrice(entry)),
  ),
  savings: field.number(
    positive("priceInfo.savingsAmt", "priceInfo.savingsAmount.amount"),
    "Amount saved compared with the former price.",
  ),
  priceText: field.text(
    "priceInfo.linePriceDisplay|priceInfo.currentPrice.priceString",
    "Price as displayed, for example $12.98.",
  ),
  unitPrice: field.text(
    "priceInfo.unitPrice|priceInfo.unitPrice.priceString",
    "Price per unit, as displayed.",
  ),
  priceMin: productField.priceMin(positive("priceInfo.minPrice", "priceInfo.priceRange.minPrice")),
  priceMax: productField.priceMax(highestPrice),
  rating: productField.rating(positive("averageRating", "rating.averageRating")),
  reviewCount: productField.reviewCount("numberOfReviews|rating.numberOfReviews"),
  availability: productField.availability("availabilityStatusV2.value|availabilityStatus"),
  available: productField.available(isInStock),
  seller: productField.seller("sellerName"),
  sellerId: productField.sellerId("sellerId"),
  sponsored: field.flag(
    (entry) => entry.flag("isSponsoredFlag") ?? entry.has("sponsoredProduct", "clickBeacon"),
    "Whether the product is an advertisement.",
  ),
  imageUrl: productField.imageUrl("image|imageInfo.thumbnailUrl"),
  badges: field.texts(badgesOf, "Labels, for example Rollback."),
  fulfillment: field.texts(methodsOf, "Delivery methods, in words."),
  shippingEligible: field.boolean(
    (entry) => (entry.has("fulfillmentSummary") ? methodOf(entry, "DELIVERY") !== undefined : null),
    "Whether the product is shipped or delivered.",
  ),
  pickupStoreId: field.text(
    (entry) => methodOf(entry, "PICKUP")?.text("storeId"),
    "ID of the store for pickup.",
  ),
  variants: field.objects(
    (entry) => entry.list("variantList").filter((variant) => variant.title("name")),
    "Variants that the search displays with the product.",
    {
      name: required(field.title("name", "Name of the variant, for example its colour.")),
      swatchImage: field.text("swatchImageUrl", "URL of the colour's image."),
      usItemId: field.text("usItemId", "Item ID of the variant."),
    },
  ),
  additionalOffers: field.integer("additionalOfferCount", "Number of offers from other sellers."),
})

export default defineScraper({
  slug: "walmart-search-scraper",
  name: "Walmart Search",
  tagline: "Walmart search results with price, was-price, rating, seller, badges and ads marked.",
  notServed: ["one product's details"],
  category: "ecommerce",
  tier: "premium",
  input: {
    queries: inputs.texts("Search words, for example usb c hub.", { max: 500 }),
    maxItemsPerQuery: inputs.count("Maximum items per search; only one page of results is read", {
      max: 40,
      or: 40,
    }),
  },
  item: {
    query: items.requiredText("Query as written in the input."),
    position: items.requiredInteger("Position among the products, from 1."),
    ...product.fields,
    totalResults: items.integer("Number of products that match the query."),
  },
  example: { queries: ["laptop"], maxItemsPerQuery: 10 },
  probe: {
    input: { queries: ["laptop"], maxItemsPerQuery: 5 },
    expect: [
      "items.length equals 5",
      "items[*].usItemId share 1",
      "items[*].title share 1",
      "items[*].price share 0.8",
      "items[*].imageUrl share 0.9",
      "?items[0].totalResults gte 10",
      'items[*].currency only "USD"',
    ],
  },
  rateLimit: walmartRateLimit,
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.queries.map((query) => query.trim())),
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const data = await walmartData(`${walmart}/search?${new URLSearchParams({ q: query })}`, ctx)
    const result = data.in("searchResult")
    const listed = result.list("itemStacks")
    if (!result.has("itemStacks"))
      throw new Changed("Walmart's page has no search result in its state.")
    const stacks = listed.filter(isStack)
    // Later stacks contain related products, and count only if the first is empty.
    const entries = stacks.map(productsOf).find((products) => products.length > 0) ?? []
    const isNone = listed.length === 0 || (stacks.length > 0 && stacks.every(isEmpty))
    if (entries.length === 0 && !isNone)
      throw new Changed("Walmart's search result counts products but lists none.")
    const total = result.integer("aggregatedCount") ?? stacks[0]?.integer("count") ?? null
    let position = 0
    const read = (entry: JsonReader) => {
      return { query, position: ++position, ...productOf(entry), totalResults: total }
    }
    for await (const match of readRows(entries, read, ctx)) {
      if (match.position > ctx.input.maxItemsPerQuery) return
      yield match
    }
  },
})

/** Returns the products of a stack; other advertisements have other types. */
function productsOf(stack: JsonReader): JsonReader[] {
  const entries = stack.has("itemsV2") ? stack.list("itemsV2") : stack.list("items")
  return entries.filter((entry) => entry.text("__typename") === "Product")
}

const isStack = (stack: JsonReader) => ["itemsV2", "items", "count"].some((key) => stack.has(key))

function isEmpty(stack: JsonReader): boolean {
  const count = stack.integer("count")
  return count === 0 || ((stack.has("itemsV2") || stack.has("items")) && count === null)
}

function productOf(entry: JsonReader) {
  if (!entry.text("usItemId") || !entry.title("name"))
    throw new Changed("Walmart's search has a product without an ID or name.")
  return product.read(entry)
}

/** Parses "Options from $279.00 – $479.99"; 0 if there is one price. */
function highestPrice(entry: JsonReader): number | null {
  const visible = entry.text("priceInfo", "priceRangeString")?.split(/[–-]/)[1] ?? null
  return (
    positive("priceInfo.maxPrice", "priceInfo.priceRange.maxPrice")(entry) ??
    amountOf(visible, dollars)
  )
}

function isInStock(entry: JsonReader): boolean | null {
  const isOut = entry.flag("isOutOfStock")
  if (isOut !== null) return !isOut
  const availability =
    entry.text("availabilityStatusV2", "value") ?? entry.text("availabilityStatus")
  return availability === null ? null : availability === "IN_STOCK"
}

function badgesOf(entry: JsonReader): string[] {
  const marks = [...entry.list("badges", "flags"), ...entry.list("badges", "tags")]
  const texts = [entry.title("flag"), ...marks.map((mark) => mark.title("text"))]
  return distinct(texts.filter((text) => text !== null))
}

const methodOf = (entry: JsonReader, name: "DELIVERY" | "PICKUP") =>
  entry.list("fulfillmentSummary").find((method) => method.text("fulfillment") === name)
