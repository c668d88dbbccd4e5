import { distinct } from "../../extract/core/index.ts"
import {
  defineScraper,
  inputs,
  items,
  NotFound,
  orNull,
  productFields,
  record,
} from "../kit/index.ts"
import { apiListing, listingNumber, pageListing, review } from "./listing.ts"

const listing = record({
  url: items.requiredText("URL of the listing."),
  canonicalUrl: items.text("URL that contains the title."),
  listingId: items.requiredText("Etsy's ID of the listing."),
  ...productFields("title", "description", "price", "priceMin", "priceMax", "currency"),
  quantity: items.integer("Number of units in stock."),
  ...productFields("available", "availability"),
  shippingCost: items.number("Shipping cost."),
  shippingCurrency: items.text("Its currency (ISO 4217)."),
  shipsFrom: items.text("Country that the item is shipped from (two letters)."),
  shopName: items.text("Name of the shop."),
  shopUrl: items.text("URL of the shop."),
  shopLogoUrl: items.text("URL of the shop's logo."),
  ...productFields("rating", "reviewCount"),
  category: items.text("Narrowest category."),
  ...productFields("categories", "images"),
  materials: items.texts("Materials."),
  reviews: items.objects("Newest reviews, at most four.", review.fields),
  likesCount: items.integer("Number of users who like the listing."),
  isDigital: items.boolean("Whether the item is a download; null if the page does not state it."),
  tags: items.texts("Tags."),
})

export default defineScraper({
  slug: "etsy-product-scraper",
  name: "Etsy Listings",
  tagline: "Etsy listings with price, shop, rating, photos, materials and recent reviews.",
  category: "ecommerce",
  input: {
    urls: inputs.texts(
      "Listing URLs, for example https://www.etsy.com/listing/949905096, or listing IDs.",
      { max: 500 },
    ),
    useUnlocker: inputs.useUnlocker(),
  },
  item: { input: items.requiredText("Listing as written in the input."), ...listing.fields },
  example: { urls: ["https://www.etsy.com/listing/949905096"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].listingId equals "949905096"',
      "items[0].title share 1",
      "items[0].shopName share 1",
      "?items[0].price gte 0.01",
      "?items[0].images.length gte 1",
      '?items[0].currency only "USD"',
    ],
  },
  rateLimit: {
    "www.etsy.com": { perSecond: 0.5, concurrency: 1 },
    "openapi.etsy.com": { perSecond: 5, concurrency: 2 },
  },
  fetchMethods: ["http", "browser-http", "browser", "unlocker"],
  concurrency: 2,
  targets: (input) => distinct(input.urls),

  async *scrape(target, ctx) {
    const listingId = listingNumber(target)
    const key = ctx.secret("ETSY_API_KEY")
    const request = (key: string) => () => apiListing(listingId, key, ctx).catch(gone)
    const known = key ? await orNull(ctx, "response of Etsy's API", request(key)) : null
    if (known instanceof NotFound) throw known
    yield { input: target, ...listing.read(known ?? (await pageListing(listingId, ctx))) }
  },
})

/** Returns a `NotFound` instead of throwing it: it is a valid result, not a failure of the API. */
function gone(error: unknown): NotFound {
  if (error instanceof NotFound) return error
  throw error
}
