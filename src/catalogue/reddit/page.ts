import {
  absoluteUrl,
  htmlToText,
  integerOrNull,
  isoDate,
  numberOrNull,
  parseCount,
  plainText,
  textOrNull,
} from "../../extract/core/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import type { Context } from "../kit/index.ts"
import type { Listing, Thing } from "./reddit.ts"

const site = "https://www.reddit.com"
const oldSite = "https://old.reddit.com"
/** Posts that a screen of the list brings in, at the least. */
const postsPerScreen = 3
const mostScreens = 60

const screensFor = (posts: number) => Math.min(mostScreens, Math.ceil(posts / postsPerScreen))

/**
 * The posts of a list as Reddit's page shows them, for where its data is refused. The page tells
 * less of a post: what it does not say is null.
 */
export async function shownPosts(url: string, limit: number, ctx: Context) {
  const what = "Reddit's list of posts"
  const page = await ctx.page(url, { has: "shreddit-post", what, scroll: screensFor(limit) })
  const posts = postsOn(page.document)
  if (posts.length === 0) throw page.lacks(what)
  return posts
}

export const postsOn = (document: Document) =>
  [...document.querySelectorAll("shreddit-post")].flatMap((element) => postData(element) ?? [])

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

/** The hits of a search as its page shows them, which tells little more than their titles. */
export async function shownHits(url: string, limit: number, ctx: Context) {
  const what = "Reddit's search results"
  const page = await ctx.page(url, { has: hitTitles, what, scroll: screensFor(limit) })
  const posts = hitsOn(page.document)
  if (posts.length === 0) throw page.lacks(what)
  return posts
}

const hitTitles = "a[data-testid=post-title]"

export const hitsOn = (document: Document) =>
  [...document.querySelectorAll(hitTitles)].flatMap((title) => {
    const href = title.getAttribute("href") ?? ""
    const [, subreddit, id] = /\/r\/([^/]+)\/comments\/([a-z0-9]+)/i.exec(href) ?? []
    if (!id) return []
    const unit = title.closest(
      "[data-testid=search-sdui-post], [data-testid=search-post-unit], search-telemetry-tracker",
    )
    const numbers = [...(unit?.querySelectorAll("faceplate-number") ?? [])].map((element) =>
      integerOrNull(element.getAttribute("number")),
    )
    const created = isoDate(unit?.querySelector("faceplate-timeago")?.getAttribute("ts"))
    return {
      id,
      subreddit,
      title: plainText(title),
      permalink: new URL(href, site).pathname,
      score: numbers[0],
      num_comments: numbers[1],
      created_utc: created ? Date.parse(created) / 1000 : null,
    }
  })

/** A thread of the old page in the form of the API: the post, and its comments in their tree. */
export async function shownThread(
  id: string,
  sort: string,
  ctx: Context,
): Promise<[Listing, Listing]> {
  const url = `${oldSite}/comments/${id}/?sort=${sort}&limit=500`
  const first = "#siteTable > .thing.link"
  const what = "Reddit's thread"
  const page = await ctx.page(url, { has: first, what, waitFor: "div.thing" })
  const post = page.document.querySelector(first)
  if (!post) throw page.lacks(what)
  const area = page.document.querySelector(".commentarea > .sitetable")
  return [
    { after: null, things: [{ kind: "t3", data: shownPost(post) }] },
    { after: null, things: area ? shownComments(area, `t3_${id}`) : [] },
  ]
}

function shownPost(thing: Element) {
  const data = (name: string) => textOrNull(thing.getAttribute(`data-${name}`))
  const domain = data("domain")
  const body = thing.querySelector(".expando .usertext-body .md")
  return {
    ...shownFields(thing),
    title: plainText(thing.querySelector("a.title")),
    subreddit: data("subreddit"),
    subreddit_id: data("subreddit-fullname"),
    num_comments: integerOrNull(data("comments-count")),
    url: absoluteUrl(data("url"), site),
    domain,
    is_self: domain?.startsWith("self.") ?? null,
    over_18: data("nsfw") === null ? null : data("nsfw") === "true",
    spoiler: data("spoiler") === null ? null : data("spoiler") === "true",
    link_flair_text: plainText(thing.querySelector(".linkflairlabel")),
    selftext: htmlToText(body?.innerHTML),
    selftext_html: body?.innerHTML ?? null,
    selftext_markdown: fragmentMarkdown(body?.innerHTML, site),
  }
}

function shownComments(table: Element, parent: string): Thing[] {
  return [...table.children]
    .filter((thing) => thing.matches(".thing.comment"))
    .map((thing) => {
      const fields = shownFields(thing)
      const body = thing.querySelector(":scope > .entry .usertext-body .md")
      const below = thing.querySelector(":scope > .child > .sitetable")
      return {
        kind: "t1",
        data: {
          ...fields,
          parent_id: parent,
          body: htmlToText(body?.innerHTML),
          body_html: body?.innerHTML ?? null,
          body_markdown: fragmentMarkdown(body?.innerHTML, site),
          replies: below
            ? { kind: "Listing", data: { children: shownComments(below, fields.name) } }
            : "",
        },
      }
    })
}

function shownFields(thing: Element) {
  const data = (name: string) => textOrNull(thing.getAttribute(`data-${name}`))
  const name = data("fullname") ?? ""
  const time = numberOrNull(data("timestamp"))
  const written = isoDate(
    thing.querySelector(":scope > .entry time[datetime]")?.getAttribute("datetime"),
  )
  const millis = time ?? (written ? Date.parse(written) : null)
  return {
    id: name.slice(3),
    name,
    author: data("author"),
    author_fullname: data("author-fullname"),
    permalink: data("permalink"),
    score: integerOrNull(data("score")) ?? shownScore(thing),
    created_utc: millis === null ? null : millis / 1000,
  }
}

const shownScore = (thing: Element) =>
  integerOrNull(thing.querySelector(":scope > .entry .score.unvoted")?.getAttribute("title"))

/** A user's profile of the old page, under the names of the API. */
export async function shownUser(name: string, ctx: Context) {
  const what = "Reddit's user profile"
  const url = `${oldSite}/user/${name}/submitted/?sort=new`
  const page = await ctx.page(url, { has: ".titlebox", what })
  const box = page.document.querySelector(".titlebox")
  const username = plainText(box?.querySelector("h1"))
  if (!box || !username) throw page.lacks(what)
  const created = isoDate(box.querySelector(".age time")?.getAttribute("datetime"))
  return {
    name: username,
    link_karma: parseCount(plainText(box.querySelector(".karma:not(.comment-karma)"))),
    comment_karma: parseCount(plainText(box.querySelector(".comment-karma"))),
    created_utc: created ? Date.parse(created) / 1000 : null,
  }
}
