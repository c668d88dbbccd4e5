import { htmlToText } from "../../extract/core/index.ts"
import { type FeedEntry, readFeed } from "../../extract/feed/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import { type Context, EmptyShell, type RequestOptions } from "../kit/index.ts"
import { type Post, sessionCookies, site } from "./reddit.ts"

/**
 * The first posts of a list as its feed tells them, in the form of the API: without scores and
 * comments. The operator's private feed token lifts the limits for strangers.
 */
export async function feedPosts(
  path: string,
  query: NonNullable<RequestOptions["query"]>,
  ctx: Context,
): Promise<Post[]> {
  const answer = await ctx.get(`${site}${path}.rss`, {
    identity: "browser",
    cookies: await sessionCookies(ctx),
    accept: [404],
    query: { ...query, ...tokenOf(ctx.secret("REDDIT_FEED")) },
    headers: { accept: "application/atom+xml, application/xml;q=0.9" },
  })
  const feed = readFeed(answer.text(), site)
  // That there is no feed says nothing of the list.
  if (!feed) throw answer.lacks("Reddit's feed")
  const posts = [...feed.entries()].flatMap((entry): Post[] => {
    const post = postOf(entry)
    return post ? [post] : []
  })
  const details = { url: answer.url, statusCode: answer.status }
  if (posts.length === 0) throw new EmptyShell("Reddit's feed holds no posts.", details)
  return posts
}

/** Both parameters of the addresses at reddit.com/prefs/feeds, however they were copied. */
function tokenOf(setting: string | undefined): Record<string, string> {
  const query = new URLSearchParams(setting?.slice(setting.indexOf("?") + 1))
  const [feed, user] = [query.get("feed"), query.get("user")]
  return feed && user ? { feed, user } : {}
}

function postOf(entry: FeedEntry): Post | null {
  const name = /t3_\w+/.exec(entry.guid ?? "")?.[0]
  const url = URL.parse(entry.url ?? "")
  if (!name || !url) return null
  const content = entry.content ?? ""
  const text = /<!-- SC_OFF -->(.*)<!-- SC_ON -->/s.exec(content)?.[1] ?? null
  const link = /<a href="([^"]+)">\[link\]/.exec(content)?.[1]?.replaceAll("&amp;", "&")
  const isSelf = link !== undefined && URL.parse(link)?.pathname === url.pathname
  return {
    id: name.slice(3),
    name,
    permalink: url.pathname,
    title: entry.title,
    author: entry.author?.replace(/^\/?u\//, "") ?? null,
    subreddit: /^\/r\/([^/]+)/.exec(url.pathname)?.[1] ?? null,
    created_utc: entry.publishedAt === null ? null : Date.parse(entry.publishedAt) / 1000,
    is_self: link === undefined ? null : isSelf,
    url: link ?? null,
    domain: link === undefined ? null : (URL.parse(link)?.hostname ?? null),
    selftext: htmlToText(text),
    selftext_html: text,
    selftext_markdown: fragmentMarkdown(text, site),
  }
}
