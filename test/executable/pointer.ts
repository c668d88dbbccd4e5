/** A user's actions in the console: by mouse on a wide screen, by keyboard on a phone's. */
import { parseHTML } from "linkedom"
import type { Page } from "puppeteer-core"
import { type Clicked, click, clickAt } from "./click.ts"
import { choose, chooseFile, fill, press, tabTo } from "./keys.ts"
import { replaceText, until } from "./looks.ts"

/** The HTML of the page in the picker. Its elements have their positions as attributes. */
let boxed = ""

/** Opens the picker by a button, and waits until the page is drawn. */
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

/** Returns left, top, width and height of the innermost element with this text. */
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
  /** Presses a button or follows a link that contains the text. */
  push(tab: Page, selector: string, words: string): Promise<void>
  write(tab: Page, field: string, text: string): Promise<void>
  select(tab: Page, field: string, value: string, letters: string): Promise<void>
  /** Picks an element of the page in the picker. */
  pick(tab: Page, part: string): Promise<void>
  /** Drops a file on the area for files, or chooses it there. */
  drop(tab: Page, file: string): Promise<void>
}

export const mouse: Hand = {
  width: 1280,
  push: click,
  write: replaceText,
  async select(tab, field, value) {
    await tab.waitForSelector(field)
    await tab.select(field, value)
  },
  async pick(tab, part) {
    const [left, top, width, height] = placeOf(part)
    const point = [left! + width! / 2, top! + height! / 2] as const
    await clickAt(tab, part, () => tab.evaluate(pointOfImage, ...point))
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

/** Runs in the page. Returns the position of a point of the page's image, scrolled into view. */
function pointOfImage(x: number, y: number): { x: number; y: number } | undefined {
  const image = document.querySelector<HTMLImageElement>(".page-picture img")
  const scroller = image?.closest(".picker-page")
  if (!image || !scroller) return undefined
  scroller.scrollIntoView({ block: "center", behavior: "instant" })
  const scale = image.clientWidth / image.naturalWidth
  scroller.scrollTop = y * scale - scroller.clientHeight / 2
  const box = image.getBoundingClientRect()
  const point = { x: box.left + x * scale, y: box.top + y * scale }
  if (!scroller.contains(document.elementFromPoint(point.x, point.y))) return undefined
  ;(globalThis as Clicked).clickTarget = scroller
  return point
}

/** Waits until the mark of the reached element is drawn. */
const drawn = (tab: Page) =>
  tab.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))),
      ),
  )

/** Maximum steps: more than the page has elements. */
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
    // Start at the top, because the arrows start at the last picked element.
    for (let steps = 0; steps < maxParts; steps++) await tab.keyboard.press("ArrowUp")
    await drawn(tab)
    for (let steps = 0; steps < maxParts && (await wordsThere()) !== part; steps++) {
      await step("ArrowDown")
    }
    // Step into the element if it is the only child of another one.
    for (let before = ""; before !== (await reached()); ) {
      before = await reached()
      await step("ArrowRight")
    }
    await tab.keyboard.press("Enter")
  },
  async drop(tab, file) {
    await chooseFile(tab, "#bulk-file", file)
  },
}
