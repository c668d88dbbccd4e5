import { BoundedMap } from "../../../base/bounded-map.ts"
import {
  completeUrl,
  isDocumentAddress,
  isPageUrl,
  mayFollow,
  normaliseUrl,
  pageLinks,
  robotsMeta,
  sameSite,
  TrapDetector,
} from "../../../extract/links/index.ts"
import {
  assertScrapeError,
  type Context,
  isErrorPage,
  type PageOptions,
  type RenderedResponse,
  ScrapeError,
  toPageUrl,
  type UpstreamResponse,
} from "../../kit/index.ts"
import { isWantedError } from "../options/page-request.ts"
import { openPage, withScripts } from "../page/open.ts"
import { isEmbedded, isHtml, isReadable, stubTarget } from "../page/readable.ts"
import { sitemapIn, sitemapOptions } from "../page/sitemaps.ts"
import {
  conditions,
  isKnownSince,
  type KnownPage,
  keepPage,
  knownPage,
  notModified,
  rememberPage,
} from "./known-pages.ts"

/** Maximum consecutive failures of a host. After them, no more pages of it are requested. */
const waitLimit = 10
const maxSimilar = 100_000
const maxSitemapUrls = 10_000

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

interface CrawlRules {
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

/** State that the targets of one crawl share. */
export class Crawl {
  private readonly traps = new TrapDetector()
  /** URLs after redirects, and the target that returned each of them. */
  private readonly claims = new Map<string, string>()
  /** The first page for each content hash or canonical URL. */
  private readonly firsts = new Map<string, string>()
  /** Targets that returned an item, or failed. */
  private readonly pages = new Set<string>()
  private readonly failuresInRow = new Map<string, number>()
  /** Sites to which start URLs redirected. */
  private readonly sites = new Map<string, URL>()
  /** The first URL for each key of similar URLs, if similar URLs are one page. */
  private readonly similar = new BoundedMap<string, string>(maxSimilar)
  private slot?: Promise<void>
  /** Pages that were not read because they have not changed since the last crawl. */
  private readonly skipped = new Set<string>()
  /** Links that were followed from pages that are still being read. */
  private readonly followed = new Map<string, string[]>()

  private constructor(readonly rules: CrawlRules) {}

  /** Returns the run's crawl. `rulesOf` is called for the first target. */
  static of(ctx: Context, rulesOf: () => CrawlRules): Crawl {
    const crawl = (ctx.shared.get("crawl") as Crawl | undefined) ?? new Crawl(rulesOf())
    ctx.shared.set("crawl", crawl)
    return crawl
  }

  /**
   * Returns a target's page. Returns null if it has no item: another target returned the same page,
   * it only redirects to another page, or the crawl has reached its maximum. Throws BadInput if a
   * URL of the input is not valid, and the errors of the request.
   */
  async open(target: CrawlTarget, ctx: Context, options: PageOptions = {}) {
    const claim = this.claims.get(target.url)
    if (claim !== undefined && claim !== target.url) return null
    if (!this.pages.has(target.url) && this.pages.size >= this.rules.maxPages) return null
    if (this.rules.ignoreSimilarUrls) this.isFirstOfSimilar(new URL(target.url))
    const url = target.written === undefined ? target.url : toPageUrl(target.written)
    const { host } = new URL(url)
    if ((this.failuresInRow.get(host) ?? 0) >= waitLimit) {
      const failures = `${host} failed ${waitLimit} consecutive times`
      ctx.log(`${failures}; its other pages are skipped.`, "warning")
      return null
    }
    const known = this.rules.onlyChanged ? await knownPage(target.url, ctx) : undefined
    if (known && isKnownSince(target.lastmod, known)) {
      const why = "its date in the sitemap is older than the last crawl"
      return this.skipUnchanged(target, known, ctx, why)
    }
    await this.waitForDelay(ctx)
    try {
      const response = await this.fetch(target, ctx, this.onlyIfChanged(options, known))
      if (known && response.status === notModified) {
        this.failuresInRow.set(host, 0)
        return this.skipUnchanged(target, known, ctx, "its server reports that it has not changed")
      }
      const failures = isErrorPage(response) ? (this.failuresInRow.get(host) ?? 0) + 1 : 0
      this.failuresInRow.set(host, failures)
      return this.accept(target, response, ctx)
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (error instanceof ScrapeError) {
        this.pages.add(target.url)
        this.failuresInRow.set(host, (this.failuresInRow.get(host) ?? 0) + 1)
      }
      throw error
    }
  }

  private onlyIfChanged(options: PageOptions, known: KnownPage | undefined): PageOptions {
    if (!this.rules.onlyChanged) return options
    const headers = { ...options.headers, ...conditions(known) }
    return { ...options, headers, accept: [notModified], forAccounts: "onlyChanged" }
  }

  /** Stores a page for the next crawl. Returns whether it is unchanged, and so has no item. */
  async isUnchanged(
    target: CrawlTarget,
    response: UpstreamResponse,
    hash: string | null,
    ctx: Context,
  ) {
    if (!this.rules.onlyChanged) return false
    const followed = new Set(this.followed.get(target.url))
    const links = [...followed].filter((url) => this.isInternal(url, target))
    this.followed.delete(target.url)
    return rememberPage(target.url, { response, links, hash }, ctx)
  }

  /** Follows the stored links of a page that is not read again. */
  private async skipUnchanged(target: CrawlTarget, known: KnownPage, ctx: Context, why: string) {
    ctx.log(`Skipping ${target.url}: ${why}.`)
    this.claims.set(target.url, target.url)
    this.skipped.add(target.url)
    await keepPage(target.url, known, ctx)
    if (target.depth >= this.rules.maxDepth) return null
    const { links } = known
    if (links.length === 0 && target.depth === 0) await this.followSitemap(target, target, ctx)
    const from = { ...target, referrer: target.url }
    for (const link of links) await this.follow(link, from, ctx, target.depth + 1)
    return null
  }

  private isFirstOfSimilar(url: URL): boolean {
    const key = similarKey(url)
    if (this.similar.has(key)) return this.similar.get(key) === url.href
    this.similar.set(key, url.href)
    return true
  }

  /** Waits for the delay between pages. Concurrent pages wait for each other. */
  private async waitForDelay(ctx: Context): Promise<void> {
    const { delaySeconds = 0 } = this.rules
    if (delaySeconds <= 0) return
    const before = this.slot
    const slot = (async () => {
      await before
      if (before) await ctx.pause(delaySeconds, "the crawl's delay between pages.")
    })()
    // If a page is aborted, the next one still gets its slot.
    this.slot = slot.catch(() => {})
    await slot
  }

  /**
   * Returns the page. If the text of an app shell is in the data of its scripts, and its links
   * would not be followed, it is returned as it is. Otherwise Chrome is tried first, because it can
   * read the links.
   */
  private async fetch(target: CrawlTarget, ctx: Context, options: PageOptions) {
    const isWanted = typeof options.has === "function" ? options.has : crawlable.has
    const isLast = target.depth >= this.rules.maxDepth
    let shell: RenderedResponse | undefined
    const has = (response: RenderedResponse) => {
      if (response.status === notModified || isWanted(response)) return true
      if (isWantedError(response, options)) return true
      if (!isHtml(response) || !isEmbedded(response)) return false
      shell ??= response
      return isLast
    }
    const page = { ...crawlable, ...options, has }
    try {
      if (target.written === undefined) return await ctx.page(target.url, { ...page, robots: true })
      const { response } = await openPage(target.written, ctx, page)
      if (response.status === notModified) return response
      return await withScripts(response, ctx, page)
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (!shell || !(error instanceof ScrapeError)) throw error
      ctx.log(`${error.message} Its content was read from the data of its scripts.`)
      return shell
    }
  }

  private async accept<A extends UpstreamResponse>(target: CrawlTarget, response: A, ctx: Context) {
    const final = normaliseUrl(response.url)
    const claimed = this.claims.get(final)
    if (claimed !== undefined && claimed !== target.url) return null
    this.claims.set(final, target.url)
    this.pages.delete(target.url)
    if (target.written !== undefined) this.sites.set(target.startUrl, new URL(final))
    if (isErrorPage(response)) return response
    if (!isHtml(response)) {
      // Only start URLs and the files of a sitemap index can be sitemaps.
      const mayBeSitemap = target.written !== undefined || target.sitemap === true
      return mayBeSitemap && (await this.followEntries(target, response, ctx)) ? null : response
    }
    const refresh = stubTarget(response)
    if (refresh === null) return response
    if (target.written !== undefined) this.sites.set(target.startUrl, new URL(refresh))
    await this.follow(refresh, target, ctx, target.depth)
    return null
  }

  /** Number of positions in the crawl's order so far, including unchanged pages. */
  get positions(): number {
    return this.pages.size + this.skipped.size
  }

  /** Whether a target's page was not read because it has not changed. */
  isSkipped({ url }: CrawlTarget): boolean {
    return this.skipped.has(url)
  }

  /** Counts a target as a page of the crawl. */
  keep(target: CrawlTarget): void {
    this.pages.add(target.url)
  }

  /** Returns the URL of an earlier page with this key, such as a hash of its content; else null. */
  firstWith(key: string, url: string): string | null {
    const first = this.firsts.get(key)
    if (first === undefined) this.firsts.set(key, url)
    return first === undefined || first === url ? null : first
  }

  /** Returns whether a URL belongs to the site of a target's start page. */
  isInternal(url: string | URL, target: CrawlTarget): boolean {
    const site = this.sites.get(target.startUrl) ?? target.startUrl
    return sameSite(url, site, this.rules.includeSubdomains)
  }

  /** Follows the links of a page as far as the rules allow. Returns all its links. */
  async followLinks(target: CrawlTarget, response: UpstreamResponse, ctx: Context) {
    const links = pageLinks(response.document, response.url)
    const depth = target.depth + 1
    const mayLead =
      !isErrorPage(response) &&
      depth <= this.rules.maxDepth &&
      (this.rules.admitsExternal !== undefined || this.isInternal(response.url, target)) &&
      !robotsMeta(response.document).nofollow
    if (mayLead) {
      const followed = links.filter((link) => mayFollow(link, this.rules.nofollow))
      await this.followAll(target, new Set(followed.map((link) => link.url)), response.url, ctx)
    }
    return links
  }

  /** Follows normalised URLs of a page, and stores them for crawls in which it has not changed. */
  async followAll(target: CrawlTarget, urls: Iterable<string>, referrer: string, ctx: Context) {
    const followed = this.followed.get(target.url) ?? []
    if (this.rules.onlyChanged) this.followed.set(target.url, followed)
    for (const url of urls) {
      followed.push(url)
      await this.followNormalised(url, { ...target, referrer }, ctx, target.depth + 1)
    }
  }

  /** Follows the URLs of the site's sitemap, for start pages whose links only a script adds. */
  async followSitemap(target: CrawlTarget, { url }: { url: string }, ctx: Context) {
    const href = new URL("/sitemap.xml", url).href
    try {
      await this.followEntries(target, await ctx.get(href, sitemapOptions), ctx)
    } catch (error) {
      assertScrapeError(error, ctx)
      ctx.log(`No sitemap at ${href}: ${error.message}`)
    }
  }

  /** Follows the URLs of a sitemap. Returns false if the response is not a sitemap. */
  private async followEntries(target: CrawlTarget, response: UpstreamResponse, ctx: Context) {
    const sitemap = sitemapIn(response)
    if (!sitemap) return false
    const from = { ...target, referrer: response.url }
    for (const url of sitemap.children()) {
      const { written: _, ...child } = from
      await ctx.follow({ ...child, url, sitemap: true }, url)
    }
    const { modifiedSince } = this.rules
    let count = 0
    for (const entry of sitemap.urls()) {
      const modified = Date.parse(entry.lastmod ?? "")
      if (modifiedSince !== undefined && modified < modifiedSince) continue
      await this.follow(entry.url, from, ctx, target.depth, entry.lastmod ?? undefined)
      if (++count >= maxSitemapUrls) break
    }
    return true
  }

  /** Adds a URL to the crawl if the rules allow it. */
  follow(url: string, from: CrawlTarget, ctx: Context, depth: number, lastmod?: string) {
    return this.followNormalised(normaliseUrl(url), from, ctx, depth, lastmod)
  }

  private async followNormalised(
    href: string,
    from: CrawlTarget,
    ctx: Context,
    depth: number,
    lastmod?: string,
  ): Promise<boolean> {
    const url = this.rules.ignoreQuery ? href.replace(/\?.*$/s, "") : href
    if (this.claims.has(url)) return false
    const parts = new URL(url)
    const { admits, admitsExternal, documents, ignoreSimilarUrls } = this.rules
    if (!isPageUrl(parts) && !(documents && isDocumentAddress(parts))) return false
    const isInternal = this.isInternal(parts, from)
    if (!isInternal && !admitsExternal) return false
    const isAdmitted = isInternal ? admits?.(url) !== false : admitsExternal!(url)
    if (!isAdmitted || !this.traps.admits(parts)) return false
    const { written: _, sitemap: __, lastmod: ___, ...found } = from
    if (ignoreSimilarUrls && !this.isFirstOfSimilar(parts)) return false
    return ctx.follow({ ...found, url, depth, ...(lastmod ? { lastmod } : {}) }, url)
  }
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

/** Returns the part of a URL by which servers usually distinguish pages. */
function similarKey({ host, pathname, search }: URL): string {
  const path = pathname.replace(/\/(?:index\.(?:html?|php|aspx?))?$/i, "")
  return `${host.replace(/^www\./, "")}${path}${search}`
}

/** Accepts pages that have text or redirect to another page, and responses that are not HTML. */
export const crawlable = {
  has: (response: UpstreamResponse) =>
    !isHtml(response) || isReadable(response) || stubTarget(response) !== null,
  what: "any text",
}
