import {
  busyIsRateLimit,
  type Context,
  Forbidden,
  RateLimited,
  type RequestOptions,
} from "../kit/index.ts"

const rateLimit = { perSecond: 2, concurrency: 1 }
export const secRateLimit = {
  "efts.sec.gov": rateLimit,
  "data.sec.gov": rateLimit,
  "www.sec.gov": rateLimit,
}

/** The SEC blocks an IP address with too many requests for ten minutes. */
const thresholdSeconds = 600

/**
 * Requests one of the SEC's hosts, which require a user agent with a contact.
 * @throws NotFound on 404
 */
export async function requestSec(ctx: Context, url: string, options: RequestOptions) {
  const headers = { accept: "application/json", ...options.headers }
  const response = await busyIsRateLimit(ctx.get(url, { ...options, headers, accept: [403] }))
  if (response.status !== 403) return response
  const details = { url: response.url, statusCode: 403 }
  if (/Request Rate Threshold Exceeded/i.test(response.text()))
    throw new RateLimited("The SEC limits the rate of requests.", thresholdSeconds, details)
  const advice = ctx.secret("TRAWL_CONTACT")
    ? "the SEC may not accept the contact in TRAWL_CONTACT"
    : "the SEC requires a contact: the operator sets TRAWL_CONTACT to an email address"
  throw new Forbidden(`The SEC refuses access (status 403): ${advice}.`, details)
}

/** Returns the URL of a filing's folder, without a slash at its end. */
export const filingFolder = (cik: string | number, accessionNumber: string): string =>
  `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accessionNumber.replaceAll("-", "")}`

export const filingIndex = (cik: string | number, accessionNumber: string) =>
  `${filingFolder(cik, accessionNumber)}/${accessionNumber}-index.htm`
