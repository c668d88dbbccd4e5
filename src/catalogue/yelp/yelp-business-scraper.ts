import { distinct } from "../../extract/core/index.ts"
import {
  addressParts,
  businessFields,
  type Context,
  defineScraper,
  inputs,
  items,
  NotFound,
  record,
  ScrapeError,
  Unreachable,
} from "../kit/index.ts"
import { apiBusiness, review } from "./feed.ts"
import { pageBusiness } from "./page.ts"
import { type BusinessUrl, businessUrl, toBusinessUrl } from "./yelp.ts"

const day = items.text("Opening hours, for example 10:30 AM - 11:30 PM, or Closed.")
const hours = { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day }

const business = record({
  url: items.requiredText("URL of the business's page."),
  alias: items.requiredText("Name of the business in URLs."),
  id: items.text("ID of the business on Yelp."),
  ...businessFields("name", "rating", "reviewCount", "priceRange"),
  categories: items.objects("Categories of the business.", {
    title: items.requiredText("Name of the category."),
    alias: items.text("Name of the category in URLs."),
  }),
  ...businessFields("phone", "website"),
  address: items.object("Postal address of the business.", {
    ...addressParts,
    formatted: items.text("Postal address on one line."),
  }),
  neighborhoods: items.texts("Neighbourhoods of the business."),
  ...businessFields("latitude", "longitude"),
  hours: items.object("Opening hours by weekday.", hours),
  openNow: items.boolean("Whether the business is open now."),
  claimed: items.boolean("Whether the business has claimed the page."),
  closed: items.boolean("Whether the business is permanently closed."),
  attributes: items.texts("Services of the business."),
  photos: items.texts("URLs of photos."),
  photoCount: items.integer("Total number of photos."),
  ...businessFields("logoUrl"),
  about: items.text("Description by the business."),
  reviews: items.objects("Newest reviews, at most ten.", review.fields),
})

export default defineScraper({
  slug: "yelp-business-scraper",
  name: "Yelp Businesses",
  tagline: "One Yelp business page as data: rating, hours, contact, photos, latest reviews.",
  notServed: ["search by city"],
  category: "reviews",
  tier: "premium",
  input: {
    businessUrls: inputs.texts(
      "Yelp business URLs or slugs, for example gary-danko-san-francisco.",
      { max: 500 },
    ),
  },
  item: { input: items.requiredText("Business as written in the input."), ...business.fields },
  example: { businessUrls: ["https://www.yelp.com/biz/gen-korean-bbq-house-san-jose"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].name matches "gen"',
      "items[0].rating gte 1",
      "items[0].reviewCount gte 500",
      "items[0].phone share 1",
      "?items[0].hours share 1",
      "?items[0].reviews.length gte 1",
    ],
  },
  rateLimit: {
    "www.yelp.com": { perSecond: 0.2, concurrency: 1 },
    "api.yelp.com": { perSecond: 4, concurrency: 2 },
  },
  fetchMethods: ["browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.businessUrls),

  async *scrape(target, ctx) {
    const address = toBusinessUrl(target)
    const key = ctx.secret("YELP_API_KEY")
    const fromPage = () =>
      ctx.escalate(businessUrl(address), (ctx) =>
        ctx.browse((tab) => pageBusiness(address, tab, ctx)),
      )
    const row = key ? await byApi(address, key, fromPage, ctx) : await fromPage()
    yield { input: target, ...business.read(row) }
  },
})

/** Requests the API, else the page. If the page is not reachable, throws the API's error. */
async function byApi<T>(
  address: BusinessUrl,
  key: string,
  fromPage: () => Promise<T>,
  ctx: Context,
) {
  try {
    return await apiBusiness(address, key, ctx)
  } catch (failure) {
    ctx.signal.throwIfAborted()
    if (!(failure instanceof ScrapeError) || failure instanceof NotFound) throw failure
    ctx.log(`Yelp's API failed: ${failure.message}`, "warning")
    return await fromPage().catch((error) => {
      throw error instanceof Unreachable ? failure : error
    })
  }
}
