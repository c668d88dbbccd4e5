import { Type } from "@sinclair/typebox"
import { clip, type FeedEntry, feedPlainText } from "../../../extract/feed/index.ts"
import { normaliseUrl } from "../../../extract/links/index.ts"
import { defineScraper, inputs, items, oneOf, record } from "../../kit/index.ts"
import { allEntries, openFeed, publicFeedUrl } from "./feed-pages.ts"
import outlets from "./outlets.json"

type Outlet = keyof typeof outlets
const codes = Object.keys(outlets) as Outlet[]

const maxSummary = 500

const item = record({
  outlet: items.requiredText("Code of the outlet; custom for feeds of the input."),
  outletName: items.text("Name of the outlet, or title of the feed."),
  position: items.requiredInteger("Position in the feed, from 1."),
  title: items.requiredText("Headline of the article."),
  url: items.text("URL of the article, without tracking parameters."),
  summary: items.text("Summary as plain text, at most 500 characters."),
  author: items.text("Author; several authors are joined by commas."),
  publishedAt: items.text("Time of publication (ISO 8601, UTC)."),
  updatedAt: items.text("Time of the last change (ISO 8601, UTC)."),
  categories: items.texts("Topics of the article."),
  imageUrl: items.text("URL of an image of the article."),
  guid: items.text("Permanent ID of the entry in its feed."),
  language: items.text("Language of the feed."),
  feedUrl: items.requiredText("URL of the feed."),
  feedUpdated: items.text("Time of the feed's last change, as the feed states it (ISO 8601)."),
  fetchedAt: items.requiredText("Time of reading (ISO 8601)."),
})

type Source = { input: string; outlet: Outlet | "custom"; feedUrl: string }

export default defineScraper({
  slug: "frontpage-headlines-scraper",
  name: "Front-page Headlines",
  tagline: "The current top headlines of twelve news outlets, plus your own feeds.",
  notServed: ["search the news"],
  category: "news",
  fetchMethods: ["http"],
  input: {
    outlets: Type.Optional(
      Type.Array(oneOf(codes), {
        maxItems: 50,
        description: `News outlets: ${codes.join(", ")} (default: all).`,
      }),
    ),
    customFeeds: Type.Optional(
      inputs.texts("URLs of other feeds to read, for example https://example.com/feed.xml.", {
        min: 0,
        max: 100,
      }),
    ),
    maxPerOutlet: inputs.count("Maximum headlines per feed", { max: 100, or: 10 }),
  },
  item,
  example: { outlets: ["bbc", "guardian"], maxPerOutlet: 5 },
  probe: {
    input: { outlets: codes, maxPerOutlet: 1 },
    expect: [
      "items.length gte 11",
      "items[*].title share 1",
      "items[*].url share 1",
      "items[*].publishedAt fresh 2",
      "?items.length equals 12",
    ],
  },
  concurrency: 12,
  targets: (input): Source[] => {
    const requested = input.outlets?.length ? [...new Set(input.outlets)] : codes
    const custom = input.customFeeds ?? []
    return [
      ...requested.map((outlet) => ({ input: outlet, outlet, feedUrl: outlets[outlet].feed })),
      ...custom.map((feedUrl): Source => ({ input: feedUrl, outlet: "custom", feedUrl })),
    ]
  },
  identify: ({ outlet, feedUrl, input }) => ({
    input: publicFeedUrl(input),
    outlet,
    outletName: outlet === "custom" ? null : outlets[outlet].name,
    feedUrl: publicFeedUrl(feedUrl),
  }),

  async *scrape({ outlet, feedUrl }, ctx) {
    const { feed } = await openFeed(feedUrl, ctx)
    const source = {
      outlet,
      outletName: outlet === "custom" ? feed.title : outlets[outlet].name,
      feedUrl: publicFeedUrl(feedUrl),
      fetchedAt: ctx.now().toISOString(),
    }
    const seen = new Set<string>()
    let position = 0
    for await (const entry of allEntries(feed, ctx)) {
      const url = entry.url && withoutTracking(entry.url)
      if (entry.title === null || (url !== null && seen.has(url))) continue
      if (url !== null) seen.add(url)
      position++
      yield item.read({
        ...entry,
        ...source,
        title: entry.title,
        summary: firstParagraphs(entry),
        language: feed.language,
        feedUpdated: feed.updated,
        position,
        url,
      })
      if (position >= ctx.input.maxPerOutlet) return
    }
    if (position === 0) ctx.log(`${publicFeedUrl(feedUrl)} has no entries.`, "warning")
  },
})

/** The Guardian's descriptions end with links to the rest; the first paragraph is the summary. */
function firstParagraphs(entry: FeedEntry): string | null {
  const description = entry.node?.text("description", "summary")
  const lead = /^\s*<p>([\s\S]*?)<\/p>\s*</i.exec(description ?? "")?.[1]
  const summary = (lead && feedPlainText(lead)) || entry.summary
  return summary && clip(summary, maxSummary)
}

/** Matches parameters by which outlets count feed readers. `normaliseUrl` removes `utm_*`. */
const tracking = /^(?:at_\w+|cmpid|ito|xtor|traffic_source)=|^ref=rss$|^CMP=/i

/** Entries of live blogs differ only in fragments, so only those such as `#ref=rss` are removed. */
function withoutTracking(href: string): string {
  const url = new URL(normaliseUrl(href))
  const pairs = url.search.slice(1).split("&")
  url.search = pairs.filter((pair) => !tracking.test(pair)).join("&")
  const fragment = new URL(href).hash.slice(1)
  url.hash = tracking.test(fragment) || /^utm_/i.test(fragment) ? "" : fragment
  return url.href
}
