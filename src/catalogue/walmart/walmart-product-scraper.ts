import { distinct, htmlToText, isoDate, textOrNull } from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import {
  BadInput,
  byStars,
  Changed,
  countsByStars,
  defineScraper,
  discountOf,
  field,
  inputs,
  items,
  NotFound,
  namedValues,
  nonZeroOrNull,
  positive,
  productField,
  type Row,
  record,
  required,
} from "../kit/index.ts"
import { walmart, walmartData, walmartRateLimit, walmartUrl } from "./walmart.ts"

const currentPrice = positive("product.priceInfo.currentPrice.price")
const wasPrice = positive("product.priceInfo.wasPrice.price")

const badgesOf = (review: Row): string[] =>
  new JsonReader(review)
    .list("badges")
    .flatMap((badge) => badge.text("glassBadge", "text") ?? badge.text("id") ?? [])

/** Fields of the product, its reviews and its long texts (`idml`). */
const details = record({
  id: field.text("product.id", "Internal ID of the product at Walmart."),
  title: productField.title("product.name"),
  brand: productField.brand("product.brand"),
  brandUrl: field.text(
    (data: JsonReader) => walmartUrl(data.text("product", "brandUrl")),
    "URL of the brand's page.",
  ),
  manufacturer: field.title("product.manufacturerName", "Name of the manufacturer."),
  model: field.text("product.model", "Model name or number."),
  upc: field.text("product.upc", "Barcode number (UPC), of 12 digits."),
  type: field.title("product.type", "Kind of product."),
  price: productField.price(currentPrice),
  currency: productField.currency("product.priceInfo.currentPrice.currencyUnit"),
  priceString: field.text(
    "product.priceInfo.currentPrice.priceString",
    "Price as displayed, for example $12.98.",
  ),
  wasPrice: field.number(wasPrice, "Price before a discount."),
  discountPercent: productField.discountPercent((row: JsonReader) =>
    discountOf(currentPrice(row), wasPrice(row)),
  ),
  listPrice: field.number(
    positive("product.priceInfo.listPrice.price"),
    "List price of the manufacturer.",
  ),
  savings: field.number(
    positive(
      "product.priceInfo.savingsAmount.amount",
      "product.priceInfo.savings.amount",
      "product.priceInfo.savings.price",
    ),
    "Amount saved compared with the former price.",
  ),
  unitPrice: field.text("product.priceInfo.unitPrice.priceString", "Price per unit, as displayed."),
  priceMin: productField.priceMin(positive("product.priceInfo.priceRange.minPrice")),
  priceMax: productField.priceMax(positive("product.priceInfo.priceRange.maxPrice")),
  availability: productField.availability("product.availabilityStatus"),
  available: productField.available((data: JsonReader) => isInStock(data.in("product"))),
  orderMinLimit: field.integer("product.orderMinLimit", "Minimum number of units per order."),
  orderLimit: field.integer("product.orderLimit", "Maximum number of units per order."),
  seller: productField.seller("product.sellerDisplayName|product.sellerName"),
  sellerId: productField.sellerId("product.catalogSellerId|product.sellerId"),
  sellerType: field.text(
    "product.sellerType",
    "INTERNAL for Walmart itself, EXTERNAL for a marketplace seller.",
  ),
  rating: productField.rating(positive("product.averageRating", "reviews.averageOverallRating")),
  reviewCount: productField.reviewCount("product.numberOfReviews|reviews.totalReviewCount"),
  ratingBreakdown: field.of(byStars("Number of ratings by stars."), breakdown),
  shortDescription: field.text(
    (data: JsonReader) =>
      htmlToText(
        data.value("product", "shortDescription") ?? data.value("idml", "shortDescription"),
      ),
    "Short description, as plain text.",
  ),
  longDescription: field.text(
    (data: JsonReader) => htmlToText(data.value("idml", "longDescription")),
    "Long description, as plain text.",
  ),
  longDescriptionMarkdown: field.markdown(
    (data: JsonReader) => data.value("idml", "longDescription"),
    "Long description as Markdown.",
  ),
  imageUrl: productField.imageUrl("product.imageInfo.thumbnailUrl"),
  images: productField.images("product.imageInfo.allImages.*.url"),
  categories: productField.categories((data: JsonReader) =>
    distinct(data.list("product", "category", "path").flatMap((step) => step.title("name") ?? [])),
  ),
  specs: productField.specs((data: JsonReader) =>
    namedValues(data.list("idml", "specifications"), "name", "value"),
  ),
  highlights: field.objects(
    (data: JsonReader) =>
      data
        .list("idml", "productHighlights")
        .filter((row) => row.title("name") && row.title("value")),
    "Highlights of the product.",
    {
      name: required(field.title("name", "Name of the property, for example Brand.")),
      value: required(field.title("value", "Value of the property.")),
    },
  ),
  variants: field.of(
    items.objects("Variants, for example colours and sizes.", {
      id: items.requiredText("ID of the variant at Walmart."),
      usItemId: items.text("Item ID of the variant."),
      name: items.text("Option values of the variant, joined."),
      values: items.textsByName("Values of the variant's options, by option, for example Color."),
      price: items.number("Price of the variant."),
      available: items.boolean("Whether the variant can be bought now."),
    }),
    (data: JsonReader) => variantsOf(data.in("product")),
  ),
  fulfillment: field.objects(
    (data: JsonReader) => fulfillmentOf(data.in("product")),
    "Delivery methods, for example shipping or pickup.",
    {
      type: required(field.text("type", "Code of the delivery method, for example PICKUP.")),
      text: field.text("text", "Delivery method in words."),
    },
  ),
  reviewSummary: field.text("reviews.reviewSummary.summary", "Walmart's summary of the reviews."),
  aspects: field.objects(
    (data: JsonReader) => data.list("reviews", "aspects").filter((aspect) => aspect.title("name")),
    "Topics of the reviews.",
    {
      name: required(field.title("name", "Name of the topic.")),
      count: field.integer("snippetCount", "Number of reviews about the topic."),
    },
  ),
  reviews: field.objects("reviews.customerReviews", "Reviews on the page.", {
    id: field.of(
      items.requiredText("ID of the review; empty if Walmart provides none."),
      (review: Row) => textOrNull(review.reviewId) ?? "",
    ),
    rating: field.number("rating", "Number of stars (1-5)."),
    title: field.title("reviewTitle", "Title of the review."),
    text: field.text((review: Row) => htmlToText(review.reviewText), "Text of the review."),
    author: field.title("userNickname", "Name of the author."),
    publishedAt: field.text(
      (review: Row) => americanDay(review.reviewSubmissionTime),
      "Day of the review (YYYY-MM-DD).",
    ),
    helpfulCount: field.integer(
      "positiveFeedback",
      "Number of readers who found the review helpful.",
    ),
    negativeFeedback: field.integer(
      "negativeFeedback",
      "Number of readers who did not find the review helpful.",
    ),
    badges: field.texts(badgesOf, "Labels of the review, for example Verified Purchase."),
    photos: field.texts(photosOf, "URLs of the photos in the review."),
  }),
})

export default defineScraper({
  slug: "walmart-product-scraper",
  name: "Walmart Products",
  tagline: "Walmart products: price, stock, seller, rating, reviews, images, specs.",
  notServed: ["search Walmart"],
  category: "ecommerce",
  tier: "premium",
  input: {
    urls: inputs.texts(
      "Product URLs, for example https://www.walmart.com/ip/1736740710, or item IDs.",
      { max: 1000 },
    ),
  },
  item: {
    input: items.requiredText("Product as written in the input."),
    url: items.requiredText("URL of the product's page."),
    usItemId: items.requiredText("Item ID, as in the product's URL."),
    ...details.fields,
  },
  example: { urls: ["https://www.walmart.com/ip/1736740710"] },
  probe: {
    input: { urls: ["@walmart-search-scraper items[0].url"] },
    expect: [
      "items.length equals 1",
      "items[0].usItemId share 1",
      "items[0].title share 1",
      "items[0].price gte 0.01",
      "items[0].images.length gte 1",
      "?items[0].rating share 1",
      'items[0].currency only "USD"',
    ],
  },
  rateLimit: walmartRateLimit,
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  pages: { ofTarget: 1 },
  targets: (input) => distinct(input.urls),

  async *scrape(target, ctx) {
    const requested = itemId(target)
    const url = `${walmart}/ip/${requested}`
    const state = await walmartData(url, ctx)
    const data = state.in("data")
    const product = data.in("product")
    if (!product.has()) {
      const errors = JSON.stringify(state.value("errors") ?? null)
      const isMissing = /ITEM_NOT_FOUND|Product Not Found/i.test(errors)
      if (!isMissing && !("product" in Object(data.root)))
        throw new Changed("Walmart's page has no product in its state.", { url })
      throw new NotFound("No such product at Walmart.", { url })
    }
    if (!product.title("name")) throw new Changed("Walmart's product has no name.", { url })
    yield {
      input: target,
      url: walmartUrl(product.text("canonicalUrl")) ?? url,
      usItemId: product.text("usItemId") ?? requested,
      ...details.read(data),
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
      ? `"${target}" is a URL of another Walmart site. Only www.walmart.com is supported.`
      : `"${target}" is not a product URL of www.walmart.com or an item ID.`,
  )
}

function isInStock(row: JsonReader): boolean | null {
  const availability = row.text("availabilityStatus")
  return availability === null ? null : availability === "IN_STOCK"
}

function breakdown(data: JsonReader) {
  const names = ["One", "Two", "Three", "Four", "Five"]
  return countsByStars(names.map((stars) => data.integer("reviews", `ratingValue${stars}Count`)))
}

/** Returns the variants by ID, with the values of their criteria. */
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
    const named = variant.texts("variants").map((choice) => names.get(choice))
    const own = named.filter((pair) => pair !== undefined)
    const chosen = values.get(id) ?? Object.fromEntries(own)
    return {
      id,
      usItemId: variant.text("usItemId"),
      name: Object.values(chosen).join(", ") || null,
      values: chosen,
      price: nonZeroOrNull(variant.value("priceInfo", "currentPrice", "price")),
      available: isInStock(variant),
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

function photosOf(review: Row): string[] {
  const row = new JsonReader(review)
  const photos = [...row.list("photos"), ...row.list("media")]
  return distinct(photos.flatMap((image) => image.text("normalUrl") ?? []))
}

/** Returns "2/15/2023", month first, as `2023-02-15`. */
function americanDay(written: unknown): string | null {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(textOrNull(written)?.trim() ?? "")
  if (!match) return isoDate(written)
  return isoDate(`${match[3]}-${match[1]!.padStart(2, "0")}-${match[2]!.padStart(2, "0")}`)
}
