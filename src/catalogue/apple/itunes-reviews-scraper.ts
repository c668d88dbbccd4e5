import { integerOrNull, isoDate, textOrNull, unseen } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  oneOf,
  partFailed,
  RateLimited,
  type Row,
  record,
  required,
  UpstreamError,
} from "../kit/index.ts"
import {
  itunes,
  itunesRateLimit,
  readStoreApp,
  requireStoreApp,
  storeRateLimit,
} from "./app-store.ts"
import { storeReviewPage } from "./app-store-page.ts"

/** Apple's feed ends after ten pages of 50 reviews. */
const maxPages = 10

const entry = record({
  id: required(field.text("id.label", "ID.")),
  title: field.title("title.label", "Title."),
  text: field.text("content.label", "Text of the review."),
  rating: required(field.integer("im:rating.label", "Stars, 1 to 5.")),
  version: field.text("im:version.label", "Version of the app that was reviewed."),
  author: field.title("author.name.label", "Name of the author."),
  authorUrl: field.text("author.uri.label", "URL of the author's other reviews."),
  updatedAt: field.time("updated.label", "Time of writing or editing (ISO 8601, UTC)."),
  voteSum: field.integer("im:voteSum.label", "Votes for the review minus votes against it."),
  voteCount: field.integer("im:voteCount.label", "Number of votes."),
  url: field.text("link.attributes.href", "URL of the review in the store."),
})

const { id, ...rest } = entry.fields
const item = {
  type: items.requiredText('Always "review".'),
  id,
  appId: items.requiredText("ID of the app."),
  country: items.requiredText("Country of the store (two letters)."),
  ...rest,
  source: oneOf(["rss", "page"], {
    description: "Source of the review: Apple's feed, or the app's page.",
  }),
  page: items.integer("Page of the feed, from 1; null for a review from the app's page."),
  position: items.requiredInteger("Position among the app's reviews, from 1."),
}

export default defineScraper({
  slug: "itunes-reviews-scraper",
  name: "iTunes Reviews",
  tagline: "App Store customer reviews from Apple's RSS feed, by app and country.",
  notServed: ["Android app reviews", "music"],
  category: "apps",
  input: {
    appIds: inputs.texts("App Store IDs or URLs, for example 570060128.", { max: 200 }),
    maxReviewsPerApp: inputs.count("Maximum reviews per app, over all countries", {
      max: 500,
      or: 100,
    }),
    countries: inputs.codes("Country codes of the stores, for example us or de.", {
      pattern: "^[A-Za-z]{2}$",
      max: 200,
      or: ["us"],
    }),
  },
  item,
  example: { appIds: ["324684580"], countries: ["us"], maxReviewsPerApp: 50 },
  probe: {
    input: { appIds: ["324684580"], countries: ["us"], maxReviewsPerApp: 10 },
    expect: [
      "items.length gte 3",
      'items[0].appId equals "324684580"',
      "items[*].rating gte 1",
      "items[*].rating lte 5",
      "items[*].text share 0.8",
      '?items[*].source equals "rss"',
      "?items[*].updatedAt fresh 60",
    ],
  },
  rateLimit: {
    "itunes.apple.com": { ...itunesRateLimit, perSecond: 1 },
    "apps.apple.com": storeRateLimit,
  },
  targets: (input) => input.appIds,
  identify: (target) => ({ input: target, appId: readStoreApp(target)?.id ?? null }),

  async *scrape(target, ctx) {
    const { id: appId } = requireStoreApp(target)
    const { maxReviewsPerApp, countries } = ctx.input
    let position = 0
    for (const country of countries.map((code) => code.toLowerCase())) {
      try {
        for await (const review of reviewsIn(appId, country, ctx)) {
          yield { type: "review", ...review, appId, country, position: ++position }
          if (position >= maxReviewsPerApp) return
        }
      } catch (error) {
        yield partFailed(ctx, error, { input: target, appId, country })
      }
    }
  },
})

/** Yields the reviews of the feed, which Apple no longer maintains, or those of the page. */
async function* reviewsIn(appId: string, country: string, ctx: Context) {
  const seen = new Set<string>()
  for (let page = 1; page <= maxPages; page++) {
    const { reviews, last } = await feedPage(appId, country, page, ctx)
    const fresh = unseen(reviews, seen, ({ id }) => id)
    for (const review of fresh) yield { ...review, source: "rss" as const, page }
    if (fresh.length === 0 || page >= last) break
  }
  if (seen.size > 0) return
  ctx.log(`The feed of ${appId} in ${country} is empty; reading the app's page.`)
  const { reviews } = await storeReviewPage(appId, country, ctx)
  if (reviews.length === 0) {
    ctx.log(`feed_empty: neither feed nor page of ${appId} has reviews in ${country}.`, "warning")
  }
  for (const { id, title, text, rating, author, publishedAt } of reviews) {
    const known = { id, title, text, rating, author, updatedAt: isoDate(publishedAt) }
    yield { ...empty, ...known, source: "page" as const, page: null }
  }
}

const empty = { version: null, authorUrl: null, voteSum: null, voteCount: null, url: null }

/** Returns a page of the feed; empty for an unknown app or after the last page. */
async function feedPage(appId: string, country: string, page: number, ctx: Context) {
  const path = `${country}/rss/customerreviews/page=${page}/id=${appId}/sortby=mostrecent/json`
  const response = await ctx.get(`${itunes}/${path}`, { accept: [400, 403, 404, 500] })
  if (response.status === 403) {
    throw new RateLimited("Apple temporarily refuses requests (status 403).", null, { response })
  }
  if (response.status === 500 && page > 1) {
    throw new UpstreamError(`Apple's feed fails on page ${page} (status 500).`, { response })
  }
  if (response.status >= 400) return { reviews: [], last: 0 }
  const feed = at(response.json<unknown>(), "feed")
  if (typeof feed !== "object" || feed === null) throw response.explainMissing("Apple's feed")
  const entries = [at(feed, "entry") ?? []].flat()
  const reviews = entries.filter(isReview).map((row) => entry.read(row))
  // Old feeds begin with the app itself, so a single entry may not be a review.
  if (entries.length > 1 && reviews.length === 0) throw response.explainMissing("readable reviews")
  const links = [at(feed, "link") ?? []].flat()
  const last = links.find((link) => at(link, "attributes", "rel") === "last")
  const href = String(at(last, "attributes", "href") ?? "")
  return { reviews, last: integerOrNull(/\/page=(\d+)/.exec(href)?.[1]) ?? maxPages }
}

const isReview = (row: unknown): row is Row =>
  textOrNull(at(row, "id", "label")) !== null &&
  integerOrNull(at(row, "im:rating", "label")) !== null
