import type { FeedNode } from "./node.ts"

export type FeedType = "rss" | "rdf" | "atom" | "json"

/** A feed of any format in one form. Times are ISO 8601, URLs absolute. */
export interface Feed {
  type: FeedType
  title: string | null
  /** The URL of the site. */
  link: string | null
  description: string | null
  language: string | null
  author: string | null
  image: string | null
  updated: string | null
  /** The feed's own URL, as it states it. */
  selfUrl: string | null
  /** The next page of a paged feed. */
  nextUrl: string | null
  /** The XML was not well-formed; entries may be missing. */
  broken: boolean
  /** The channel's element, for data of single formats; null in JSON feeds. */
  channel: FeedNode | null
  entryCount: number
  /** In feed order, each read on demand. */
  entries(): Generator<FeedEntry>
}

export interface FeedEntry {
  title: string | null
  url: string | null
  /** The feed's own ID, else the URL, else a hash of title and date. */
  guid: string | null
  author: string | null
  publishedAt: string | null
  updatedAt: string | null
  /** Plain text, 2,000 characters at most. */
  summary: string | null
  /** HTML. */
  content: string | null
  categories: string[]
  imageUrl: string | null
  enclosures: FeedEnclosure[]
  commentsUrl: string | null
  commentsCount: number | null
  /** The entry's element; null in JSON feeds. */
  node: FeedNode | null
}

export interface FeedEnclosure {
  url: string
  type: string | null
  /** Bytes. */
  length: number | null
}
