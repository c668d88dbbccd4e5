import type { Page } from "puppeteer-core"

/** Selectors that only Puppeteer supports: text, XPath, roles, and shadow trees. */
const extended = /::-p-|>>>|^(?:aria|pierce|text|xpath)\//
/** Milliseconds before asking again: a page that is navigating runs no script. */
const againMs = 50

/** Waits until a selector matches, also across navigations. Returns false if the time runs out. */
export async function appears(
  page: Page,
  selector: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  if (extended.test(selector)) {
    const options = { timeout: timeoutMs, ...(signal ? { signal } : {}) }
    const appeared = page.waitForSelector(selector, options)
    return appeared.then(Boolean, () => false)
  }
  const control = new AbortController()
  const stop = () => control.abort()
  const timer = setTimeout(stop, timeoutMs)
  signal?.addEventListener("abort", stop, { once: true })
  if (signal?.aborted) stop()
  const { promise: late, resolve } = Promise.withResolvers<false>()
  control.signal.addEventListener("abort", () => resolve(false), { once: true })
  const end = performance.now() + timeoutMs
  try {
    while (!control.signal.aborted && !page.isClosed()) {
      const left = Math.ceil(end - performance.now())
      const seen = await Promise.race([page.evaluate(visible(selector, left)), late]).catch(
        () => null,
      )
      // A new document is loaded, or will be.
      if (seen === null) await Bun.sleep(againMs)
      else return seen === true
    }
    return false
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", stop)
  }
}

/** Milliseconds for the rest of a document that already shows the selector. */
const restMs = 2000

const visible = (selector: string, timeoutMs: number) => `new Promise((resolve) => {
  const isShown = () => document.querySelector(${JSON.stringify(selector)}) !== null
  let rest
  const end = (value) => {
    observer.disconnect()
    document.removeEventListener("DOMContentLoaded", look)
    clearTimeout(timer)
    clearTimeout(rest)
    resolve(value)
  }
  const look = () => {
    if (rest !== undefined && document.readyState === "loading") return
    if (!isShown()) return
    if (document.readyState !== "loading") end(true)
    else rest = setTimeout(end, ${restMs}, true)
  }
  const observer = new MutationObserver(look)
  const timer = setTimeout(end, ${timeoutMs}, false)
  try {
    look()
    observer.observe(document, { subtree: true, childList: true, attributes: true })
    document.addEventListener("DOMContentLoaded", look)
  } catch {
    end(false)
  }
})`
