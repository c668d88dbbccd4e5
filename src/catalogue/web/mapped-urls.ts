import { normaliseUrl, ownerDomain } from "../../extract/links/index.ts"
import { decodedPath } from "../kit/index.ts"

/** A URL with the facts that a sitemap, feed or page states. */
export interface MappedUrl {
  url: string
  title: string | null
  lastmod: string | null
  changefreq: string | null
  priority: number | null
  /** The file or page that lists the URL. */
  sitemapUrl: string
  sitemapType: string
  parentSitemapUrl: string | null
}

const maxUrlLength = 2000
const maxTitle = 300

/** Returns the same key for all spellings of a URL: without scheme, `www.` and trailing slash. */
function urlKey(url: string): string {
  const { host, pathname, search } = new URL(normaliseUrl(url))
  return `${host.replace(/^www\./, "")}${pathname.replace(/\/+$/, "")}${search}`
}

/** URLs without duplicates. Facts that the first entry does not have are added from later ones. */
export class MappedUrls {
  private readonly entries = new Map<string, MappedUrl>()

  constructor(private readonly max: number) {}

  get size(): number {
    return this.entries.size
  }

  get isFull(): boolean {
    return this.size >= this.max
  }

  has(url: string): boolean {
    return this.entries.has(urlKey(url))
  }

  /** @param entry Entry with an absolute URL. */
  add(entry: MappedUrl): void {
    if (entry.url.length > maxUrlLength) return
    const key = urlKey(entry.url)
    const title = entry.title?.slice(0, maxTitle) || null
    const known = this.entries.get(key)
    if (known) {
      known.title ??= title
      known.lastmod ??= entry.lastmod
    } else if (!this.isFull) {
      this.entries.set(key, { ...entry, url: normaliseUrl(entry.url), title })
    }
  }

  addAll(others: MappedUrls): void {
    for (const entry of others.values()) this.add(entry)
  }

  drop(url: string): void {
    this.entries.delete(urlKey(url))
  }

  values(): Iterable<MappedUrl> {
    return this.entries.values()
  }
}

/** Words to search for in URLs and titles. */
export class Search {
  private readonly words: string[]
  private readonly domain: string

  constructor(written: string, siteUrl: string) {
    this.words = [...new Set(folded(written).split(/\s+/))].filter(Boolean).slice(0, 20)
    this.domain = ownerDomain(siteUrl) ?? new URL(siteUrl).host
  }

  get isEmpty(): boolean {
    return this.words.length === 0
  }

  /**
   * Returns the entries that contain a word. First come those with the most words, then those with
   * the most words at a word's start, then the shorter URLs.
   */
  ranked<T extends { url: string; title?: string | null }>(entries: Iterable<T>): T[] {
    return [...entries]
      .map((entry) => ({ entry, ...this.score(entry) }))
      .filter(({ matched }) => matched > 0)
      .sort(
        (a, b) =>
          b.matched - a.matched ||
          b.wordStarts - a.wordStarts ||
          a.entry.url.length - b.entry.url.length,
      )
      .map(({ entry }) => entry)
  }

  private score({ url, title }: { url: string; title?: string | null }) {
    const { host, pathname, search } = new URL(url)
    // The site's own name is part of each of its URLs.
    const place = host.endsWith(this.domain) ? host.slice(0, -this.domain.length) : host
    const text = ` ${folded(`${place} ${decodedPath(pathname + search)} ${title ?? ""}`)}`
    let matched = 0
    let wordStarts = 0
    for (const word of this.words) {
      if (!text.includes(word)) continue
      matched++
      if (text.includes(` ${word}`)) wordStarts++
    }
    return { matched, wordStarts }
  }
}

/** Returns the words of a text in lower case and without accents, separated by spaces. */
function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
}
