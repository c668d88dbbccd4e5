import type { Tab } from "../../../catalogue/kit/index.ts"
import { type Pacing, withinRateLimit } from "./rate-limited-transport.ts"

/** A tab whose pages wait for their host's rate limit, like plain requests. */
export function rateLimitedTab(tab: Tab, pacing: Pacing, signal: AbortSignal): Tab {
  return {
    goto: (url, options) => withinRateLimit(pacing, url, signal, () => tab.goto(url, options)),
    read: () => tab.read(),
    waitFor: (selector, timeoutMs) => tab.waitFor(selector, timeoutMs),
    click: (selector) => tab.click(selector),
    scroll: (options) => tab.scroll(options),
    fetch: (url, options) => tab.fetch(url, options),
  }
}
