import { Type } from "@sinclair/typebox"
import {
  checkableLinks,
  isPageAddress,
  normaliseUrl,
  robotsMeta,
  sameSite,
  TrapGuard,
} from "../../extract/links/index.ts"
import {
  type Answer,
  Blocked,
  type Context,
  defineScraper,
  errorItem,
  identifyPage,
  inputObject,
  inputs,
  integerField,
  itemObject,
  Outcome,
  pageAddress,
  pageFailure,
  textField,
  textsField,
  Unreachable,
  UnsupportedContent,
} from "../kit/index.ts"
import { isHtml } from "./crawl.ts"
import { type CheckedLink, checkLink, invalidLink, ofAnswer, ofOutcome } from "./link-check.ts"

/** Hosts that are asked at the same time, each one request at a time. */
const hostsAtOnce = 8
const mostSources = 100

const linkItem = itemObject({
  type: Type.Literal("link"),
  url: Type.String({ description: "The link's address without fragment, or as written." }),
  finalUrl: textField("The address after redirects."),
  statusCode: integerField("Null when there was no answer."),
  broken: Type.Boolean({ description: "The link leads nowhere." }),
  reason: textField(
    "not_found, gone, server_error, http_error, timeout, dns, tls, connection, too_many_redirects, invalid_url; forbidden or robots_disallowed where it could not be verified.",
  ),
  external: Type.Boolean({ description: "It leads to another host." }),
  element: Type.String({ description: "a, area, img or iframe." }),
  anchorText: textField("Text of its first occurrence."),
  foundOn: textsField("Pages with this link, 100 at most."),
  foundOnCount: Type.Integer({ description: "Number of pages with this link." }),
  redirected: Type.Boolean({ description: "It is redirected." }),
  redirectStatus: integerField("Status of the first redirect."),
  responseTimeMs: integerField("Null when there was no answer."),
})

const summaryItem = itemObject({
  type: Type.Literal("summary"),
  startUrl: Type.String({ description: "Where the crawl began." }),
  pagesCrawled: Type.Integer({ description: "Pages whose links were read." }),
  linksChecked: Type.Integer({ description: "Different links that were checked." }),
  brokenLinks: Type.Integer({ description: "Links that lead nowhere." }),
  redirectedLinks: Type.Integer({ description: "Links that are redirected." }),
  externalLinks: Type.Integer({ description: "Different links to other hosts." }),
  internalLinks: Type.Integer({ description: "Different links to this host." }),
  skipped: Type.Integer({ description: "Links that no request can check, such as mailto." }),
  byStatus: Type.Record(Type.String(), Type.Integer(), { description: "Links by status." }),
  durationMs: Type.Integer({ description: "Time that the check took." }),
})

export default defineScraper({
  slug: "broken-link-checker",
  name: "Broken Link Checker",
  tagline: "Crawl a site and list dead links, with where they are.",
  category: "web",
  tier: "free",
  input: inputObject({
    startUrl: inputs.text("The page where the crawl begins."),
    maxPages: inputs.count("The most pages whose links are read.", { max: 5000, or: 50 }),
    checkExternal: inputs.flag("Also checks links to other hosts.", true),
    onlyBroken: inputs.flag("Lists broken links alone; off: all links.", true),
  }),
  item: Type.Union([linkItem, summaryItem]),
  example: { startUrl: "https://www.mkdocs.org/", maxPages: 3, checkExternal: false },
  pace: { "*": { perSecond: 4, concurrency: 2 } },
  targets: (input) => [input.startUrl],
  identify: identifyPage,

  async *scrape(target, ctx) {
    const check = new SiteCheck(target, ctx, ctx.input)
    await check.crawl()
    await check.checkRest()
    yield* check.items(ctx.input.onlyBroken)
  },
})

interface Found {
  url: string
  element: string
  anchorText: string | null
  foundOn: Set<string>
  external: boolean
  result: CheckedLink | null
}

/** One run over one site: what links it has, and what came of them. */
class SiteCheck {
  private readonly links = new Map<string, Found>()
  private readonly crawled = new Set<string>()
  /** What the crawl learnt of the addresses that it opened. */
  private readonly results = new Map<string, CheckedLink>()
  private readonly queue: string[]
  private readonly guard = new TrapGuard()
  private readonly started: number
  private startUrl: string
  private pages = 0
  private skipped = 0
  private start: CheckedLink | null = null
  /** Why the first page shows nothing that could be checked. */
  private wall: Outcome | null = null

  constructor(
    private readonly written: string,
    private readonly ctx: Context,
    private readonly options: { maxPages: number; checkExternal: boolean },
  ) {
    this.startUrl = pageAddress(written)
    this.queue = [normaliseUrl(this.startUrl)]
    this.started = ctx.now().getTime()
  }

  /** Reads pages breadth first, in document order, until there are none left or the cap is met. */
  async crawl(): Promise<void> {
    const queued = new Set(this.queue)
    while (this.queue.length > 0 && this.pages < this.options.maxPages) {
      const url = this.queue.shift()!
      const answer = await this.open(url)
      if (this.wall) return
      if (!answer || this.crawled.has(normaliseUrl(answer.url))) continue
      this.crawled.add(normaliseUrl(answer.url))
      if (!sameSite(answer.url, this.startUrl) && this.pages > 0) continue
      this.pages++
      for (const next of this.readLinks(answer)) {
        if (queued.has(next) || !this.guard.admits(next)) continue
        queued.add(next)
        this.queue.push(next)
      }
    }
  }

  /** A page of the site whose links can be read; what came of others is noted. */
  private async open(url: string): Promise<Answer | null> {
    const isStart = this.pages === 0 && this.start === null
    try {
      const answer = await this.ctx.get(url, {
        accept: "any",
        identity: "browser",
        retries: 1,
        robots: !isStart,
      })
      const isPage = answer.status < 400 && isHtml(answer)
      if (isStart) this.start = ofAnswer(answer)
      if (isStart) this.wall = wallIn(answer)
      this.results.set(url, ofAnswer(answer))
      return isPage ? answer : null
    } catch (error) {
      this.ctx.signal.throwIfAborted()
      if (!(error instanceof Outcome)) throw error
      if (isStart && url.startsWith("https:") && mayBePlain(this.written, error)) {
        this.startUrl = this.startUrl.replace(/^https:/i, "http:")
        return this.open(normaliseUrl(this.startUrl))
      }
      if (isStart) this.start = ofOutcome(error, url)
      this.results.set(url, ofOutcome(error, url))
      return null
    }
  }

  /** Notes the links of a page; gives those that may be crawled. */
  private readLinks(answer: Answer): string[] {
    const { links, skipped } = checkableLinks(answer.document, answer.url)
    const mayFollow = !robotsMeta(answer.document).nofollow
    const next: string[] = []
    this.skipped += skipped
    for (const { url, written, element, text } of links) {
      const key = url ?? written
      const known = this.links.get(key)
      if (known) {
        known.foundOn.add(answer.url)
        known.anchorText ??= text
        continue
      }
      const external = url !== null && !sameSite(url, this.startUrl)
      this.links.set(key, {
        url: url ?? written,
        element,
        anchorText: text,
        foundOn: new Set([answer.url]),
        external,
        result: url === null ? invalidLink : null,
      })
      const crawlable = element === "a" || element === "area"
      if (mayFollow && url !== null && !external && crawlable && isPageAddress(url)) {
        next.push(normaliseUrl(url))
      }
    }
    return next
  }

  /** Checks what the crawl did not open: several hosts at once, each one request at a time. */
  async checkRest(): Promise<void> {
    const byHost = new Map<string, Found[]>()
    for (const link of this.links.values()) {
      if (link.result !== null || (link.external && !this.options.checkExternal)) continue
      link.result = this.results.get(normaliseUrl(link.url)) ?? null
      if (link.result !== null) continue
      const { host } = new URL(link.url)
      byHost.set(host, [...(byHost.get(host) ?? []), link])
    }
    const waiting = [...byHost.values()].values()
    const work = async () => {
      for (const links of waiting) {
        for (const link of links) link.result = await checkLink(link.url, link.external, this.ctx)
      }
    }
    await Promise.all(Array.from({ length: hostsAtOnce }, work))
  }

  *items(onlyBroken: boolean) {
    const checked = [...this.links.values()].filter((link) => link.result !== null)
    if (this.pages === 0 && this.start) {
      const item = startItem(this.startUrl, this.start)
      yield this.wall ? errorItem(this.wall, { input: this.written, ...item }) : item
    }
    for (const { foundOn, result, ...link } of checked) {
      if (onlyBroken && !result!.broken) continue
      const sources = [...foundOn]
      yield {
        type: "link" as const,
        ...link,
        ...result!,
        foundOn: sources.slice(0, mostSources),
        foundOnCount: sources.length,
      }
    }
    yield this.summary(checked)
  }

  private summary(checked: Found[]) {
    const byStatus: Record<string, number> = {}
    for (const { result } of checked) {
      const status = String(result!.statusCode ?? result!.reason)
      byStatus[status] = (byStatus[status] ?? 0) + 1
    }
    const all = [...this.links.values()]
    return {
      type: "summary" as const,
      startUrl: this.startUrl,
      pagesCrawled: this.pages,
      linksChecked: checked.length,
      brokenLinks:
        checked.filter(({ result }) => result!.broken).length + (this.pages === 0 ? 1 : 0),
      redirectedLinks: checked.filter(({ result }) => result!.redirected).length,
      externalLinks: all.filter((link) => link.external).length,
      internalLinks: all.filter((link) => !link.external).length,
      skipped: this.skipped,
      byStatus,
      durationMs: Math.round(this.ctx.now().getTime() - this.started),
    }
  }
}

/** As everywhere, an address written without scheme is tried by http where https fails. */
const mayBePlain = (written: string, error: Outcome) =>
  !/^\s*https?:/i.test(written) && error instanceof Unreachable && error.code !== "dns"

/** A bot wall; or an answer without a link that is no page at all. */
function wallIn(answer: Answer): Outcome | null {
  const failure = pageFailure(answer, "a page with links")
  if (failure instanceof Blocked) return failure
  if (answer.status < 400 && !isHtml(answer)) {
    return new UnsupportedContent(`${answer.url} is ${answer.contentType}, not a page.`, {
      url: answer.url,
      statusCode: answer.status,
    })
  }
  const { links, skipped } = checkableLinks(answer.document, answer.url)
  return answer.status < 400 && links.length + skipped === 0 ? failure : null
}

function startItem(url: string, result: CheckedLink) {
  return {
    type: "link" as const,
    url,
    ...result,
    broken: true,
    external: false,
    element: "a",
    anchorText: null,
    foundOn: [],
    foundOnCount: 0,
  }
}
