import { constants, gunzipSync } from "node:zlib"
import {
  absoluteUrl,
  decodeXml,
  foldSpace,
  isoDate,
  numberOrNull,
  textOrNull,
} from "../core/index.ts"
import { type Feed, readFeed } from "../feed/index.ts"
import { type SmallElement, smallElements } from "./small-xml.ts"

/** An entry of a sitemap. */
interface SitemapUrl {
  url: string
  /** The title of its news, its video, its only image, or the feed's entry. */
  title: string | null
  /** Unchanged if it is a W3C date or time, else ISO 8601. */
  lastmod: string | null
  changefreq: string | null
  priority: number | null
  alternates: { hreflang: string; href: string }[]
  images: { url: string; title: string | null; caption: string | null }[]
  videos: SitemapVideo[]
  news: SitemapNews | null
}

interface SitemapVideo {
  title: string | null
  thumbnailUrl: string | null
  contentUrl: string | null
  playerUrl: string | null
  durationSeconds: number | null
  publishedAt: string | null
}

interface SitemapNews {
  name: string | null
  language: string | null
  publishedAt: string | null
  title: string | null
}

type SitemapType = "urlset" | "index" | "rss" | "atom" | "text"

const frequencies = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]

/** Gzip is recognised by its first bytes, not by header or name; truncated files are read in part. */
function unpack(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  return gunzipSync(bytes, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH })
}

/**
 * Returns a sitemap of any format: XML, index, RSS or Atom, plain text. Null for anything else.
 *
 * @throws RangeError if it unpacks to more than `maxBytes`
 *
 * @example
 * ```ts
 * const bytes = new TextEncoder().encode("<urlset><url><loc>https://a.example/b</loc></url></urlset>")
 * const sitemap = readSitemap(bytes, "https://a.example/sitemap.xml", { maxBytes: 1_000 })
 * sitemap.urls().next().value.url // "https://a.example/b"
 * ```
 */
export function readSitemap(
  bytes: Uint8Array,
  sitemapUrl: string,
  options: { contentType?: string; maxBytes: number },
): Sitemap | null {
  const text = decodeXml(unpack(bytes, options.maxBytes), options.contentType)
  const root = /<(?:[\w.-]+:)?(urlset|sitemapindex|rss|feed|rdf|html)\b|<!doctype html/i.exec(text)
  const name = root?.[1]?.toLowerCase()
  if (name === "urlset" || name === "sitemapindex") {
    const type = name === "urlset" ? "urlset" : "index"
    return new XmlSitemap(type, text.slice(root!.index), sitemapUrl)
  }
  if (name === "rss" || name === "feed" || name === "rdf") {
    const feed = readFeed(text, sitemapUrl)
    return feed && new FeedSitemap(feed)
  }
  return root === null && /^\s*https?:\/\/\S+\s*$/im.test(text.slice(0, 4000))
    ? new TextSitemap(text)
    : null
}

export interface Sitemap {
  readonly type: SitemapType
  /** The URLs, in file order, read on the way. */
  urls(): Generator<SitemapUrl>
  /** The files that an index names, in order. */
  children(): Generator<string>
  /** After reading: the file breaks off before its end. */
  readonly cutOff: boolean
  /** After reading: there was content, but not one entry in it. */
  readonly foreign: boolean
}

const plain = {
  title: null,
  lastmod: null,
  changefreq: null,
  priority: null,
  alternates: [],
  images: [],
  videos: [],
  news: null,
}

/** Reads entry by entry: a file of 50 MB never becomes one tree. */
class XmlSitemap implements Sitemap {
  cutOff = false
  foreign = false

  constructor(
    readonly type: "urlset" | "index",
    private readonly text: string,
    private readonly base: string,
  ) {}

  *urls(): Generator<SitemapUrl> {
    if (this.type !== "urlset") return
    for (const entry of this.entries("url")) {
      const url = this.address(entry.text("loc"))
      if (url !== null) yield { url, ...this.details(entry) }
    }
  }

  *children(): Generator<string> {
    if (this.type !== "index") return
    for (const entry of this.entries("sitemap")) {
      const url = this.address(entry.text("loc"))
      if (url !== null) yield url
    }
  }

  private *entries(name: string): Generator<SmallElement> {
    const source = this.text.includes("<!--")
      ? this.text.replace(/<!--[\s\S]*?(?:-->|$)/g, "")
      : this.text
    const root = this.type === "urlset" ? "urlset" : "sitemapindex"
    let entries = 0
    let located = 0
    for (const block of blocks(source, name)) {
      const entry = smallElements(block)
      entries++
      if (entry.first("loc")) located++
      yield entry
    }
    const empty = new RegExp(`<(?:[\\w.-]+:)?${root}\\b[^<>]*(?:/>|>\\s*</)`, "i").test(source)
    this.cutOff =
      !empty && !new RegExp(`</(?:[\\w.-]+:)?${root}\\s*>\\s*$`, "i").test(source.slice(-200))
    this.foreign = !empty && located === 0 && (entries > 0 || !this.cutOff)
  }

  private details(entry: SmallElement): Omit<SitemapUrl, "url"> {
    const priority = numberOrNull(entry.text("priority"))
    const frequency = entry.text("changefreq")?.toLowerCase() ?? ""
    const newsEntry = entry.first("news")
    const news = newsEntry ? newsOf(newsEntry) : null
    const videos = entry.all("video").map((video) => this.video(video))
    const images = entry.all("image").flatMap((image) => {
      const url = this.address(image.text("loc"))
      return url ? [{ url, title: image.text("title"), caption: image.text("caption") }] : []
    })
    const only = images.length === 1 ? images[0]!.title : null
    return {
      title: news?.title ?? videos[0]?.title ?? only,
      lastmod: sitemapDate(entry.text("lastmod")),
      changefreq: frequencies.includes(frequency) ? frequency : null,
      priority: priority !== null && priority >= 0 && priority <= 1 ? priority : null,
      alternates: entry.all("link").flatMap((link) => {
        const hreflang = link.attribute("hreflang")
        const href = this.address(link.attribute("href"))
        const isAlternate = (link.attribute("rel") ?? "alternate") === "alternate"
        return isAlternate && hreflang && href ? [{ hreflang, href }] : []
      }),
      images,
      videos,
      news,
    }
  }

  private video(video: SmallElement): SitemapVideo {
    return {
      title: video.text("title"),
      thumbnailUrl: this.address(video.text("thumbnail_loc")),
      contentUrl: this.address(video.text("content_loc")),
      playerUrl: this.address(video.text("player_loc")),
      durationSeconds: numberOrNull(video.text("duration")),
      publishedAt: sitemapDate(video.text("publication_date")),
    }
  }

  /** Absolute ones stay as written, less white space and line breaks. */
  private address(written: string | null): string | null {
    const url = (written ?? "").replace(/(?<!\s)\s*[\r\n]\s*/g, "").trim()
    if (url === "") return null
    const absolute = absoluteUrl(url, this.base)
    return absolute !== null && /^https?:\/\//i.test(url) ? url : absolute
  }
}

function newsOf(news: SmallElement): SitemapNews {
  const publication = news.first("publication")
  return {
    name: publication?.text("name") ?? null,
    language: publication?.text("language") ?? null,
    publishedAt: sitemapDate(news.text("publication_date")),
    title: news.text("title"),
  }
}

/** The insides of all elements of a name; the last one counts only with its end. */
function* blocks(source: string, name: string): Generator<string> {
  const start = new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^<>]*)?>`, "gi")
  const end = new RegExp(`</(?:[\\w.-]+:)?${name}\\s*>`, "gi")
  for (let open = start.exec(source); open; open = start.exec(source)) {
    end.lastIndex = start.lastIndex
    const close = end.exec(source)
    if (!close) return
    yield source.slice(start.lastIndex, close.index)
    start.lastIndex = end.lastIndex
  }
}

const w3cDate =
  /^\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?)?)?$/

function sitemapDate(written: string | null): string | null {
  const date = textOrNull(foldSpace(written ?? ""))
  return date === null || w3cDate.test(date) ? date : isoDate(date)
}

class TextSitemap implements Sitemap {
  readonly type = "text"
  readonly cutOff = false
  readonly foreign = false
  constructor(private readonly source: string) {}

  *urls(): Generator<SitemapUrl> {
    for (const [line] of this.source.matchAll(/[^\r\n]+/g)) {
      const url = line.trim()
      if (/^https?:\/\//i.test(url) && URL.canParse(url)) yield { url, ...plain }
    }
  }

  *children(): Generator<string> {}
}

class FeedSitemap implements Sitemap {
  readonly type: "rss" | "atom"
  readonly cutOff: boolean
  readonly foreign = false
  constructor(private readonly feed: Feed) {
    this.type = feed.type === "atom" ? "atom" : "rss"
    this.cutOff = feed.broken
  }

  *urls(): Generator<SitemapUrl> {
    for (const entry of this.feed.entries()) {
      const lastmod = entry.updatedAt ?? entry.publishedAt
      if (entry.url) yield { ...plain, url: entry.url, title: entry.title, lastmod }
    }
  }

  *children(): Generator<string> {}
}
