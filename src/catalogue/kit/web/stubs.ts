import { lineText } from "../../../extract/core/index.ts"
import { headerRedirect, normaliseUrl, refreshTarget } from "../../../extract/links/index.ts"
import type { UpstreamResponse } from "../context.ts"
import { challengeOf } from "./readable.ts"

/** Maximum characters of a page that only redirects by a refresh. */
const stubText = 300

/**
 * Returns the URL to which a page redirects if it does nothing else; null for any other page, and
 * for a challenge.
 * @example stubTarget(response) // "https://a.example/home"; null for a page with content
 */
export function stubTarget(response: UpstreamResponse): string | null {
  if (!isHtml(response)) return null
  const { document, url, status, headers } = response
  const target = headerRedirect(status, headers, url)?.url ?? refreshTarget(document, url)
  if (target === null || normaliseUrl(target) === normaliseUrl(url)) return null
  if (lineText(document.body).length > stubText || challengeOf(response) !== null) return null
  return target
}

/**
 * Returns whether a response is an HTML page. A response without a content type counts as one.
 * @example if (!isHtml(response)) throw new UnsupportedContent("It is not a page.", { url })
 */
export function isHtml(response: UpstreamResponse): boolean {
  return /^(?:text\/html|application\/xhtml\+xml|)$/.test(response.contentType)
}
