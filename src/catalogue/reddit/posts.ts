import { Blocked, type Context, cursor, orNull, type RequestOptions } from "../kit/index.ts"
import { feedPosts } from "./feed.ts"
import { isPart, partPosts } from "./parts.ts"
import { listingOf, type Post, type Query, reddit, sessionCookies } from "./reddit.ts"

const site = "https://www.reddit.com"

interface PostList {
  path: string
  query: Query
  /** The most posts. */
  limit: number
  /** The first of them as Reddit's page shows them to Chrome. */
  shown(ctx: Context): Promise<Post[]>
  /** The part of a page that holds the list, where there is one. */
  part?: string
}

/**
 * The posts of a listing, each once: as data, as a part of its page, as Chrome shows the page; the
 * first ones at last as the feed tells them.
 */
export function redditPosts(list: PostList, ctx: Context): AsyncGenerator<Post> {
  const { path, query, limit, shown, part } = list
  let given = 0
  const asData = async (after: string | undefined, ctx: Context) => {
    const wanted = Math.min(100, Math.max(1, limit - given))
    const answer = await reddit(path, { ...query, limit: wanted, after }, ctx)
    const listing = listingOf(answer.json(), answer.url)
    const posts = listing.things.filter(({ kind }) => kind === "t3")
    return { rows: posts.map(({ data }) => data), next: listing.after }
  }
  const page = async (after: string | undefined) => {
    const isFirst = after === undefined
    const from = isPart(after) ? after : isFirst ? part : undefined
    const { rows, next } = await ctx
      .escalate(site, {
        http: isPart(after) ? undefined : (ctx) => asData(after, ctx),
        "chrome-net": from === undefined ? undefined : (ctx) => partPosts(from, ctx),
        browser: isFirst ? async (ctx) => ({ rows: await shown(ctx), next: null }) : undefined,
      })
      .catch((refused) => {
        if (!isFirst || !(refused instanceof Blocked)) throw refused
        return asFeed(list, refused, ctx)
      })
    given += rows.length
    return { rows, next }
  }
  return cursor(page, { cap: limit, keyOf: (post) => String(post.name ?? post.id) })
}

/** @throws the refusal of the data where the feed fails or is empty */
async function asFeed({ path, query, limit }: PostList, refused: Blocked, ctx: Context) {
  const options: RequestOptions = { identity: "browser", cookies: await sessionCookies(ctx) }
  const wanted = { ...query, limit: Math.min(100, limit) }
  const rows = await orNull(ctx, "feed", () => feedPosts(path, wanted, options, ctx))
  if (!rows?.length) throw refused
  ctx.log("Reddit refuses its data; its feed tells no scores and no comments.", "warning")
  return { rows, next: null }
}
