import {
  absoluteUrl,
  integerOrNull,
  parseCount,
  plainText,
  textOrNull,
} from "../../extract/core/index.ts"
import type { Context } from "../kit/index.ts"
import { site, unixSeconds } from "./reddit.ts"

/** Minimum number of posts that one scroll adds to the list. */
const postsPerScreen = 3
const maxScreens = 60

const screensFor = (posts: number) => Math.min(maxScreens, Math.ceil(posts / postsPerScreen))

/**
 * Returns the posts of a list from Reddit's page, for when its data is refused. Fields that the
 * page lacks are null.
 */
export async function browserPosts(url: string, limit: number, ctx: Context) {
  const what = "Reddit's list of posts"
  const page = await ctx.page(url, { has: "shreddit-post", what, scroll: screensFor(limit) })
  const posts = postsOn(page.document)
  if (posts.length === 0) throw page.explainMissing(what)
  return posts
}

export const postsOn = (document: Document) =>
  [...document.querySelectorAll("shreddit-post")].flatMap((element) => postData(element) ?? [])

/** Returns a post element's attributes under the names of the API. */
function postData(element: Element) {
  const text = (name: string) => textOrNull(element.getAttribute(name))
  const name = text("id")
  const permalink = text("permalink")
  if (!name?.startsWith("t3_") || !permalink) return null
  const kind = text("post-type")
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
    created_utc: unixSeconds(text("created-timestamp")),
    is_self: kind === null ? null : kind === "text",
    is_video: kind === null ? null : kind === "video",
    is_gallery: kind === "gallery",
    url: absoluteUrl(text("content-href"), site),
    domain: text("domain"),
  }
}

/** Returns the hits of a search from its page: little more than their titles. */
export async function browserHits(url: string, limit: number, ctx: Context) {
  const what = "Reddit's search results"
  const page = await ctx.page(url, { has: hitTitles, what, scroll: screensFor(limit) })
  const posts = hitsOn(page.document)
  if (posts.length === 0) throw page.explainMissing(what)
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
    return {
      id,
      subreddit,
      title: plainText(title),
      permalink: new URL(href, site).pathname,
      score: numbers[0],
      num_comments: numbers[1],
      created_utc: unixSeconds(unit?.querySelector("faceplate-timeago")?.getAttribute("ts")),
    }
  })

/** Returns a user's profile from its page, under the names of the API. */
export async function userPage(name: string, ctx: Context) {
  const what = "Reddit's user profile"
  const refusal = { vendor: "Reddit", statuses: [403, 429] }
  const page = await ctx.page(`${site}/user/${name}/`, { has: profileParts, what, refusal })
  const { document } = page
  if (!document.querySelector(profileParts)) throw page.explainMissing(what)
  const karma = [...document.querySelectorAll("[data-testid=karma-number]")].map((element) =>
    parseCount(plainText(element)),
  )
  const day = document.querySelector("time[data-testid=cake-day], [data-testid=cake-day] time")
  // The page has karma of posts and comments separately, or one total.
  const [posts, comments] = karma.length > 1 ? karma : []
  return {
    name,
    link_karma: posts,
    comment_karma: comments,
    total_karma: karma.length === 1 ? karma[0] : undefined,
    created_utc: unixSeconds(day?.getAttribute("datetime")),
    subreddit: {
      title: plainText(document.querySelector("[data-testid=profile-display-name]")),
      public_description: plainText(document.querySelector("[data-testid=profile-description]")),
    },
  }
}

const profileParts = "[data-testid=karma-number], [data-testid=cake-day]"
