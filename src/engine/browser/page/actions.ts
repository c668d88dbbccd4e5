import type { KeyInput, Page } from "puppeteer-core"
import { messageOf } from "../../../base/error-message.ts"
import { Changed, Outcome, type PageAction, Timeout } from "../../../catalogue/kit/index.ts"

/** All actions of one page together. */
const budgetMs = 30_000
/** How long to wait for an action's element; a `wait` may set its own limit. */
const selectorMs = 5_000
const waitMs = 10_000

export interface Performer {
  page: Page
  click(selector: string): Promise<boolean>
  waitFor(selector: string, timeoutMs: number): Promise<boolean>
  scroll(options: { screens: number }): Promise<void>
  /** Until the network is quiet. */
  quiet(timeoutMs: number): Promise<void>
  race<T>(work: Promise<T>): Promise<T>
}

/** Performs the caller's actions on a page before it is read. @throws Changed | Timeout */
export async function perform(actions: readonly PageAction[], on: Performer): Promise<void> {
  const end = performance.now() + budgetMs
  for (const [index, action] of actions.entries()) {
    const left = end - performance.now()
    if (left <= 0) {
      throw new Timeout(`actions[${index}]: the actions before took ${budgetMs / 1000} s.`, {
        url: on.page.url(),
      })
    }
    const place = `actions[${index}] (${action.type})`
    await doOne(action, place, left, on).catch((error) => {
      if (error instanceof Outcome) throw error
      throw new Changed(`${place} failed: ${messageOf(error)}`, {
        code: "action_failed",
        url: on.page.url(),
      })
    })
  }
}

async function doOne(action: PageAction, place: string, left: number, on: Performer) {
  const { type, selector, text, key, value, milliseconds, screens = 1 } = action
  const patience = Math.min(left, type === "wait" ? (milliseconds ?? waitMs) : selectorMs)
  if (selector !== undefined && !(await on.waitFor(selector, patience))) {
    throw new Changed(`${place}: nothing on the page matches the selector "${selector}".`, {
      code: "selector_not_found",
      url: on.page.url(),
    })
  }
  if (type === "wait" && selector === undefined) await on.race(Bun.sleep(patience))
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
