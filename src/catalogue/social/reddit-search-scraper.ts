import { Type } from "@sinclair/typebox"
import { defineScraper, inputObject, itemObject, oneOf, textField } from "../define.ts"
import { redditPace, redditPosts } from "./reddit.ts"
import { redditPost, redditPostFields } from "./reddit-post.ts"
import { subredditName } from "./reddit-scraper.ts"
import { distinctQueries, failsRun, hitFields, identifyQuery } from "./social.ts"

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
    sort: Type.Optional(
      oneOf(["relevance", "hot", "top", "new", "comments"], {
        default: "relevance",
        description: "Order of the hits.",
      }),
    ),
    timeframe: Type.Optional(
      oneOf(["hour", "day", "week", "month", "year", "all"], {
        default: "all",
        description: "Span of time.",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 250,
        default: 25,
        description: "Most posts of a query.",
      }),
    ),
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
    const { subreddit, sort = "relevance", timeframe = "all", limit = 25 } = ctx.input
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
    for await (const data of found) {
      yield {
        type: "post" as const,
        query,
        position: ++position,
        ...redditPost(data),
        subredditFilter: filter,
      }
    }
  },
})
