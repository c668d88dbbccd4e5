import { textOrNull } from "../../extract/core/index.ts"
import { type Context, cursor } from "../kit/index.ts"
import { asApp, withApp, withSession } from "./app.ts"
import { feedPosts } from "./feed.ts"
import { isPart, partPosts } from "./parts.ts"
import { asMember, listingOf, type Post, type Query, type RedditRequest, site } from "./reddit.ts"

interface PostList {
  path: string
  query: Query
  limit: number
  /** Returns the first posts from Reddit's page in Chrome. */
  inBrowser(ctx: Context): Promise<Post[]>
  /** Path of the part of the page that contains the list, if there is one. */
  part?: string
}

/**
 * Yields the posts of a listing, each once. Reads its data, a part of its page, or the page in
 * Chrome. The first posts may come from the feed. The last fetch method is the operator's app.
 */
export function redditPosts(list: PostList, ctx: Context): AsyncGenerator<Post> {
  const { path, query, limit, inBrowser, part } = list
  let provided = 0
  const asData = (ask: RedditRequest, after: string | undefined) => async (ctx: Context) => {
    const wanted = Math.min(100, Math.max(1, limit - provided))
    const response = await ask(path, { ...query, limit: wanted, after }, ctx)
    const listing = listingOf(response.json(), response.url)
    const posts = listing.things.filter(({ kind }) => kind === "t3")
    return { rows: posts.map(({ data }) => data), next: listing.after }
  }
  const asFeed = async (ctx: Context) => {
    const rows = await feedPosts(path, { ...query, limit: Math.min(100, limit) }, ctx)
    ctx.log("Reddit refuses its data. The feed has no scores and no comment counts.", "warning")
    return { rows, next: null }
  }
  const page = async (after: string | undefined) => {
    const isFirst = after === undefined
    const from = isPart(after) ? after : isFirst ? part : undefined
    const { rows, next } = await ctx.escalate(site, {
      http: isPart(after) ? undefined : withSession(asData(asMember, after)),
      unlocker: from === undefined ? undefined : (ctx) => partPosts(from, ctx),
      "browser-http": from === undefined ? undefined : (ctx) => partPosts(from, ctx),
      browser: isFirst ? async (ctx) => ({ rows: await inBrowser(ctx), next: null }) : undefined,
      feed: isFirst ? asFeed : undefined,
      keys: isPart(after) ? undefined : withApp(asData(asApp, after)),
    })
    provided += rows.length
    return { rows, next }
  }
  return cursor(page, { cap: limit, keyOf: ({ name, id }) => textOrNull(name) ?? textOrNull(id) })
}
