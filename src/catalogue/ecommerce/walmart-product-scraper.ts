import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import type { JsonReader } from "../../extract/json-reader.ts"
import { distinct, htmlToText } from "../../extract/text.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  numberField,
  textField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed, NotFound } from "../outcome.ts"
import { priceOrNull, productFields, ratingOrNull } from "./product-fields.ts"
import { walmart, walmartData, walmartPace, walmartUrl } from "./walmart.ts"

const count = Type.Integer()

const item = itemObject({
  input: Type.String({ description: "The product as it was asked for." }),
  url: Type.String({ description: "The product's page." }),
  usItemId: Type.String({ description: "Number of the item, as in its address." }),
  id: textField("Walmart's inner id of the product."),
  ...productFields("title", "brand"),
  brandUrl: textField("Page of the brand."),
  manufacturer: textField("Manufacturer."),
  model: textField("Model."),
  upc: textField("UPC."),
  type: textField("Kind of product."),
  ...productFields("price", "currency"),
  priceString: textField("Price as it is shown."),
  wasPrice: numberField("Former price."),
  listPrice: numberField("List price."),
  savings: numberField("What is saved against the former price."),
  unitPrice: textField("Price of a unit, as it is shown."),
  ...productFields("priceMin", "priceMax", "availability", "inStock"),
  orderMinLimit: integerField("Fewest pieces of one order."),
  orderLimit: integerField("Most pieces of one order."),
  ...productFields("seller", "sellerId"),
  sellerType: textField("INTERNAL for Walmart itself, EXTERNAL for a marketplace seller."),
  ...productFields("rating", "reviewCount"),
  ratingBreakdown: nullable(
    itemObject(
      { 1: count, 2: count, 3: count, 4: count, 5: count },
      { description: "Number of ratings by stars." },
    ),
  ),
  shortDescription: textField("Short description."),
  longDescription: textField("Long description."),
  ...productFields("image", "images", "categories", "specs"),
  highlights: Type.Array(itemObject({ name: Type.String(), value: Type.String() }), {
    description: "Highlights.",
  }),
  variants: Type.Array(
    itemObject({
      id: Type.String(),
      usItemId: textField("Number of the variant's own item."),
      name: textField("Its values, joined."),
      values: Type.Record(Type.String(), Type.String()),
      price: numberField("Price."),
      available: booleanField("Whether it can be bought now."),
    }),
    { description: "Colours, sizes and the like." },
  ),
  fulfillment: Type.Array(itemObject({ type: Type.String(), text: textField("In words.") }), {
    description: "Ways of delivery.",
  }),
  reviewSummary: textField("Summary of the reviews by the shop."),
  aspects: Type.Array(itemObject({ name: Type.String(), count: integerField("Reviews.") }), {
    description: "What reviews speak of.",
  }),
  reviews: Type.Array(
    itemObject({
      id: Type.String(),
      rating: numberField("Stars."),
      title: textField("Title."),
      text: textField("Text."),
      author: textField("Name of the author."),
      date: textField("YYYY-MM-DD."),
      positiveFeedback: integerField("Readers who found it helpful."),
      negativeFeedback: integerField("Readers who did not."),
      badges: Type.Array(Type.String()),
      photos: Type.Array(Type.String()),
    }),
    { description: "The reviews on the page." },
  ),
})

export default defineScraper({
  slug: "walmart-product-scraper",
  name: "Walmart Products",
  tagline: "Walmart products: price, stock, seller, rating, reviews, images, specs.",
  category: "ecommerce",
  tier: "premium",
  input: inputObject({
    urls: inputs.texts(
      "Product addresses such as https://www.walmart.com/ip/1736740710, or item ids.",
      { max: 1000 },
    ),
  }),
  item,
  example: { urls: ["https://www.walmart.com/ip/1736740710"] },
  pace: walmartPace,
  access: ["http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.urls),

  async *scrape(target, ctx) {
    const asked = itemId(target)
    const address = `${walmart}/ip/${asked}`
    const state = await walmartData(address, ctx)
    const data = state.in("data")
    const product = data.in("product")
    if (!product.has()) {
      const isMissing = /ITEM_NOT_FOUND|Product Not Found/i.test(
        JSON.stringify(state.value("errors") ?? null),
      )
      if (!isMissing && !("product" in Object(data.root))) {
        throw new Changed("Walmart's page holds no product in its state.", { url: address })
      }
      throw new NotFound("Walmart has no such product.", { url: address })
    }
    const title = product.title("name")
    if (!title) throw new Changed("Walmart's product has no name.", { url: address })
    const reviews = data.in("reviews")
    const idml = data.in("idml")
    const price = product.in("priceInfo")
    const availability = product.text("availabilityStatus")
    yield {
      input: target,
      url: walmartUrl(product.text("canonicalUrl")) ?? address,
      usItemId: product.text("usItemId") ?? asked,
      id: product.text("id"),
      title,
      brand: product.title("brand"),
      brandUrl: walmartUrl(product.text("brandUrl")),
      manufacturer: product.title("manufacturerName"),
      model: product.text("model"),
      upc: product.text("upc"),
      type: product.title("type"),
      price: priceOrNull(price.value("currentPrice", "price")),
      currency: price.text("currentPrice", "currencyUnit"),
      priceString: price.text("currentPrice", "priceString"),
      wasPrice: priceOrNull(price.value("wasPrice", "price")),
      listPrice: priceOrNull(price.value("listPrice", "price")),
      savings: savings(price),
      unitPrice: price.text("unitPrice", "priceString"),
      priceMin: priceOrNull(price.value("priceRange", "minPrice")),
      priceMax: priceOrNull(price.value("priceRange", "maxPrice")),
      availability,
      inStock: availability === null ? null : availability === "IN_STOCK",
      orderMinLimit: product.integer("orderMinLimit"),
      orderLimit: product.integer("orderLimit"),
      seller: product.title("sellerDisplayName") ?? product.title("sellerName"),
      sellerId: product.text("catalogSellerId") ?? product.text("sellerId"),
      sellerType: product.text("sellerType"),
      rating:
        ratingOrNull(product.value("averageRating")) ??
        ratingOrNull(reviews.value("averageOverallRating")),
      reviewCount: product.integer("numberOfReviews") ?? reviews.integer("totalReviewCount"),
      ratingBreakdown: breakdown(reviews),
      shortDescription: htmlToText(
        product.value("shortDescription") ?? idml.value("shortDescription"),
      ),
      longDescription: htmlToText(idml.value("longDescription")),
      image: product.text("imageInfo", "thumbnailUrl"),
      images: product.list("imageInfo", "allImages").flatMap((image) => image.text("url") ?? []),
      categories: distinct(
        product.list("category", "path").flatMap((step) => step.title("name") ?? []),
      ),
      specs: Object.fromEntries(namedValues(idml.list("specifications"))),
      highlights: namedValues(idml.list("productHighlights")).map(([name, value]) => ({
        name,
        value,
      })),
      variants: variantsOf(product),
      fulfillment: fulfillmentOf(product),
      reviewSummary: reviews.text("reviewSummary", "summary"),
      aspects: reviews.list("aspects").flatMap((aspect) => {
        const name = aspect.title("name")
        return name ? { name, count: aspect.integer("snippetCount") } : []
      }),
      reviews: reviews.list("customerReviews").map(reviewOf),
    }
  },
})

function itemId(target: string): string {
  const text = target.trim()
  if (/^\d{5,13}$/.test(text)) return text
  const match =
    /^(?:https?:\/\/)?(?:www\.|m\.)?walmart\.com\/(?:[a-z-]+\/)?ip\/(?:[^/?#]+\/)?(\d{5,13})(?:[/?#]|$)/i.exec(
      text,
    )
  if (match) return match[1]!
  throw new BadInput(
    /walmart\.(?!com\/)/i.test(text)
      ? `"${target}" is of another Walmart site; only www.walmart.com is read.`
      : `"${target}" is no product address of www.walmart.com and no item id.`,
  )
}

function savings(price: JsonReader): number | null {
  return (
    priceOrNull(price.value("savingsAmount", "amount")) ??
    priceOrNull(price.value("savings", "amount")) ??
    priceOrNull(price.value("savings", "price"))
  )
}

function breakdown(reviews: JsonReader) {
  const counts = ["One", "Two", "Three", "Four", "Five"].map((stars) =>
    reviews.integer(`ratingValue${stars}Count`),
  )
  if (counts.every((known) => known === null)) return null
  const [one, two, three, four, five] = counts.map((known) => known ?? 0)
  return { 1: one!, 2: two!, 3: three!, 4: four!, 5: five! }
}

function namedValues(entries: JsonReader[]): [string, string][] {
  return entries.flatMap((entry): [string, string][] => {
    const name = entry.title("name")
    const value = entry.title("value")
    return name && value ? [[name, value]] : []
  })
}

/** The variants by id, with the values that the criteria give them. */
function variantsOf(product: JsonReader) {
  const values = new Map<string, Record<string, string>>()
  const names = new Map<string, [criterion: string, value: string]>()
  for (const criterion of product.list("variantCriteria")) {
    const title = criterion.title("name")
    for (const choice of criterion.list("variantList")) {
      const name = choice.title("name")
      if (!title || !name) continue
      names.set(choice.text("id") ?? "", [title, name])
      for (const id of choice.texts("products")) {
        values.set(id, { ...values.get(id), [title]: name })
      }
    }
  }
  const isMap = product.has("variantsMap")
  return product.entries(isMap ? "variantsMap" : "variants").flatMap(([key, variant]) => {
    const id = variant.text("id") ?? (isMap ? key : variant.text("usItemId"))
    if (!id) return []
    const own = variant.texts("variants").flatMap((choice) => {
      const named = names.get(choice)
      return named ? [named] : []
    })
    const chosen = values.get(id) ?? Object.fromEntries(own)
    const status = variant.text("availabilityStatus")
    return {
      id,
      usItemId: variant.text("usItemId"),
      name: Object.values(chosen).join(", ") || null,
      values: chosen,
      price: priceOrNull(variant.value("priceInfo", "currentPrice", "price")),
      available: status === null ? null : status === "IN_STOCK",
    }
  })
}

function fulfillmentOf(product: JsonReader) {
  const options = product.list("fulfillmentOptions").flatMap((option) => {
    const type = option.text("type")
    const day = isoDate(option.text("deliveryDate"))?.slice(0, 10)
    const text = [option.text("availabilityStatus"), day].filter(Boolean).join(", ")
    return type ? { type, text: text || null } : []
  })
  if (options.length > 0) return options
  return product.list("fulfillmentLabel").flatMap((label) => {
    const type = label.text("fulfillmentMethod")
    return type ? { type, text: label.text("message") } : []
  })
}

function reviewOf(review: JsonReader) {
  const pictures = [...review.list("photos"), ...review.list("media")]
  return {
    id: review.text("reviewId") ?? "",
    rating: review.number("rating"),
    title: review.title("reviewTitle"),
    text: htmlToText(review.value("reviewText")),
    author: review.title("userNickname"),
    date: americanDay(review.text("reviewSubmissionTime")),
    positiveFeedback: review.integer("positiveFeedback"),
    negativeFeedback: review.integer("negativeFeedback"),
    badges: review
      .list("badges")
      .flatMap((badge) => badge.text("glassBadge", "text") ?? badge.text("id") ?? []),
    photos: distinct(pictures.flatMap((picture) => picture.text("normalUrl") ?? [])),
  }
}

/** "2/15/2023", month first, as `2023-02-15`. */
function americanDay(text: string | null): string | null {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text ?? "")
  if (!match) return isoDate(text)
  return isoDate(`${match[3]}-${match[1]!.padStart(2, "0")}-${match[2]!.padStart(2, "0")}`)
}
