import { isoDate } from "../core/index.ts"
import { at } from "../embedded/index.ts"
import { BlockReader } from "./block-html.ts"
import { escaped, type Json, numberAt, textAt } from "./node-facts.ts"

/**
 * Paths of a post's text in the data of forum software: Discourse, Flarum, NodeBB, Lemmy, Vanilla, and in
 * JSON-LD, which XenForo and others write.
 */
const bodyPaths = [
  ["cooked"],
  ["attributes", "contentHtml"],
  ["contentHtml"],
  ["bodyHtml"],
  ["body_html"],
  ["messageHtml"],
  ["comment", "content"],
  ["post", "body"],
  ["content"],
  ["body"],
  ["message"],
  ["articleBody"],
  ["text"],
]
const authorPaths = [
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
const timePaths = [
  ["created_at"],
  ["attributes", "createdAt"],
  ["createdAt"],
  ["timestampISO"],
  ["comment", "published"],
  ["post", "published"],
  ["published"],
  ["dateInserted"],
  ["datePublished"],
  ["dateCreated"],
  ["date"],
]
/** Paths of a post's number in its thread. */
const numberPaths = [["post_number"], ["attributes", "number"], ["index"]]
/** Keys of the answers to a post. */
const answerKeys = [
  "replies",
  "comment",
  "comments",
  "children",
  "answers",
  "acceptedAnswer",
  "suggestedAnswer",
]
const deepest = 30
/** Levels from a list of answers up to what also contains the first post, and down to it again. */
const levelsToFirst = 3
const maxNearFirst = 300
/** Objects that are looked at in all, and posts of one list; a page of a thread has some dozens. */
const maxObjects = 100_000
const maxPosts = 1_000
const postShare = 0.6

interface Post {
  html: string
  author: string
  time: string
}

/** A value of a state, and what holds it. */
interface Position {
  value: unknown
  above: Position | null
}

/**
 * Returns the longest thread in a page's state as HTML. A list of posts is a thread if its entries have
 * an author and a time, and so is a post with answers. Empty if the state has none.
 */
export function embeddedThread(states: Iterable<unknown>): string {
  let longest = ""
  const seen = new Set<unknown>()
  const read = new Set<unknown>()
  for (const state of states) {
    const stack: Position[] = [{ value: state, above: null }]
    while (stack.length > 0 && seen.size < maxObjects) {
      const position = stack.pop()!
      const { value } = position
      if (typeof value !== "object" || value === null || seen.has(value)) continue
      seen.add(value)
      const html = threadAt(position, read)
      if (html.length > longest.length) longest = html
      for (const child of Object.values(value)) {
        if (typeof child === "object" && child !== null) {
          stack.push({ value: child, above: position })
        }
      }
    }
  }
  return longest
}

/** `read` are the posts of threads so far, which are part of no other. */
function threadAt(position: Position, read: Set<unknown>): string {
  const { value } = position
  if (!Array.isArray(value)) {
    const posts = postsIn(value, noPeople, read)
    return posts.length > 1 ? posts.map(postHtml).join("") : ""
  }
  const listed = value.slice(0, maxPosts)
  const isFlarum = listed.some((one) => textAt(one, "type") === "posts")
  const people = isFlarum ? peopleOf(listed) : new Map<string, string>()
  const ordered = inOrder(listed)
  const threads = ordered
    .map((one) => postsIn(one, people, read))
    .filter((posts) => posts.length > 0)
  // Flarum lists users and discussions in addition to the posts.
  if (threads.length === 0 || (!isFlarum && threads.length < listed.length * postShare)) return ""
  const posts = threads.flat().slice(0, maxPosts)
  const first = firstPost(position, posts)
  return [...(first ? [first] : []), ...posts].map(postHtml).join("")
}

/** By the number in the thread, if the posts have one. */
function inOrder(listed: unknown[]): unknown[] {
  const numbers = new Map(listed.map((one) => [one, numberOf(one)]))
  const isNumbered = [...numbers].every(
    ([one, number]) => number !== null || !readPost(one, noPeople),
  )
  return isNumbered
    ? [...listed].sort((a, b) => (numbers.get(a) ?? 0) - (numbers.get(b) ?? 0))
    : listed
}

function numberOf(value: unknown): number | null {
  for (const path of numberPaths) {
    const number = at(value, ...path) === 0 ? 0 : numberAt(value, ...path)
    if (number !== undefined) return number
  }
  return null
}

const noPeople: ReadonlyMap<string, string> = new Map()

/** The names of Flarum's users by their IDs. */
function peopleOf(listed: unknown[]): Map<string, string> {
  const people = new Map<string, string>()
  for (const one of listed) {
    const id = textAt(one, "type") === "users" ? textAt(one, "id") : undefined
    const name = textAt(one, "attributes", "displayName") ?? textAt(one, "attributes", "username")
    if (id !== undefined && name !== undefined) people.set(id, name)
  }
  return people
}

/** Returns a post and the answers to it, in their order; empty if the value is not a post, or was read. */
function postsIn(
  value: unknown,
  people: ReadonlyMap<string, string>,
  read: Set<unknown>,
  depth = 0,
): Post[] {
  const post = read.has(value) ? null : readPost(value, people)
  if (!post) return []
  read.add(value)
  const answers = depth < deepest ? answerKeys.map((key) => (value as Json)[key]) : []
  return [
    post,
    ...answers
      .flatMap((list) => (Array.isArray(list) ? list.slice(0, maxPosts) : [list]))
      .flatMap((answer) => postsIn(answer, people, read, depth + 1)),
  ].slice(0, maxPosts)
}

/** Returns the post that the listed ones answer, if the state keeps it next to their list. */
function firstPost({ above }: Position, posts: Post[]): Post | null {
  const texts = new Set(posts.map(({ html }) => html))
  const earliest = posts.map(({ time }) => time).sort()[0]!
  let left = maxNearFirst
  const find = (value: unknown, depth: number): Post | null => {
    if (typeof value !== "object" || value === null || Array.isArray(value) || left-- <= 0) {
      return null
    }
    const post = readPost(value, noPeople)
    if (post && post.time <= earliest && !texts.has(post.html)) return post
    if (depth === levelsToFirst) return null
    for (const child of Object.values(value)) {
      const inner = find(child, depth + 1)
      if (inner) return inner
    }
    return null
  }
  let holder = above
  for (let level = 0; holder && level < levelsToFirst; level++, holder = holder.above) {
    const post = find(holder.value, 0)
    if (post) return post
  }
  return null
}

function readPost(value: unknown, people: ReadonlyMap<string, string>): Post | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null
  const written = firstText(value as Json, bodyPaths)
  const isFlarum = textAt(value, "type") === "posts"
  const userId = isFlarum ? textAt(value, "relationships", "user", "data", "id") : undefined
  const author = people.get(userId ?? "") ?? firstText(value as Json, authorPaths)
  const time = isoDate(firstText(value as Json, timePaths))
  if (written === "" || !time || (author === "" && !isFlarum)) return null
  return { html: new BlockReader().html(written), author, time }
}

function firstText(object: Json, paths: string[][]): string {
  for (const path of paths) {
    const text = textAt(object, ...path)
    if (text) return text
  }
  return ""
}

function postHtml({ html, author, time }: Post): string {
  const head = [author, time.slice(0, 10)].filter((part) => part !== "").join(", ")
  return `<section><p>${escaped(head)}</p>${html}</section>`
}
