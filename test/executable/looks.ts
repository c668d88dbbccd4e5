import { expect } from "bun:test"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import axe from "axe-core"
import type { EvaluateFunc, Page } from "puppeteer-core"
import { isRunningAll } from "../samples.ts"
import { click } from "./click.ts"
import { put } from "./tab.ts"

const images = process.env.PICTURES_OF_SCREENS ? join(import.meta.dir, "../../dist/console") : null

/** Waits for a condition. Checks it every 50 ms, because a check per frame makes Chrome draw each frame. */
export const until = <Provided extends unknown[]>(
  tab: Page,
  holds: EvaluateFunc<Provided>,
  ...provided: Provided
) => tab.waitForFunction(holds, { polling: 50 }, ...provided)

/** Waits until the screen contains a text. */
export const waitForText = (tab: Page, words: string) =>
  until(tab, (text) => document.body.textContent?.includes(text), words)

/** Replaces the text of a field. */
export async function replaceText(tab: Page, field: string, text: string): Promise<void> {
  await tab.waitForSelector(field)
  await tab.$eval(field, (input) => (input as HTMLInputElement).select())
  await put(tab, field, text)
}

/** Limits the pages of lists to one entry, as if lists were longer than a screen shows. */
export async function inPartsOfOne(tab: Page): Promise<void> {
  await tab.setRequestInterception(true)
  tab.on("request", (request) =>
    request.continue({ url: request.url().replace(/\blimit=\d+/, "limit=1") }),
  )
}

/** Sends the screen's form, and waits for an element of the result. */
export async function submit(tab: Page, result: string): Promise<void> {
  await click(tab, "button[type=submit]")
  await tab.waitForSelector(result)
}

/** Returns the API call of the last change on this screen. */
export async function lastChange(tab: Page): Promise<string> {
  const button = ".same-call .bar fieldset:first-of-type button:nth-of-type(2)"
  await click(tab, button)
  return tab.$eval(".same-call .code-box code", (code) => code.textContent!)
}

/** Returns the JSON response to a request of the signed-in account. */
export const called = (tab: Page, path: string) =>
  tab.evaluate(async (path) => (await fetch(path)).json(), path)

export async function hasNoSidewaysScroll(tab: Page, width: number): Promise<void> {
  await tab.setViewport({ width, height: 900 })
  const [most, wide] = await tab.evaluate(() => {
    const all = [...document.querySelectorAll("main *")]
    const wide = all.filter((one) => one.getBoundingClientRect().right > innerWidth)
    return [
      document.documentElement.scrollWidth,
      wide.map(({ outerHTML }) => outerHTML.slice(0, 100)),
    ] as const
  })
  expect(most, `sideways scroll of ${tab.url()} by ${wide.slice(0, 3)}`).toBeLessThanOrEqual(width)
  if (width <= phoneWidth) expect(await cutTables(tab), tab.url()).toEqual([])
}

/** On screens of this width, rows of lists are cards. */
const phoneWidth = 390

/** Returns the labels of lists that are wider than their box, so that columns are out of sight. */
const cutTables = (tab: Page) =>
  tab.evaluate(() =>
    [...document.querySelectorAll("main .scroll")]
      .filter((box) => box.querySelector("table.list") && box.scrollWidth > box.clientWidth + 1)
      .map((box) => box.getAttribute("aria-label") ?? ""),
  )

/** Saves a screenshot of each width and color scheme. */
async function takeImages(tab: Page, name: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const width of [390, 1280]) {
    await tab.setViewport({ width, height: 900 })
    for (const value of ["light", "dark"]) {
      await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
      await tab.screenshot({ path: join(folder, `${name}-${width}-${value}.png`), fullPage: true })
    }
  }
}

/** Returns the violations that axe finds. It skips the selectors, which take long to find. */
async function violations(tab: Page): Promise<string[]> {
  const { violations } = await tab.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ["violations"],
      selectors: false,
    }),
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)
}

/** Widths with their color schemes. */
const modes = [
  [390, "light"],
  [1280, "dark"],
] as const

/**
 * Checks that the screen does not scroll sideways and that axe finds no violation. Axe takes most of this
 * time: it checks both modes of a screen in `verify --all`, else one of them, which the name decides.
 */
export async function looksRight(tab: Page, name: string): Promise<void> {
  await tab.mouse.move(0, 0)
  if (images) await takeImages(tab, name, images)
  // Most screens of a visit are one document.
  if (!(await tab.evaluate(() => "axe" in globalThis))) await tab.evaluate(axe.source)
  await hasNoSidewaysScroll(tab, 360)
  const chosen = Number(BigInt(Bun.hash(name)) % 2n)
  for (const [index, [width, value]] of modes.entries()) {
    await hasNoSidewaysScroll(tab, width)
    await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
    if (isRunningAll || index === chosen) expect(await violations(tab)).toEqual([])
  }
}
