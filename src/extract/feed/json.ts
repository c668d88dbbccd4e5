import { absoluteUrl, distinct, integerOrNull, isoDate, textOrNull } from "../core/index.ts"
import type { Feed, FeedEnclosure, FeedEntry } from "./feed.ts"
import { entryHash, feedSummary, feedTitle, firstImage, joinedNames } from "./text.ts"

type Json = Record<string, unknown>

/** JSON Feed 1.0 and 1.1 (jsonfeed.org); null if the text is another kind of JSON. */
export function readJsonFeed(text: string, feedUrl: string): Feed | null {
  const feed = parsed(text)
  if (!feed || !/^https?:\/\/jsonfeed\.org\/version\//i.test(String(feed.version))) return null
  if (!Array.isArray(feed.items)) return null
  const items = objects(feed.items)
  const link = absoluteUrl(textOrNull(feed.home_page_url), feedUrl)
  const author = authorsOf(feed)
  return {
    type: "json",
    title: feedTitle(textOrNull(feed.title)),
    link,
    description: feedTitle(textOrNull(feed.description)),
    language: textOrNull(feed.language),
    author,
    image: absoluteUrl(textOrNull(feed.icon) ?? textOrNull(feed.favicon), feedUrl),
    updated: null,
    selfUrl: absoluteUrl(textOrNull(feed.feed_url), feedUrl),
    nextUrl: absoluteUrl(textOrNull(feed.next_url), feedUrl),
    broken: false,
    channel: null,
    entryCount: items.length,
    *entries() {
      for (const item of items) yield readItem(item, author, link ?? feedUrl)
    },
  }
}

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Json) : null
  } catch {
    return null
  }
}

function readItem(item: Json, feedAuthor: string | null, base: string): FeedEntry {
  const title = feedTitle(textOrNull(item.title))
  const html = textOrNull(item.content_html)
  const plain = textOrNull(item.content_text)
  const updatedAt = isoDate(item.date_modified)
  const publishedAt = isoDate(item.date_published) ?? updatedAt
  const url = absoluteUrl(textOrNull(item.url) ?? textOrNull(item.external_url), base)
  const images = [textOrNull(item.image), textOrNull(item.banner_image), firstImage(html)]
  return {
    title,
    url,
    guid: textOrNull(item.id) ?? url ?? entryHash(title, publishedAt),
    author: authorsOf(item) ?? feedAuthor,
    publishedAt,
    updatedAt,
    summary: feedSummary(textOrNull(item.summary), html ?? plain),
    content: html ?? plain,
    categories: distinct(
      (Array.isArray(item.tags) ? item.tags : []).flatMap(
        (tag) => feedTitle(textOrNull(tag)) ?? [],
      ),
    ),
    imageUrl: images.map((photo) => absoluteUrl(photo, base)).find((url) => url !== null) ?? null,
    enclosures: objects(item.attachments).flatMap((attachment): FeedEnclosure[] => {
      const url = absoluteUrl(textOrNull(attachment.url), base)
      if (url === null) return []
      return [
        {
          url: url,
          type: textOrNull(attachment.mime_type),
          length: integerOrNull(attachment.size_in_bytes),
        },
      ]
    }),
    commentsUrl: null,
    commentsCount: null,
    node: null,
  }
}

function authorsOf(owner: Json): string | null {
  const authors = [...objects(owner.authors), ...objects([owner.author])]
  return joinedNames(authors.map((author) => feedTitle(textOrNull(author.name))))
}

function objects(list: unknown): Json[] {
  if (!Array.isArray(list)) return []
  return list.filter((item): item is Json => typeof item === "object" && item !== null)
}
