import type { RenderedAnswer, RenderOptions, Tab, Wanted } from "../../catalogue/kit/index.ts"
import { isError } from "../browser/page-answer.ts"
import { blockedOf } from "../browser/request-gate.ts"
import type { LeasedTab } from "../environment/environment.ts"
import { challenge } from "../http/challenge/detect.ts"
import { challengeOfVendor, isThere } from "./judge-page.ts"

/** A page that does not change is looked at this often all the same. */
const pollMs = 250

export interface Patience {
  limitMs: number
  has?: Wanted<RenderedAnswer>["has"]
}

/**
 * A tab that waits for its pages: while one is a challenge, an app shell or lacks what is wanted of it,
 * and scripts may change that, it is read again. A page that is complete comes at once.
 */
export function patientTab(tab: LeasedTab, patience: Patience): Tab {
  if (patience.limitMs === 0) return tab
  return {
    goto: (url, options = {}) => goto(tab, url, options, patience),
    read: () => tab.read(),
    waitFor: (selector, timeoutMs) => tab.waitFor(selector, timeoutMs),
    click: (selector) => tab.click(selector),
    scroll: (options) => tab.scroll(options),
    fetch: (url, options) => tab.fetch(url, options),
  }
}

async function goto(tab: LeasedTab, url: string, options: RenderOptions, patience: Patience) {
  const { scroll, actions, screenshot, pdf, pageWaitMs = patience.limitMs, ...arrival } = options
  const isWorkedOn = scroll || actions?.length || screenshot || pdf
  arrival.block = blockedOf(options)
  const first = await tab.goto(url, arrival)
  // A selector was waited for in the page itself.
  const isSpent = options.waitFor !== undefined && options.waitFor !== "network-quiet"
  const limitMs = isSpent ? 0 : Math.min(pageWaitMs, patience.limitMs)
  const end = performance.now() + limitMs
  const isComing = (page: RenderedAnswer) => isStillComing(page, options, patience.has)
  let answer = first
  let mayCome = isComing(answer)
  while (mayCome && performance.now() < end) {
    const next = await tab.next(pollMs)
    if (!next) continue
    // What has only just come may not be all of it.
    answer = isComing(next) ? next : await tab.finish(arrival)
    mayCome = isComing(answer)
  }
  return isWorkedOn ? tab.finish({ ...arrival, scroll, actions, screenshot, pdf }, true) : answer
}

const mayChange = /<script\b|<iframe\b|http-equiv\s*=\s*["']?refresh|\bonload\s*=/i

/** Whether a page is not yet what was wanted, and may become it by itself. */
function isStillComing(
  answer: RenderedAnswer,
  options: RenderOptions,
  has?: Wanted<RenderedAnswer>["has"],
): boolean {
  const { url, status, headers } = answer
  if (!/html/.test(answer.contentType)) return false
  if (isError(status, options)) return false
  const html = answer.text()
  if (!mayChange.test(html)) return false
  const page = { url, status, headers, html }
  // A status that is not accepted is a failure, and so is a challenge whose status is accepted.
  const isAccepted = status < 400 || options.accept === "any" || options.accept?.includes(status)
  const isChallenge = status >= 400 && challengeOfVendor(page) !== null
  if (has !== undefined && isAccepted && !isChallenge && isThere(answer, has)) return false
  const judged = challenge(page, "")
  return judged === null ? has !== undefined : judged.kind !== "Forbidden"
}
