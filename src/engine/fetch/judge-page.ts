import {
  Blocked,
  Forbidden,
  HttpError,
  isErrorPage,
  type PageOptions,
  type RenderedResponse,
  refusedPage,
  type ScrapeError,
  type Suspect,
  UnsupportedContent,
  type UpstreamResponse,
  type Wanted,
} from "../../catalogue/kit/index.ts"
import { blocked, blockVendor, challenge, emptiness } from "../net/http/challenge/detect.ts"
import { signInInstead } from "../net/http/challenge/refusals.ts"

const htmlTypes = new Set(["text/html", "application/xhtml+xml"])

/** Larger bodies of other types are data, and are not searched. */
const maxChallengeBytes = 64_000

/**
 * Accepts a response with the wanted content, and one that is not a challenge. Scrapers report
 * other missing content.
 *
 * @throws Blocked | EmptyShell | UnsupportedContent
 */
export function requirePage(response: RenderedResponse, options: PageOptions): void {
  if (options.errorPages && isErrorPage(response)) {
    const { has: _, ...wanted } = options
    const failure = challengeOf(response, wanted)
    if (failure) throw failure
    return
  }
  requireType(response, options)
  const failure = challengeOf(response, options)
  if (failure) throw failure
}

/** A challenge may have any content type and is reported first. @throws Blocked | UnsupportedContent */
function requireType(
  response: UpstreamResponse,
  { types, refusal }: Pick<PageOptions, "types" | "refusal">,
): void {
  // 304: the page has not changed and is not sent again.
  if (isPage(response, types) || response.status === 304) return
  const failure =
    response.bytes.length <= maxChallengeBytes ? challengeOf(response, { refusal }) : null
  if (failure) throw failure
  const { url, status, contentType } = response
  const empty = response.bytes.length === 0 ? emptiness({ url, status, html: "" }) : null
  if (empty) throw new HttpError(empty, { url, statusCode: status })
  throw new UnsupportedContent(
    `The response is ${contentType || "without a content type"}, not an HTML page.`,
    { url, statusCode: status },
  )
}

/** Checks a JSON response. If it is not JSON, scripts cannot complete it. @throws Blocked */
export function requireData(response: UpstreamResponse, wanted: Wanted): void {
  const failure = challengeOf(response, { has: isJson, ...wanted })
  if (failure instanceof Blocked || failure instanceof Forbidden) throw failure
}

const isJson = (response: UpstreamResponse) => !/^\s*(?:<|$)/.test(response.text().slice(0, 1000))

function challengeOf<A extends UpstreamResponse>(
  response: A,
  { has, refusal, what = "the page" }: Wanted<A>,
): ScrapeError | null {
  const { url, requestedUrl, status, headers } = response
  const page = {
    ...{ url, requestedUrl, status, headers },
    // Documents and data are not decoded for this check.
    get html() {
      return response.text()
    },
  }
  if (has !== undefined && isThere(response, has)) {
    return (status < 400 ? null : challengeOfVendor(page)) ?? signInInstead(page)
  }
  const scrapeError = challenge(page, what)
  if (scrapeError instanceof Blocked) return scrapeError
  const isKnown = refusal?.address?.test(url) === true
  if (scrapeError instanceof Forbidden && has !== undefined && !isKnown) return scrapeError
  const refused = refusal ? refusedPage(response, refusal) : null
  if (refused) return refused
  if (has !== undefined) return scrapeError
  // Any page is accepted, except a sign-in page or a notice about the visitor's country.
  const isNotice = scrapeError?.code === "geo_blocked" && status < 400
  return isNotice ? scrapeError : signInInstead(page)
}

/**
 * A scraper that accepts a status reads the site's own page; a vendor's challenge is shown before
 * it.
 */
export function challengeOfVendor(page: Suspect): Blocked | null {
  const { url, status: statusCode } = page
  const vendor = blockVendor(page)
  const isOwn = vendor && new URL(url).hostname.includes(vendor.toLowerCase())
  return vendor && !isOwn ? blocked(vendor, { url, statusCode }) : null
}

export const isThere = <A extends UpstreamResponse>(
  response: A,
  has: NonNullable<Wanted<A>["has"]>,
) => (typeof has === "string" ? response.document.querySelector(has) !== null : has(response))

/** A page without a content type is recognised by its first bytes. */
function isPage(response: UpstreamResponse, types: readonly string[] = []): boolean {
  const { contentType } = response
  if (types.includes("*") || types.includes(contentType) || htmlTypes.has(contentType)) return true
  if (contentType !== "") return false
  return /^\s*(?:<!--|<!doctype html|<html|<head|<body)/i.test(response.text().slice(0, 1024))
}
