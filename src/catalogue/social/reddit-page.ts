import { isoDate } from "../../extract/dates.ts"
import { absoluteUrl } from "../../extract/html.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { textOrNull } from "../../extract/text.ts"
import type { Context } from "../define.ts"
import { redditPost } from "./reddit-post.ts"

const site = "https://www.reddit.com"
/** Posts that a screen of the list brings in, at the least. */
const postsPerScreen = 3
const mostScreens = 60

/**
 * The posts of a list as Reddit's page shows them, for where its data is refused. The page tells
 * less of a post: what it does not say is null.
 */
export async function shownPosts(url: string, limit: number, ctx: Context) {
  const page = await ctx.render(url, {
    waitFor: "shreddit-post",
    scroll: Math.min(mostScreens, Math.ceil(limit / postsPerScreen)),
  })
  const seen = new Set<string>()
  const posts = [...page.document.querySelectorAll("shreddit-post")].flatMap((element) => {
    const data = postData(element)
    if (!data || seen.has(data.id)) return []
    seen.add(data.id)
    return [redditPost(data)]
  })
  if (posts.length === 0) throw page.lacks("Reddit's list of posts")
  return posts.slice(0, limit)
}

/** A post element's attributes under the names that the API has for them. */
function postData(element: Element) {
  const text = (name: string) => textOrNull(element.getAttribute(name))
  const name = text("id")
  const permalink = text("permalink")
  if (!name?.startsWith("t3_") || !permalink) return null
  const kind = text("post-type")
  const created = isoDate(text("created-timestamp"))
  return {
    id: name.slice(3),
    name,
    permalink: new URL(permalink, site).pathname,
    title: text("post-title"),
    author: text("author"),
    author_fullname: text("author-id"),
    subreddit: text("subreddit-prefixed-name")?.replace(/^r\//, "") ?? null,
    subreddit_id: text("subreddit-id"),
    score: integerOrNull(text("score")),
    num_comments: integerOrNull(text("comment-count")),
    created_utc: created ? Date.parse(created) / 1000 : null,
    is_self: kind === null ? null : kind === "text",
    is_video: kind === null ? null : kind === "video",
    is_gallery: kind === "gallery",
    url: absoluteUrl(text("content-href"), site),
    domain: text("domain"),
  }
}
