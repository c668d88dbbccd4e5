import { type FeedEntry, readFeed } from "../../extract/feed/index.ts"
import { Changed, type Context, EmptyShell, type RequestOptions } from "../kit/index.ts"
import { sessionCookies, site, textsOf, unixSeconds } from "./reddit.ts"

/**
 * Returns the first posts of a list from its feed, in the form of the API but without scores and
 * comment counts. The operator's private feed token raises the limits.
 */
export async function feedPosts(path: string, query: FeedQuery, ctx: Context) {
  const { feed, details } = await openFeed(`${path}.rss`, query, ctx)
  const posts = [...feed.entries()].flatMap((entry) => postOf(entry) ?? [])
  if (posts.length === 0 && feed.entryCount > 0)
    throw new Changed("The entries of Reddit's feed are not posts.", { ...details, field: "id" })
  if (posts.length === 0) throw new EmptyShell("Reddit's feed has no posts.", details)
  return posts
}

/**
 * Returns a thread's post and its first comments. The feed does not contain the parents of
 * comments.
 */
export async function feedThread(id: string, sort: string, ctx: Context) {
  const { feed, details } = await openFeed(`/comments/${id}/.rss`, { sort, limit: 100 }, ctx)
  const entries = [...feed.entries()]
  const post = entries.map(postOf).find((post) => post?.id === id)
  if (!post)
    throw new Changed("Reddit's feed does not contain the post.", { ...details, field: "id" })
  return { post, comments: entries.flatMap(commentOf) }
}

/** Returns a user who has a feed; only the name is available. @throws NotFound */
export async function feedUser(name: string, ctx: Context) {
  const { feed } = await openFeed(`/user/${name}/.rss`, {}, ctx)
  const authors = [...feed.entries()].map(authorOf)
  const same = authors.find((author) => author?.toLowerCase() === name.toLowerCase())
  return { name: same ?? name }
}

type FeedQuery = NonNullable<RequestOptions["query"]>

/**
 * A missing feed does not prove that the user or list is missing.
 * @throws NotFound, and the error that explains a response without a feed
 */
async function openFeed(path: string, query: FeedQuery, ctx: Context) {
  const response = await ctx.get(`${site}${path}`, {
    identity: "browser",
    cookies: sessionCookies(ctx),
    query: { ...query, ...tokenOf(ctx.secret("REDDIT_FEED")) },
    headers: { accept: "application/atom+xml, application/xml;q=0.9" },
  })
  const feed = readFeed(response.text(), site)
  if (!feed) throw response.explainMissing("Reddit's feed")
  return { feed, details: { response } }
}

/**
 * Returns both parameters of a URL at reddit.com/prefs/feeds, in any form in which it was copied.
 */
function tokenOf(setting: string | undefined): Record<string, string> {
  const query = new URLSearchParams(setting?.slice(setting.indexOf("?") + 1))
  const [feed, user] = [query.get("feed"), query.get("user")]
  return feed && user ? { feed, user } : {}
}

function postOf(entry: FeedEntry) {
  const thing = thingOf(entry, /t3_\w+/)
  if (!thing) return null
  const content = entry.content ?? ""
  const link = /<a href="([^"]+)">\[link\]/.exec(content)?.[1]?.replaceAll("&amp;", "&")
  const target = URL.parse(link ?? "")
  return {
    ...thing,
    title: entry.title,
    subreddit: /^\/r\/([^/]+)/.exec(thing.permalink)?.[1] ?? null,
    is_self: link === undefined ? null : target?.pathname === thing.permalink,
    url: link ?? null,
    domain: target?.hostname ?? null,
    ...textsOf(textOf(content), "selftext"),
  }
}

function commentOf(entry: FeedEntry) {
  const thing = thingOf(entry, /t1_\w+/)
  const html = textOf(entry.content ?? "") ?? entry.content
  return thing ? [{ kind: "t1", data: { ...thing, ...textsOf(html, "body") } }] : []
}

/** Returns what posts and comments have in common; null if the entry's ID is of another kind. */
function thingOf(entry: FeedEntry, id: RegExp) {
  const name = id.exec(entry.guid ?? "")?.[0]
  const url = URL.parse(entry.url ?? "")
  if (!name || !url) return null
  return {
    id: name.slice(3),
    name,
    permalink: url.pathname,
    author: authorOf(entry),
    created_utc: unixSeconds(entry.publishedAt ?? entry.updatedAt),
  }
}

/** Returns the author's text, without the links that Reddit adds. */
const textOf = (content: string) => /<!-- SC_OFF -->(.*)<!-- SC_ON -->/s.exec(content)?.[1] ?? null

const authorOf = ({ author }: FeedEntry) => author?.replace(/^\/?u\//, "") ?? null
