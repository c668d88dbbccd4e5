import { integerOrNull, textOrNull } from "../../extract/core/index.ts"
import type { Context } from "../kit/index.ts"
import { postsOn } from "./page.ts"
import { emptyPart, pageOrError, pagePart } from "./parts.ts"
import { site, type Thing, textsOf, unixSeconds } from "./reddit.ts"

/** Returns a thread from its page and the part with its comments, without collapsed ones. */
export async function partThread(id: string, sort: string, ctx: Context) {
  const page = await pageOrError(`${site}/comments/${id}/?sort=${sort}`, ctx)
  const post = postOn(page.document, id)
  if (!post?.subreddit) throw emptyPart(page, "post")
  const response = await pagePart(commentsPart(page.document, post.subreddit, id, sort), ctx)
  const comments = commentsOn(response.document, ctx)
  if (comments.length === 0 && post.num_comments !== 0) throw emptyPart(response, "comments")
  return { post, comments }
}

/** Returns the URL of a thread's comments: from its page, else in the usual form. */
function commentsPart(document: Document, subreddit: string, id: string, sort: string): string {
  const partial = 'faceplate-partial[src*="/svc/shreddit/comments/r/"]'
  const url = URL.parse(document.querySelector(partial)?.getAttribute("src") ?? "", site)
  const usual = `/svc/shreddit/comments/r/${subreddit}/t3_${id}?render-mode=partial`
  const named = url?.origin === site && url.search ? `${url.pathname}${url.search}` : usual
  return `${named}&sort=${sort}`
}

/** Returns the same from the page in Chrome, which loads that part. */
export async function browserThread(id: string, sort: string, ctx: Context) {
  const what = "Reddit's thread"
  // Other posts on the page, for example advertisements, may have no comments.
  const has = `shreddit-comment, shreddit-post[id=t3_${id}][comment-count="0"]`
  const page = await ctx.page(`${site}/comments/${id}/?sort=${sort}`, { has, what })
  const post = postOn(page.document, id)
  if (!post) throw page.explainMissing(what)
  return { post, comments: commentsOn(page.document, ctx) }
}

function postOn(document: Document, id: string) {
  const element = document.querySelector(`shreddit-post[id=t3_${id}]`)
  const post = postsOn(document).find((post) => post.id === id)
  if (!element || !post) return null
  const body = "[slot=text-body]"
  const text = (element.querySelector(`${body} .md`) ?? element.querySelector(body))?.innerHTML
  return { ...post, ...textsOf(text, "selftext") }
}

function commentsOn(document: Document, ctx: Context): Thing[] {
  if (document.querySelector("faceplate-partial[src*='/more-comments/']"))
    ctx.log("Reddit's page collapses some comments; they are left out.", "warning")
  return [...document.querySelectorAll("shreddit-comment")].flatMap(commentOf)
}

/** Returns a comment. Comments name their parent at any depth. */
function commentOf(element: Element): Thing[] {
  const text = (name: string) => textOrNull(element.getAttribute(name))
  const name = text("thingid") ?? text("thingId")
  if (!name?.startsWith("t1_")) return []
  const body = element.querySelector(
    `[id="${name}-comment-rtjson-content"], [id="${name}-post-rtjson-content"]`,
  )
  const own = [...element.children].find((child) => child.getAttribute("slot") === "comment")
  const created = text("created") ?? element.querySelector("faceplate-timeago")?.getAttribute("ts")
  const data = {
    id: name.slice(3),
    name,
    parent_id: text("parentid") ?? text("parentId") ?? text("postid") ?? text("postId"),
    author: text("author"),
    permalink: text("permalink"),
    score: integerOrNull(text("score")),
    created_utc: unixSeconds(created),
    ...textsOf((body ?? own)?.innerHTML, "body"),
  }
  return [{ kind: "t1", data }]
}
