import { afterAll, afterEach, beforeAll, setDefaultTimeout } from "bun:test"
import { join } from "node:path"
import type { Browser, Page } from "puppeteer-core"
import { fullChrome, leanChrome, openBrowser } from "../chrome.ts"
import { freePort } from "../free-port.ts"
import { click } from "./click.ts"
import { executable, type Service, startExecutable } from "./executable.ts"
import { openTab, printOpenTabs, put } from "./tab.ts"

const cases = ["pages/console", "pages/search", "cases/pypi-package-scraper/old-times-two-licences"]
/** Recordings only, so that no test depends on a network. */
export const replay = cases.map((path) => join(import.meta.dir, "..", path)).join(",")
/** A page that the service has recorded. */
export const page = "https://almanac.example/tides"
export const password = "correct horse battery"

/** The names that the browsers of these tests resolve: of a service behind a proxy, and of another site. */
export const host = "trawl.test"
export const otherHost = "evil.test"
const args = [
  `--host-resolver-rules=${[host, otherHost].map((name) => `MAP ${name} 127.0.0.1`).join()}`,
  "--disable-features=HttpsUpgrades",
  // Tabs of one origin share a process, which has compiled the console and axe already.
  "--renderer-process-limit=1",
]

/**
 * Starts a browser for the tests of a file. After a test that failed, prints what its tabs show.
 */
function startedForFile(chrome: () => string | undefined, onEnd = () => {}): () => Browser {
  // Per file, because the machine may run much else.
  setDefaultTimeout(120_000)
  let opened: Awaited<ReturnType<typeof openBrowser>> | undefined
  beforeAll(async () => {
    executable()
    const path = chrome()
    if (!path) {
      throw new Error("No Chrome was found; `bun scripts/ensure.ts --chrome` installs one.")
    }
    opened = await openBrowser(path, { acceptInsecureCerts: true, args })
  }, 120_000)
  afterEach(() => printOpenTabs(), 60_000)
  afterAll(async () => {
    onEnd()
    await opened?.close()
  }, 60_000)
  return () => opened!.browser
}

let browserOfFile: (() => Browser) | undefined
let worldOfFile: World | undefined

/** Returns the browser of the test file. All modules that the file imports share it. */
export function sharedBrowser(): () => Browser {
  browserOfFile ??= startedForFile(leanChrome, () => {
    browserOfFile = undefined
    worldOfFile = undefined
  })
  return browserOfFile
}

/** Returns the executable of the test file, and its users. All modules that the file imports share it. */
export function sharedWorld(): World {
  worldOfFile ??= new World(sharedBrowser())
  return worldOfFile
}

/** A separate browser for the tests of a file. */
export const fullBrowser = () => startedForFile(fullChrome)

/** An executable for the tests of one file, and its users. */
export class World {
  readonly port = freePort()
  readonly root = `http://127.0.0.1:${this.port}`
  private service?: Service
  private isOwned = false

  constructor(readonly browser: () => Browser) {
    beforeAll(async () => {
      this.service = await startExecutable({
        TRAWL_PORT: String(this.port),
        TRAWL_REPLAY: replay,
        TRAWL_SIGNUP: "open",
        // Each test has another account, all from the same IP address.
        TRAWL_SIGNUPS_DAILY: "0",
        // The tests receive notifications on this machine.
        TRAWL_EGRESS_ALLOW: "127.0.0.0/8",
      })
    }, 120_000)
    afterAll(() => this.service?.stop(), 60_000)
  }

  /** Opens a tab. Only one is open at a time: they have the same cookies, which `close` deletes. */
  open = () => openTab(this.browser(), this.root, this.browser().defaultBrowserContext())
  /** Opens a tab with separate cookies, permissions and cache. */
  openFresh = () => openTab(this.browser(), this.root)

  /** Creates an account and signs it in. `sign-up.ts` and `keyboard.ts` do it by the form. */
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

  /** Signs the administrator in: at first by the link in the log, later by the form. */
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
  await Promise.all([tab.waitForNavigation(), click(tab, button)])
}
