import { embeddedBody } from "../../../extract/article/index.ts"
import { lineText, words } from "../../../extract/core/index.ts"
import { headerRedirect, normaliseUrl, refreshTarget } from "../../../extract/links/index.ts"
import { Blocked, Forbidden, type PageOptions, type UpstreamResponse } from "../../kit/index.ts"
import { waits } from "./words.json"

const shellText = 100
/** Matches the text of a page that, in Chrome too, only asks the reader to wait. */
const onlyWaits = new RegExp(`^(?:${words(waits)})[\\s.…。!]*$`, "i")

/** Returns whether a page is readable: neither a challenge nor an app shell. */
export function isReadable(response: UpstreamResponse): boolean {
  if (isRefused(response)) return false
  const text = lineText(response.document.body)
  return text.length >= (response.via === "http" ? shellText : 1) && !onlyWaits.test(text)
}

/** Returns whether a response is a challenge, a sign-in page, or not available in this country. */
function isRefused(response: UpstreamResponse): boolean {
  const scrapeError = response.explainMissing("the page")
  return scrapeError instanceof Blocked || scrapeError instanceof Forbidden
}

/** Options of `ctx.page` for scrapers that read the visible page. */
export const readable: Pick<PageOptions, "has" | "what"> = { has: isReadable, what: "any text" }

/** Returns whether a page has content: visible, or in the data of its scripts. */
export const isReported = (response: UpstreamResponse) =>
  isReadable(response) || isEmbedded(response)

/** Options of `ctx.page` for scrapers that read the content of a page. */
export const reported: Pick<PageOptions, "has" | "what"> = { has: isReported, what: "any text" }

/** Returns whether an unreadable page has its body in the data of its scripts. */
export const isEmbedded = (response: UpstreamResponse) =>
  !isRefused(response) && embeddedBody(response.document, response.url) !== null

/** Returns the error if a response is a challenge; null if it is a page. */
export function challengeOf(response: UpstreamResponse): Blocked | null {
  const scrapeError = response.explainMissing("the page")
  return scrapeError instanceof Blocked ? scrapeError : null
}

/** Maximum characters of a page that only redirects by a refresh. */
const stubText = 300

/** Returns the URL to which a page redirects if it does nothing else; null for other pages. */
export function stubTarget(response: UpstreamResponse): string | null {
  if (!isHtml(response)) return null
  const { document, url, status, headers } = response
  const target = headerRedirect(status, headers, url)?.url ?? refreshTarget(document, url)
  if (target === null || normaliseUrl(target) === normaliseUrl(url)) return null
  if (lineText(document.body).length > stubText || challengeOf(response) !== null) return null
  return target
}

/** Returns whether a response is an HTML page. A response without a content type counts as one. */
export function isHtml(response: UpstreamResponse): boolean {
  return /^(?:text\/html|application\/xhtml\+xml|)$/.test(response.contentType)
}
