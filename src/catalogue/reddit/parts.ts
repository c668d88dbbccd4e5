import { textOrNull } from "../../extract/core/index.ts"
import {
  Blocked,
  type Context,
  cursor,
  EmptyShell,
  NotFound,
  type RequestOptions,
  type UpstreamResponse,
} from "../kit/index.ts"
import { asApp, withApp, withSession } from "./app.ts"
import { feedPosts } from "./feed.ts"
import { hitsOn, postsOn } from "./page.ts"
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

const root = "/svc/shreddit/"

/** Returns the part of a community's page that adds more posts on scrolling. */
export function communityPart(community: string, sort: string, span?: string): string {
  const query = new URLSearchParams({ name: community, ...(span ? { t: span.toUpperCase() } : {}) })
  return `${root}community-more-posts/${sort}/?${query}`
}

/** Returns the part of a search's page that contains the hits. */
export const searchPart = (words: URLSearchParams, community: string | null) =>
  `${root}${community ? `r/${community}/` : ""}search/?${words}`

/** Returns whether a list continues at a part of the page instead of after an item's name. */
const isPart = (after: string | undefined) => after?.startsWith(root) === true

async function partPosts(part: string, ctx: Context) {
  const response = await pagePart(part, ctx)
  const isSearch = /^[^?]*\/search\//.test(part)
  const rows: Post[] = isSearch ? hitsOn(response.document) : postsOn(response.document)
  if (rows.length === 0) throw emptyPart(response, "posts")
  return { rows, next: nextOf(response.document) }
}

export const emptyPart = ({ url, status }: UpstreamResponse, what: string) =>
  new EmptyShell(`A part of Reddit's page has no ${what}.`, { url, statusCode: status })

/**
 * Requests a part of a page. Reddit returns parts only to browser-like connections, such as those
 * of the method `browser-http`.
 */
export function pagePart(part: string, ctx: Context): Promise<UpstreamResponse> {
  return pageOrError(`${site}${part}`, ctx, {
    headers: {
      accept: "text/vnd.reddit.partial+html, text/html;q=0.9",
      referer: `${site}/`,
      "sec-fetch-dest": "empty",
      "sec-fetch-mode": "cors",
      "sec-fetch-site": "same-origin",
    },
  }).catch((error) => {
    // Only the page proves that it does not exist: the part may have another URL.
    if (!(error instanceof NotFound)) throw error
    throw new EmptyShell("Reddit's page has no such part.", { url: error.url, statusCode: 404 })
  })
}

/** @throws Blocked, NotFound */
export async function pageOrError(url: string, ctx: Context, options: RequestOptions = {}) {
  const response = await ctx.get(url, { identity: "browser", accept: [403, 404], ...options })
  if (response.status === 403)
    throw new Blocked("Reddit refuses a part of its page (status 403).", "Reddit", { response })
  if (response.status === 404) throw new NotFound("No such page on Reddit.", { response })
  return response
}

function nextOf(document: Document): string | null {
  const more = document
    .querySelector("faceplate-partial[src*='-more-posts/'], faceplate-partial[src*='/search/']")
    ?.getAttribute("src")
  const url = URL.parse(more ?? "", site)
  return url?.origin === site && url.pathname.startsWith(root) ? url.pathname + url.search : null
}
