import { isoDate } from "../core/index.ts"
import { BlockReader } from "./block-html.ts"
import { escaped, type Json, textAt } from "./node-facts.ts"

/** Paths of a post's text in the data of forum software: Discourse, Flarum, NodeBB, Lemmy and others. */
const bodyPlaces = [
  ["cooked"],
  ["attributes", "contentHtml"],
  ["contentHtml"],
  ["bodyHtml"],
  ["body_html"],
  ["messageHtml"],
  ["comment", "content"],
  ["content"],
  ["body"],
  ["message"],
]
const authorPlaces = [
  ["display_username"],
  ["username"],
  ["user", "username"],
  ["user", "displayname"],
  ["user", "name"],
  ["author", "username"],
  ["author", "name"],
  ["creator", "name"],
  ["insertUser", "name"],
  ["author"],
  ["name"],
]
const timePlaces = [
  ["created_at"],
  ["attributes", "createdAt"],
  ["createdAt"],
  ["timestampISO"],
  ["comment", "published"],
  ["published"],
  ["dateInserted"],
  ["date"],
]
/** Objects that are looked at in all, and posts of one list; a page of a thread has some dozens. */
const maxObjects = 100_000
const maxPosts = 1_000
const postShare = 0.6

interface Post {
  html: string
  author: string
  time: string
}

/**
 * Returns the longest thread in a page's state as HTML. A list of posts is a thread if its entries have
 * an author and a time. Empty if the state has none.
 */
export function embeddedThread(states: Iterable<unknown>): string {
  let longest = ""
  const seen = new Set<unknown>()
  for (const state of states) {
    const stack: unknown[] = [state]
    while (stack.length > 0 && seen.size < maxObjects) {
      const value = stack.pop()
      if (typeof value !== "object" || value === null || seen.has(value)) continue
      seen.add(value)
      if (Array.isArray(value)) {
        const html = threadOf(value)
        if (html.length > longest.length) longest = html
      }
      for (const child of Object.values(value)) {
        if (typeof child === "object" && child !== null) stack.push(child)
      }
    }
  }
  return longest
}

function threadOf(values: unknown[]): string {
  const listed = values.slice(0, maxPosts)
  const posts = listed.map(readPost).filter((post) => post !== null)
  // Flarum lists users and discussions in addition to the posts.
  const isMixed = listed.some((value) => textAt(value, "type") === "posts")
  if (posts.length === 0 || (!isMixed && posts.length < listed.length * postShare)) return ""
  return posts.map(postHtml).join("")
}

function readPost(value: unknown): Post | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null
  const written = firstText(value as Json, bodyPlaces)
  const author = firstText(value as Json, authorPlaces)
  const time = isoDate(firstText(value as Json, timePlaces))
  const isFlarum = textAt(value, "type") === "posts"
  if (written === "" || !time || (author === "" && !isFlarum)) return null
  return { html: new BlockReader().html(written), author, time }
}

function firstText(object: Json, places: string[][]): string {
  for (const place of places) {
    const text = textAt(object, ...place)
    if (text) return text
  }
  return ""
}

function postHtml({ html, author, time }: Post): string {
  const head = [author, time.slice(0, 10)].filter((part) => part !== "").join(", ")
  return `<section><p>${escaped(head)}</p>${html}</section>`
}
