import { Type } from "@sinclair/typebox"
import {
  Blocked,
  defineScraper,
  distinctQueries,
  failsRun,
  hitFields,
  identifyQuery,
  inputObject,
  inputs,
  itemObject,
  nextWay,
  partFailed,
  textField,
} from "../kit/index.ts"
import { shownHits } from "./page.ts"
import { redditPost, redditPostFields } from "./post.ts"
import { redditPace, redditPosts, subredditName } from "./reddit.ts"

export default defineScraper({
  slug: "reddit-search-scraper",
  name: "Reddit Search",
  tagline: "Reddit posts that match a query, site-wide or in one subreddit.",
  category: "social",
  tier: "premium",
  input: inputObject({
    queries: Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
      minItems: 1,
      maxItems: 200,
      description: 'Words and operators such as title:, author:, self:yes, "quoted words".',
    }),
    subreddit: Type.Optional(Type.String({ description: "Search in this subreddit only." })),
    sort: inputs.choice(
      ["relevance", "hot", "top", "new", "comments"],
      "Order of the hits.",
      "relevance",
    ),
    timeframe: inputs.choice(
      ["hour", "day", "week", "month", "year", "all"],
      "Span of time.",
      "all",
    ),
    limit: inputs.count("Most posts of a query.", { max: 250, or: 25 }),
  }),
  item: itemObject({
    ...hitFields("post"),
    ...redditPostFields,
    subredditFilter: textField("The subreddit that was searched; null for all of Reddit."),
  }),
  example: { queries: ["web scraping"], limit: 10 },
  pace: redditPace,
  access: ["http", "unlocker"],
  targets: ({ queries, subreddit }) => {
    if (subreddit) subredditName(subreddit)
    return distinctQueries(queries)
  },
  identify: identifyQuery,
  failsRun,

  async *scrape(query, ctx) {
    const { subreddit, sort, timeframe, limit } = ctx.input
    const filter = subreddit ? subredditName(subreddit) : null
    const path = filter ? `/r/${filter}/search` : "/search"
    const found = redditPosts(
      path,
      {
        q: query,
        type: "link",
        sort,
        t: timeframe,
        include_over_18: "on",
        ...(filter ? { restrict_sr: 1 } : {}),
      },
      limit,
      ctx,
    )
    let position = 0
    const hit = (post: ReturnType<typeof redditPost>) => ({
      type: "post" as const,
      query,
      position: ++position,
      ...post,
      subredditFilter: filter,
    })
    try {
      for await (const data of found) yield hit(redditPost(data))
    } catch (error) {
      if (position > 0) {
        yield partFailed(ctx, error, identifyQuery(query))
        return
      }
      if (!(error instanceof Blocked)) throw error
      const words = new URLSearchParams({ q: query, type: "posts", sort, t: timeframe })
      const url = `https://www.reddit.com${path}/?${words}`
      for (const post of await nextWay(ctx, error, "Chrome", () => shownHits(url, limit, ctx))) {
        yield hit(post)
      }
    }
  },
})
