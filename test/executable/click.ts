import type { Page } from "puppeteer-core"
import { maxWaitMs, settled } from "./tab.ts"

interface Point {
  x: number
  y: number
}

/** Time in which the layout must not move before a click. */
const restMs = 50
/** Time after which a click that did not reach its element is repeated. */
const deliveryMs = 2000

/**
 * Clicks an element by mouse. Waits until it is there, enabled, uncovered and at rest, because a click at a
 * place that was measured before the layout moved hits something else. Repeats a click that missed.
 */
export const click = (tab: Page, selector: string, words = "", count = 1): Promise<void> =>
  clickAt(tab, `${selector} ${words}`, () => tab.evaluate(pointOf, selector, words), count)

/**
 * Clicks at the point that `measure` returns; undefined if there is none yet. `measure` keeps the element
 * that the click must reach as `clickTarget` of the page.
 */
export async function clickAt(
  tab: Page,
  name: string,
  measure: () => Promise<Point | undefined>,
  count = 1,
): Promise<void> {
  const end = performance.now() + maxWaitMs
  while (performance.now() < end) {
    await settled(tab)
    const before = await measured(measure)
    await Bun.sleep(restMs)
    const after = await measured(measure)
    if (!before || !after || before.x !== after.x || before.y !== after.y) continue
    await tab.evaluate(awaitClick)
    await tab.mouse.click(after.x, after.y, { count })
    const deliveryEnd = performance.now() + deliveryMs
    do if (await isDelivered(tab)) return
    while (performance.now() < deliveryEnd)
  }
  throw new Error(`No click reached ${name} in ${maxWaitMs / 1000} s.`)
}

/** Returns undefined also if the page is left meanwhile. */
const measured = (measure: () => Promise<Point | undefined>) => measure().catch(() => undefined)

/** Elements and listeners of the page that the functions below share. */
export interface Clicked {
  clickTarget?: Element | undefined
  listensToClicks?: boolean
}

function awaitClick(): void {
  const page = globalThis as Clicked
  if (page.listensToClicks) return
  page.listensToClicks = true
  addEventListener(
    "click",
    ({ target }) => {
      if (page.clickTarget?.contains(target as Node)) page.clickTarget = undefined
    },
    true,
  )
}

/** A page that follows the click has no target either. */
async function isDelivered(tab: Page): Promise<boolean> {
  await Bun.sleep(10)
  return tab.evaluate(() => !(globalThis as Clicked).clickTarget).catch(() => true)
}

/** Runs in the page. Returns the middle of the element, if a click there reaches it. */
function pointOf(selector: string, words: string): Point | undefined {
  const one = [...document.querySelectorAll(selector)].find((element) =>
    element.textContent?.includes(words),
  )
  if (!one || one.matches(":disabled")) return undefined
  one.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" })
  // Of a link over two lines, the first.
  const [box] = one.getClientRects()
  if (!box) return undefined
  const point = { x: box.left + box.width / 2, y: box.top + box.height / 2 }
  const hit = document.elementFromPoint(point.x, point.y)
  if (!hit) return undefined
  if (!one.contains(hit) && hit.closest("label")?.control !== one) return undefined
  ;(globalThis as Clicked).clickTarget = one
  return point
}
