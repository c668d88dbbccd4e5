import type { Cookie } from "tough-cookie"
import { Blocked, type RequestOptions, type Tab } from "../../../catalogue/kit/index.ts"
import type { CookieVisit } from "../../../store/runs/reused-cookies.ts"
import { markOrigin } from "../http/cookie-jar.ts"
import type { RunCookies } from "./run-cookies.ts"

/** A run's cookies for one HTTP client. */
export class CookieSession {
  constructor(
    readonly cookies: RunCookies,
    private readonly fetchMethod: CookieVisit["fetchMethod"],
    /** The user agent of the installed Chrome; undefined until it is known. */
    private readonly chromeAgent: string | undefined,
  ) {}

  carries(url: string, options: RequestOptions): void {
    this.cookies.carries(url, options)
  }

  /** Adds cookies to a request with these headers. */
  async open(url: string, headers: Headers): Promise<void> {
    const agent = this.agentOf(headers)
    if (agent) await this.cookies.open(url, this.fetchMethod, agent)
  }

  private agentOf(headers: Headers): string | undefined {
    return this.fetchMethod === "chrome"
      ? this.chromeAgent
      : (headers.get("user-agent") ?? undefined)
  }

  sends(cookie: Cookie): boolean {
    return this.cookies.sends(cookie, this.fetchMethod)
  }

  /** Records a cookie that was set by the response to a request with these headers. */
  took(cookie: Cookie, headers: Headers): void {
    const agent = this.agentOf(headers)
    markOrigin(cookie, { fetchMethod: this.fetchMethod, ...(agent ? { agent } : {}) })
  }

  /** Deletes clearance cookies that were refused, so that later runs do not send them. */
  async dropRefused(scrapeError: unknown, url: string): Promise<void> {
    if (scrapeError instanceof Blocked)
      await this.cookies.blocked(scrapeError.url ?? url, this.fetchMethod)
  }

  /** Called before Chrome opens a page. */
  async openPage(url: string, options: RequestOptions): Promise<void> {
    this.carries(url, options)
    if (this.chromeAgent) await this.cookies.open(url, "chrome", this.chromeAgent)
  }

  /** Returns the tab with checks of its requests for cookies and headers that identify a user. */
  watched(tab: Tab): Tab {
    return {
      goto: (url, options) => {
        this.carries(url, options ?? {})
        return tab.goto(url, options)
      },
      read: () => tab.read(),
      waitFor: (selector, timeoutMs) => tab.waitFor(selector, timeoutMs),
      click: (selector) => tab.click(selector),
      scroll: (options) => tab.scroll(options),
      fetch: (url, options) => {
        this.carries(url, options ?? {})
        return tab.fetch(url, options)
      },
    }
  }
}
