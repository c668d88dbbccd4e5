import { type Context, cursor, defineScraper, inputs, items, NotFound } from "../kit/index.ts"
import { namePlayApp, playPage, playRateLimit, playTable, playUrl, readPlayApp } from "./play.ts"
import { review, reviewPage, sorts } from "./play-reviews.ts"

const pageSize = 150

const { id, ...otherFields } = review.fields

export default defineScraper({
  slug: "google-play-reviews-scraper",
  name: "Google Play Reviews",
  tagline: "User reviews of Google Play apps with rating, version, thumbs-up and developer reply.",
  notServed: ["iPhone app reviews"],
  category: "apps",
  input: {
    apps: inputs.texts("Package names, for example org.mozilla.firefox, or Google Play URLs.", {
      max: 200,
    }),
    maxReviewsPerApp: inputs.count("Maximum reviews per app", { max: 10_000, or: 100 }),
    sort: inputs.choice(["newest", "relevance", "rating"], "Sort order of the reviews.", "newest"),
    language: inputs.textOr(
      "Language code of the reviews, for example en; reviews in other languages are left out.",
      "en",
      { pattern: "^[A-Za-z]{2,3}([-_]\\w+)?$" },
    ),
    country: inputs.textOr("Two-letter country code, for example us.", "us", {
      pattern: "^[A-Za-z]{2}$",
    }),
  },
  item: {
    id,
    appId: items.requiredText("Package name of the app."),
    url: items.requiredText("URL of the review in the store."),
    ...otherFields,
    language: items.requiredText("Requested language."),
    country: items.requiredText("Requested country."),
    sort: items.requiredText("Requested order."),
    position: items.requiredInteger("Position among the app's reviews, from 1."),
  },
  example: { apps: ["org.mozilla.firefox"], maxReviewsPerApp: 50 },
  probe: {
    input: { apps: ["org.mozilla.firefox"], maxReviewsPerApp: 20 },
    expect: [
      "items.length gte 5",
      "items[*].rating gte 1",
      "items[*].rating lte 5",
      "items[*].text share 0.8",
      "items[*].publishedAt fresh 30",
    ],
  },
  rateLimit: playRateLimit,
  targets: (input) => input.apps,
  identify: namePlayApp,

  async *scrape(target, ctx) {
    const { appId } = readPlayApp(target)
    const { maxReviewsPerApp, sort, language, country } = ctx.input
    const call = ctx.upstream(playTable).reviewsCall
    const requested = { appId, call, sort: sorts[sort], language, country }
    let position = 0
    const request = async (token: string | null = null) => {
      const count = Math.min(pageSize, maxReviewsPerApp - position)
      const { reviews, next } = await reviewPage({ ...requested, count, token }, ctx)
      return { rows: reviews, next }
    }
    for await (const row of cursor(request, { cap: maxReviewsPerApp, keyOf: (row) => row.id })) {
      const url = `${playUrl(appId)}&reviewId=${encodeURIComponent(row.id)}`
      yield { ...row, appId, url, language, country, sort, position: ++position }
    }
    if (position === 0) await requireApp(appId, ctx)
  },
})

/** Google returns the same for an unknown app as for one without reviews. Throws NotFound. */
async function requireApp(
  appId: string,
  ctx: Context<{ language: string; country: string }>,
): Promise<void> {
  const { language, country } = ctx.input
  try {
    await playPage(appId, language, country, ctx)
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (error instanceof NotFound) throw error
    ctx.log(`Whether ${appId} exists is unknown: ${(error as Error).message}`, "warning")
  }
  ctx.log(`${appId} has no reviews in this language.`)
}
