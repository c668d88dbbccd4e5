import {
  type RequestOptions,
  ScrapeError,
  type UpstreamResponse,
} from "../../../catalogue/kit/index.ts"
import { retryAfterSeconds } from "../../../extract/core/index.ts"
import { blockVendor, challengeStatuses } from "./challenge/detect.ts"

/** Maximum milliseconds to wait for a retry; if a host requests more, its response is final. */
export const maxWaitMs = 60_000
const slowRetries = 3
const issueRetries = 2
const timeoutRetries = 1

export interface Attempt {
  method: string
  /** From 0. */
  number: number
  options: RequestOptions
  now: number
  /** Whether another fetch method is tried before this one is repeated. */
  hasFallback?: boolean
}

/** Returns the milliseconds to wait before the next attempt; null if this result is final. */
export function retryWait(result: UpstreamResponse | ScrapeError, attempt: Attempt): number | null {
  return result instanceof ScrapeError
    ? afterFailure(result, attempt)
    : afterResponse(result, attempt)
}

function afterResponse(response: UpstreamResponse, attempt: Attempt): number | null {
  const { status, headers, url } = response
  const slow = status === 429 || status === 503
  if (!slow && (status < 500 || status === 501)) return null
  const retryAfter = slow ? retryAfterSeconds(headers, attempt.now) : null
  const usual = !slow ? issueRetries : attempt.hasFallback && retryAfter === null ? 1 : slowRetries
  if (attempt.number >= allowed(attempt, usual, slow)) return null
  // Repeating a blocked request does not help.
  if (
    challengeStatuses.has(status) &&
    blockVendor({ url, status, headers, html: response.text() })
  ) {
    return null
  }
  const wait = retryAfter === null ? backOff(attempt.number, slow ? 2000 : 1000) : retryAfter * 1000
  return wait > maxWaitMs ? null : wait
}

function afterFailure(scrapeError: ScrapeError, attempt: Attempt): number | null {
  const less = attempt.hasFallback ? 1 : 0
  const usual =
    scrapeError.code === "too_many_open_files"
      ? issueRetries
      : scrapeError.code === "connection"
        ? issueRetries - less
        : scrapeError.code === "timeout"
          ? timeoutRetries - less
          : 0
  if (usual === 0 || attempt.number >= allowed(attempt, usual, false)) return null
  return backOff(attempt.number, 1000)
}

/**
 * A failed POST may have had an effect, so it is repeated only if the caller declares it safe, or
 * the host reports that it did nothing (429, 503).
 */
function allowed({ method, options }: Attempt, usual: number, untouched: boolean): number {
  if (options.retries !== undefined) return options.retries
  return method === "POST" && !untouched ? 0 : usual
}

/** Exponential backoff with jitter over the upper half. */
function backOff(attempt: number, base: number): number {
  const full = base * 2 ** attempt
  return full / 2 + (Math.random() * full) / 2
}
