import { mainContent } from "../../../extract/article/index.ts"
import { blockText, countWords } from "../../../extract/core/index.ts"
import { completeUrl } from "../../../extract/links/index.ts"
import { metaContent, readMeta } from "../../../extract/page/index.ts"
import {
  assertScrapeError,
  Changed,
  type Context,
  type DataOptions,
  items,
  type PageOptions,
  type RenderedResponse,
  type ScrapeError,
  TooManyRedirects,
  toPageUrl,
  Unreachable,
  type UpstreamResponse,
} from "../../kit/index.ts"
import { stubTarget } from "./readable.ts"

/** Fields by which an item of a page scraper names its page. */
export const pageFields = {
  url: items.requiredText("URL of the input, with https:// added if it has no scheme."),
  finalUrl: items.text("URL after redirects."),
  statusCode: items.integer("HTTP status of the response."),
}

/** The main purpose of a page. */
export const pageTypeField = items.text(
  "Main purpose of the page: article, documentation, service, forum, collection, listing or product. It is a guess; null for a page with few words.",
)

/** Fields of a link, and of an image, in the content of a page. */
export const linkFields = {
  url: items.requiredText("URL of the link's target."),
  text: items.requiredText("Text of the link."),
}
export const imageFields = {
  url: items.requiredText("URL of the image."),
  alt: items.text("Alternative text."),
  caption: items.text("Caption of the image."),
}

/** Returns the fields by which an error item of a page scraper names its page. */
export const identifyPage = (written: string) => ({
  input: written,
  url: completeUrl(written) ?? written,
})

/** The parts of a scraper's definition that state that it reads one page for each of the `urls`. */
export const onePageEach = {
  pages: { ofTarget: 1 },
  targets: (input: { urls: string[] }) => input.urls,
  identify: identifyPage,
}

export interface OpenedPage<A extends UpstreamResponse = UpstreamResponse> {
  /** URL of the input, with https:// added if it has no scheme. */
  url: string
  response: A
}

/** Maximum consecutive pages that only redirect to the next. */
const maxStubs = 5

/**
 * Returns a page of the input, or the page to which it redirects by a refresh. A URL without a
 * scheme is requested over http if https fails.
 */
export async function openPage(written: string, ctx: Context, options: PageOptions = {}) {
  const { has } = options
  const requested = { ...options }
  if (typeof has === "function") {
    requested.has = (response) => has(response) || stubTarget(response) !== null
  }
  const opened = await open(written, ctx, (url) => ctx.page(url, requested))
  let { response } = opened
  for (let stubs = 0; ; stubs++) {
    const next = stubTarget(response)
    if (next === null) return { ...opened, response }
    const { url } = opened
    if (stubs === maxStubs) {
      const message = `More than ${maxStubs} pages that only redirect, from ${url}.`
      throw new TooManyRedirects(message, { url, response })
    }
    response = await ctx.page(next, requested)
  }
}

/**
 * Returns a response of any media type like `openPage`. If `has` is set, only `has` decides whether
 * the response is accepted.
 */
export async function openUrl(written: string, ctx: Context, options: DataOptions = {}) {
  return open(written, ctx, (url) =>
    options.has === undefined ? ctx.get(url, options) : ctx.data(url, options),
  )
}

async function open<A extends UpstreamResponse>(
  written: string,
  ctx: Context,
  request: (url: string) => Promise<A>,
): Promise<OpenedPage<A>> {
  const url = toPageUrl(written)
  try {
    return { url, response: await request(url) }
  } catch (error) {
    ctx.signal.throwIfAborted()
    const hasScheme = /^\s*https?:\/\//i.test(written)
    if (hasScheme || !(error instanceof Unreachable) || error.code === "dns") throw error
    const plain = url.replace(/^https:/i, "http:")
    return { url: plain, response: await request(plain) }
  }
}

/** Throws Changed if a page is incomplete, for scrapers whose data a page may lack. */
export function requireWhole(response: UpstreamResponse): void {
  const failure = partOf(response)
  if (failure) throw failure
}

/**
 * Returns the reason why a response is not a complete page: a challenge, an app shell, an empty
 * response, or only the start of a page.
 */
export function pageFailure(response: UpstreamResponse, what: string): ScrapeError | null {
  const scrapeError = response.explainMissing(what)
  return scrapeError instanceof Changed ? partOf(response) : scrapeError
}

function partOf(response: UpstreamResponse): Changed | null {
  if (response.text().trim() === "")
    return new Changed("The response is empty. Open the URL in a browser to see why.", { response })
  return breaksOff(response.text())
    ? new Changed("The page ends before its closing tags. Try again later.", { response })
    : null
}

/**
 * Returns whether HTML is incomplete. `</body>` is optional, but without it a page ends in a tag,
 * and its `div`s are closed.
 */
function breaksOff(html: string): boolean {
  if (!/<(?:html|body)\b/i.test(html) || /<\/(?:html|body)\s*>/i.test(html)) return false
  if (!html.trimEnd().endsWith(">")) return true
  const opened = html.match(/<div\b/gi)?.length ?? 0
  const closed = html.match(/<\/div\b/gi)?.length ?? 0
  return opened - closed > 2
}

/** Returns a file that a site may not have; null if it cannot be read. */
export async function ifAvailable<T>(ctx: Context, call: () => Promise<T>): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    assertScrapeError(error, ctx)
    return null
  }
}

/** Returns the values of `pageFields`. */
export const pageFacts = ({ url, response }: OpenedPage) => ({
  url,
  finalUrl: response.url,
  statusCode: response.status,
})

const postsLimits = { retries: 0, timeoutMs: 10_000, maxBytes: 5_000_000 }
/** Posts that the server sent: as elements, or in the state of the page's scripts. */
const sentPosts =
  ".topic-post, .topic-body, .crawler-post, .cooked, [data-preloaded]:not([data-preloaded=''])"

/**
 * Returns a page like `openPage`. A page of a Discourse thread that the server sent without its posts
 * gets them as the state that its scripts would load, by one more request to the same site. If that
 * fails, the page is opened as any other app shell.
 */
export async function openWithPosts(written: string, ctx: Context, options: PageOptions = {}) {
  const { has } = options
  if (typeof has !== "function") {
    const opened = await openPage(written, ctx, options)
    await addPosts(opened.response, ctx)
    return opened
  }
  const opened = await openPage(written, ctx, {
    ...options,
    has: (response) => has(response) || postsUrl(response) !== null,
  })
  const { response } = opened
  if (!(await addPosts(response, ctx)) || has(response)) return opened
  return openPage(written, ctx, options)
}

/** Adds the posts to a page that is a thread without them. Returns whether it is one. */
async function addPosts(response: UpstreamResponse, ctx: Context): Promise<boolean> {
  const url = postsUrl(response)
  if (url === null) return false
  try {
    const state = await ctx.json(url, { ...postsLimits, robots: true, isPart: true })
    const { document } = response
    const script = document.createElement("script")
    script.setAttribute("type", "application/json")
    script.textContent = JSON.stringify(state)
    document.body.append(script)
  } catch (error) {
    assertScrapeError(error, ctx)
    ctx.log(`The posts of ${response.url} are not available: ${error.message}`)
  }
  return true
}

/** Returns the URL of the posts that a page of a Discourse thread is missing; null for other pages. */
function postsUrl({ url, status, via, file, contentType, document }: UpstreamResponse) {
  if (via === "browser" || status !== 200 || file || !/html/.test(contentType)) return null
  const address = new URL(url)
  const path = /^(.*\/t\/(?:[^/]+\/)?\d+(?:\/\d+)?)\/?$/.exec(address.pathname)?.[1]
  if (path === undefined) return null
  const generator = metaContent(readMeta(document), "generator") ?? ""
  if (!/^discourse\b/i.test(generator) || document.querySelector(sentPosts) !== null) return null
  address.pathname = `${path}.json`
  return address.href
}

/** Words of a page below which Chrome loads it, because its scripts may add the rest. */
const scantWords = 20
/** Maximum milliseconds to wait for that content. A page with so few words is usually complete. */
const fillMs = 3000

/**
 * Returns a page as Chrome loads it, if plain HTTP returns almost no text and the page has scripts.
 * Returns the given page if Chrome is missing or fails.
 */
export async function withScripts(response: RenderedResponse, ctx: Context, options: PageOptions) {
  if (options.scripted || !isScant(response)) return response
  ctx.log("The page has almost no text without its scripts. Trying Chrome.")
  try {
    const has = (visible: UpstreamResponse) => wordsOf(visible) >= scantWords
    return await ctx.page(response.url, { ...options, has, pageWaitMs: fillMs, scripted: true })
  } catch (error) {
    assertScrapeError(error, ctx)
    return response
  }
}

function isScant(response: UpstreamResponse): boolean {
  const { document, via, file } = response
  if (via === "browser" || file || !/html/.test(response.contentType)) return false
  const scripts = "script:not([type]), script[type*=javascript], script[type=module]"
  return document.querySelector(scripts) !== null && wordsOf(response) < scantWords
}

const wordsOf = ({ document, url }: UpstreamResponse) =>
  countWords(blockText(mainContent(document, url).root))
