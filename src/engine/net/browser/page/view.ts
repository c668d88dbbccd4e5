import type { Page } from "puppeteer-core"
import type { PageView } from "../../../../catalogue/kit/index.ts"

const emptyPage = "about:blank"
/** Maximum milliseconds to leave a page. */
const leaveMs = 2000
/** Default window size in pixels. */
const usualWidth = 1366
const usualHeight = 900

/** Sets the requested size and color scheme of a page. */
export async function setView(page: Page, { width, height, dark }: PageView = {}): Promise<void> {
  if (width !== undefined || height !== undefined) {
    await page.setViewport({ width: width ?? usualWidth, height: height ?? usualHeight })
  }
  if (dark !== undefined) {
    const value = dark ? "dark" : "light"
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
  }
}

/** Opens the empty page. Returns false if it is already open or the page cannot be left. */
export async function leavePage(page: Page): Promise<boolean> {
  if (page.url() === emptyPage) return false
  return page.goto(emptyPage, { timeout: leaveMs }).then(
    () => true,
    () => false,
  )
}
