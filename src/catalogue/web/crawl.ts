import { BoundedMap } from "../../base/bounded-map.ts"
import {
  completeAddress,
  isDocumentAddress,
  isPageAddress,
  mayFollow,
  normaliseUrl,
  type PageLink,
  pageLinks,
  robotsMeta,
  sameSite,
  TrapGuard,
} from "../../extract/links/index.ts"
import { readSitemap } from "../../extract/sitemap/index.ts"
import {
  type Context,
  isEmbedded,
  isErrorPage,
  isHtml,
  isReadable,
  leadsTo,
  openPage,
  type PageOptions,
  pageAddress,
  type RenderedResponse,
  ScrapeError,
  type UpstreamResponse,
  withScripts,
} from "../kit/index.ts"
import type { CrawlRules, CrawlTarget } from "./crawl-rules.ts"
import {
  conditions,
  isKnownSince,
  type KnownPage,
  keepPage,
  knownPage,
  notModified,
  rememberPage,
} from "./known-pages.ts"
import { isWantedError } from "./options/page-request.ts"

export type { CrawlTarget } from "./crawl-rules.ts"

/** Failures in a row after which a host is left alone. */
const waitLimit = 10
const maxSitemapBytes = 50 * 1024 * 1024
const maxSitemapUrls = 10_000
const maxSimilar = 100_000

/** What the targets of one crawl know together. */
export class Crawl {
  private readonly traps = new TrapGuard()
  /** Final addresses, and the target that gives each. */
  private readonly claims = new Map<string, string>()
  /** The first page with a content or canonical address. */
  private readonly firsts = new Map<string, string>()
  /** Targets that gave an item, or failed. */
  private readonly pages = new Set<string>()
  private readonly failuresInRow = new Map<string, number>()
  /** The site that a start address led to. */
  private readonly sites = new Map<string, URL>()

  /** Of addresses that are followed, if similar ones are the same. */
  private readonly similar = new BoundedMap<string, string>(maxSimilar)
  private turn?: Promise<void>
  /** Pages that were not read because they have not changed since the last crawl. */
  private readonly passed = new Set<string>()
  /** Links that were followed from pages that are still read. */
  private readonly followed = new Map<string, string[]>()

  private constructor(readonly rules: CrawlRules) {}

  static of(ctx: Context, rules: CrawlRules): Crawl {
    const known = ctx.shared.get("crawl") as Crawl | undefined
    if (known) return known
    const crawl = new Crawl(rules)
    ctx.shared.set("crawl", crawl)
    return crawl
  }

  /**
   * Returns a target's page. Null if it gives no item: another target gave the same page, it only
   * redirects to another page, or the crawl has all its pages.
   * Throws BadInput if a URL of the input is not valid, and the errors of the request.
   */
  async open(
    target: CrawlTarget,
    ctx: Context,
    options: PageOptions = {},
  ): Promise<RenderedResponse | null> {
    const claim = this.claims.get(target.url)
    if ((claim !== undefined && claim !== target.url) || this.isFull(target)) return null
    if (this.rules.ignoreSimilarUrls) this.isFirstOfSimilar(new URL(target.url))
    const address = target.written === undefined ? target.url : pageAddress(target.written)
    const { host } = new URL(address)
    if ((this.failuresInRow.get(host) ?? 0) >= waitLimit) {
      ctx.log(`${host} failed ${waitLimit} times in a row; leaving it alone.`, "warning")
      return null
    }
    const known = this.rules.onlyChanged ? await knownPage(target.url, ctx) : undefined
    if (known && isKnownSince(target.lastmod, known)) {
      return this.passBy(target, known, ctx, `its sitemap says that it was changed before`)
    }
    await this.waitTurn(ctx)
    try {
      const response = await this.fetch(target, ctx, {
        ...options,
        ...this.onlyIfChanged(known, options),
      })
      if (known && response.status === notModified) {
        this.failuresInRow.set(host, 0)
        return this.passBy(target, known, ctx, "its server says that it has not changed")
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

  private onlyIfChanged(known: KnownPage | undefined, options: PageOptions): PageOptions {
    if (!this.rules.onlyChanged) return {}
    const headers = { ...options.headers, ...conditions(known) }
    return { headers, accept: [notModified], forAccounts: "onlyChanged" }
  }

  /** Keeps a page for the next crawl. Returns whether this one is to give no item for it. */
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

  /** Continues behind a page that is not read again. */
  private async passBy(
    target: CrawlTarget,
    known: KnownPage,
    ctx: Context,
    why: string,
  ): Promise<null> {
    const { links } = known
    ctx.log(`Skipping ${target.url}: ${why}.`)
    this.claims.set(target.url, target.url)
    this.passed.add(target.url)
    await keepPage(target.url, known, ctx)
    if (target.depth >= this.rules.maxDepth) return null
    if (links.length === 0 && target.depth === 0) await this.followSitemap(target, target, ctx)
    for (const link of links)
      await this.follow(link, { ...target, referrer: target.url }, ctx, target.depth + 1)
    return null
  }

  private isFirstOfSimilar(url: URL): boolean {
    const key = similarKey(url)
    if (this.similar.has(key)) return this.similar.get(key) === url.href
    this.similar.set(key, url.href)
    return true
  }

  /** Pages that are fetched at the same time wait for one another. */
  private async waitTurn(ctx: Context): Promise<void> {
    const { delaySeconds = 0 } = this.rules
    if (delaySeconds <= 0) return
    const before = this.turn
    const turn = (async () => {
      await before
      if (before) await ctx.pause(delaySeconds, "the crawl's delay between pages.")
    })()
    // An aborted page leaves its turn to the next.
    this.turn = turn.catch(() => {})
    await turn
  }

  private isFull(target: CrawlTarget): boolean {
    return !this.pages.has(target.url) && this.pages.size >= this.rules.maxPages
  }

  /**
   * Returns the page. An app shell whose scripts hold its text is read as it is if none of its
   * links would be followed; else Chrome, which can see its links, comes first.
   */
  private async fetch(
    target: CrawlTarget,
    ctx: Context,
    options: PageOptions,
  ): Promise<RenderedResponse> {
    const page = { ...crawlable, ...options }
    const isWanted = typeof page.has === "function" ? page.has : crawlable.has
    const isLast = target.depth >= this.rules.maxDepth
    let shell: RenderedResponse | undefined
    const has = (response: RenderedResponse) => {
      if (response.status === notModified) return true
      if (
        isWanted(response) ||
        isWantedError(response, { errorPages: options.errorPages === true })
      ) {
        return true
      }
      if (!isHtml(response) || !isEmbedded(response)) return false
      shell ??= response
      return isLast
    }
    try {
      if (target.written === undefined)
        return await ctx.page(target.url, { ...page, has, robots: true })
      const { response } = await openPage(target.written, ctx, { ...page, has })
      if (response.status === notModified) return response
      return await withScripts(response, ctx, { ...page, has })
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (!shell || !(error instanceof ScrapeError)) throw error
      ctx.log(`${error.message} What it is about was read from what it hands to its scripts.`)
      return shell
    }
  }

  private async accept<A extends UpstreamResponse>(
    target: CrawlTarget,
    response: A,
    ctx: Context,
  ): Promise<A | null> {
    const final = normaliseUrl(response.url)
    const claimed = this.claims.get(final)
    if (claimed !== undefined && claimed !== target.url) return null
    this.claims.set(final, target.url)
    this.pages.delete(target.url)
    if (target.written !== undefined) this.sites.set(target.startUrl, new URL(final))
    if (isErrorPage(response)) return response
    if (!isHtml(response)) return (await this.expand(target, response, ctx)) ? null : response
    const refresh = leadsTo(response)
    if (refresh === null) return response
    if (target.written !== undefined) this.sites.set(target.startUrl, new URL(refresh))
    await this.follow(refresh, target, ctx, target.depth)
    return null
  }

  /** A start address may be a sitemap, which stands for its pages. */
  private async expand(
    target: CrawlTarget,
    response: UpstreamResponse,
    ctx: Context,
  ): Promise<boolean> {
    const mayBe = target.written !== undefined || target.sitemap === true
    return mayBe && (await this.followEntries(target, response, ctx))
  }

  /** Pages so far, those that failed included. */
  get count(): number {
    return this.pages.size
  }

  /** Places in the order of the crawl so far, including those of unchanged pages. */
  get places(): number {
    return this.pages.size + this.passed.size
  }

  /** Whether a target's page was not read because it has not changed. */
  isPassed({ url }: CrawlTarget): boolean {
    return this.passed.has(url)
  }

  /** Counts a page as one of the crawl's. */
  keep(target: CrawlTarget): void {
    this.pages.add(target.url)
  }

  /** The page before this one that has the same key, such as a hash of its content. */
  firstWith(key: string, url: string): string | null {
    const first = this.firsts.get(key)
    if (first === undefined) this.firsts.set(key, url)
    return first === undefined || first === url ? null : first
  }

  /** Whether an address belongs to the site of a target's start page. */
  isInternal(url: string | URL, target: CrawlTarget): boolean {
    const site = this.sites.get(target.startUrl) ?? target.startUrl
    return sameSite(url, site, this.rules.includeSubdomains)
  }

  /** Follows the links of a page as far as the rules allow; gives all its links. */
  async followLinks(
    target: CrawlTarget,
    response: UpstreamResponse,
    ctx: Context,
  ): Promise<PageLink[]> {
    const links = pageLinks(response.document, response.url)
    const depth = target.depth + 1
    const mayLead =
      !isErrorPage(response) &&
      depth <= this.rules.maxDepth &&
      (this.rules.admitsExternal !== undefined || this.isInternal(response.url, target)) &&
      !robotsMeta(response.document).nofollow
    if (mayLead) {
      const led = links.filter((link) => mayFollow(link, this.rules.nofollow))
      await this.followAll(target, new Set(led.map((link) => link.url)), response.url, ctx)
    }
    return links
  }

  /** Follows normalised URLs of a page, also in the next crawl if the page has not changed by then. */
  async followAll(
    target: CrawlTarget,
    urls: Iterable<string>,
    referrer: string,
    ctx: Context,
  ): Promise<void> {
    const followed = this.followed.get(target.url) ?? []
    if (this.rules.onlyChanged) this.followed.set(target.url, followed)
    for (const url of urls) {
      followed.push(url)
      await this.followNormalised(url, { ...target, referrer }, ctx, target.depth + 1)
    }
  }

  /** Adds an address to the crawl, if it is one of its pages. */
  follow(
    address: string,
    from: CrawlTarget,
    ctx: Context,
    depth: number,
    lastmod?: string,
  ): Promise<boolean> {
    return this.followNormalised(normaliseUrl(address), from, ctx, depth, lastmod)
  }

  private async followNormalised(
    address: string,
    from: CrawlTarget,
    ctx: Context,
    depth: number,
    lastmod?: string,
  ): Promise<boolean> {
    const url = this.rules.ignoreQuery ? address.replace(/\?.*$/s, "") : address
    if (this.claims.has(url)) return false
    const parts = new URL(url)
    const { admits, admitsExternal, ignoreSimilarUrls } = this.rules
    const isInternal = this.isInternal(parts, from)
    if (!this.isPage(parts) || (!isInternal && !admitsExternal)) return false
    const isAdmitted = isInternal ? admits?.(url) !== false : admitsExternal!(url)
    if (!isAdmitted || !this.traps.admits(parts)) return false
    const { written: _, sitemap: __, lastmod: ___, ...found } = from
    if (ignoreSimilarUrls && !this.isFirstOfSimilar(parts)) return false
    return ctx.follow({ ...found, url, depth, ...(lastmod ? { lastmod } : {}) }, url)
  }

  private isPage(url: URL): boolean {
    return isPageAddress(url) || (this.rules.documents === true && isDocumentAddress(url))
  }

  /** Follows the addresses of the site's sitemap; for start pages whose links only a script shows. */
  async followSitemap(
    target: CrawlTarget,
    { url }: Pick<UpstreamResponse, "url">,
    ctx: Context,
  ): Promise<void> {
    const address = new URL("/sitemap.xml", url).href
    try {
      const sitemap = await ctx.get(address, {
        maxBytes: maxSitemapBytes,
        retries: 0,
        robots: true,
      })
      await this.followEntries(target, sitemap, ctx)
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (!(error instanceof ScrapeError)) throw error
      ctx.log(`No sitemap at ${address}: ${error.message}`)
    }
  }

  /** Follows the URLs of a sitemap. Returns false if the response is not a sitemap. */
  async followEntries(
    target: CrawlTarget,
    response: UpstreamResponse,
    ctx: Context,
  ): Promise<boolean> {
    const contentType = response.headers.get("content-type") ?? ""
    const sitemap = readSitemap(response.bytes, response.url, {
      contentType,
      maxBytes: maxSitemapBytes,
    })
    if (!sitemap) return false
    let count = 0
    const from = { ...target, referrer: response.url }
    for (const url of sitemap.children()) {
      const { written: _, ...child } = from
      await ctx.follow({ ...child, url, sitemap: true }, url)
    }
    const { modifiedSince } = this.rules
    for (const entry of sitemap.urls()) {
      const modified = Date.parse(entry.lastmod ?? "")
      if (modifiedSince !== undefined && modified < modifiedSince) continue
      await this.follow(entry.url, from, ctx, target.depth, entry.lastmod ?? undefined)
      if (++count >= maxSitemapUrls) break
    }
    return true
  }
}

/** What is left of an address without what a server mostly answers alike. */
function similarKey({ host, pathname, search }: URL): string {
  const path = pathname.replace(/\/(?:index\.(?:html?|php|aspx?))?$/i, "")
  return `${host.replace(/^www\./, "")}${path}${search}`
}

/**
 * Whether a page has text or redirects to another. Responses that are not pages are read by other
 * means.
 */
export const crawlable = {
  has: (response: UpstreamResponse) =>
    !isHtml(response) || isReadable(response) || leadsTo(response) !== null,
  what: "any text",
}

/** The start pages of a crawl, each once. */
export function startTargets(written: readonly string[]): CrawlTarget[] {
  const targets = new Map<string, CrawlTarget>()
  for (const address of written) {
    const startUrl = completeAddress(address) ?? address
    const url = URL.canParse(startUrl) ? normaliseUrl(startUrl) : address
    if (!targets.has(url)) {
      targets.set(url, { url, depth: 0, startUrl, referrer: null, written: address })
    }
  }
  return [...targets.values()]
}
