import { afterAll, beforeAll, setDefaultTimeout } from "bun:test"
import { join } from "node:path"
import {
  type Browser,
  type HTTPRequest,
  type HTTPResponse,
  launch,
  type Page,
} from "puppeteer-core"
import { leanChrome } from "../chrome.ts"
import { freePort } from "../free-port.ts"
import { executable, type Service, startExecutable } from "./executable.ts"

const cases = ["pages/console", "pages/search", "cases/pypi-package-scraper/old-times-two-licences"]
/** Of nothing but recordings: no test waits for a network, and no Chrome is asked who it is. */
export const replay = cases.map((path) => join(import.meta.dir, "..", path)).join(",")
/** A page that the service has recorded. */
export const page = "https://almanac.example/tides"
export const password = "correct horse battery"

/** For what a page does: a machine with other work takes longer than Puppeteer's half a minute. */
export const maxWaitMs = 100_000

export interface Visit {
  tab: Page
  /** What the console said, and where requests went that were not ours. */
  stated: string[]
  answers: HTTPResponse[]
}

/** A browser for the tests of a file. @param args In addition to those that each has */
export function humansBrowser(args: readonly string[] = [], chrome = leanChrome): () => Browser {
  // Of the file that calls this: what is beside it on this machine may be much.
  setDefaultTimeout(120_000)
  let browser: Browser | undefined
  beforeAll(async () => {
    executable()
    const path = chrome()
    if (!path) {
      throw new Error("No Chrome was found; `bun scripts/ensure.ts --chrome` installs one.")
    }
    browser = await launch({
      executablePath: path,
      acceptInsecureCerts: true,
      args: ["--no-sandbox", ...args],
    })
  }, 120_000)
  afterAll(() => browser?.close(), 60_000)
  return () => browser!
}

const running = new WeakMap<Page, Set<HTTPRequest>>()

/** What a tab waits for; not streams, which stay open. */
export const requested = (tab: Page): number => running.get(tab)!.size

/** A tab that keeps what nobody should have to read. @param own Where it may go */
export async function openTab(browser: Browser, own: string): Promise<Visit> {
  const tab = await (await browser.createBrowserContext()).newPage()
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
    // Of what the page before still waited for, no end is told.
    const isNewPage =
      response.request().isNavigationRequest() && response.frame() === tab.mainFrame()
    if (isNewPage) requests.clear()
  })
  return { tab, stated, answers }
}

export const close = ({ tab }: Visit) => tab.browserContext().close()

/** A console of a file's own, and who comes to it. */
export class World {
  readonly port = freePort()
  readonly root = `http://127.0.0.1:${this.port}`
  private service?: Service
  private isOwned = false

  constructor(readonly browser = humansBrowser()) {
    beforeAll(async () => {
      this.service = await startExecutable({
        TRAWL_PORT: String(this.port),
        TRAWL_REPLAY: replay,
        TRAWL_SIGNUP: "open",
        // Every test is somebody else, all of the same address.
        TRAWL_SIGNUPS_DAILY: "0",
        // A receiver of the tests' own is told of what happened.
        TRAWL_EGRESS_ALLOW: "127.0.0.0/8",
      })
    }, 120_000)
    afterAll(() => this.service?.stop(), 60_000)
  }

  open = () => openTab(this.browser(), this.root)

  /** Makes an account and signs it in. How a human does it is told by `sign-up.ts` and by keyboard. */
  async signedUp(tab: Page, email: string): Promise<void> {
    const response = await fetch(`${this.root}/api/account`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password }),
    })
    const [, value] = /trawl_session=([^;]*)/.exec(response.headers.get("set-cookie") ?? "") ?? []
    if (!value) throw new Error(`${email} has no account: ${await response.text()}`)
    const name = "trawl_session"
    await tab.browserContext().setCookie({ name, value, domain: "127.0.0.1", httpOnly: true })
  }

  async signedOut(tab: Page): Promise<void> {
    const context = tab.browserContext()
    await context.deleteCookie(...(await context.cookies()))
  }

  /** By the link that the first start told, or as who came by it. */
  async asOwner(tab: Page): Promise<void> {
    await tab.goto(this.isOwned ? `${this.root}/signup?view=sign-in` : this.service!.ownerLink!)
    this.isOwned = true
    await enter(tab, "olga@example.com", "form button")
  }
}

/** Fills the form of the sign-up page in and sends it. */
export async function enter(tab: Page, email: string, button: string): Promise<void> {
  await put(tab, "#email", email)
  await put(tab, "#password", password)
  await Promise.all([tab.waitForNavigation(), tab.click(button)])
}

/** Text as from a clipboard: one change in place of one a letter. */
export async function put(tab: Page, field: string, text: string): Promise<void> {
  await tab.focus(field)
  await tab.keyboard.sendCharacter(text)
}
