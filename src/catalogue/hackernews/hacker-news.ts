import { htmlToText, integerOrNull } from "../../extract/core/index.ts"
import { Changed, type Context, type Row } from "../kit/index.ts"

const firebase = "https://hacker-news.firebaseio.com/v0"
export const algolia = "https://hn.algolia.com/api/v1"

export const hackerNewsRateLimit = {
  "hacker-news.firebaseio.com": { perSecond: 20, concurrency: 10 },
  // Algolia allows 10,000 requests per hour.
  "hn.algolia.com": { perSecond: 2, concurrency: 2 },
}

/** An item of the Firebase API; every field except the ID may be missing. */
export type FirebaseItem = Row & { id: number }

/** Returns an item, or null for an ID that does not exist (yet). Throws Changed. */
export async function firebaseItem(id: number, ctx: Context): Promise<FirebaseItem | null> {
  const item = await ctx.json<FirebaseItem | null>(`${firebase}/item/${id}.json`, { scalars: true })
  if (item === null) return null
  if (integerOrNull(item?.id) !== id) throw new Changed(`Hacker News returned no item for ${id}.`)
  return { ...item, id }
}

/** Returns the IDs of an item's replies. */
export const kidsOf = ({ kids }: FirebaseItem): number[] =>
  (Array.isArray(kids) ? kids : []).map(integerOrNull).filter((id) => id !== null)

/** Returns the IDs of a ranked list. Throws Changed. */
export async function firebaseList(name: string, ctx: Context): Promise<number[]> {
  const ids = await ctx.json(`${firebase}/${name}.json`)
  const known = Array.isArray(ids) ? ids.map(integerOrNull).filter((id) => id !== null) : []
  if (!Array.isArray(ids) || (ids.length > 0 && known.length === 0)) {
    throw new Changed(`Hacker News returned no list of IDs for ${name}.`)
  }
  return known
}

/** A hit of Algolia's search; comments and stories have different fields. */
export type AlgoliaHit = Row & { objectID: string }

/** Returns the hits of a search by date, newest first, and their total number. Throws Changed. */
export async function searchByDate(query: Record<string, string | number>, ctx: Context) {
  const response = await ctx.json<{ hits?: AlgoliaHit[]; nbHits?: number }>(
    `${algolia}/search_by_date`,
    { query },
  )
  if (!Array.isArray(response?.hits)) throw new Changed("Algolia's response has no list of hits.")
  const hits = response.hits.filter((hit) => integerOrNull(hit?.objectID) !== null)
  if (hits.length === 0 && response.hits.length > 0) {
    throw new Changed("No hit in Algolia's response has an ID.")
  }
  return { hits, total: integerOrNull(response.nbHits) ?? hits.length }
}

/** Returns the ID in a number or a URL of Hacker News or Algolia, or null for other text. */
export function hackerNewsId(target: string): number | null {
  const url =
    /^(?:https?:\/\/)?(?:news\.ycombinator\.com\/item\?(?:.*&)?id=|hn\.algolia\.com\/api\/v1\/items\/)(\d{1,10})\b/i
  const id = /^\d{1,10}$/.exec(target.trim())?.[0] ?? url.exec(target.trim())?.[1]
  return id === undefined ? null : Number(id)
}

export const itemUrl = (id: number) => `https://news.ycombinator.com/item?id=${id}`

/**
 * Returns a post as plain text: Hacker News puts `<p>` between paragraphs, without closing tags.
 */
export const postText = (html: string | null | undefined) =>
  htmlToText(html?.replace(/<p>/gi, "</p><p>"))
