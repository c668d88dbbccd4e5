import { mainContent } from "../../extract/article/index.ts"
import { baseUrl, blockText, textOf, words } from "../../extract/core/index.ts"
import {
  canonicalUrl,
  isPageUrl,
  normaliseUrl,
  type PageLink,
  robotsMeta,
  sameSite,
  TrapDetector,
} from "../../extract/links/index.ts"
import { toMarkdown } from "../../extract/markdown/index.ts"
import { readSome, readSources } from "../../extract/metadata/index.ts"
import { documentTitle } from "../../extract/page/index.ts"
import { assertScrapeError, type Context, type UpstreamResponse } from "../kit/index.ts"
import { crawlable } from "./crawl/crawl.ts"
import { ifAvailable } from "./page/open.ts"
import { isReported, stubTarget } from "./page/readable.ts"
import { sitemapIn, sitemapOptions } from "./page/sitemaps.ts"

const atOnce = 2
const waitLimit = 10
const maxSitemapEntries = 5_000

/** Returns the folder of a URL. A last part without a file extension counts as a folder. */
export function folderOf(href: string): string {
  if (!URL.canParse(href)) return href
  const url = new URL(href)
  const last = url.pathname.lastIndexOf("/") + 1
  const isFile = url.pathname.includes(".", last)
  const path = isFile ? url.pathname.slice(0, last) : url.pathname.replace(/\/?$/, "/")
  return `${url.origin}${path}`
}

export type ReadPage = ReturnType<typeof described>

/** Matches pages that do not describe a site. */
const excluded = new RegExp(
  String.raw`\/(?:${words(String.raw`
    login|log-in|signin|sign-in|signup|sign-up|register|cart|basket|checkout|account|my-account
    wp-admin|wp-login\.php|tags?|category|author|feed|search|page\/\d+
  `)})(?:\/|$)|[?&](?:page|paged|replytocom|add-to-cart)=`,
  "i",
)

/** Reads the pages that describe a site, those first to which its home page links. */
export class SiteReader {
  readonly pages: ReadPage[] = []
  readonly titles: string[] = []
  readonly failed: { url: string; error: { code: string; message: string } }[] = []
  private readonly known = new Set<string>()
  private readonly queue: string[] = []
  private readonly traps = new TrapDetector()
  private readonly folder: string
  private readonly language: string
  private failuresInRow = 0

  constructor(
    private readonly home: UpstreamResponse,
    private readonly ctx: Context,
  ) {
    this.folder = new URL(folderOf(home.url)).pathname
    this.language = languageOf(home.document)
    this.known.add(normaliseUrl(home.url))
    this.add(home)
  }

  /** Reads the pages to which the home page links, then those of the sitemap. */
  async readAll(links: PageLink[], max: number): Promise<void> {
    for (const { url } of links) this.enqueue(url)
    await this.drain(max)
    if (this.pages.length >= max) return
    for (const url of await this.sitemapUrls()) this.enqueue(url)
    await this.drain(max)
  }

  private enqueue(href: string): void {
    const url = normaliseUrl(href)
    const { pathname } = new URL(url)
    const isOurs = sameSite(url, this.home.url) && pathname.startsWith(this.folder)
    if (!isOurs || this.known.has(url) || !isPageUrl(url) || excluded.test(url)) return
    if (!this.traps.admits(url)) return
    this.known.add(url)
    this.queue.push(url)
  }

  /** Reads queued pages, a few at a time, in the order of the queue. */
  private async drain(max: number): Promise<void> {
    while (this.queue.length > 0 && this.pages.length < max && this.failuresInRow < waitLimit) {
      const urls = this.queue.splice(0, Math.min(atOnce, max - this.pages.length))
      const responses = await Promise.all(urls.map((url) => this.fetch(url)))
      for (const response of responses) if (response) this.add(response)
    }
  }

  private async fetch(url: string): Promise<UpstreamResponse | null> {
    try {
      const response = await this.ctx.page(url, {
        ...crawlable,
        has: (page) => crawlable.has(page) || isReported(page),
        robots: true,
      })
      this.failuresInRow = 0
      return this.isWanted(response, url) ? response : null
    } catch (error) {
      assertScrapeError(error, this.ctx)
      this.failuresInRow++
      this.failed.push({ url, error: { code: error.code, message: error.message } })
      return null
    }
  }

  /** Returns false for redirects, copies, pages with `noindex` and pages in other languages. */
  private isWanted(response: UpstreamResponse, requested: string): boolean {
    const { document, url } = response
    const refresh = stubTarget(response)
    if (refresh !== null) {
      this.enqueue(refresh)
      return false
    }
    if (robotsMeta(document).noindex || !sameSite(url, this.home.url)) return false
    const language = languageOf(document)
    if (language !== "" && this.language !== "" && language !== this.language) return false
    const href = pageKey(document, url)
    if (href !== requested && this.known.has(href)) return false
    this.known.add(href)
    return true
  }

  private add(response: UpstreamResponse): void {
    const title = documentTitle(response.document)
    if (title !== null) this.titles.push(title)
    this.pages.push(described(response))
  }

  /** Returns the URLs of the sitemaps by priority, then by depth. */
  private async sitemapUrls(): Promise<string[]> {
    const { origin } = new URL(this.home.url)
    const robots = await this.response(`${origin}/robots.txt`)
    const rules = robots === null || /html/.test(robots.contentType) ? "" : robots.text()
    const named = [...rules.matchAll(/^[^\S\r\n]*sitemap\s*:\s*(\S+)/gim)].map((line) => line[1]!)
    const files = named.length > 0 ? named : [`${origin}/sitemap.xml`]
    const entries = await this.readSitemaps(files.slice(0, 20), 0)
    const depth = (url: string) => new URL(url).pathname.split("/").length
    const secure = origin.startsWith("https:")
    return entries
      .sort((a, b) => b.priority - a.priority || depth(a.url) - depth(b.url))
      .map(({ url }) => (secure ? url.replace(/^http:/, "https:") : url))
  }

  private async readSitemaps(
    files: string[],
    depth: number,
  ): Promise<{ url: string; priority: number }[]> {
    const entries: { url: string; priority: number }[] = []
    for (const file of files) {
      const response = await this.response(file)
      const sitemap = response && sitemapIn(response)
      const own = sitemap?.urls().take(maxSitemapEntries).toArray() ?? []
      entries.push(...own.map(({ url, priority }) => ({ url, priority: priority ?? 0.5 })))
      if (sitemap && depth === 0 && own.length < maxSitemapEntries) {
        entries.push(...(await this.readSitemaps([...sitemap.children()].slice(0, 10), 1)))
      }
      if (entries.length >= maxSitemapEntries) break
    }
    return entries
  }

  private async response(url: string): Promise<UpstreamResponse | null> {
    return ifAvailable(this.ctx, () => this.ctx.get(url, { ...sitemapOptions, robots: false }))
  }
}

/** Returns a page of a site, with the data for llms.txt. */
function described({ document, url }: UpstreamResponse) {
  const { root } = mainContent(document, url)
  const { title, description } = readSome(readSources(document, url), "title", "description")
  return {
    url: pageKey(document, url),
    title: documentTitle(document) ?? title ?? url,
    heading: textOf(document.querySelector("main h1, article h1, h1")),
    description,
    text: blockText(root),
    markdown: toMarkdown(root, baseUrl(document, url)),
  }
}

/** Returns the URL that identifies a page: its canonical URL if that is on its own host. */
function pageKey(document: Document, url: string): string {
  const canonical = canonicalUrl(document, url)
  const isOwn = canonical !== null && new URL(canonical).host === new URL(url).host
  return normaliseUrl(isOwn && new URL(canonical).pathname !== "/" ? canonical : url)
}

const languageOf = (document: Document) =>
  (document.documentElement.getAttribute("lang") ?? "").trim().toLowerCase().split(/[-_]/)[0]!
