import type { Cookie } from "tough-cookie"
import { type Access, Blocked, type RequestOptions, type Tab } from "../../catalogue/kit/index.ts"
import type { CookieVisit } from "../../store/runs/kept-cookies.ts"
import { markOrigin } from "./jar.ts"
import type { RunCookies } from "./run-cookies.ts"

/** Chrome sends the same hello with a page and without one. */
export const cookieWay = (way: Access): CookieVisit["way"] =>
  way === "http" || way === "unlocker" ? way : "chrome"

/** A run's cookies as one way in has them. */
export class Visitor {
  private readonly way: CookieVisit["way"]

  constructor(
    readonly cookies: RunCookies,
    way: Access,
    /** What the installed Chrome says; undefined as long as that is not known. */
    private readonly chromeAgent: string | undefined,
  ) {
    this.way = cookieWay(way)
  }

  carries(url: string, options: RequestOptions): void {
    this.cookies.carries(url, options)
  }

  /** Before a request with these headers goes out. */
  async open(url: string, headers: Headers): Promise<void> {
    const agent = this.agentOf(headers)
    if (agent) await this.cookies.open(url, this.way, agent)
  }

  private agentOf(headers: Headers): string | undefined {
    return this.way === "chrome" ? this.chromeAgent : (headers.get("user-agent") ?? undefined)
  }

  sends(cookie: Cookie): boolean {
    return this.cookies.sends(cookie, this.way)
  }

  /** An answer to a request with these headers set a cookie. */
  took(cookie: Cookie, headers: Headers): void {
    const agent = this.agentOf(headers)
    markOrigin(cookie, { way: this.way, ...(agent ? { agent } : {}) })
  }

  /** A pass that a wall does not take is nothing for later runs. */
  async turnedAway(outcome: unknown, url: string): Promise<void> {
    if (outcome instanceof Blocked) await this.cookies.blocked(outcome.url ?? url, this.way)
  }

  /** Before Chrome opens a page. */
  async openPage(url: string, options: RequestOptions): Promise<void> {
    this.carries(url, options)
    if (this.chromeAgent) await this.cookies.open(url, "chrome", this.chromeAgent)
  }

  /** A tab of which it is noted what its requests say of who asks. */
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
