import type { KeyInput, Page } from "puppeteer-core"
import { messageOf } from "../../../../base/error-message.ts"
import {
  type ActionResults,
  Changed,
  type PageAction,
  ScrapeError,
  Timeout,
  TooLarge,
} from "../../../../catalogue/kit/index.ts"

/** Maximum milliseconds for all actions of a page. */
const budgetMs = 30_000
/** Milliseconds to wait for an action's element; a `wait` may set its own limit. */
const selectorMs = 5_000
const waitMs = 10_000
/** Maximum characters of all script results and sources of one page. */
const maxResultCharacters = 5_000_000

export interface Performer {
  page: Page
  click(selector: string): Promise<boolean>
  waitFor(selector: string, timeoutMs: number): Promise<boolean>
  scroll(options: { screens: number }): Promise<void>
  /** Waits until the network is quiet. */
  quiet(timeoutMs: number): Promise<void>
  image(fullPage: boolean): Promise<ActionResults["screenshots"][number]>
  race<T>(work: Promise<T>): Promise<T>
}

/**
 * Performs the actions of an input on a page before it is read, and returns their results;
 * undefined if none returns anything. @throws Changed | Timeout | TooLarge
 */
export async function perform(
  actions: readonly PageAction[],
  on: Performer,
): Promise<ActionResults | undefined> {
  const end = performance.now() + budgetMs
  const results: ActionResults = { screenshots: [], pages: [], values: [] }
  for (const [index, action] of actions.entries()) {
    const left = end - performance.now()
    if (left <= 0) {
      throw new Timeout(`actions[${index}]: the previous actions took ${budgetMs / 1000} s.`, {
        url: on.page.url(),
      })
    }
    const label = `actions[${index}] (${action.type})`
    const work = isReading(action)
      ? read(action, left, on, results)
      : doOne(action, label, left, on)
    await work.catch((error) => {
      if (error instanceof ScrapeError) throw error
      throw new Changed(`${label} failed: ${messageOf(error)}`, {
        code: "action_failed",
        url: on.page.url(),
      })
    })
  }
  return actions.some(isReading) ? results : undefined
}

const isReading = ({ type }: PageAction) =>
  type === "screenshot" || type === "html" || type === "script"

async function read(
  { type, script = "", fullPage = false }: PageAction,
  left: number,
  on: Performer,
  { screenshots, pages, values }: ActionResults,
): Promise<void> {
  const { page } = on
  if (type === "screenshot") screenshots.push(await on.image(fullPage))
  else if (type === "html") pages.push({ url: page.url(), html: await on.race(page.content()) })
  else {
    values.push((await on.race(inTime(evaluated(page, script), left, page.url()))) ?? null)
    await on.quiet(Math.min(left, selectorMs))
  }
  if (JSON.stringify([pages, values]).length > maxResultCharacters) {
    throw new TooLarge(`The actions return more than ${maxResultCharacters} characters.`, {
      url: page.url(),
    })
  }
}

/** Wraps statements with a `return` in a function; returns an expression unchanged. */
async function evaluated(page: Page, script: string): Promise<unknown> {
  try {
    return await page.evaluate(script)
  } catch (error) {
    if (!/Illegal return|await is only valid/.test(messageOf(error))) throw error
    return page.evaluate(`(async () => { ${script}\n })()`)
  }
}

async function inTime<T>(work: Promise<T>, milliseconds: number, url: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const message = `The script did not finish within ${Math.round(milliseconds / 1000)} s.`
  const timer = setTimeout(() => reject(new Timeout(message, { url })), milliseconds)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

async function doOne(action: PageAction, label: string, left: number, on: Performer) {
  const { type, selector, text, key, value, milliseconds, screens = 1 } = action
  const waitLimit = Math.min(left, type === "wait" ? (milliseconds ?? waitMs) : selectorMs)
  if (selector !== undefined && !(await on.waitFor(selector, waitLimit))) {
    throw new Changed(`${label}: nothing on the page matches the selector "${selector}".`, {
      code: "selector_not_found",
      url: on.page.url(),
    })
  }
  if (type === "wait" && selector === undefined) await on.race(Bun.sleep(waitLimit))
  else if (type === "click") await on.click(selector!)
  else if (type === "scroll") await on.scroll({ screens })
  else if (type === "type") await on.race(on.page.type(selector!, text!))
  else if (type === "select") {
    await on.race(on.page.select(selector!, value!))
    await on.quiet(Math.min(left, selectorMs))
  } else if (type === "press") {
    const moved = on.page
      .waitForNavigation({ waitUntil: "domcontentloaded", timeout: 1000 })
      .catch(() => null)
    await on.race(on.page.keyboard.press(key as KeyInput))
    await on.race(moved)
    await on.quiet(Math.min(left, selectorMs))
  }
}
