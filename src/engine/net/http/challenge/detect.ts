import {
  Blocked,
  Changed,
  EmptyShell,
  type Forbidden,
  type Proof,
  type ScrapeError,
  type Suspect,
} from "../../../../catalogue/kit/index.ts"
import { siteChallenges } from "../../../../catalogue/site-challenges.ts"
import { decodeEntities, foldSpace } from "../../../../extract/core/index.ts"
import { isRedirect } from "../../../../extract/links/index.ts"
import { asksForHumans } from "./phrases.ts"
import { refusalOf } from "./refusals.ts"
import { nothing, shows, vendors } from "./vendors.ts"
import { glimpse } from "./visible-text.ts"

/** Maximum text of a challenge: normal pages with more text may have signs of challenges too. */
const challengeTextChars = 1500
/**
 * Characters that are searched for signs, which are near the start of a challenge; larger bodies
 * are data.
 */
const searchedChars = 400_000

/** Statuses of challenges in addition to 200. */
export const challengeStatuses: ReadonlySet<number> = new Set([
  202, 401, 402, 403, 405, 406, 412, 418, 428, 429, 456, 503, 521, 566, 567, 999,
])

/** Vendor name of challenges by unknown vendors. */
const unknownVendor = "unknown"

/** Returns the vendor of a challenge page; undefined for other pages. */
export function blockVendor(page: Suspect): string | undefined {
  const suspect = { ...page, html: page.html.slice(0, searchedChars) }
  const certain = vendorBy("certain", suspect)
  if (certain) return certain
  const texts: string[] = []
  const isLittle = glimpse(suspect.html, challengeTextChars, texts).text < challengeTextChars
  if (!isLittle && page.status < 400) return visibleCaptcha(suspect.html)
  const protection = vendorBy("challenge", suspect)
  if (protection || !isLittle) return protection
  if (leadsElsewhere(suspect)) return visibleCaptcha(suspect.html)
  const tagged = vendorBy("tag", suspect)
  if (tagged) return tagged
  return isUnknownChallenge(suspect, texts) ? unknownVendor : undefined
}

function vendorBy(proof: Proof, page: Suspect): string | undefined {
  for (const challenges of [vendors, siteChallenges]) {
    for (const protection of challenges)
      if (protection[proof]?.some((sign) => shows(sign, page))) return protection.name
  }
}

/**
 * Whether the response is an accepted one without content, or a page that asks its visitor to prove
 * to be human.
 */
function isUnknownChallenge({ html, status }: Suspect, texts: string[]): boolean {
  if (status === 202 && nothing.test(html)) return true
  if (!/^\s*</.test(html)) return false
  const title = /<title[^>]{0,200}>([^<]{0,200})/i.exec(html)?.[1] ?? ""
  const clean = (text: string) => foldSpace(decodeEntities(text))
  return asksForHumans(clean(title), clean(texts.join(" ")))
}

/** Maximum text of a soft block; a longer page may contain a captcha. */
const softBlockChars = 6000
/** Maximum distance between a captcha and its words. */
const contextChars = 1500

/**
 * Returns the vendor of a captcha whose words ask the visitor to prove to be human, on a page with
 * its site's links. In a form with other fields, a captcha protects that form.
 */
function visibleCaptcha(html: string): string | undefined {
  for (const { name, tag = [] } of captchas) {
    for (const { html: pattern } of tag) {
      const at = pattern instanceof RegExp ? html.search(pattern) : -1
      // A page may quote the code of a captcha.
      if (at < 0 || html.lastIndexOf("<", at) < html.lastIndexOf(">", at)) continue
      const context = html.slice(Math.max(0, at - contextChars), at + contextChars)
      if (visibleField.test(context)) continue
      const texts: string[] = []
      glimpse(context.slice(context.indexOf("<")), contextChars, texts)
      const prompts = asksForHumans("", foldSpace(decodeEntities(texts.join(" "))))
      if (prompts && glimpse(html, softBlockChars).text < softBlockChars) return name
    }
  }
}

const captchas = vendors.filter(
  ({ tag = [], challenge: protection, certain }) => tag.length > 0 && !protection && !certain,
)
const visibleField =
  /<input\b(?![^>]{0,500}?\btype\s*=\s*["']?(?:hidden|submit|button|checkbox|image))[^>]{0,500}>|<textarea\b(?![^>]{0,300}(?:captcha|response))/i

/** Links to other pages and form fields, which challenges do not have. */
const link = /<a\b[^>]{0,500}?\bhref\s*=\s*["']?[^"'#\s>]/gi
const field =
  /<input\b[^>]{0,500}?\btype\s*=\s*["']?(?:email|password|tel)\b|<textarea\b(?![^>]{0,300}captcha)/i
const siteLinks = 5

/**
 * Returns whether a page links to others, unlike a challenge. Contact and login pages are short and
 * have captchas in their forms, but also their site's navigation.
 */
function leadsElsewhere({ html, status }: Suspect): boolean {
  if (status >= 400) return false
  return field.test(html) || (html.match(link) ?? []).length >= siteLinks
}

const mountNames =
  "root|app|__next|__nuxt|___gatsby|svelte|react-root|app-root|app-mount|main-app|q-app|mount"
const mount = new RegExp(`<(?:app-root\\b|\\w+\\b[^>]{0,300}?\\bid=["']?(?:${mountNames})\\b)`, "i")
const emptyMount = new RegExp(
  `<(\\w+)\\b[^>]{0,300}?\\bid=["']?(?:${mountNames})\\b[^>]{0,300}>\\s*</\\1>|<app-root>\\s*</app-root>`,
  "i",
)
const asksForScripts =
  /enable JavaScript|JavaScript (?:is|must be) (?:required|disabled|enabled|not enabled)|(?:requires?|needs?) JavaScript|\/enablejs\b/i

/** Minimum characters of content, for any page and for one with an empty root element. */
const shellTextChars = 200
const emptyMountTextChars = 600
/** Minimum links, paragraphs and images of a page with content. */
const shellContent = 3

/** Whether the page has no content before its scripts run. */
export function isEmptyShell(html: string): boolean {
  if (!/<script\b|<noscript\b/i.test(html)) return false
  const seen = glimpse(html, emptyMountTextChars)
  if (seen.text < emptyMountTextChars && emptyMount.test(html)) return true
  if (seen.text === 0 && seen.content <= shellContent && /<script\b/i.test(html)) return true
  if (seen.text >= shellTextChars) return false
  if (mount.test(html) || asksForScripts.test(html)) return true
  return seen.content <= shellContent && /<script\b[^>]{0,500}\bsrc=/i.test(html)
}

/** Returns the error of a response that lacks the expected data. */
export function explainPage(page: Suspect, what: string): ScrapeError {
  const empty = emptiness(page)
  const details = {
    url: page.url,
    statusCode: page.status,
    ...(empty !== null && { nextStep: emptyAdvice }),
  }
  const lacking = empty ?? `The response does not contain ${what}; the site may have changed.`
  return challenge(page, what) ?? new Changed(lacking, details)
}

const emptyAdvice =
  "Open the URL in a browser. If it shows content there, call web-scraper with `renderScripts`."

/** Returns a description of a response without a body; null if it has one. */
export function emptiness({ url, status, html }: Omit<Suspect, "headers">): string | null {
  if (html.trim() !== "") return null
  const { host } = new URL(url)
  return isRedirect(status)
    ? `${host} returned status ${status} without a valid redirect URL.`
    : `${host} returned status ${status} with an empty body.`
}

/** Returns the error for a challenge, an app shell or a refusal; null for other pages. */
export function challenge(page: Suspect, what: string): Blocked | EmptyShell | Forbidden | null {
  const details = { url: page.url, statusCode: page.status }
  const vendor = blockVendor(page)
  if (vendor) return blocked(vendor, details)
  const refusal = refusalOf(page)
  if (refusal) return refusal
  if (isEmptyShell(page.html)) {
    return new EmptyShell(
      `The page is an app shell that only scripts fill; it does not contain ${what}.`,
      details,
    )
  }
  return null
}

export function blocked(vendor: string, details: { url: string; statusCode: number }): Blocked {
  const by = vendor === unknownVendor ? "a bot challenge" : `a challenge of ${vendor}`
  return new Blocked(
    `${new URL(details.url).host} blocked the request with ${by} (status ${details.statusCode}).`,
    vendor,
    details,
  )
}
