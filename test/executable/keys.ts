/** Actions of a user by keyboard only. */
import { expect } from "bun:test"
import type { Page } from "puppeteer-core"
import { until } from "./looks.ts"
import { settled } from "./tab.ts"

/** Maximum stops of Tab: more than any screen has. */
const maxStops = 90

/** Presses Tab until an element is focused. Each stop before it must be visible and marked. */
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
          // After the last stop, the browser's own controls have the focus.
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

/** Replaces the text of a field. */
export async function fill(tab: Page, selector: string, text: string): Promise<void> {
  await tabTo(tab, selector)
  await tab.keyboard.down("Control")
  await tab.keyboard.press("a")
  await tab.keyboard.up("Control")
  await tab.keyboard.type(text)
}

/** Chooses a file by the keyboard. On a loaded machine, Chrome may ignore the key, so it is pressed again. */
export async function chooseFile(tab: Page, selector: string, file: string): Promise<void> {
  await tabTo(tab, selector)
  const opened = tab.waitForFileChooser()
  const isOpen = opened.then(() => true)
  do await tab.keyboard.press("Space")
  while (!(await Promise.race([isOpen, Bun.sleep(3000).then(() => false)])))
  await (await opened).accept([file])
}

/** Chooses an option by its first letters. */
export async function choose(tab: Page, selector: string, letters: string): Promise<void> {
  await tabTo(tab, selector)
  await tab.keyboard.type(letters)
}

/** Opens a dialog and closes it, by Escape and by its button: both return the focus to the opener. */
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
