import type { RenderedResponse, RenderOptions, Tab, Wanted } from "../../catalogue/kit/index.ts"
import { isError } from "../net/browser/page/page-response.ts"
import { blockedOf } from "../net/browser/page/request-gate.ts"
import { challenge } from "../net/http/challenge/detect.ts"
import type { LeasedTab } from "./environment.ts"
import { challengeOfVendor, isThere } from "./judge-page.ts"

/** Milliseconds between two reads of an unchanged page. */
const pollMs = 250

export interface WaitLimits {
  limitMs: number
  has?: Wanted<RenderedResponse>["has"]
}

/**
 * Returns a tab that waits for its pages. A page that is a challenge, an app shell or incomplete is
 * read again while scripts may change it. A complete page is returned at once.
 */
export function patientTab(tab: LeasedTab, waitLimit: WaitLimits): Tab {
  if (waitLimit.limitMs === 0) return tab
  return {
    goto: (url, options = {}) => goto(tab, url, options, waitLimit),
    read: () => tab.read(),
    waitFor: (selector, timeoutMs) => tab.waitFor(selector, timeoutMs),
    click: (selector) => tab.click(selector),
    scroll: (options) => tab.scroll(options),
    fetch: (url, options) => tab.fetch(url, options),
  }
}

async function goto(tab: LeasedTab, url: string, options: RenderOptions, waitLimit: WaitLimits) {
  const { scroll, actions, screenshot, pdf, pageWaitMs = waitLimit.limitMs, ...arrival } = options
  const isWorkedOn = scroll || actions?.length || screenshot || pdf
  arrival.block = blockedOf(options)
  const first = await tab.goto(url, arrival)
  // The page itself has already waited for a selector.
  const isSpent = options.waitFor !== undefined && options.waitFor !== "network-quiet"
  const limitMs = isSpent ? 0 : Math.min(pageWaitMs, waitLimit.limitMs)
  const end = performance.now() + limitMs
  const isComing = (page: RenderedResponse) => isStillComing(page, options, waitLimit.has)
  let response = first
  let mayCome = isComing(response)
  while (mayCome && performance.now() < end) {
    const next = await tab.next(pollMs)
    if (!next) continue
    // The wanted part may be only the first of several.
    response = isComing(next) ? next : await tab.finish(arrival)
    mayCome = isComing(response)
  }
  return isWorkedOn ? tab.finish({ ...arrival, scroll, actions, screenshot, pdf }, true) : response
}

const mayChange = /<script\b|<iframe\b|http-equiv\s*=\s*["']?refresh|\bonload\s*=/i

/** Returns whether a page is not complete and scripts may change it. */
function isStillComing(
  response: RenderedResponse,
  options: RenderOptions,
  has?: Wanted<RenderedResponse>["has"],
): boolean {
  const { url, status, headers } = response
  if (!/html/.test(response.contentType)) return false
  if (isError(status, options)) return false
  const html = response.text()
  if (!mayChange.test(html)) return false
  const page = { url, status, headers, html }
  // A status that is not accepted is a failure; so is a challenge with an accepted status.
  const isAccepted = status < 400 || options.accept === "any" || options.accept?.includes(status)
  const isChallenge = status >= 400 && challengeOfVendor(page) !== null
  if (has !== undefined && isAccepted && !isChallenge && isThere(response, has)) return false
  const detected = challenge(page, "")
  return detected === null ? has !== undefined : detected.kind !== "Forbidden"
}
