import type { BrowserContext, Page } from "puppeteer-core"
import { abortable } from "../../../../base/clock.ts"
import type { Instance, OpenTab, OwnerContext } from "../chrome/instance.ts"

/** Leases per tab: a renderer grows with every page, and a new tab costs little. */
const leasesPerTab = 25

/** Returns a tab of a context: one from an earlier lease, or a new one. */
export async function openTab(
  instance: Instance,
  owner: OwnerContext,
  signal: AbortSignal,
): Promise<OpenTab> {
  const free = owner.free.pop()
  if (free) return free
  const opening = newPage(owner.context, instance)
  try {
    return { page: await abortable(opening, signal), served: 0 }
  } catch (error) {
    // It may still open later and must be closed then.
    opening.then(closePage, () => {})
    throw error
  }
}

/** Keeps a tab for the next lease if it can be reused. */
export function keepOrClose(owner: OwnerContext, tab: OpenTab, reusable: boolean): void {
  if (reusable && tab.served < leasesPerTab && !tab.page.isClosed()) owner.free.push(tab)
  else closePage(tab.page)
}

async function newPage(context: BrowserContext, instance: Instance): Promise<Page> {
  const page = await context.newPage()
  await preparePage(page, instance)
  return page
}

/** Gives a page Chrome's identity, and answers its dialogs. */
export async function preparePage(page: Page, instance: Instance): Promise<void> {
  page.on("dialog", (dialog) => {
    const leaving = dialog.type() === "beforeunload"
    ;(leaving ? dialog.accept() : dialog.dismiss()).catch(() => {})
  })
  page.on("error", () => closePage(page))
  const { override } = instance.identity
  if (override) await page.setUserAgent(override)
}

/** Closes a tab without waiting for a page that refuses to unload. */
function closePage(page: Page): void {
  if (page.isClosed()) return
  page.close({ runBeforeUnload: false }).catch(() => {})
}
