import { Type } from "@sinclair/typebox"
import {
  absoluteUrl,
  decodeEntities,
  foldSpace,
  htmlToText,
  parseDocument,
  plainText,
  plainTime,
  unseen,
} from "../../extract/core/index.ts"
import type { Feed, FeedEntry } from "../../extract/feed/index.ts"
import {
  Blocked,
  busyIsRateLimit,
  Changed,
  defineScraper,
  inputs,
  items,
  oneOf,
  RateLimited,
  type Row,
  record,
  searchFeed,
} from "../kit/index.ts"
import { googleFeedCookies } from "./google.ts"

const root = "https://news.google.com/rss"
const topics = "WORLD NATION BUSINESS TECHNOLOGY ENTERTAINMENT SCIENCE SPORTS HEALTH".split(" ")

const item = record({
  type: items.requiredText('Always "article".'),
  title: items.requiredText("Headline, without the source at its end."),
  url: items.requiredText("Google's URL, which redirects to the article."),
  articleUrl: items.text("Publisher's own URL; null if it cannot be decoded from Google's URL."),
  guid: items.text("Google's ID of the article."),
  publishedAt: items.text("Time of publication (ISO 8601, UTC)."),
  source: items.text("Publisher."),
  sourceUrl: items.text("URL of the publisher's site."),
  description: items.text("Description as plain text."),
  relatedArticles: items.objects("Articles that Google groups under this one, including itself.", {
    title: items.requiredText("Headline."),
    url: items.requiredText("Google's URL of the article."),
    source: items.text("Publisher."),
  }),
  query: items.text("Search query of the feed; null for other feeds."),
  topic: items.text("Topic of the feed; null for other feeds."),
  geo: items.text("Location of the feed; null for other feeds."),
  feed: items.text("Title of the feed."),
  language: items.requiredText("Requested language."),
  country: items.requiredText("Requested country."),
  position: items.requiredInteger("Position in the feed, from 1."),
})

type Kind = "query" | "topic" | "geo" | "top"
type FeedTarget = Row & { kind: Kind; value: string }

export default defineScraper({
  slug: "google-news-scraper",
  name: "Google News",
  tagline: "Google News headlines by search, topic or location, from the public RSS feeds.",
  notServed: ["full article text"],
  category: "news",
  input: {
    queries: inputs.optionalTexts(
      "Search words; Google operators work, for example when:7d, site:, intitle: or OR.",
      { max: 200 },
    ),
    topics: Type.Optional(
      Type.Array(oneOf(topics), { maxItems: 8, description: "Google News topics." }),
    ),
    geos: inputs.optionalTexts("Names of cities, regions or countries, for example Berlin.", {
      max: 200,
    }),
    language: inputs.textOr("Language code, for example en.", "en", {
      pattern: "^[A-Za-z]{2}(-\\w+)?$",
    }),
    country: inputs.textOr("Two-letter country code, for example us.", "US", {
      pattern: "^[A-Za-z]{2}$",
    }),
    maxPerFeed: inputs.count("Maximum articles per feed; Google lists up to 100", {
      max: 100,
      or: 50,
    }),
  },
  item,
  example: { queries: ["electric cars"], language: "en", country: "US", maxPerFeed: 20 },
  probe: {
    input: { queries: ["climate"], language: "en", country: "US", maxPerFeed: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      "items[*].publishedAt fresh 60",
      "items[*].source share 1",
      'items[*].url matches "^https://"',
    ],
  },
  rateLimit: { "news.google.com": { perSecond: 2, concurrency: 2 } },
  pages: { ofTarget: 1 },
  targets: (input): FeedTarget[] => {
    const targets = [
      ...(input.queries ?? []).map((value) => ({ kind: "query" as const, value })),
      ...(input.topics ?? []).map((value) => ({ kind: "topic" as const, value })),
      ...(input.geos ?? []).map((value) => ({ kind: "geo" as const, value })),
    ]
    return targets.length > 0 ? targets : [{ kind: "top", value: "top stories" }]
  },
  identify: ({ kind, value }) => ({ input: value, ...purpose({ kind, value }) }),

  async *scrape(target, ctx) {
    const written = ctx.input.language
    const language = written.length === 2 ? written.toLowerCase() : written
    const country = ctx.input.country.toUpperCase()
    const call = searchFeed(`${root}${pathOf(target)}`, "Google", ctx, {
      query: {
        q: target.kind === "query" ? target.value : undefined,
        hl: language === "en" ? `en-${country}` : language,
        gl: country,
        ceid: `${country}:${language === "pt-BR" ? "pt-419" : language}`,
      },
      cookies: googleFeedCookies(ctx),
    })
    const feed = await busyIsRateLimit(call).catch((error) => {
      throw captchaIsRateLimit(error)
    })
    for (const [index, article] of articlesOf(feed).slice(0, ctx.input.maxPerFeed).entries()) {
      yield item.read({
        ...article,
        ...purpose(target),
        feed: feed.title,
        language,
        country,
        position: index + 1,
      })
    }
  },
})

/** Google's captcha means too many requests; any other page instead of a feed is a challenge. */
function captchaIsRateLimit(error: unknown): unknown {
  if (!(error instanceof Blocked) || (error.statusCode !== 429 && error.statusCode !== 503)) {
    return error
  }
  const { url, statusCode } = error
  const message = `Google limits the rate of requests (status ${statusCode}).`
  return new RateLimited(message, null, { url, statusCode })
}

function pathOf({ kind, value }: FeedTarget): string {
  if (kind === "query") return "/search"
  if (kind === "topic") return `/headlines/section/topic/${value}`
  if (kind === "geo") return `/headlines/section/geo/${encodeURIComponent(value)}`
  return ""
}

function purpose({ kind, value }: FeedTarget) {
  const is = (other: Kind) => (kind === other ? value : null)
  return { query: is("query"), topic: is("topic"), geo: is("geo") }
}

function articlesOf(feed: Feed) {
  const entries = [...feed.entries()]
  const articles = entries.flatMap((entry) => articleOf(entry) ?? [])
  if (entries.length > 0 && articles.length === 0) {
    throw new Changed("Google's feed contains no article with a title and a URL.")
  }
  return unseen(articles, new Set(), ({ guid, url }) => guid ?? url)
}

function articleOf(entry: FeedEntry) {
  const { node, url } = entry
  const source = node?.text("source") ?? null
  const title = entry.title && withoutSource(entry.title, source)
  if (!title || !url) return null
  const description = node?.text("description") ?? null
  return {
    type: "article",
    title,
    url,
    articleUrl: publisherUrl(url),
    guid: entry.guid,
    publishedAt: plainTime(entry.publishedAt),
    source,
    sourceUrl: node?.first("source")?.attribute("url") ?? null,
    description: htmlToText(description),
    relatedArticles: relatedIn(description),
  }
}

/** Titles may contain the separator themselves, so only the source's own name is removed. */
function withoutSource(title: string, source: string | null): string {
  const ending = source === null ? "" : ` - ${foldSpace(decodeEntities(source))}`
  return ending !== "" && title.endsWith(ending) ? title.slice(0, -ending.length) : title
}

function relatedIn(description: string | null) {
  if (!description?.includes("<li>")) return []
  return [...parseDocument(description).querySelectorAll("li")].flatMap((row) => {
    const link = row.querySelector("a[href]")
    const title = plainText(link)
    const url = absoluteUrl(link?.getAttribute("href"), root)
    return title && url ? [{ title, url, source: plainText(row.querySelector("font")) }] : []
  })
}

/**
 * Decodes the publisher's URL from Google's URL of an article.
 * IDs of older articles are a protobuf with the URL (bytes 08 13 22, its length, itself). Returns
 * null for current IDs, which do not contain it.
 */
function publisherUrl(url: string): string | null {
  const id = /\/articles\/([\w-]+)/.exec(url)?.[1]
  const bytes = id ? bytesOf(id) : null
  if (bytes?.[0] !== 0x08 || bytes[1] !== 0x13 || bytes[2] !== 0x22) return null
  const long = bytes[3]! > 0x7f
  const length = long ? (bytes[3]! & 0x7f) | (bytes[4]! << 7) : bytes[3]!
  const start = long ? 5 : 4
  const href = new TextDecoder().decode(bytes.subarray(start, start + length))
  return /^https?:\/\/[^\s]+$/.test(href) && URL.canParse(href) ? href : null
}

function bytesOf(id: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(id.replace(/(?<!=)=+$/, ""), { alphabet: "base64url" })
  } catch {
    return null
  }
}
