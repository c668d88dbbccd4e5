import {
  type Context,
  defineScraper,
  distinctQueries,
  hitFields,
  identifyQuery,
  inputs,
  items,
  readRows,
} from "../kit/index.ts"
import { browserHits } from "./page.ts"
import { redditPosts, searchPart } from "./parts.ts"
import { redditPost, redditPostFields } from "./post.ts"
import { type Post, redditScraper, subredditName } from "./reddit.ts"

export default defineScraper({
  slug: "reddit-search-scraper",
  name: "Reddit Search",
  tagline: "Reddit posts that match a query, site-wide or in one subreddit.",
  notServed: ["comments"],
  ...redditScraper,
  input: {
    queries: inputs.texts(
      'Search words; operators such as title:, author:, self:yes and "phrases" work.',
      { max: 200, maxLength: 512 },
    ),
    subreddit: inputs.optionalText("Subreddit to search in, for example programming."),
    sort: inputs.choice(
      ["relevance", "hot", "top", "new", "comments"],
      "Sort order of the results.",
      "relevance",
    ),
    timeframe: inputs.choice(
      ["hour", "day", "week", "month", "year", "all"],
      "Time range of the posts.",
      "all",
    ),
    limit: inputs.count("Maximum posts per search", { max: 250, or: 25 }),
  },
  item: {
    ...hitFields("post"),
    ...redditPostFields,
    subredditFilter: items.text("Subreddit that was searched; null for all of Reddit."),
  },
  example: { queries: ["web scraping"], limit: 10 },
  probe: {
    input: { queries: ["web scraping"], limit: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      "items[*].subreddit share 1",
      "items[*].createdAt share 0.9",
      "?items[*].score share 0.9",
    ],
  },
  unverified: ["parts of the page"],
  targets: ({ queries, subreddit }) => {
    if (subreddit) subredditName(subreddit)
    return distinctQueries(queries)
  },
  identify: identifyQuery,

  async *scrape(query, ctx) {
    const { subreddit, sort, timeframe, limit } = ctx.input
    const filter = subreddit ? subredditName(subreddit) : null
    const path = filter ? `/r/${filter}/search` : "/search"
    const words = new URLSearchParams({ q: query, type: "posts", sort, t: timeframe })
    const url = `https://www.reddit.com${path}/?${words}`
    const list = {
      path,
      query: {
        q: query,
        type: "link",
        sort,
        t: timeframe,
        include_over_18: "on",
        ...(filter ? { restrict_sr: 1 } : {}),
      },
      limit,
      part: searchPart(words, filter),
      inBrowser: (ctx: Context) => browserHits(url, limit, ctx),
    }
    let position = 0
    const read = (data: Post) => {
      const post = redditPost(data)
      position++
      return { type: "post" as const, query, position, ...post, subredditFilter: filter }
    }
    yield* readRows(redditPosts(list, ctx), read, ctx)
  },
})
