import { isPageUrl } from "../../../extract/links/index.ts"
import {
  assertScrapeError,
  Blocked,
  type Context,
  EgressDenied,
  type RequestOptions,
  RobotsDisallowed,
  ScrapeError,
  Timeout,
  TooLarge,
  TooManyRedirects,
  Unreachable,
  type UpstreamResponse,
} from "../../kit/index.ts"

export interface CheckedLink {
  finalUrl: string | null
  statusCode: number | null
  broken: boolean
  reason: string | null
  redirected: boolean
  redirectStatus: number | null
  responseTimeMs: number | null
}

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
export async function checkLink(
  url: string,
  external: boolean,
  ctx: Context,
): Promise<CheckedLink> {
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
async function head(
  url: string,
  limits: RequestOptions,
  ctx: Context,
): Promise<UpstreamResponse | null> {
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

export function checkedFailure(scrapeError: ScrapeError, url: string): CheckedLink {
  if (scrapeError instanceof TooLarge) {
    return {
      ...noResponse,
      finalUrl: scrapeError.url ?? url,
      statusCode: 200,
      broken: false,
      reason: null,
    }
  }
  // A limit of this server does not mean that the link is broken.
  if (scrapeError instanceof RobotsDisallowed || scrapeError.code === "too_many_open_files") {
    return { ...noResponse, broken: false, reason: scrapeError.code }
  }
  if (scrapeError instanceof Unreachable)
    return { ...noResponse, broken: true, reason: scrapeError.code }
  if (scrapeError instanceof Timeout) return { ...noResponse, broken: true, reason: "timeout" }
  // A private IP address cannot be reached by visitors of the site either.
  if (scrapeError instanceof EgressDenied)
    return { ...noResponse, broken: true, reason: "connection" }
  const redirected = scrapeError instanceof TooManyRedirects
  const reason = redirected ? "too_many_redirects" : "http_error"
  return { ...noResponse, statusCode: scrapeError.statusCode, redirected, broken: true, reason }
}
