import { type Static, Type } from "@sinclair/typebox"
import {
  Blocked,
  type Context,
  defineScraper,
  distinctTargets,
  failsRun,
  inputObject,
  inputs,
  itemObject,
  nextWay,
  partFailed,
  recordFields,
} from "../kit/index.ts"
import { shownPosts } from "./page.ts"
import { redditPost, redditPostFields } from "./post.ts"
import { redditPace, redditPosts, subredditName } from "./reddit.ts"

const sorts = ["hot", "new", "top", "rising", "controversial", "best"] as const
const timeframes = ["hour", "day", "week", "month", "year", "all"] as const

const input = inputObject({
  subreddits: inputs.texts(
    "Names, with or without r/, or addresses; popular, all and a+b work too.",
    { max: 200 },
  ),
  sort: inputs.choice(sorts, "Order of the posts.", "hot"),
  timeframe: inputs.choice(
    timeframes,
    "Span of time for the order top (and controversial).",
    "day",
  ),
  limit: inputs.count("Most posts of a subreddit.", { max: 1000, or: 25 }),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "reddit-scraper",
  name: "Reddit",
  tagline: "Posts of any subreddit with score, comments, flair and media.",
  category: "social",
  tier: "premium",
  input,
  item: itemObject({
    ...recordFields("post"),
    ...redditPostFields,
    position: Type.Integer({ description: "Place in the subreddit's list, from 1." }),
  }),
  example: { subreddits: ["programming"], limit: 10 },
  pace: redditPace,
  access: ["http", "unlocker"],
  targets: ({ subreddits }) => distinctTargets(subreddits, subredditName),
  failsRun,

  async *scrape(target, ctx) {
    let position = 0
    try {
      for await (const post of posts(subredditName(target), ctx)) {
        yield { type: "post" as const, input: target, ...post, position: ++position }
      }
    } catch (error) {
      if (position === 0) throw error
      yield partFailed(ctx, error, { input: target })
    }
  },
})

async function* posts(name: string, ctx: Context<Input>) {
  const { sort, timeframe, limit } = ctx.input
  const t = sort === "top" || sort === "controversial" ? timeframe : undefined
  let given = 0
  try {
    for await (const data of redditPosts(`/r/${name}/${sort}`, { t }, limit, ctx)) {
      yield redditPost(data)
      given++
    }
  } catch (error) {
    if (!(error instanceof Blocked) || given > 0) throw error
    const span = t ? `?t=${t}` : ""
    const url = `https://www.reddit.com/r/${name}/${sort}/${span}`
    yield* await nextWay(ctx, error, "Chrome", () => shownPosts(url, limit, ctx))
  }
}
