/** The hands of a user in the console: a mouse on a wide screen, keys on that of a phone. */
import { parseHTML } from "linkedom"
import type { Page } from "puppeteer-core"
import { choose, fill, press, tabTo } from "./keys.ts"
import { until, written } from "./looks.ts"

/** The source of the page in the picker, with the places of its parts. */
let boxed = ""

/** Opens the picker by a button, and waits until Chrome has drawn the page. */
export async function openPicker(tab: Page, hand: Hand, button: string): Promise<void> {
  const arrived = tab.waitForResponse(
    async (response) =>
      /\/datasets\/.*\/items/.test(response.url()) &&
      (await response.text()).includes("data-trawl-box"),
  )
  await hand.push(tab, ".box button", button)
  boxed = (await (await arrived).json()).items[0].html
  await until(
    tab,
    () => document.querySelector<HTMLImageElement>(".page-picture img")?.naturalWidth,
  )
}

/** Returns left, top, width and height of the innermost part with these words. */
function placeOf(part: string): number[] {
  const all = [...parseHTML(boxed).document.querySelectorAll("[data-trawl-box]")]
  const one = all.findLast(
    (element) => (element.textContent.trim() || element.getAttribute("alt")) === part,
  )
  return one!.getAttribute("data-trawl-box")!.split(" ").map(Number)
}

/** The actions of a user, by mouse or by keyboard. */
export interface Hand {
  width: number
  /** Presses a button or follows a link with these words. */
  push(tab: Page, selector: string, words: string): Promise<void>
  write(tab: Page, field: string, text: string): Promise<void>
  select(tab: Page, field: string, value: string, letters: string): Promise<void>
  /** Takes a part of the page in the picker. */
  pick(tab: Page, part: string): Promise<void>
  /** Gives a file to the area for files. */
  drop(tab: Page, file: string): Promise<void>
}

export const mouse: Hand = {
  width: 1280,
  async push(tab, selector, words) {
    await until(
      tab,
      (selector, words) => {
        const all = [...document.querySelectorAll<HTMLButtonElement>(selector)]
        return all.some((one) => one.textContent?.includes(words) && !one.disabled)
      },
      selector,
      words,
    )
    const [x, y] = await tab.evaluate(
      (selector, words) => {
        const all = [...document.querySelectorAll(selector)]
        const one = all.find((one) => one.textContent?.includes(words))!
        one.scrollIntoView({ block: "center" })
        const { left, top, width, height } = one.getBoundingClientRect()
        return [left + width / 2, top + height / 2] as const
      },
      selector,
      words,
    )
    await tab.mouse.click(x, y)
  },
  write: written,
  async select(tab, field, value) {
    await tab.waitForSelector(field)
    await tab.select(field, value)
  },
  async pick(tab, part) {
    const [left, top, width, height] = placeOf(part)
    const [x, y] = await tab.evaluate(
      (x, y) => {
        const image = document.querySelector<HTMLImageElement>(".page-picture img")!
        const scroller = image.closest(".picker-page")!
        scroller.scrollIntoView({ block: "center" })
        const scale = image.clientWidth / image.naturalWidth
        scroller.scrollTop = y * scale - scroller.clientHeight / 2
        const place = image.getBoundingClientRect()
        return [place.left + x * scale, place.top + y * scale] as const
      },
      left! + width! / 2,
      top! + height! / 2,
    )
    await tab.mouse.click(x, y)
  },
  async drop(tab, file) {
    const area = (await tab.waitForSelector(".drop"))!
    const { x, y, width, height } = (await area.boundingBox())!
    const at = { x: x + width / 2, y: y + height / 2 }
    const data = { items: [], files: [file], dragOperationsMask: 1 }
    const browserEvents = await tab.createCDPSession()
    for (const type of ["dragEnter", "dragOver", "drop"] as const) {
      await browserEvents.send("Input.dispatchDragEvent", { type, ...at, data })
    }
    await browserEvents.detach()
  },
}

/** Waits until the mark of the part that the arrows reached is drawn. */
const drawn = (tab: Page) =>
  tab.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))),
      ),
  )

/** More parts than the page has. */
const maxParts = 60

export const keys: Hand = {
  width: 390,
  push: press,
  write: fill,
  select: (tab, field, _, letters) => choose(tab, field, letters),
  async pick(tab, part) {
    const isFocused = await tab.evaluate(() => document.activeElement?.matches(".sheet"))
    if (!isFocused) await tabTo(tab, ".sheet")
    const reached = () => tab.$eval(".under", ({ textContent }) => textContent ?? "")
    const wordsThere = () =>
      tab.$eval(".under", (one) => one.querySelector("span")?.textContent ?? "")
    const step = async (key: "ArrowUp" | "ArrowDown" | "ArrowRight") => {
      await tab.keyboard.press(key)
      await drawn(tab)
    }
    // From the top, because the arrows start at the last picked part.
    for (let steps = 0; steps < maxParts; steps++) await tab.keyboard.press("ArrowUp")
    await drawn(tab)
    for (let steps = 0; steps < maxParts && (await wordsThere()) !== part; steps++) {
      await step("ArrowDown")
    }
    // Into the part itself, if another one has nothing but it.
    for (let before = ""; before !== (await reached()); ) {
      before = await reached()
      await step("ArrowRight")
    }
    await tab.keyboard.press("Enter")
  },
  async drop(tab, file) {
    const chosen = tab.waitForFileChooser()
    await press(tab, "#bulk-file")
    await (await chosen).accept([file])
  },
}
