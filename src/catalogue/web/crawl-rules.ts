/** A page of a crawl. Start pages are named by a user; the others were found on the way. */
export interface CrawlTarget {
  [field: string]: unknown
  /** Normalised. */
  url: string
  /** Links away from the start page. */
  depth: number
  startUrl: string
  /** The page on which it was first found. */
  referrer: string | null
  /** The address as the user wrote it, of start pages alone; robots.txt does not count for them. */
  written?: string
  /** When its sitemap says that it was changed. */
  lastmod?: string
}

export interface CrawlRules {
  /** Pages in all, those that failed included. */
  maxPages: number
  maxDepth: number
  includeSubdomains: boolean
  /** Links to documents such as PDFs are followed, too. */
  documents?: boolean
  /** Pages that a sitemap says are older are left out, as a Unix time in milliseconds. */
  modifiedSince?: number | undefined
  /** Pages that have not changed since the last such crawl give no item; for accounts alone. */
  onlyChanged?: boolean
  /** Links that ask robots not to follow them are followed, too. */
  nofollow?: boolean
  /** An address is the same without its query. */
  ignoreQuery?: boolean
  /** Addresses that differ as only servers' settings do are the same. */
  ignoreSimilarUrls?: boolean
  /** Seconds from the start of one page to that of the next. */
  delaySeconds?: number
  /** Links to other sites are followed, too, if this holds for them. */
  admitsExternal?(url: string): boolean
  /** What else must hold for an address that was found. */
  admits?(url: string): boolean
}
