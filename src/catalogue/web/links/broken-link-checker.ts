import { Type } from "@sinclair/typebox"
import {
  checkableLinks,
  isPageUrl,
  normaliseUrl,
  robotsMeta,
  sameSite,
  TrapDetector,
} from "../../../extract/links/index.ts"
import {
  assertScrapeError,
  Blocked,
  type Context,
  defineScraper,
  errorItem,
  inputs,
  itemObject,
  type ScrapeError,
  toPageUrl,
  Unreachable,
  UnsupportedContent,
  type UpstreamResponse,
} from "../../kit/index.ts"
import { identifyPage, pageFailure } from "../page/open.ts"
import { isHtml } from "../page/readable.ts"
import {
  type CheckedLink,
  checkedFailure,
  checkedResponse,
  checkLink,
  invalidLink,
  linkItem,
  summaryItem,
} from "./link-check.ts"

/** Hosts that are requested at the same time, with one request each. */
const hostsAtOnce = 8
const maxSources = 100

export default defineScraper({
  slug: "broken-link-checker",
  name: "Broken Link Checker",
  tagline: "Crawl a site and list dead links, with the pages that link to them.",
  category: "web",
  isCheck: true,
  fetchMethods: ["http"],
  input: {
    startUrl: inputs.text("URL of the page at which the crawl starts."),
    maxPages: inputs.count("Maximum pages whose links are read", { max: 5000, or: 50 }),
    checkExternal: inputs.flag("Also check links to other hosts.", true),
    onlyBroken: inputs.flag("Return only broken links; false returns all links.", true),
  },
  item: Type.Union([itemObject(linkItem.fields), itemObject(summaryItem.fields)]),
  example: { startUrl: "https://www.mkdocs.org/", maxPages: 3, checkExternal: false },
  probe: {
    input: { startUrl: "https://www.mkdocs.org/", maxPages: 2, checkExternal: false },
    expect: [
      "items.length gte 1",
      // Broken links come before the summary, and have none of its fields.
      'items[*].pagesCrawled matches "^[12]$"',
      'items[*].linksChecked matches "^([5-9]|[1-9][0-9]+)$"',
      '?items[*].brokenLinks matches "^[0-3]$"',
      // The start page itself, to which no page links, does not count as a checked link.
      "!items[0].foundOnCount equals 0",
      '!items[0].reason matches "^(?:not_found|gone|upstream_error|timeout|dns|tls|connection)$"',
    ],
  },
  rateLimit: { "*": { perSecond: 4, concurrency: 2 } },
  // Checked links cost a page each.
  pages: null,
  targets: (input) => [input.startUrl],
  identify: identifyPage,

  async *scrape(target, ctx) {
    const check = new SiteCheck(target, ctx, ctx.input)
    await check.run()
    yield* check.items(ctx.input.onlyBroken)
  },
})

interface Link {
  url: string
  element: string
  anchorText: string | null
  external: boolean
  /** Whether it is not a URL that can be requested. */
  invalid: boolean
}

interface LinkRecord extends Link {
  foundOn: Set<string>
  result: CheckedLink | null
}

/** A step of the check. The state of a check consists of its steps. */
type Step =
  | { at: number }
  | Opened
  /** Index of the checked link among the links. */
  | { checked: number; result: CheckedLink }

interface Opened {
  opened: string
  result: CheckedLink
  page?: PageRead
}

interface PageRead {
  url: string
  /** Links of a page; a known link is its index, together with its text if it had none. */
  links: (number | [number, string] | Link)[]
  skipped: number
  mayFollow: boolean
}

/** A run over one site: its links, and the results of their checks. */
class SiteCheck {
  private readonly links: LinkRecord[] = []
  private readonly indexes = new Map<string, number>()
  private readonly crawled = new Set<string>()
  /** Results of the URLs that the crawl opened. */
  private readonly results = new Map<string, CheckedLink>()
  private readonly queue: string[]
  private readonly queued: Set<string>
  private readonly traps = new TrapDetector()
  private started = 0
  private startUrl: string
  private pages = 0
  private skipped = 0
  private start: CheckedLink | null = null
  /** Reason why the first page has nothing to check. */
  private challenge: ScrapeError | null = null

  constructor(
    private readonly written: string,
    private readonly ctx: Context,
    private readonly options: { maxPages: number; checkExternal: boolean },
  ) {
    this.startUrl = toPageUrl(written)
    this.queue = [normaliseUrl(this.startUrl)]
    this.queued = new Set(this.queue)
  }

  /** Starts the check, or continues an interrupted one. */
  async run(): Promise<void> {
    for (const step of await this.ctx.notes.read<Step>()) this.applyStep(step)
    if (this.started === 0) this.addStep({ at: this.ctx.now().getTime() })
    await this.crawl()
    if (!this.challenge) await this.checkUnopened()
  }

  private addStep(step: Step): void {
    this.applyStep(step)
    this.ctx.notes.add(step)
  }

  private applyStep(step: Step): void {
    if ("at" in step) this.started = step.at
    else if ("checked" in step) this.links[step.checked]!.result = step.result
    else this.applyOpened(step)
  }

  /** Reads at most `maxPages` pages, breadth first and in document order. */
  private async crawl(): Promise<void> {
    while (this.queue.length > 0 && this.pages < this.options.maxPages) {
      const { page, ...opened } = await this.open(this.queue[0]!)
      if (this.challenge) return this.applyStep(opened)
      this.addStep(page ? { ...opened, page } : opened)
    }
  }

  private applyOpened({ opened, result, page }: Opened): void {
    this.queue.shift()
    // As in all scrapers, a URL written without a scheme is requested over http if https fails.
    if (!this.start && opened.startsWith("http:")) {
      this.startUrl = this.startUrl.replace(/^https:/i, "http:")
    }
    this.start ??= result
    this.results.set(opened, result)
    if (!page) return
    this.crawled.add(normaliseUrl(page.url))
    this.pages++
    this.skipped += page.skipped
    for (const link of page.links) {
      if (typeof link === "object" && !Array.isArray(link)) this.addLink(link, page)
      else this.addSource(link, page.url)
    }
  }

  private addSource(link: number | [number, string], foundOn: string): void {
    const [index, text] = typeof link === "number" ? [link, null] : link
    const known = this.links[index]!
    known.foundOn.add(foundOn)
    known.anchorText ??= text
  }

  private addLink(link: Link, page: PageRead): void {
    const { url, element, external, invalid } = link
    this.indexes.set(url, this.links.length)
    this.links.push({ ...link, foundOn: new Set([page.url]), result: invalid ? invalidLink : null })
    const crawlable = element === "a" || element === "area"
    if (!page.mayFollow || invalid || external || !crawlable || !isPageUrl(url)) return
    const next = normaliseUrl(url)
    if (this.queued.has(next) || !this.traps.admits(next)) return
    this.queued.add(next)
    this.queue.push(next)
  }

  /** Returns the result of a URL, with the links of its page if it is a new page of the site. */
  private async open(url: string): Promise<Opened> {
    const isStart = this.start === null
    try {
      const response = await this.ctx.get(url, {
        accept: "any",
        identity: "browser",
        retries: 1,
        robots: !isStart,
      })
      const opened = { opened: url, result: checkedResponse(response) }
      if (isStart) this.challenge = challengeIn(response)
      const isNew = !this.crawled.has(normaliseUrl(response.url))
      const isOwn = isStart || this.pages === 0 || sameSite(response.url, this.startUrl)
      const isPage = response.status < 400 && isHtml(response)
      return isPage && isNew && isOwn ? { ...opened, page: this.read(response) } : opened
    } catch (error) {
      assertScrapeError(error, this.ctx)
      if (isStart && url.startsWith("https:") && mayBePlain(this.written, error)) {
        return this.open(normaliseUrl(this.startUrl.replace(/^https:/i, "http:")))
      }
      return { opened: url, result: checkedFailure(error, url) }
    }
  }

  private read(response: UpstreamResponse): PageRead {
    const { links, skipped } = checkableLinks(response.document, response.url)
    const found = new Map<string, Link>()
    for (const { url, written, element, text } of links) {
      const known = found.get(url ?? written)
      if (known) known.anchorText ??= text
      else {
        const external = url !== null && !sameSite(url, this.startUrl)
        const link = { url: url ?? written, element, anchorText: text, external }
        found.set(link.url, { ...link, invalid: url === null })
      }
    }
    return {
      url: response.url,
      links: [...found.values()].map((link) => this.knownIndex(link) ?? link),
      skipped,
      mayFollow: !robotsMeta(response.document).nofollow,
    }
  }

  private knownIndex({ url, anchorText }: Link): number | [number, string] | undefined {
    const index = this.indexes.get(url)
    if (index === undefined || anchorText === null) return index
    return this.links[index]!.anchorText === null ? [index, anchorText] : index
  }

  /** Checks the links that the crawl did not open: several hosts at once, with one request each. */
  private async checkUnopened(): Promise<void> {
    const unchecked: number[] = []
    for (const [index, link] of this.links.entries()) {
      if (link.result !== null || (link.external && !this.options.checkExternal)) continue
      link.result = this.results.get(normaliseUrl(link.url)) ?? null
      if (link.result === null) unchecked.push(index)
    }
    const byHost = Map.groupBy(unchecked, (index) => new URL(this.links[index]!.url).host)
    const waiting = [...byHost.values()].values()
    const work = async () => {
      for (const indexes of waiting) {
        for (const index of indexes) {
          const { url, external } = this.links[index]!
          this.addStep({ checked: index, result: await checkLink(url, external, this.ctx) })
        }
      }
    }
    await Promise.all(Array.from({ length: hostsAtOnce }, work))
  }

  *items(onlyBroken: boolean) {
    const checked = this.links.filter((link) => link.result !== null)
    if (this.pages === 0 && this.start) {
      const item = linkItem.read({
        type: "link",
        url: this.startUrl,
        ...this.start,
        broken: true,
        external: false,
        element: "a",
        foundOnCount: 0,
      })
      yield this.challenge ? errorItem(this.challenge, { input: this.written, ...item }) : item
    }
    for (const { foundOn, result, invalid: _, ...link } of checked) {
      if (onlyBroken && !result!.broken) continue
      const sources = [...foundOn]
      yield linkItem.read({
        type: "link",
        ...link,
        ...result!,
        foundOn: sources.slice(0, maxSources),
        foundOnCount: sources.length,
      })
    }
    yield this.summary(checked)
  }

  private summary(checked: LinkRecord[]) {
    const byStatus: Record<string, number> = {}
    for (const { result } of checked) {
      const status = String(result!.statusCode ?? result!.reason)
      byStatus[status] = (byStatus[status] ?? 0) + 1
    }
    return summaryItem.read({
      type: "summary",
      startUrl: this.startUrl,
      pagesCrawled: this.pages,
      linksChecked: checked.length,
      brokenLinks:
        checked.filter(({ result }) => result!.broken).length + (this.pages === 0 ? 1 : 0),
      redirectedLinks: checked.filter(({ result }) => result!.redirected).length,
      externalLinks: this.links.filter((link) => link.external).length,
      internalLinks: this.links.filter((link) => !link.external).length,
      skipped: this.skipped,
      byStatus,
      durationMs: Math.round(this.ctx.now().getTime() - this.started),
    })
  }
}

/** Returns whether http may succeed after https failed. */
const mayBePlain = (written: string, error: ScrapeError) =>
  !/^\s*https?:/i.test(written) && error instanceof Unreachable && error.code !== "dns"

/** Returns the error of a challenge, or of a response without links that is not a page. */
function challengeIn(response: UpstreamResponse): ScrapeError | null {
  const failure = pageFailure(response, "a page with links")
  if (failure instanceof Blocked) return failure
  if (response.status < 400 && !isHtml(response)) {
    return new UnsupportedContent(`${response.url} is ${response.contentType}, not a page.`, {
      response,
    })
  }
  const { links, skipped } = checkableLinks(response.document, response.url)
  return response.status < 400 && links.length + skipped === 0 ? failure : null
}
