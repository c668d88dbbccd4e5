import {
  type Context,
  defineScraper,
  distinctTargets,
  inputs,
  items,
  readRows,
  recordFields,
} from "../kit/index.ts"
import { browserPosts } from "./page.ts"
import { communityPart, redditPosts } from "./parts.ts"
import { redditPost, redditPostFields } from "./post.ts"
import { type Post, redditScraper, subredditName } from "./reddit.ts"

const sorts = ["hot", "new", "top", "rising", "controversial", "best"] as const
const timeframes = ["hour", "day", "week", "month", "year", "all"] as const

export default defineScraper({
  slug: "reddit-scraper",
  name: "Reddit",
  tagline: "Posts of any subreddit with score, comments, flair and media.",
  notServed: ["comments", "search by words"],
  ...redditScraper,
  input: {
    subreddits: inputs.texts(
      "Subreddit names, for example programming or r/programming, or URLs; popular, all and a+b also work.",
      { max: 200 },
    ),
    sort: inputs.choice(sorts, "Sort order of the posts.", "hot"),
    timeframe: inputs.choice(
      timeframes,
      "Time range; only for the orders top and controversial.",
      "day",
    ),
    limit: inputs.count("Maximum posts per subreddit", { max: 1000, or: 25 }),
  },
  item: {
    ...recordFields("post"),
    ...redditPostFields,
    position: items.requiredInteger("Position in the subreddit's list, from 1."),
  },
  example: { subreddits: ["programming"], limit: 10 },
  probe: {
    input: { subreddits: ["programming"], sort: "hot", limit: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      "items[*].author share 0.8",
      "items[*].createdAt fresh 14",
      "?items[*].score share 0.9",
      "?items[*].commentsCount share 0.9",
    ],
  },
  unverified: ["parts of the page"],
  targets: ({ subreddits }) => distinctTargets(subreddits, subredditName),

  async *scrape(target, ctx) {
    const { sort, timeframe, limit } = ctx.input
    const community = subredditName(target)
    const path = `/r/${community}/${sort}`
    const t = sort === "top" || sort === "controversial" ? timeframe : undefined
    const url = `https://www.reddit.com${path}/${t ? `?t=${t}` : ""}`
    const inBrowser = (ctx: Context) => browserPosts(url, limit, ctx)
    const list = { path, query: { t }, limit, inBrowser, part: communityPart(community, sort, t) }
    let position = 0
    const read = (data: Post) => {
      return { type: "post" as const, input: target, ...redditPost(data), position: ++position }
    }
    yield* readRows(redditPosts(list, ctx), read, ctx)
  },
})
