import { embeddedBody } from "../../../extract/article/index.ts"
import { lineText, words } from "../../../extract/core/index.ts"
import type { PageOptions, UpstreamResponse } from "../context.ts"
import { Blocked, Forbidden } from "../core/errors.ts"
import { waits } from "./words.json"

const shellText = 100
/** Matches the text of a page that, in Chrome too, only asks the reader to wait. */
const onlyWaits = new RegExp(`^(?:${words(waits)})[\\s.…。!]*$`, "i")

/**
 * Returns whether a page is readable: neither a challenge nor an app shell.
 * @example has: isReadable, what: "any text"
 */
export function isReadable(response: UpstreamResponse): boolean {
  if (isRefused(response)) return false
  const text = lineText(response.document.body)
  return text.length >= (response.via === "http" ? shellText : 1) && !onlyWaits.test(text)
}

/**
 * Returns whether a response is a challenge, a sign-in page, or a page that is not available in
 * this country.
 */
function isRefused(response: UpstreamResponse): boolean {
  const scrapeError = response.explainMissing("the page")
  return scrapeError instanceof Blocked || scrapeError instanceof Forbidden
}

/**
 * Options of `ctx.page` for scrapers that read the visible page.
 * @example const response = await ctx.page(url, readable)
 */
export const readable: Pick<PageOptions, "has" | "what"> = { has: isReadable, what: "any text" }

/**
 * Returns whether a page has content: visible, or in the data of its scripts.
 * @example has: isReported, what: "any text"
 */
export const isReported = (response: UpstreamResponse) =>
  isReadable(response) || isEmbedded(response)

/**
 * Options of `ctx.page` for scrapers that read the content of a page.
 * @example const response = await ctx.page(url, reported)
 */
export const reported: Pick<PageOptions, "has" | "what"> = { has: isReported, what: "any text" }

/**
 * Returns whether an unreadable page has its body in the data of its scripts.
 * @example if (isEmbedded(response)) await readData(response)
 */
export const isEmbedded = (response: UpstreamResponse) =>
  !isRefused(response) && embeddedBody(response.document, response.url) !== null

/**
 * Returns whether the status means that this is not the requested page.
 * @example isErrorPage({ status: 404 }) // true
 */
export const isErrorPage = ({ status }: Pick<UpstreamResponse, "status">) => status >= 400

/**
 * Returns the error if a response is a challenge; null if it is a page.
 * @example const challenge = challengeOf(response); if (challenge) throw challenge
 */
export function challengeOf(response: UpstreamResponse): Blocked | null {
  const scrapeError = response.explainMissing("the page")
  return scrapeError instanceof Blocked ? scrapeError : null
}
