import { Type } from "@sinclair/typebox"
import {
  absoluteUrl,
  htmlToText,
  integerOrNull,
  plainText,
  plainTime,
  titleOrNull,
  unseen,
} from "../../extract/core/index.ts"
import type { FeedEntry } from "../../extract/feed/index.ts"
import {
  Blocked,
  Changed,
  type Context,
  defineScraper,
  inputs,
  items,
  oneOf,
  orNull,
  record,
  searchFeed,
} from "../kit/index.ts"

/** Bing's own categories have no reliable feed, so each is searched by its name. */
const categories =
  "world us business politics technology science entertainment sports health".split(" ")
const topStories = "top stories"
const root = "https://www.bing.com/news"

const article = record({
  type: items.requiredText('Always "article".'),
  title: items.requiredText("Headline."),
  url: items.requiredText("URL of the article."),
  bingUrl: items.requiredText("Bing's URL, which redirects to the article."),
  description: items.text("Beginning of the article."),
  publishedAt: items.text("Time of publication (ISO 8601, UTC)."),
  source: items.text("Publisher, as Bing writes it."),
  sourceName: items.text('Publisher, without the suffix "on MSN".'),
  imageUrl: items.text("URL of an image."),
  imageMaxWidth: items.integer("Maximum width of the image in pixels."),
  imageMaxHeight: items.integer("Maximum height of the image in pixels."),
})
type Article = ReturnType<typeof article.read>

interface FeedTarget {
  [key: string]: unknown
  query: string | null
  category: string | null
}

export default defineScraper({
  slug: "bing-news-scraper",
  name: "Bing News",
  tagline: "Bing News headlines by query or category, from the public RSS feed.",
  notServed: ["full article text"],
  category: "news",
  input: {
    queries: inputs.optionalTexts("Search words, for example electric cars.", {
      max: 200,
      maxLength: 500,
    }),
    categories: Type.Optional(
      Type.Array(oneOf(categories), {
        maxItems: 9,
        description: "News categories; each is searched by its name.",
      }),
    ),
    maxPerFeed: inputs.count("Maximum articles per feed; Bing lists about 12", {
      max: 100,
      or: 20,
    }),
  },
  item: {
    ...article.fields,
    query: items.text("Search query that found the article."),
    category: items.text("Category that found the article."),
    position: items.requiredInteger("Position in the feed, from 1."),
  },
  example: { queries: ["renewable energy"], maxPerFeed: 10 },
  probe: {
    input: { queries: ["climate"], maxPerFeed: 5 },
    expect: [
      "items.length gte 3",
      "items[*].title share 1",
      'items[*].url matches "^https?://(?!www\\\\.bing\\\\.com)"',
      "items[*].publishedAt fresh 7",
      "?items[*].source share 0.8",
    ],
  },
  rateLimit: { "www.bing.com": { perSecond: 1, concurrency: 1 } },
  fetchMethods: ["http", "browser-http", "browser", "unlocker"],
  targets: (input): FeedTarget[] => {
    const targets = [
      ...(input.queries ?? []).map((query) => ({ query, category: null })),
      ...(input.categories ?? []).map((category) => ({ query: null, category })),
    ]
    return targets.length > 0 ? targets : [{ query: topStories, category: null }]
  },
  identify: ({ query, category }) => ({ input: query ?? category, query, category }),

  async *scrape({ query, category }, ctx) {
    const words = category === null ? (query ?? topStories) : `${category} news`
    const result = await ctx.escalate(root, {
      http: (ctx) => feedOrList(words, ctx),
      "browser-http": (ctx) => feedOrList(words, ctx),
      browser: (ctx) => listArticles(words, ctx),
      unlocker: (ctx) => feedOrList(words, ctx),
    })
    const articles = result.slice(0, ctx.input.maxPerFeed)
    if (articles.length === 0) ctx.log(`Bing News has no articles for "${words}".`)
    for (const [index, found] of articles.entries()) {
      yield { ...found, query, category, position: index + 1 }
    }
  },
})

/**
 * Returns the articles of the feed, or those of the list if the feed is refused. Bing returns an
 * empty feed to some bots, so an empty one is checked against the list.
 * @throws the feed's refusal if the list is refused or empty as well
 */
async function feedOrList(words: string, ctx: Context): Promise<Article[]> {
  const feed = await feedArticles(words, ctx).catch((error) => {
    ctx.signal.throwIfAborted()
    if (!(error instanceof Blocked)) throw error
    return error
  })
  if (Array.isArray(feed) && feed.length > 0) return feed
  const listed = await orNull(ctx, "list of articles", () => listArticles(words, ctx))
  if (listed) return listed
  if (!Array.isArray(feed)) throw feed
  return feed
}

async function feedArticles(words: string, ctx: Context): Promise<Article[]> {
  const refusal = { statuses: [403, 429] }
  const query = { q: words, format: "rss" }
  const feed = await searchFeed(`${root}/search`, "Bing", ctx, { query, refusal })
  const articles = [...feed.entries()].flatMap((entry) => articleOf(entry) ?? [])
  if (feed.entryCount > 0 && articles.length === 0) {
    throw new Changed("Bing's feed contains no article with a title and a URL.")
  }
  return unseen(articles, new Set(), ({ url }) => identity(url))
}

/** Requests the fragments of Bing's endless list, which often work if the feed is refused. */
async function listArticles(words: string, ctx: Context): Promise<Article[]> {
  const what = "the list of articles"
  const response = await ctx.page(`${root}/infinitescrollajax`, {
    has: "div.newsitem",
    what,
    query: { q: words, InfiniteScroll: 1, first: 1, SFX: 0, form: "PTFTNR" },
  })
  const rows = [...response.document.querySelectorAll("div.newsitem")]
  const articles = rows.flatMap((row) => {
    const link = row.querySelector("a.title")
    const title = plainText(link)
    const bingUrl = absoluteUrl(link?.getAttribute("href"), response.url)
    if (!title || !bingUrl) return []
    const source = titleOrNull(link?.getAttribute("data-author"))
    const image = row.querySelector("a.imagelink img")
    return article.read({
      type: "article",
      title,
      url: target(bingUrl),
      bingUrl,
      description: plainText(row.querySelector("div.snippet")),
      source,
      sourceName: withoutMsn(source),
      imageUrl: absoluteUrl(image?.getAttribute("src"), response.url),
      // The list has no times, only ages such as 3h.
    })
  })
  if (articles.length === 0) throw response.explainMissing(what)
  return unseen(articles, new Set(), ({ url }) => identity(url))
}

/** Bing's own elements have a namespace whose URL contains the query. */
function articleOf({ title, publishedAt, node }: FeedEntry): Article | null {
  const bingUrl = node?.text("link")
  if (!title || !node || !bingUrl) return null
  const source = titleOrNull(node.text("?:source"))
  return article.read({
    type: "article",
    title,
    url: target(bingUrl),
    bingUrl,
    description: htmlToText(node.text("description")),
    publishedAt: plainTime(publishedAt),
    source,
    sourceName: withoutMsn(source),
    imageUrl: node.text("?:image")?.replace(/^http:/, "https:"),
    imageMaxWidth: integerOrNull(node.text("?:imagemaxwidth")),
    imageMaxHeight: integerOrNull(node.text("?:imagemaxheight")),
  })
}

const withoutMsn = (source: string | null) => source?.replace(/(?<!\s)\s+on MSN$/i, "") ?? null

/** Returns the article's URL from Bing's tracking URL. */
function target(link: string): string {
  const inner = URL.parse(link)?.searchParams.get("url") ?? ""
  return /^https?:\/\//i.test(inner) ? inner : link
}

/** Removes tracking parameters from an article's URL. */
function identity(href: string): string {
  const url = URL.parse(href)
  if (!url) return href
  for (const name of [...url.searchParams.keys()]) {
    if (/^utm_|^fbclid$/i.test(name)) url.searchParams.delete(name)
  }
  url.hash = ""
  return url.href
}
