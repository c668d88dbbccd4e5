import { textOf } from "../../extract/core/index.ts"
import { announcedFeeds, linkedFeeds } from "../../extract/feed/index.ts"
import {
  isDocumentAddress,
  isPageUrl,
  mayFollow,
  normaliseUrl,
  type PageLink,
  pageLinks,
  robotsMeta,
  sameSite,
  TrapDetector,
} from "../../extract/links/index.ts"
import { documentTitle } from "../../extract/page/index.ts"
import {
  assertScrapeError,
  Changed,
  type Context,
  errorItem,
  feedIn,
  NotFound,
  type RequestOptions,
  RobotsDisallowed,
  type ScrapeError,
  Timeout,
  toPageUrl,
  type UpstreamResponse,
} from "../kit/index.ts"
import { type MappedUrl, MappedUrls, Search } from "./mapped-urls.ts"
import { openPage, pageFailure } from "./page/open.ts"
import * as sitemapFiles from "./sitemap-files.ts"

const budgetMs = 8000
/** Maximum milliseconds for each scheme. A slow home page must leave time for the sitemaps. */
const homeMs = budgetMs / 2
const atOnce = 2
const maxSitemapUrls = 100_000
const maxFiles = 50
const maxQueuedFiles = 5000
const maxFeeds = 3
const maxPages = 20
/** Maximum consecutive failures of a crawl. */
const waitLimit = 3
const maxQueuedPages = 5000

interface MapInput {
  maxUrls: number
  search?: string
  includeSubdomains: boolean
}

const nothingMore = { lastmod: null, changefreq: null, priority: null, parentSitemapUrl: null }
const noDetails = { alternates: [], images: [], videos: [], news: null }

/**
 * Yields the URLs of a site with their titles, as many as can be read in a few seconds. Error items
 * describe the missing parts.
 */
export async function* mapSite(target: string, ctx: Context<MapInput>) {
  const map = new SiteMap(target, ctx)
  await map.read()
  for (const entry of map.entries()) yield { ...entry, ...noDetails }
  for (const { url, failure } of map.missing) yield errorItem(failure, { input: target, url })
}

class SiteMap {
  readonly missing: { url: string; failure: ScrapeError }[] = []
  /** Pages that were read. The other sources are sitemaps, feeds and links. */
  private readonly pages = new MappedUrls(maxPages + 1)
  private readonly sitemaps: MappedUrls
  private readonly feeds = new MappedUrls(maxSitemapUrls)
  private readonly links = new MappedUrls(maxSitemapUrls)
  private readonly traps = new TrapDetector()
  private readonly dead = new Set<string>()
  private readonly queue: string[] = []
  private readonly search: Search
  private readonly requestedUrl: string
  private readonly deadline: number
  private home: UpstreamResponse | null = null
  private unread = { sitemaps: 0, pages: 0 }

  constructor(
    private readonly target: string,
    private readonly ctx: Context<MapInput>,
  ) {
    const url = toPageUrl(target)
    this.requestedUrl = isMetaFile(url) ? new URL("/", url).href : url
    this.search = new Search(ctx.input.search ?? "", this.requestedUrl)
    this.sitemaps = new MappedUrls(this.maxStored)
    this.deadline = ctx.now().getTime() + budgetMs
  }

  /** Maximum stored URLs. A search must read all of them to find its matches. */
  private get maxStored(): number {
    return this.search.isEmpty ? Math.min(this.ctx.input.maxUrls, maxSitemapUrls) : maxSitemapUrls
  }

  private get leftMs(): number {
    return this.deadline - this.ctx.now().getTime()
  }

  /** Throws the first error if nothing could be read. */
  async read(): Promise<void> {
    const home = this.readHome()
    await Promise.all([home.then(() => this.readFeeds()), this.readSitemaps(home)])
    if (this.sitemaps.size === 0) await this.crawl()
    const { sitemaps, pages } = this.unread
    if (sitemaps + pages > 0) {
      const left = this.leftMs > 0 ? `${maxFiles} sitemaps` : `${budgetMs / 1000} s`
      const message = `The map ends after ${left}; not read: ${sitemaps} sitemaps, ${pages} pages. Run this site with mode sitemaps, or website-content-crawler, to read all of them.`
      this.miss(this.requestedUrl, new Timeout(message))
    }
    const isCut = !this.search.isEmpty || this.ctx.input.maxUrls > maxSitemapUrls
    if (isCut && this.sitemaps.isFull) {
      const message = `The site's sitemaps have more than ${maxSitemapUrls} URLs; the others were not read.`
      this.miss(this.requestedUrl, new Changed(message, { code: "too_large" }))
    }
    const known = this.pages.size + this.sitemaps.size + this.feeds.size + this.links.size
    if (known === 0)
      throw this.missing[0]?.failure ?? new NotFound(`${this.requestedUrl} has no links.`)
  }

  entries(): MappedUrl[] {
    const all = new MappedUrls(this.maxStored)
    for (const part of [this.pages, this.sitemaps, this.feeds, this.links]) all.addAll(part)
    for (const url of this.dead) all.drop(url)
    const entries = this.search.isEmpty ? [...all.values()] : this.search.ranked(all.values())
    this.ctx.log(`${all.size} URLs were found, ${entries.length} of them match.`)
    return entries.slice(0, this.ctx.input.maxUrls)
  }

  /** Returns the options of each request. Throws Timeout after the maximum time. */
  private request(maxMs = budgetMs): RequestOptions {
    const { leftMs } = this
    if (leftMs <= 0) throw new Timeout(`The map ends after ${budgetMs / 1000} s.`)
    return { withinMs: Math.min(leftMs, maxMs), retries: 0 }
  }

  private miss(url: string, failure: ScrapeError): void {
    this.missing.push({ url: failure.url ?? url, failure })
  }

  /** Returns the response, or null. `isMissed` decides whether the failure is reported. */
  private async attempt<T>(
    url: string,
    work: () => Promise<T>,
    isMissed = (_: ScrapeError) => true,
  ): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      assertScrapeError(error, this.ctx)
      if (isMissed(error)) this.miss(url, error)
      return null
    }
  }

  private isOwn(url: string): boolean {
    const { includeSubdomains } = this.ctx.input
    return [this.requestedUrl, this.home?.url ?? this.requestedUrl].some((site) =>
      sameSite(url, site, includeSubdomains),
    )
  }

  private async readHome(): Promise<void> {
    const written = isMetaFile(toPageUrl(this.target)) ? this.requestedUrl : this.target
    const open = async () => (await openPage(written, this.ctx, this.request(homeMs))).response
    this.home = await this.attempt(this.requestedUrl, open)
    if (!this.home) return
    const { document, url } = this.home
    if (this.addPage(this.home) > 0) return
    const failure = pageFailure(this.home, "links to the site's pages")
    if (failure && !(failure instanceof Changed && document.querySelector("a[href]"))) {
      this.miss(url, failure)
    }
  }

  /** Adds a page and its links. Returns the number of its links to pages of the site. */
  private addPage({ document, url }: UpstreamResponse): number {
    const from = { ...nothingMore, sitemapUrl: url, sitemapType: "page" }
    this.pages.add({ ...from, url, title: documentTitle(document) })
    const mayLead = !robotsMeta(document).nofollow
    let own = 0
    for (const link of pageLinks(document, url)) {
      const isPage = isPageUrl(link.url)
      if (!(isPage || isDocumentAddress(link.url)) || !this.isOwn(link.url)) continue
      if (!this.traps.admits(link.url)) continue
      own++
      const isKnown = this.links.has(link.url) || this.pages.has(link.url)
      this.links.add({ ...from, url: link.url, title: linkTitle(link) })
      const isFollowed = isPage && mayLead && mayFollow(link)
      if (!isKnown && isFollowed && this.queue.length < maxQueuedPages) this.queue.push(link.url)
    }
    return own
  }

  private async readFeeds(): Promise<void> {
    if (!this.home) return
    const { document, url } = this.home
    const announced = announcedFeeds(document, url)
    const feeds = announced.length > 0 ? announced : linkedFeeds(document, url)
    const addresses = feeds.map((feed) => feed.url).filter((feed) => !/comments/i.test(feed))
    const requested = [...new Set(addresses)].slice(0, maxFeeds)
    await Promise.all(requested.map((feed) => this.readFeed(feed, announced.length > 0)))
  }

  private async readFeed(href: string, isAnnounced: boolean): Promise<void> {
    const isMissed = (error: ScrapeError) => isAnnounced && !(error instanceof RobotsDisallowed)
    const read = async () => {
      const has = (response: UpstreamResponse) => feedIn(response) !== null
      const options = { ...this.request(), robots: true, has, what: "a feed" }
      const response = await this.ctx.data(href, options)
      const feed = feedIn(response)
      if (feed === null) throw new Changed(`${href} is not a feed.`, { code: "not_a_feed" })
      for (const { url, title, updatedAt, publishedAt } of feed.entries()) {
        if (url === null || !URL.canParse(url) || !this.isOwn(url)) continue
        const lastmod = updatedAt ?? publishedAt
        const sitemapType = feed.type === "rdf" ? "rss" : feed.type
        this.feeds.add({ ...nothingMore, url, title, lastmod, sitemapUrl: href, sitemapType })
      }
    }
    await this.attempt(href, read, isMissed)
  }

  private async readSitemaps(home: Promise<void>): Promise<void> {
    const request = () => this.request()
    const paths = sitemapFiles.usualPaths.slice(0, 4)
    const starting = await this.attempt(
      this.requestedUrl,
      () => sitemapFiles.startingFiles(this.target, this.ctx, { request, paths }),
      (error) => error.code !== "no_sitemap" || this.leftMs <= 0,
    )
    // The home page's redirects define the site.
    await home
    let files = starting ?? []
    const seen = new Set(files.map((file) => normaliseUrl(file.url)))
    for (let read = 0; files.length > 0 && !this.sitemaps.isFull; read += atOnce) {
      if (this.leftMs <= 0 || read >= maxFiles) {
        this.unread.sitemaps = files.length
        return
      }
      const next = files.slice(0, atOnce)
      const children = await Promise.all(next.map((file) => this.readSitemap(file)))
      const found = children.flat().filter((child) => {
        const key = normaliseUrl(child.url)
        return !seen.has(key) && seen.size < maxQueuedFiles && seen.add(key)
      })
      const rest = files.slice(atOnce)
      files = found.length > 0 ? this.likeliestFirst([...found, ...rest]) : rest
    }
  }

  private likeliestFirst<T extends { url: string }>(addresses: T[]): T[] {
    if (this.search.isEmpty) return addresses
    const likely = this.search.ranked(addresses)
    const first = new Set(likely)
    return [...likely, ...addresses.filter((url) => !first.has(url))]
  }

  /** Adds the entries of a file. Returns the files to which it refers. */
  private async readSitemap(file: sitemapFiles.SitemapFile): Promise<sitemapFiles.SitemapFile[]> {
    const sitemap = await this.attempt(file.url, async () => {
      const requested = { ...sitemapFiles.sitemapRequest, ...this.request() }
      return sitemapFiles.openSitemap(
        file.response ?? (await this.ctx.data(file.url, requested)),
        file.url,
      )
    })
    if (!sitemap) return []
    const from = { sitemapUrl: file.url, sitemapType: sitemap.type, parentSitemapUrl: file.parent }
    for (const { url, title, lastmod, changefreq, priority } of sitemap.urls()) {
      if (!URL.canParse(url) || !this.isOwn(url)) continue
      this.sitemaps.add({ url, title, lastmod, changefreq, priority, ...from })
      if (this.sitemaps.isFull) return []
    }
    const depth = file.depth + 1
    const children: sitemapFiles.SitemapFile[] = []
    for (const url of sitemap.children()) {
      if (depth > sitemapFiles.deepestIndex || children.length >= maxQueuedFiles) break
      children.push({ url, parent: file.url, depth })
    }
    const problem = sitemapFiles.problemOf(sitemap)
    if (problem) this.miss(file.url, new Changed(problem, { url: file.url }))
    return children
  }

  /** Reads the pages to which the home page links, for their titles and links. */
  private async crawl(): Promise<void> {
    // Links of those pages are listed, but not read.
    const chosen = this.likeliestFirst(this.queue.map((url) => ({ url }))).slice(0, maxPages)
    let failures = 0
    for (let index = 0; index < chosen.length && failures < waitLimit; index += atOnce) {
      if (this.leftMs <= 0) {
        this.unread.pages = chosen.length - index
        return
      }
      const missed = this.missing.length
      const next = chosen.slice(index, index + atOnce)
      const responses = await Promise.all(next.map(({ url }) => this.page(url)))
      for (const page of responses) if (page && this.isOwn(page.url)) this.addPage(page)
      failures = this.missing.length > missed ? failures + this.missing.length - missed : 0
    }
  }

  private page(url: string): Promise<UpstreamResponse | null> {
    return this.attempt(
      url,
      () => this.ctx.page(url, { ...this.request(), robots: true }),
      (error) => {
        if (error instanceof NotFound) this.dead.add(url)
        return !(error instanceof NotFound || error instanceof RobotsDisallowed)
      },
    )
  }
}

/** Returns whether a URL is a sitemap's or that of robots.txt, which stands for its site. */
function isMetaFile(href: string): boolean {
  const url = new URL(href)
  return sitemapFiles.looksLikeSitemap(url) || /\/robots\.txt$/i.test(url.pathname)
}

function linkTitle({ element }: PageLink): string | null {
  const alt = element.querySelector("img[alt]")?.getAttribute("alt")?.trim()
  return textOf(element) ?? (alt || element.getAttribute("title")?.trim() || null)
}
