import { JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  distinctQueries,
  Forbidden,
  hitFields,
  identifyQuery,
  inputs,
  orNull,
  RateLimited,
  readRows,
  StaleKey,
} from "../kit/index.ts"
import { postOf, xPost, xPostFields } from "./post.ts"
import { hasXSession, type XCall, xCookies, xGraphql, xScraper, xSite } from "./x.ts"

const pageSize = 20
/** Maximum number of consecutive pages without a post. */
const maxEmptyPages = 3

type Input = { maxTweets: number; latest: boolean }

export default defineScraper({
  slug: "twitter-search-scraper",
  name: "X (Twitter) Search",
  tagline: "Posts on X (Twitter) that match a query, top or latest.",
  notServed: ["profile facts"],
  ...xScraper,
  input: {
    queries: inputs.texts(
      "Search words, for example bun javascript, hashtags and operators such as from:, since:, min_faves: or lang:.",
      { max: 100, maxLength: 512 },
    ),
    maxTweets: inputs.count("Maximum posts per search", { max: 500, or: 20 }),
    latest: inputs.flag("Whether to return the latest posts instead of the top ones."),
  },
  item: { ...hitFields("tweet"), ...xPostFields },
  example: { queries: ["web scraping"], maxTweets: 10 },
  probe: {
    input: { queries: ["nasa"], maxTweets: 5 },
    expect: [
      "items.length equals 5",
      'items[*].id matches "^\\\\d{15,}$"',
      "items[*].text share 0.9",
      "items[*].createdAt share 1",
      "?items[*].viewsCount share 0.6",
    ],
  },
  unverified: ["x-client-transaction-id", "Chrome"],
  targets: ({ queries }) => distinctQueries(queries),
  identify: identifyQuery,

  async *scrape(query, ctx) {
    if (!hasXSession(ctx)) {
      throw new Forbidden(
        "X's search needs a signed-in session. The operator can set X_AUTH_TOKEN and X_CT0.",
        { code: "missing_credentials" },
      )
    }
    const { maxTweets } = ctx.input
    let position = 0
    for await (const post of readRows(posts(query, ctx), xPost, ctx)) {
      yield { type: "tweet" as const, query, position: ++position, ...post }
      if (position >= maxTweets) return
    }
  },
})

type Page = { posts: JsonReader[]; cursor: string | null }

/** Yields the posts of a query, each once, page by page. */
async function* posts(query: string, ctx: Context<Input>): AsyncGenerator<JsonReader> {
  const seen = new Set<string>()
  let cursor: string | null = null
  for (let empty = 0; empty < maxEmptyPages; ) {
    const page = await nextPage(query, cursor, seen.size, ctx)
    if (!page) return
    const before = seen.size
    for (const post of page.posts) {
      const id = post.text("rest_id")!
      if (seen.has(id)) continue
      seen.add(id)
      yield post
    }
    if (!page.cursor || page.cursor === cursor || (page.posts.length > 0 && seen.size === before))
      return
    empty = page.posts.length === 0 ? empty + 1 : 0
    cursor = page.cursor
  }
}

/** Returns null if the rate limit ends a list that has started. */
async function nextPage(query: string, cursor: string | null, match: number, ctx: Context<Input>) {
  try {
    return await ctx.escalate(xSite, {
      http: (ctx) => fetchPage(query, cursor, ctx),
      browser: cursor === null ? (ctx) => visiblePage(query, ctx) : undefined,
    })
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (error instanceof RateLimited && match > 0) {
      ctx.log(`Partial: ${error.message}`, "warning")
      return null
    }
    if (cursor || !(error instanceof Changed || error instanceof StaleKey)) throw error
    // X's own scripts know the current query, whatever has changed.
    const visible = await orNull(ctx, "posts in Chrome", () => visiblePage(query, ctx))
    if (!visible) throw error
    return visible
  }
}

async function fetchPage(query: string, cursor: string | null, ctx: Context<Input>): Promise<Page> {
  const call: XCall = {
    operation: "SearchTimeline",
    variables: {
      rawQuery: query,
      count: pageSize,
      querySource: "typed_query",
      product: ctx.input.latest ? "Latest" : "Top",
      ...(cursor ? { cursor } : {}),
    },
    toggles: { withArticleRichContentState: false },
    mode: "session",
  }
  return pageOf(await xGraphql(call, ctx))
}

/** Reads the session's page in Chrome, from the responses that it loaded. */
async function visiblePage(query: string, ctx: Context<Input>): Promise<Page> {
  const live = ctx.input.latest ? "&f=live" : ""
  const url = `${xSite}/search?q=${encodeURIComponent(query)}&src=typed_query${live}`
  const what = "the search's posts"
  const page = await ctx.page(url, {
    has: ({ captured }) => captured.length > 0,
    what,
    scripted: true,
    cookies: xCookies(ctx),
    capture: /\/SearchTimeline/,
    scroll: Math.ceil(ctx.input.maxTweets / 5),
  })
  if (page.captured.length === 0) throw page.explainMissing(what)
  // X's scripts repeat a refused request.
  const good = page.captured.filter(({ status }) => status < 400)
  const pages = (good.length > 0 ? good : page.captured).map((response) =>
    pageOf(new JsonReader(response.json({ bigIntegers: true })).in("data")),
  )
  return { posts: pages.flatMap(({ posts }) => posts), cursor: null }
}

function pageOf(data: JsonReader): Page {
  const timeline = data.in("search_by_raw_query", "search_timeline", "timeline")
  if (!timeline.has("instructions")) throw new Changed("X's response has no search results.")
  const entries = timeline
    .list("instructions")
    .flatMap((instruction) => [
      ...instruction.list("entries"),
      ...(instruction.has("entry") ? [instruction.in("entry")] : []),
    ])
  let cursor: string | null = null
  let tweets = 0
  const matches = entries.flatMap((entry) => {
    const id = entry.text("entryId") ?? ""
    if (id.startsWith("cursor-bottom-")) cursor = entry.text("content", "value")
    if (!id.startsWith("tweet-")) return []
    tweets++
    return postOf(entry.in("content", "itemContent", "tweet_results", "result")) ?? []
  })
  if (tweets > 0 && matches.length === 0) throw new Changed("X's search results have no posts.")
  if (entries.length > 0 && entries.every((entry) => !entry.has("entryId")))
    throw new Changed("X's search results have entries without an ID.")
  return { posts: matches, cursor }
}
