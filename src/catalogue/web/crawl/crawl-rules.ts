import { completeUrl, normaliseUrl } from "../../../extract/links/index.ts"

/** A page of a crawl. Start pages are named by a user; the other pages were discovered. */
export interface CrawlTarget {
  [field: string]: unknown
  /** Normalised. */
  url: string
  /** Number of links from the start page. */
  depth: number
  startUrl: string
  /** The page on which it was first found. */
  referrer: string | null
  /** URL of a start page as the user wrote it. robots.txt is not checked for start pages. */
  written?: string
  /** Time of the last change in the sitemap. */
  lastmod?: string
}

export interface CrawlRules {
  /** Maximum pages in total, including failed ones. */
  maxPages: number
  maxDepth: number
  includeSubdomains: boolean
  /** Whether links to documents such as PDFs are followed. */
  documents?: boolean
  /** Unix time in milliseconds. Pages with an older date in the sitemap are skipped. */
  modifiedSince?: number | undefined
  /** Whether pages that have not changed since the last crawl return no item. For accounts. */
  onlyChanged?: boolean
  /** Whether links marked `nofollow` are followed. */
  nofollow?: boolean
  /** Whether URLs that differ only in the query are one page. */
  ignoreQuery?: boolean
  /** Whether URLs that servers usually treat alike are one page, for example with `www.`. */
  ignoreSimilarUrls?: boolean
  /** Seconds from the start of one page to the start of the next. */
  delaySeconds?: number
  /** Returns whether a link to another site is followed. Without it, none is followed. */
  admitsExternal?(url: string): boolean
  /** Returns whether a discovered URL is followed. Without it, all are followed. */
  admits?(url: string): boolean
}

/** Returns the start pages of a crawl without duplicates. */
export function startTargets(written: readonly string[]): CrawlTarget[] {
  const targets = new Map<string, CrawlTarget>()
  for (const href of written) {
    const startUrl = completeUrl(href) ?? href
    const url = URL.canParse(startUrl) ? normaliseUrl(startUrl) : href
    if (!targets.has(url)) {
      targets.set(url, { url, depth: 0, startUrl, referrer: null, written: href })
    }
  }
  return [...targets.values()]
}
