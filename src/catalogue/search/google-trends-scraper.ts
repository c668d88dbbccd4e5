import { Type } from "@sinclair/typebox"
import { plainTime } from "../../extract/dates.ts"
import type { FeedNode } from "../../extract/feed-node.ts"
import type { Feed, FeedEntry } from "../../extract/feeds.ts"
import { parseCount } from "../../extract/numbers.ts"
import { htmlToText, titleOrNull } from "../../extract/text.ts"
import { defineScraper } from "../define.ts"
import { inputObject, integerField, itemObject, textField } from "../fields.ts"
import { given, inputs } from "../inputs.ts"
import { googleConsent, requireFeed } from "../news/search-feed.ts"
import { Changed, NotFound } from "../outcome.ts"

const root = "https://trends.google.com"

const item = itemObject({
  type: Type.String({ description: "Always trend." }),
  title: Type.String({ description: "What people search for." }),
  approxTraffic: integerField("At least so many searches."),
  approxTrafficText: textField("The same as Google writes it."),
  publishedAt: textField("When it became a trend (ISO 8601, UTC)."),
  pictureUrl: textField("A picture."),
  pictureSource: textField("Whose picture it is."),
  description: textField("Description; Google mostly leaves it empty."),
  newsItems: Type.Array(
    itemObject({
      title: textField("Headline."),
      url: textField("The article."),
      source: textField("Publisher."),
      snippet: textField("Beginning of the article."),
      pictureUrl: textField("The article's picture."),
    }),
    { description: "News behind the trend." },
  ),
  url: Type.String({ description: "The trend's page at Google Trends." }),
  geo: Type.String({ description: "Country or region." }),
  rank: Type.Integer({ description: "Place in the feed, from 1." }),
})

export default defineScraper({
  slug: "google-trends-scraper",
  name: "Google Trends",
  tagline: "Searches trending now in any country, with traffic and the news behind them.",
  category: "search",
  tier: "free",
  input: inputObject({
    geos: given(
      Type.Array(Type.String({ pattern: "^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$" }), {
        minItems: 1,
        maxItems: 200,
        description: "Country codes such as DE, or regions such as US-CA.",
      }),
      ["US"],
    ),
    maxPerGeo: inputs.count("Most trends of each place; Google gives about 10.", {
      max: 100,
      or: 20,
    }),
  }),
  item,
  example: { geos: ["US"], maxPerGeo: 10 },
  pace: { "trends.google.com": { perSecond: 1, concurrency: 1 } },
  targets: (input) => input.geos,
  identify: (geo) => ({ input: geo, geo: geo.toUpperCase() }),

  async *scrape(written, ctx) {
    const geo = written.toUpperCase()
    const answer = await ctx.get(`${root}/trending/rss`, {
      query: { geo },
      identity: "browser",
      cookies: googleConsent,
      accept: [400, 404],
    })
    if (answer.status >= 400) {
      throw new NotFound(`Google Trends has no feed for "${geo}" (status ${answer.status}).`, {
        url: answer.url,
        statusCode: answer.status,
      })
    }
    const feed = requireFeed(answer, "Google", ctx)
    const trends = trendsOf(feed).slice(0, ctx.input.maxPerGeo)
    if (trends.length === 0) ctx.log(`Google Trends lists nothing for ${geo}.`, "warning")
    for (const [index, trend] of trends.entries()) {
      const url = `${root}/trends/explore?q=${encodeURIComponent(trend.title)}&geo=${geo}`
      yield { ...trend, url, geo, rank: index + 1 }
    }
  },
})

function trendsOf(feed: Feed) {
  const trends = [...feed.entries()].flatMap((entry) => trendOf(entry) ?? [])
  if (feed.entryCount > 0 && trends.length === 0) {
    throw new Changed("Google's feed holds no trend with a title.")
  }
  return trends
}

/** Google's own elements are of the namespace `ht`, whose address has changed before. */
function trendOf({ title, published, node }: FeedEntry) {
  if (!title || !node) return null
  const traffic = node.text("?:approx_traffic")
  return {
    type: "trend",
    title,
    // "2천+" and other words for thousands are not read.
    approxTraffic: /^\s*[\d.,]+\s*[kmb]?\s*\+?\s*$/i.test(traffic ?? "")
      ? parseCount(traffic)
      : null,
    approxTrafficText: traffic,
    publishedAt: plainTime(published),
    pictureUrl: node.text("?:picture"),
    pictureSource: titleOrNull(node.text("?:picture_source")),
    description: htmlToText(node.text("description")),
    newsItems: node.all("?:news_item").map(newsItem),
  }
}

function newsItem(node: FeedNode) {
  return {
    title: titleOrNull(node.text("?:news_item_title")),
    url: node.text("?:news_item_url"),
    source: titleOrNull(node.text("?:news_item_source")),
    snippet: htmlToText(node.text("?:news_item_snippet")),
    pictureUrl: node.text("?:news_item_picture"),
  }
}
