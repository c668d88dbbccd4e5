import { htmlToText, plainTime } from "../../extract/core/index.ts"
import type { Feed, FeedNode } from "../../extract/feed/index.ts"
import {
  Changed,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  record,
  ScrapeError,
  searchFeed,
} from "../kit/index.ts"
import { googleFeedCookies } from "./google.ts"

const root = "https://trends.google.com"

type Entry = { node: FeedNode; publishedAt?: string | null }

/** Google's own elements have the namespace prefix `ht`; its URL has changed before. */
const own = (name: string) => (entry: Entry) => entry.node.text(`?:${name}`)

const trend = record({
  type: items.requiredText('Always "trend".'),
  title: items.requiredText("Search term."),
  approxTraffic: field.count(readableTraffic, "Minimum number of searches."),
  approxTrafficText: field.text(
    own("approx_traffic"),
    "Number of searches, as Google displays it.",
  ),
  publishedAt: field.text("publishedAt", "Start of the trend (ISO 8601, UTC).", plainTime),
  imageUrl: field.text(own("picture"), "URL of an image."),
  pictureSource: field.title(own("picture_source"), "Source of the image."),
  description: field.text(
    ({ node }: Entry) => node.text("description"),
    "Description; usually empty.",
    htmlToText,
  ),
  newsItems: field.objects(
    ({ node }: Entry) => node.all("?:news_item").map((news) => ({ node: news })),
    "News articles about the trend.",
    {
      title: field.title(own("news_item_title"), "Headline."),
      url: field.text(own("news_item_url"), "URL of the article."),
      source: field.title(own("news_item_source"), "Publisher."),
      snippet: field.text(own("news_item_snippet"), "Beginning of the article.", htmlToText),
      imageUrl: field.text(own("news_item_picture"), "Image of the article."),
    },
  ),
  url: items.requiredText("URL of the trend at Google Trends."),
  geo: items.requiredText("Country or region."),
  position: items.requiredInteger("Position in the feed, from 1."),
})

export default defineScraper({
  slug: "google-trends-scraper",
  name: "Google Trends",
  tagline: "Trending searches in any country, with traffic and the related news.",
  notServed: ["interest of one keyword over time"],
  category: "search",
  input: {
    geos: inputs.codes("Country codes, for example DE, or regions, for example US-CA.", {
      pattern: "^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$",
      max: 200,
      or: ["US"],
    }),
    maxPerGeo: inputs.count("Maximum trends per country or region; Google lists about 10", {
      max: 100,
      or: 20,
    }),
  },
  item: trend,
  example: { geos: ["US"], maxPerGeo: 10 },
  probe: {
    input: { geos: ["US"], maxPerGeo: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      "items[*].approxTraffic share 0.8",
      "items[*].publishedAt fresh 3",
      "items[*].newsItems share 0.8",
    ],
  },
  rateLimit: { "trends.google.com": { perSecond: 1, concurrency: 1 } },
  pages: { ofTarget: 1 },
  targets: (input) => input.geos,
  identify: (geo) => ({ input: geo, geo: geo.toUpperCase() }),

  async *scrape(written, ctx) {
    const geo = written.toUpperCase()
    const options = { query: { geo }, cookies: googleFeedCookies(ctx) }
    const feed = await searchFeed(`${root}/trending/rss`, "Google", ctx, options).catch((error) => {
      throw unknownPlace(error, geo)
    })
    const trends = trendsOf(feed).slice(0, ctx.input.maxPerGeo)
    if (trends.length === 0) ctx.log(`Google Trends has no trends for ${geo}.`, "warning")
    for (const [index, entry] of trends.entries()) {
      const url = `${root}/trends/explore?q=${encodeURIComponent(entry.title)}&geo=${geo}`
      yield trend.read({ ...entry, type: "trend", url, geo, position: index + 1 })
    }
  },
})

/** Countries and regions without a feed have one of two statuses. */
function unknownPlace(error: unknown, geo: string): unknown {
  const isUnknown = error instanceof ScrapeError && [400, 404].includes(error.statusCode ?? 0)
  if (!isUnknown) return error
  const { url, statusCode } = error
  const message = `Google Trends has no feed for "${geo}" (status ${statusCode}).`
  return new NotFound(message, { url, statusCode })
}

function trendsOf(feed: Feed) {
  const trends = [...feed.entries()].flatMap(({ title, publishedAt, node }) =>
    title && node ? { title, publishedAt, node } : [],
  )
  if (feed.entryCount > 0 && trends.length === 0) {
    throw new Changed("Google's feed contains no trend with a title.")
  }
  return trends
}

/** Numerals such as "2천+" are not supported. */
function readableTraffic(entry: Entry): string | null {
  const text = own("approx_traffic")(entry)
  return /^\s*[\d.,]+(?:\s*[kmb])?(?:\s*\+)?\s*$/i.test(text ?? "") ? text : null
}
