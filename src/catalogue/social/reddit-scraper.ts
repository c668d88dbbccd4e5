import { Type } from "@sinclair/typebox"
import { partFailed } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, itemObject, oneOf } from "../fields.ts"
import { Blocked } from "../outcome.ts"
import { redditPace, redditPosts, subredditName } from "./reddit.ts"
import { shownPosts } from "./reddit-page.ts"
import { redditPost, redditPostFields } from "./reddit-post.ts"
import { distinctInputs, failsRun, nextWay, recordFields } from "./social.ts"

const sorts = ["hot", "new", "top", "rising", "controversial", "best"] as const
const timeframes = ["hour", "day", "week", "month", "year", "all"] as const

export default defineScraper({
  slug: "reddit-scraper",
  name: "Reddit",
  tagline: "Posts of any subreddit with score, comments, flair and media.",
  category: "social",
  tier: "premium",
  input: inputObject({
    subreddits: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 200,
      description: "Names, with or without r/, or addresses; popular, all and a+b work too.",
    }),
    sort: Type.Optional(oneOf(sorts, { default: "hot", description: "Order of the posts." })),
    timeframe: Type.Optional(
      oneOf(timeframes, {
        default: "day",
        description: "Span of time for the order top (and controversial).",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 25,
        description: "Most posts of a subreddit.",
      }),
    ),
  }),
  item: itemObject({
    ...recordFields("post"),
    ...redditPostFields,
    position: Type.Integer({ description: "Place in the subreddit's list, from 1." }),
  }),
  example: { subreddits: ["programming"], limit: 10 },
  pace: redditPace,
  access: ["http", "unlocker"],
  targets: ({ subreddits }) => distinctInputs(subreddits, subredditName),
  failsRun,

  async *scrape(input, ctx) {
    let position = 0
    try {
      for await (const post of posts(subredditName(input), ctx)) {
        yield { type: "post" as const, input, ...post, position: ++position }
      }
    } catch (error) {
      if (position === 0) throw error
      yield partFailed(ctx, error, { input })
    }
  },
})

async function* posts(name: string, ctx: Context<Input>) {
  const { sort = "hot", timeframe = "day", limit = 25 } = ctx.input
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

interface Input {
  sort?: (typeof sorts)[number]
  timeframe?: (typeof timeframes)[number]
  limit?: number
}
