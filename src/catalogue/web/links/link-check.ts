import { isPageAddress } from "../../../extract/links/index.ts"
import {
  type Answer,
  Blocked,
  type Context,
  EgressDenied,
  Outcome,
  type RequestOptions,
  RobotsDisallowed,
  Timeout,
  TooLarge,
  TooManyRedirects,
  Unreachable,
} from "../../kit/index.ts"

export interface CheckedLink {
  finalUrl: string | null
  statusCode: number | null
  broken: boolean
  reason: string | null
  redirected: boolean
  /** Status of the first hop. */
  redirectStatus: number | null
  responseTimeMs: number | null
}

/** A file as large as this is there; the rest of it is of no interest. */
const maxBytes = 1024 * 1024
const externalTimeoutMs = 10_000

/** Answers to HEAD that say nothing of GET. */
const headUnreliable = new Set([400, 403, 404, 405, 406, 429, 500, 501, 503])
/** Refusals of robots: the link may well work for people. */
const unverified = new Set([401, 403, 405, 406, 407, 418, 429, 451, 999])

const options: RequestOptions = {
  accept: "any",
  identity: "browser",
  robots: true,
  retries: 1,
  maxBytes,
}

/** Asks once whether a link leads anywhere. Pages of the own site are asked for in full. */
export async function checkLink(
  url: string,
  external: boolean,
  ctx: Context,
): Promise<CheckedLink> {
  const limits = external ? { ...options, timeoutMs: externalTimeoutMs } : options
  try {
    if (external || !isPageAddress(url)) {
      const answer = await head(url, limits, ctx)
      if (answer) return ofAnswer(answer)
    }
    return ofAnswer(await ctx.get(url, limits))
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof Outcome)) throw error
    return ofOutcome(error, url)
  }
}

/** The answer to HEAD where it can be believed; else GET has to say. */
async function head(url: string, limits: RequestOptions, ctx: Context): Promise<Answer | null> {
  try {
    const answer = await ctx.head(url, { ...limits, retries: 0 })
    return headUnreliable.has(answer.status) ? null : answer
  } catch (error) {
    ctx.signal.throwIfAborted()
    const isFinal =
      error instanceof Outcome && (error.code === "dns" || error instanceof RobotsDisallowed)
    if (isFinal) throw error
    return null
  }
}

export function ofAnswer(answer: Answer): CheckedLink {
  const { status, redirects } = answer
  const isWall =
    status >= 400 && answer.bytes.length > 0 && answer.lacks("a page") instanceof Blocked
  const reason = isWall ? "forbidden" : reasonOf(status)
  return {
    finalUrl: answer.url,
    statusCode: status,
    broken: reason !== null && reason !== "forbidden",
    reason,
    redirected: redirects.length > 0,
    redirectStatus: redirects[0]?.status ?? null,
    responseTimeMs: Math.round(answer.timing.total),
  }
}

function reasonOf(status: number): string | null {
  if (status < 400) return null
  if (unverified.has(status)) return "forbidden"
  if (status === 404) return "not_found"
  if (status === 410) return "gone"
  return status >= 500 ? "upstream_error" : "http_error"
}

const noAnswer = {
  finalUrl: null,
  statusCode: null,
  redirected: false,
  redirectStatus: null,
  responseTimeMs: null,
}

export const invalidLink: CheckedLink = { ...noAnswer, broken: true, reason: "invalid_url" }

export function ofOutcome(outcome: Outcome, url: string): CheckedLink {
  if (outcome instanceof TooLarge) {
    return {
      ...noAnswer,
      finalUrl: outcome.url ?? url,
      statusCode: 200,
      broken: false,
      reason: null,
    }
  }
  if (outcome instanceof RobotsDisallowed) {
    return { ...noAnswer, broken: false, reason: "robots_disallowed" }
  }
  if (outcome instanceof Unreachable) return { ...noAnswer, broken: true, reason: outcome.code }
  if (outcome instanceof Timeout) return { ...noAnswer, broken: true, reason: "timeout" }
  // For visitors of the site, too, a private address leads nowhere.
  if (outcome instanceof EgressDenied) return { ...noAnswer, broken: true, reason: "connection" }
  const redirected = outcome instanceof TooManyRedirects
  const reason = redirected ? "too_many_redirects" : "http_error"
  return { ...noAnswer, statusCode: outcome.statusCode, redirected, broken: true, reason }
}
