import { Type } from "@sinclair/typebox"
import { isPageUrl } from "../../../extract/links/index.ts"
import {
  assertScrapeError,
  Blocked,
  type Context,
  EgressDenied,
  items,
  type RequestOptions,
  RobotsDisallowed,
  record,
  ScrapeError,
  Timeout,
  TooLarge,
  TooManyRedirects,
  Unreachable,
  type UpstreamResponse,
} from "../../kit/index.ts"

export const linkItem = record({
  type: Type.Literal("link", { description: "Kind of item: a link." }),
  url: items.requiredText("URL of the link without fragment, or as written if it is not valid."),
  finalUrl: items.text("URL after redirects."),
  statusCode: items.integer("HTTP status; null if there was no response."),
  broken: items.requiredBoolean("Whether the link's target cannot be loaded."),
  reason: items.text(
    "Reason why it is broken: not_found, gone, upstream_error, http_error, timeout, dns, tls, connection, too_many_redirects or invalid_url. If it could not be verified: forbidden, robots_disallowed or too_many_open_files.",
  ),
  external: items.requiredBoolean("Whether the link's target is on another host."),
  element: items.requiredText("HTML element: a, area, img or iframe."),
  anchorText: items.text("Text of the link's first occurrence."),
  foundOn: items.texts("URLs of pages with this link, at most 100."),
  foundOnCount: items.requiredInteger("Number of pages with this link."),
  redirected: items.requiredBoolean("Whether the link redirects."),
  redirectStatus: items.integer("HTTP status of the first redirect."),
  responseTimeMs: items.integer("Response time in milliseconds; null if there was no response."),
})

/** The last item of a run. */
export const summaryItem = record({
  type: Type.Literal("summary", { description: "Kind of item: the summary of the run." }),
  startUrl: items.requiredText("Start URL of the crawl."),
  pagesCrawled: items.requiredInteger("Number of pages whose links were read."),
  linksChecked: items.requiredInteger("Number of different links that were checked."),
  brokenLinks: items.requiredInteger("Number of broken links."),
  redirectedLinks: items.requiredInteger("Number of links that redirect."),
  externalLinks: items.requiredInteger("Number of different links to other hosts."),
  internalLinks: items.requiredInteger("Number of different links to this host."),
  skipped: items.requiredInteger("Number of links that no request can check, for example mailto."),
  byStatus: items.countsByName("Number of links by status."),
  durationMs: items.requiredInteger("Duration of the check in milliseconds."),
})

export type CheckedLink = Pick<
  ReturnType<typeof linkItem.read>,
  "broken" | "reason" | keyof typeof noResponse
>

/** Maximum bytes of a response. A larger one exists, so the rest of it is not needed. */
const maxBytes = 1024 * 1024
const externalTimeoutMs = 10_000

/** Statuses of HEAD that GET may not have. */
const headUnreliable = new Set([400, 403, 404, 405, 406, 429, 500, 501, 503])
/** Statuses with which sites refuse bots. The link may work for people. */
const unverified = new Set([401, 403, 405, 406, 407, 418, 429, 451, 999])

const options: RequestOptions = {
  accept: "any",
  identity: "browser",
  robots: true,
  retries: 1,
  maxBytes,
}

/** Checks a link once. Pages of the site itself are requested with GET. */
export async function checkLink(url: string, external: boolean, ctx: Context) {
  const limits = external ? { ...options, timeoutMs: externalTimeoutMs } : options
  try {
    if (external || !isPageUrl(url)) {
      const response = await head(url, limits, ctx)
      if (response) return checkedResponse(response)
    }
    return checkedResponse(await ctx.get(url, limits))
  } catch (error) {
    assertScrapeError(error, ctx)
    return checkedFailure(error, url)
  }
}

/** Returns the response to HEAD if it is reliable, else the one to GET. */
async function head(url: string, limits: RequestOptions, ctx: Context) {
  try {
    const response = await ctx.head(url, { ...limits, retries: 0 })
    return headUnreliable.has(response.status) ? null : response
  } catch (error) {
    ctx.signal.throwIfAborted()
    const isFinal =
      error instanceof ScrapeError && (error.code === "dns" || error instanceof RobotsDisallowed)
    if (isFinal) throw error
    return null
  }
}

export function checkedResponse(response: UpstreamResponse): CheckedLink {
  const { status, redirects } = response
  const isChallenge =
    status >= 400 &&
    response.bytes.length > 0 &&
    response.explainMissing("a page") instanceof Blocked
  const reason = isChallenge ? "forbidden" : reasonOf(status)
  return {
    finalUrl: response.url,
    statusCode: status,
    broken: reason !== null && reason !== "forbidden",
    reason,
    redirected: redirects.length > 0,
    redirectStatus: redirects[0]?.status ?? null,
    responseTimeMs: Math.round(response.timing.total),
  }
}

function reasonOf(status: number): string | null {
  if (status < 400) return null
  if (unverified.has(status)) return "forbidden"
  if (status === 404) return "not_found"
  if (status === 410) return "gone"
  return status >= 500 ? "upstream_error" : "http_error"
}

const noResponse = {
  finalUrl: null,
  statusCode: null,
  redirected: false,
  redirectStatus: null,
  responseTimeMs: null,
}

export const invalidLink: CheckedLink = { ...noResponse, broken: true, reason: "invalid_url" }

export function checkedFailure(error: ScrapeError, url: string): CheckedLink {
  const { code, statusCode } = error
  if (error instanceof TooLarge) {
    const finalUrl = error.url ?? url
    return { ...noResponse, finalUrl, statusCode: 200, broken: false, reason: null }
  }
  // A limit of this server does not mean that the link is broken.
  if (error instanceof RobotsDisallowed || code === "too_many_open_files") {
    return { ...noResponse, broken: false, reason: code }
  }
  const broken = { ...noResponse, broken: true }
  if (error instanceof Unreachable) return { ...broken, reason: code }
  if (error instanceof Timeout) return { ...broken, reason: "timeout" }
  // A private IP address cannot be reached by visitors of the site either.
  if (error instanceof EgressDenied) return { ...broken, reason: "connection" }
  const redirected = error instanceof TooManyRedirects
  const reason = redirected ? "too_many_redirects" : "http_error"
  return { ...broken, statusCode, redirected, reason }
}
