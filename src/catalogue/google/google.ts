import { absoluteUrl } from "../../extract/core/index.ts"
import {
  type Answer,
  Blocked,
  type Context,
  type PageOptions,
  type RenderedAnswer,
} from "../kit/index.ts"
import { googleTable } from "./upstream.ts"

export const google = "https://www.google.com"

/** The answers to the consent page that visitors from Europe are sent to. */
export const googleCookies = (ctx: Context) => ctx.upstream(googleTable).consentCookies

/** Google's feeds need the consent alone. */
export const googleFeedCookies = (ctx: Context) => ({ SOCS: googleCookies(ctx).SOCS })

type GooglePageOptions = PageOptions & { has(answer: Answer): boolean }

/** A page of Google's that is neither its captcha nor its consent page. */
export function googlePage(
  ctx: Context,
  url: string,
  { has, ...options }: GooglePageOptions,
): Promise<RenderedAnswer> {
  return ctx.escalate(url, async (ctx) => {
    const hasOrSays = (answer: Answer) => has(answer) || googleWall(answer) !== null
    const answer = await ctx.page(url, { ...options, has: hasOrSays })
    const wall = has(answer) ? null : googleWall(answer)
    if (wall) throw wall
    return answer
  })
}

/** Google's captcha or consent page in place of an answer. */
export function googleWall(answer: Answer): Blocked | null {
  return googleCaptcha(answer) ?? googleConsent(answer)
}

export const captchaMessage =
  "Google asks for a captcha: it has detected unusual traffic from this IP address."

/** Recognised by URL and form, since ordinary pages name both in their scripts. */
export function googleCaptcha(answer: Answer): Blocked | null {
  const isCaptcha =
    new URL(answer.url).pathname.startsWith("/sorry/") || holds(answer, "#captcha-form")
  if (!isCaptcha) return null
  return new Blocked(captchaMessage, "Google", { url: answer.url, statusCode: answer.status })
}

function googleConsent(answer: Answer): Blocked | null {
  const isConsent =
    new URL(answer.url).hostname.startsWith("consent.") ||
    holds(answer, "form[action*='//consent.google.'], form[action*='//consent.youtube.']")
  if (!isConsent) return null
  return new Blocked("Google answered with its consent page.", "Google", {
    url: answer.url,
    statusCode: answer.status,
  })
}

function holds(answer: Answer, selector: string): boolean {
  return /^\s*</.test(answer.text()) && answer.document.querySelector(selector) !== null
}

/** The page behind `/url?q=…` and `/url?url=…`, without the highlighted text in its fragment. */
export function unwrapped(href: string | null | undefined): string | null {
  const address = absoluteUrl(href, google)
  if (!address) return null
  const url = new URL(address)
  const inner =
    url.pathname === "/url" && /(?:^|\.)google\.[a-z.]+$/.test(url.hostname)
      ? (url.searchParams.get("q") ?? url.searchParams.get("url"))
      : null
  if (inner !== null) return absoluteUrl(inner, google)
  return address.replace(/#:~:text=.*$/s, "")
}
