import {
  Forbidden,
  HttpError,
  NotFound,
  RateLimited,
  type ScrapeError,
  UpstreamError,
  type UpstreamResponse,
} from "../../../catalogue/kit/index.ts"
import { retryAfterSeconds } from "../../../extract/core/index.ts"
import { blocked, blockVendor, challengeStatuses } from "./challenge/detect.ts"
import { refusalOf } from "./challenge/refusals.ts"

/**
 * Returns the error for a status of 400 or higher; a challenge takes precedence over the status.
 */
export function statusFailure(response: UpstreamResponse, now: number): ScrapeError {
  const { status, url } = response
  const details = { url, statusCode: status }
  const host = new URL(url).host
  if (challengeStatuses.has(status)) {
    const vendor = blockVendor({ url, status, headers: response.headers, html: response.text() })
    if (vendor) return blocked(vendor, details)
  }
  const isRefusal = status === 451 || status === 401 || status === 403
  const page = { url, requestedUrl: response.requestedUrl, status, headers: response.headers }
  const refusal = isRefusal ? refusalOf({ ...page, html: response.text() }) : null
  if (refusal) return refusal
  if (status === 404 || status === 410) {
    return new NotFound(`${host} reports that this page does not exist (status ${status}).`, {
      ...details,
      nextStep: "Check the URL.",
    })
  }
  if (status === 401 && response.headers.has("www-authenticate")) {
    return new Forbidden(`${host} requires a password (status 401).`, {
      ...details,
      code: "login_required",
      nextStep:
        'Send it with an API key in `headers` of web-scraper: {"Authorization": "Basic …"}.',
    })
  }
  if (status === 401 || status === 403) {
    return new Forbidden(`${host} refused access (status ${status}).`, details)
  }
  if (status === 429) {
    return new RateLimited(
      `${host} limits the rate of requests (status 429).`,
      retryAfterSeconds(response.headers, now),
      details,
    )
  }
  if (status >= 500) {
    const retryAfter = retryAfterSeconds(response.headers, now)
    return new UpstreamError(`${host} failed (status ${status}).`, { ...details, retryAfter })
  }
  return new HttpError(`${host} returned status ${status}.`, details)
}
