import type { Page } from "puppeteer-core"

/** Milliseconds before asking again: a page that is navigating runs no script. */
const silentMs = 1000

/** Waits up to this time for a page to change or navigate. Returns false while it is loading. */
export async function change(page: Page, timeoutMs: number): Promise<boolean> {
  const late = Bun.sleep(timeoutMs + silentMs).then(() => false)
  const changed = page.evaluate(mutation(timeoutMs)).then(
    (isLoaded) => isLoaded === true,
    // The page navigated; the next one is read when it has loaded.
    () => false,
  )
  return Promise.race([changed, late])
}

const mutation = (timeoutMs: number) => `new Promise((resolve) => {
  const done = () => {
    observer.disconnect()
    clearTimeout(timer)
    resolve(document.readyState !== "loading")
  }
  const observer = new MutationObserver(done)
  const timer = setTimeout(done, ${timeoutMs})
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
})`

/** Returns whether a page may still change without input. */
export function canChange(page: Page): Promise<boolean> {
  return page.evaluate(moving).then(
    (value) => value === true,
    () => true,
  )
}

const moving = `document.readyState !== "complete" ||
  document.querySelector("script, iframe, meta[http-equiv=refresh i], [onload]") !== null`
