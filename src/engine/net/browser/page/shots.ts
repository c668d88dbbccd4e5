import type { BrowserContext, Page } from "puppeteer-core"
import { messageOf } from "../../../../base/error-message.ts"
import { Semaphore } from "../../../../base/semaphore.ts"
import {
  Changed,
  type PdfOptions,
  ScrapeError,
  type ScreenshotOptions,
  type Shots,
  Timeout,
  TooLarge,
} from "../../../../catalogue/kit/index.ts"
import { boxedSource } from "./boxed-source.ts"
import { showAll } from "./page-scripts.ts"

/** Milliseconds for all screenshots and PDFs of a page, in addition to loading it. */
const shotsMs = 30_000
/** Maximum height in pixels: Chrome repeats the content below it. */
const maxHeight = 16_000
/** Maximum pixels of a screenshot; each takes four bytes in Chrome, several times. */
const maxPixels = 32_000_000
const maxPages = 200
const maxBytes = 64_000_000
/** Maximum elements with boxes, and characters of a source that contains them. */
const maxBoxes = 20_000
const maxBoxedLength = 8_000_000
/**
 * Large screenshots take hundreds of megabytes each while they are drawn, so few are taken at the
 * same time.
 */
const turns = new Semaphore(2)
/** The tabs of a context share a window: Chrome draws only the tab in front. */
const windows = new WeakMap<BrowserContext, Semaphore>()
/** Maximum milliseconds in front, because another lease may open a tab in front. */
const inFrontMs = 1000

export interface ShotsOptions {
  screenshot?: ScreenshotOptions | undefined
  pdf?: PdfOptions | undefined
}

interface VisiblePage {
  page: Page
  /** Waits until the network is quiet. */
  quiet(timeoutMs: number): Promise<void>
  /** Aborted when the lease ends. */
  signal: AbortSignal
  /** Rejects when the lease ends. */
  race<T>(work: Promise<T>): Promise<T>
}

/**
 * Returns screenshots and PDFs of a page in its current state. @throws Changed | Timeout | TooLarge
 */
export async function takeScreenshots(
  { screenshot, pdf }: ShotsOptions,
  on: VisiblePage,
): Promise<Shots> {
  const { page, signal } = on
  const window = windowOf(page)
  const take = async (): Promise<Shots> => ({
    ...(screenshot && { screenshot: await image(screenshot, on) }),
    ...(pdf && { pdf: await pdfFile(pdf, on) }),
  })
  const leave = await window.take(signal)
  const release = await turns.take(signal).catch((error) => {
    leave()
    throw error
  })
  try {
    return await on.race(inFront(page, take))
  } catch (error) {
    if (error instanceof ScrapeError) throw error
    throw new Changed(`The screenshot failed: ${messageOf(error)}`, {
      code: "screenshot_failed",
      url: page.url(),
    })
  } finally {
    release()
    leave()
  }
}

function windowOf(page: Page): Semaphore {
  const context = page.browserContext()
  const window = windows.get(context) ?? new Semaphore(1)
  windows.set(context, window)
  return window
}

/** Runs work while the page is in front. @throws Timeout */
async function inFront<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const message = `The screenshot was not ready within ${shotsMs / 1000} s in Chrome.`
  // It has its own code, because the page would take as long again.
  const failure = () => new Timeout(message, { url: page.url(), code: "screenshot_timeout" })
  const timer = setTimeout(() => reject(failure()), shotsMs)
  const front = () => page.bringToFront().catch(() => {})
  const again = setInterval(front, inFrontMs)
  try {
    return await Promise.race([front().then(work), late])
  } finally {
    clearTimeout(timer)
    clearInterval(again)
  }
}

async function image(
  { type, quality, fullPage, selector, boxes }: ScreenshotOptions,
  { page, quiet }: VisiblePage,
): Promise<NonNullable<Shots["screenshot"]>> {
  if (fullPage) {
    // Images below the window are often loaded only when they are scrolled into view.
    await page.evaluate(showAll(maxHeight))
    await quiet(5000)
  }
  const area = selector !== undefined ? await elementArea(page, selector) : await pageArea(page)
  const wanted = fullPage || selector !== undefined ? area.height : area.visible
  const width = Math.max(1, Math.min(area.width, maxHeight))
  const height = Math.max(1, Math.min(wanted, maxHeight, Math.floor(maxPixels / width)))
  const bytes = await page.screenshot({
    type,
    ...(type !== "png" && quality !== undefined && { quality }),
    clip: { x: area.x, y: area.y, width, height },
    captureBeyondViewport: true,
  })
  requireSize(page, bytes.length, "picture")
  const boxedHtml = boxes ? String(await page.evaluate(boxedSource(maxBoxes))) : ""
  const isBoxed = boxedHtml !== "" && boxedHtml.length <= maxBoxedLength
  return {
    contentType: `image/${type}`,
    bytes: new Uint8Array(bytes),
    width,
    height,
    ...(height < wanted && { fullHeight: wanted }),
    ...(isBoxed && { boxedHtml }),
  }
}

/** An area of the page in CSS pixels; `shown` is the part of its height inside the window. */
interface Area {
  x: number
  y: number
  width: number
  height: number
  visible: number
}

async function pageArea(page: Page): Promise<Area> {
  const { cssContentSize, cssLayoutViewport } = await metricsOf(page)
  const { clientWidth, clientHeight } = cssLayoutViewport
  const height = Math.max(Math.ceil(cssContentSize.height), clientHeight)
  return { x: 0, y: 0, width: clientWidth, height, visible: clientHeight }
}

async function elementArea(page: Page, selector: string): Promise<Area> {
  const element = await page.$(selector)
  const url = page.url()
  if (!element) {
    throw new Changed(
      `screenshot.selector: nothing on the page matches the selector "${selector}".`,
      { code: "selector_not_found", url },
    )
  }
  await element.scrollIntoView()
  const box = await element.boundingBox()
  if (!box || box.width < 1 || box.height < 1) {
    throw new Changed(`screenshot.selector: what "${selector}" matches is not visible.`, {
      code: "selector_not_shown",
      url,
    })
  }
  const { cssVisualViewport } = await metricsOf(page)
  const height = Math.ceil(box.height)
  return {
    x: box.x + cssVisualViewport.pageX,
    y: box.y + cssVisualViewport.pageY,
    width: Math.ceil(box.width),
    height,
    visible: height,
  }
}

async function metricsOf(page: Page) {
  const cdp = await page.createCDPSession()
  try {
    return await cdp.send("Page.getLayoutMetrics")
  } finally {
    cdp.detach().catch(() => {})
  }
}

async function pdfFile(
  { format, landscape = false, background = false }: PdfOptions,
  { page }: VisiblePage,
): Promise<NonNullable<Shots["pdf"]>> {
  const stream = await page.createPDFStream({
    format,
    landscape,
    printBackground: background,
    pageRanges: `1-${maxPages}`,
    timeout: shotsMs,
  })
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of stream) {
    pieces.push(piece)
    size += piece.length
    requireSize(page, size, "print")
  }
  const bytes = new Uint8Array(Buffer.concat(pieces))
  const pages = pageCount(bytes)
  return { contentType: "application/pdf", bytes, pages, isCut: pages >= maxPages }
}

/** Returns the number of pages in the page tree's root, which Chrome writes uncompressed. */
function pageCount(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  const counts = [...text.matchAll(/\/Type\s*\/Pages\b[^>]{0,200}?\/Count\s+(\d{1,6})/g)]
  return Math.max(1, ...counts.map(([, count]) => Number(count)))
}

function requireSize(page: Page, bytes: number, what: string): void {
  if (bytes <= maxBytes) return
  throw new TooLarge(`The ${what} of the page is larger than ${maxBytes / 1_000_000} MB.`, {
    url: page.url(),
  })
}
