import type { Page } from "puppeteer-core"

/** Selectors that only Puppeteer knows: text, XPath, roles, and what is in shadow trees. */
const extended = /::-p-|>>>|^(?:aria|pierce|text|xpath)\//
/** A page on its way to another one runs no script; it is asked again after this long. */
const againMs = 50

/** Waits until a page shows a selector, also across navigations. False if it does not in time. */
export async function appears(
  page: Page,
  selector: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  if (extended.test(selector)) {
    const options = { timeout: timeoutMs, ...(signal ? { signal } : {}) }
    const found = page.waitForSelector(selector, options)
    return found.then(Boolean, () => false)
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
      const seen = await Promise.race([page.evaluate(shown(selector, left)), late]).catch(
        () => null,
      )
      // Another document is there, or will be.
      if (seen === null) await Bun.sleep(againMs)
      else return seen === true
    }
    return false
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", stop)
  }
}

const shown = (selector: string, timeoutMs: number) => `new Promise((resolve) => {
  const isShown = () => document.querySelector(${JSON.stringify(selector)}) !== null
  try {
    if (isShown()) return resolve(true)
  } catch {
    return resolve(false)
  }
  const end = (value) => {
    observer.disconnect()
    clearTimeout(timer)
    resolve(value)
  }
  const observer = new MutationObserver(() => isShown() && end(true))
  const timer = setTimeout(end, ${timeoutMs}, false)
  observer.observe(document, { subtree: true, childList: true, attributes: true })
})`
