/** What people do by keys alone. */
import { expect } from "bun:test"
import type { Page } from "puppeteer-core"
import { until } from "./looks.ts"
import { requested } from "./world.ts"

/** More stops than any screen has before what is looked for. */
const maxStops = 90

/** What has not come by then is none that this screen waits for: it was asked by the one before. */
const maxWaitMs = 10_000

/**
 * Waits until nothing that was asked is still to come: what a list brings would push the focus out of
 * sight, between the key and the look at it. What was just typed is asked for after the next frame.
 */
async function settled(tab: Page): Promise<void> {
  const frames = () =>
    tab.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
  const end = performance.now() + maxWaitMs
  const isWaiting = () => requested(tab) > 0 && performance.now() < end
  do {
    await frames()
    while (isWaiting()) await Bun.sleep(10)
    // What came is drawn, and may ask for more.
    await frames()
  } while (isWaiting())
}

/** Presses Tab until the focus is there. Each stop on the way must be seen to have it. */
export async function tabTo(tab: Page, selector: string, words = ""): Promise<void> {
  await until(
    tab,
    (selector, words) =>
      [...document.querySelectorAll(selector)].some((one) => one.textContent?.includes(words)),
    selector,
    words,
  )
  await settled(tab)
  const stops: string[] = []
  while (stops.length < maxStops) {
    await tab.keyboard.press("Tab")
    const { isThere, isMarked, reported } = await tab.evaluate(
      (selector, words) => {
        const element = document.activeElement!
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        const box = element.getBoundingClientRect()
        const isSeen = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0
        return {
          isThere: element.matches(selector) && Boolean(element.textContent?.includes(words)),
          // Behind the last stop the focus is the browser's own.
          isMarked:
            element === document.body ||
            (isSeen && outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0),
          reported: element.outerHTML.slice(0, 120),
        }
      },
      selector,
      words,
    )
    expect(isMarked, `the focus is seen at ${reported}`).toBe(true)
    if (isThere) return
    stops.push(reported)
  }
  throw new Error(`Tab leads to no ${selector} ${words}: ${stops.join("\n")}`)
}

export async function press(tab: Page, selector: string, words = ""): Promise<void> {
  await tabTo(tab, selector, words)
  await tab.keyboard.press("Enter")
}

/** Fills a field in, in place of what it holds. */
export async function fill(tab: Page, selector: string, text: string): Promise<void> {
  await tabTo(tab, selector)
  await tab.keyboard.down("Control")
  await tab.keyboard.press("a")
  await tab.keyboard.up("Control")
  await tab.keyboard.type(text)
}

/** Chooses in a list that opens, by the letters of the choice. */
export async function choose(tab: Page, selector: string, letters: string): Promise<void> {
  await tabTo(tab, selector)
  await tab.keyboard.type(letters)
}

/** Opens a dialog, leaves it by Escape and by its button: both lead back to where it was opened. */
export async function opensAndCloses(
  tab: Page,
  [opener, words]: [opener: string, words: string],
  closing = "Keep it",
): Promise<void> {
  for (const leave of ["Escape", closing]) {
    await press(tab, opener, words)
    await until(tab, () => document.activeElement?.closest("dialog[open]"))
    if (leave === "Escape") await tab.keyboard.press("Escape")
    else await press(tab, "dialog button", closing)
    await until(tab, () => !document.querySelector("dialog"))
    const focused = await tab.evaluate(() => document.activeElement?.textContent)
    expect(focused, `after ${leave}`).toContain(words)
    await tab.keyboard.down("Shift")
    await tab.keyboard.press("Tab")
    await tab.keyboard.up("Shift")
  }
}
