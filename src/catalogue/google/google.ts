import { absoluteUrl } from "../../extract/core/index.ts"
import {
  Blocked,
  type Context,
  type PageOptions,
  type UpstreamResponse,
  upstreamTable,
} from "../kit/index.ts"

export const google = "https://www.google.com"

/** Site constants that all of Google's sites share. */
export const googleTable = upstreamTable("google", "2026-08", {
  /** Cookies that accept the consent page, which visitors from Europe are sent to. */
  consentCookies: { SOCS: "CAESHAgBEhIaAB", CONSENT: "YES+" },
})

export const googleCookies = (ctx: Context) => ctx.upstream(googleTable).consentCookies

/** Google's feeds need only the consent cookie. */
export const googleFeedCookies = (ctx: Context) => ({ SOCS: googleCookies(ctx).SOCS })

type GooglePageOptions = PageOptions & { has(response: UpstreamResponse): boolean }

/** Returns a Google page that is neither the captcha nor the consent page. */
export const googlePage = (ctx: Context, url: string, { has, ...options }: GooglePageOptions) =>
  ctx.escalate(url, async (ctx) => {
    const hasOrSays = (response: UpstreamResponse) =>
      has(response) || googleChallenge(response) !== null
    const response = await ctx.page(url, { ...options, has: hasOrSays })
    const challenge = has(response) ? null : googleChallenge(response)
    if (challenge) throw challenge
    return response
  })

/** Returns Google's captcha, consent page or check of scripts as an error, or null. */
export const googleChallenge = (response: UpstreamResponse) =>
  googleCaptcha(response) ?? googleConsent(response) ?? scriptCheck(response)

/**
 * Recognizes the page without results whose scripts decide whether the visitor is a bot. Pages of
 * results contain the same link next to their list.
 */
function scriptCheck(response: UpstreamResponse): Blocked | null {
  const isCheck = /\/httpservice\/retry\/enablejs|[?&;]emsg=SG_REL/.test(response.text())
  if (!isCheck || holds(response, "#rso, #search, #main, #cnt")) return null
  const message = "Google checks with scripts whether this visitor is a bot."
  return new Blocked(message, "Google", { response })
}

export const captchaMessage =
  "Google requires a captcha: it has detected unusual traffic from this IP address."

/**
 * Recognized by URL and form, because ordinary pages contain the words for both in their scripts.
 */
export function googleCaptcha(response: UpstreamResponse): Blocked | null {
  const isCaptcha =
    new URL(response.url).pathname.startsWith("/sorry/") || holds(response, "#captcha-form")
  return isCaptcha ? new Blocked(captchaMessage, "Google", { response }) : null
}

function googleConsent(response: UpstreamResponse): Blocked | null {
  const isConsent =
    new URL(response.url).hostname.startsWith("consent.") ||
    holds(response, "form[action*='//consent.google.'], form[action*='//consent.youtube.']")
  if (!isConsent) return null
  return new Blocked("Google returned its consent page.", "Google", { response })
}

const holds = (response: UpstreamResponse, selector: string) =>
  /^\s*</.test(response.text()) && response.document.querySelector(selector) !== null

/** Returns the page in `/url?q=…` or `/url?url=…`, without the highlighted text in its fragment. */
export function unwrapped(href: string | null | undefined): string | null {
  const link = absoluteUrl(href, google)
  if (!link) return null
  const url = new URL(link)
  const inner =
    url.pathname === "/url" && /(?:^|\.)google\.[a-z.]+$/.test(url.hostname)
      ? (url.searchParams.get("q") ?? url.searchParams.get("url"))
      : null
  if (inner !== null) return absoluteUrl(inner, google)
  return link.replace(/#:~:text=.*$/s, "")
}
