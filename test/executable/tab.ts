import type { Browser, BrowserContext, HTTPRequest, HTTPResponse, Page } from "puppeteer-core"

/** Maximum wait for a page. Puppeteer's 30 seconds are too short for a loaded machine. */
export const maxWaitMs = 100_000

export interface Visit {
  tab: Page
  /** Messages of the browser's console, and requests to other origins. */
  stated: string[]
  answers: HTTPResponse[]
}

const running = new WeakMap<Page, Set<HTTPRequest>>()

/** Returns the number of running requests of a tab, without event streams, which stay open. */
export const requested = (tab: Page): number => running.get(tab)?.size ?? 0

/** Tabs that no test has closed yet. */
const openTabs = new Set<Page>()

/**
 * Opens a tab that records its messages and responses.
 *
 * @param own The origin and path that its requests may go to.
 * @param context Its cookies and cache (default: a separate context).
 */
export async function openTab(
  browser: Browser,
  own: string,
  context?: BrowserContext,
): Promise<Visit> {
  const tab = await (context ?? (await browser.createBrowserContext())).newPage()
  openTabs.add(tab)
  tab.on("close", () => openTabs.delete(tab))
  tab.setDefaultTimeout(maxWaitMs)
  const stated: string[] = []
  const answers: HTTPResponse[] = []
  const requests = new Set<HTTPRequest>()
  running.set(tab, requests)
  tab.on("console", (message) => stated.push(message.text()))
  tab.on("pageerror", (error) => stated.push(String(error)))
  tab.on("request", (request) => {
    if (!request.url().startsWith(own)) stated.push(`asked ${request.url()}`)
    if (request.resourceType() !== "eventsource") requests.add(request)
  })
  for (const event of ["requestfinished", "requestfailed"] as const) {
    tab.on(event, (request) => requests.delete(request))
  }
  tab.on("response", (response) => {
    answers.push(response)
    // Chrome reports no end of requests that the previous page was waiting for.
    const isNewPage =
      response.request().isNavigationRequest() && response.frame() === tab.mainFrame()
    if (isNewPage) requests.clear()
  })
  return { tab, stated, answers }
}

export const close = ({ tab }: Visit) => closeTab(tab)

/** Closes a tab, and deletes the cookies and the stored data of its site. */
async function closeTab(tab: Page): Promise<void> {
  const context = tab.browserContext()
  if (context.id !== undefined) return context.close()
  await context.deleteCookie(...(await context.cookies()))
  const wire = await tab.createCDPSession()
  const { origin } = new URL(tab.url())
  await wire.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" })
  await tab.close()
}

const printMs = 10_000
const maxPrinted = 4000

/** Prints and closes the tabs that are still open: a test that fails does not close its tabs. */
export async function printOpenTabs(): Promise<void> {
  for (const tab of openTabs) {
    openTabs.delete(tab)
    if (tab.isClosed()) continue
    const screen = await Promise.race([
      tab
        .evaluate(() => {
          const focused = document.activeElement?.outerHTML.slice(0, 200)
          return `${document.body.textContent}\n-- focus: ${focused}`
        })
        .catch(String),
      Bun.sleep(printMs).then(() => "The tab does not respond."),
    ])
    const requests = [...(running.get(tab) ?? [])].map((request) => request.url())
    console.error(`-- ${tab.url()} shows:\n${screen.slice(0, maxPrinted)}`)
    if (requests.length > 0) console.error(`-- running requests: ${requests.join(" ")}`)
    await closeTab(tab).catch(() => {})
  }
}

/** Maximum wait for requests. What takes longer belongs to the previous screen. */
const settleMs = 10_000

/** Waits until no request runs and its result is drawn, because results move the layout and the focus. */
export async function settled(tab: Page): Promise<void> {
  const frames = () =>
    tab.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
  const end = performance.now() + settleMs
  const isWaiting = () => requested(tab) > 0 && performance.now() < end
  do {
    await frames()
    while (isWaiting()) await Bun.sleep(10)
    // Drawing a response may start another request.
    await frames()
  } while (isWaiting())
}

/** Inserts text at once, as from a clipboard. */
export async function put(tab: Page, field: string, text: string): Promise<void> {
  await tab.focus(field)
  await tab.keyboard.sendCharacter(text)
}
