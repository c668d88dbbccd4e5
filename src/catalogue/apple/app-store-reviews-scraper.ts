import { defineScraper, inputs, items, nullable } from "../kit/index.ts"
import { readStoreApp, requireStoreApp, storeRateLimit } from "./app-store.ts"
import { reviewPageUrl, storeReview, storeReviewPage } from "./app-store-page.ts"

const { id, ...otherFields } = storeReview.fields

export default defineScraper({
  slug: "app-store-reviews-scraper",
  name: "App Store Reviews",
  tagline: "Recent reviews from an app's App Store page.",
  notServed: ["Android app reviews", "app details"],
  category: "apps",
  input: {
    apps: inputs.texts("App Store IDs or URLs, for example 570060128.", { max: 200 }),
    country: inputs.optionalText(
      "App Store country code, for example de (default: the URL's country, or us).",
      { pattern: "^[A-Za-z]{2}$" },
    ),
    maxReviewsPerApp: inputs.count("Maximum reviews per app; a page lists about 10 to 20", {
      max: 50,
      or: 20,
    }),
  },
  item: {
    type: items.requiredText('Always "review".'),
    id,
    appId: items.requiredText("ID of the app."),
    appName: items.text("Name of the app."),
    country: items.requiredText("Country of the store (two letters)."),
    ...otherFields,
    appRating: items.number("Mean rating of the app (1-5)."),
    appRatingCount: items.integer("Number of ratings of the app."),
    appRatingHistogram: nullable(
      items.countsByName("Number of ratings of the app per number of stars (1-5)."),
    ),
    url: items.requiredText("URL of the page with the reviews."),
    position: items.requiredInteger("Position among the displayed reviews, from 1."),
  },
  example: { apps: ["324684580"], country: "us" },
  probe: {
    expect: [
      "items.length gte 5",
      'items[0].appId equals "324684580"',
      "items[*].rating gte 1",
      "items[*].rating lte 5",
      "items[*].text share 0.9",
      "items[*].publishedAt share 0.9",
      "?items[0].appRatingCount gte 1000000",
    ],
  },
  rateLimit: { "apps.apple.com": storeRateLimit },
  targets: (input) => input.apps,
  identify: (target) => ({ input: target, appId: readStoreApp(target)?.id ?? null }),

  async *scrape(target, ctx) {
    const app = requireStoreApp(target)
    const country = (ctx.input.country ?? app.country ?? "us").toLowerCase()
    const { reviews, ...about } = await storeReviewPage(app.id, country, ctx)
    if (reviews.length === 0) ctx.log(`The page of ${app.id} has no reviews in ${country}.`)
    const shared = { appId: app.id, country, ...about, url: reviewPageUrl(app.id, country) }
    for (const [index, review] of reviews.slice(0, ctx.input.maxReviewsPerApp).entries()) {
      yield { type: "review", ...review, ...shared, position: index + 1 }
    }
  },
})
