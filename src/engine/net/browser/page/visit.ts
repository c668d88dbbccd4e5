import type { Cookie, HTTPResponse, Page } from "puppeteer-core"
import { abortable } from "../../../../base/clock.ts"
import { messageOf } from "../../../../base/error-message.ts"
import {
  type ActionResults,
  type PageAction,
  type RenderedResponse,
  type RenderOptions,
  type RequestOptions,
  ScrapeError,
  type Shots,
  Timeout,
  TooLarge,
  Unreachable,
  type UpstreamResponse,
} from "../../../../catalogue/kit/index.ts"
import type { LeasedTab } from "../../../fetch/environment.ts"
import { pageHeader, urlOfRequest } from "../../http/request.ts"
import type { InputEvent, Picture } from "../../sessions/live-page.ts"
import type { StorageToSet } from "../../sessions/run-session.ts"
import type { OriginStorage } from "../../sessions/state.ts"
import type { OpenTab } from "../chrome/instance.ts"
import type { LeaseEnd } from "../lease/lease-end.ts"
import { perform } from "./actions.ts"
import { canChange, change } from "./change.ts"
import { watchTurns } from "./hang-watch.ts"
import { inputTo, LivePage } from "./live.ts"
import { type Denial, navigationFailure } from "./navigation.ts"
import { fetchInPage } from "./page-fetch.ts"
import { bodyOf, isError, isPage, isVisibleAs, pageResponse } from "./page-response.ts"
import { dismissConsent, dismissOrRead, readSource, scrollScript } from "./page-scripts.ts"
import { maxPopups, type Popups } from "./popups.ts"
import { blockedOf, type ProxyPassword, RequestGate } from "./request-gate.ts"
import { PageResponses } from "./responses.ts"
import { type ShotsOptions, takeScreenshots } from "./shots.ts"
import { setStorage, storageOf } from "./storage.ts"
import { leavePage, setView } from "./view.ts"
import { appears } from "./wait.ts"

const defaultTimeoutMs = 30_000
/** Milliseconds for reading a page, in addition to loading it. */
const readMs = 10_000
/** Milliseconds with at most two running requests after which the network is quiet. */
const quietMs = 400
const quietRequests = 2
/** Milliseconds after which a page whose network never becomes quiet is read as it is. */
const quietLimitMs = 10_000

export interface VisitOptions {
  tab: OpenTab
  /** Ends the lease; every step races with it. */
  end: LeaseEnd
  /** Milliseconds after which a page with a hanging event loop is closed. */
  hangMs: number
  /** Maximum milliseconds to wait for a selector. */
  pageWaitMs: number
  denial: Denial
  proxyPassword: ProxyPassword
  popups: Popups
  /** Prepares a window that the page has opened. */
  prepare(page: Page): Promise<void>
  /** Whether the page's process has just been ended because of its memory. */
  overMemory(): boolean
  /** Called with a screenshot of each page that is read. */
  onScreenshot?(png: Uint8Array): void
  /** Local storage of pages from their start. */
  storage?: StorageToSet
}

/** A leased tab. */
export class Visit implements LeasedTab {
  private readonly responses: PageResponses
  private gate?: RequestGate
  private live?: LivePage
  private readonly page: Page
  private readonly onCrash = () => this.options.end.by(this.crash())
  /** Stops the page's watchers. */
  private readonly watches: (() => void)[] = []
  private clean = true
  private requestedUrl = ""
  private startedAt = 0
  /** Fingerprint of the page at the last read. */
  private mark = ""

  constructor(private readonly options: VisitOptions) {
    this.page = options.tab.page
    this.responses = new PageResponses(this.page)
    this.page.on("error", this.onCrash)
  }

  private get main(): HTTPResponse | undefined {
    return this.responses.main
  }

  async goto(url: string, options: RenderOptions = {}): Promise<RenderedResponse> {
    const address = urlOfRequest(url, options.query).href
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
    this.requestedUrl = address
    this.startedAt = performance.now()
    this.responses.capture(options.capture)
    await this.race(this.prepare(address, options))
    const deadline = performance.now() + timeoutMs
    this.clean = false
    await this.race(this.navigate(address, deadline))
    await this.arrive(options, deadline)
    const reply = await this.work(options)
    // A tab with another view cannot be reused.
    this.clean = options.view === undefined
    return reply
  }

  async next(timeoutMs: number): Promise<RenderedResponse | null> {
    const known = this.mark
    if (!(await this.race(change(this.page, timeoutMs)))) return null
    try {
      const reply = await this.read()
      return this.mark === known ? null : reply
    } catch (error) {
      // A page that navigates while it is read is read after the navigation.
      if (error instanceof ScrapeError) throw error
      return null
    }
  }

  async finish(options: RenderOptions, isQuiet = false): Promise<RenderedResponse> {
    if (!isQuiet) await this.quiet(quietLimitMs)
    return this.work(options)
  }

  /** Applies the requested steps to a loaded page, and reads it. */
  private async work(options: RenderOptions): Promise<RenderedResponse> {
    const isChanged = Boolean(options.scroll || options.actions)
    const script = isChanged || !this.isVisible ? dismissConsent : dismissOrRead
    const seen = await this.race(this.page.evaluate(script)).catch((error) => {
      if (error instanceof ScrapeError) throw error
      return false
    })
    if (seen === true) await this.quiet(quietLimitMs)
    if (options.scroll) await this.scroll({ screens: options.scroll })
    const results = options.actions && (await this.perform(options.actions))
    const reply = await this.read(typeof seen === "string" ? seen : undefined)
    if (results) reply.shots = { actions: results }
    const { screenshot, pdf } = options
    if ((screenshot || pdf) && (!this.main || isVisibleAs(this.main))) {
      reply.shots = { ...reply.shots, ...(await this.shots({ screenshot, pdf })) }
    }
    return reply
  }

  private shots(requested: ShotsOptions): Promise<Shots> {
    return takeScreenshots(requested, {
      page: this.page,
      signal: this.options.end.signal,
      quiet: (timeoutMs) => this.quiet(timeoutMs),
      race: (work) => this.race(work),
    })
  }

  private async prepare(address: string, options: RenderOptions): Promise<void> {
    this.gate ??= await this.watchedGate()
    await this.gate.block(blockedOf(options))
    await setView(this.page, options.view)
    // Chrome sends headers to every host of the page, so headers that identify the user are left
    // out.
    const headers = Object.entries(options.headers ?? {})
    const shared = headers.filter(([name]) => !pageHeader.test(name))
    await this.gate.send(this.page, Object.fromEntries(shared))
    const cookies = Object.entries(options.cookies ?? {})
    if (cookies.length > 0) {
      await this.page.browserContext().setCookie(
        ...cookies.map(([name, value]) => ({
          name,
          value,
          domain: new URL(address).hostname,
          path: "/",
        })),
      )
    }
  }

  private async watchedGate(): Promise<RequestGate> {
    const { hangMs, end, popups, tab, proxyPassword, storage } = this.options
    tab.gate ??= new RequestGate(await this.page.createCDPSession(), proxyPassword)
    const { gate } = tab
    if (storage) await setStorage(gate.cdp, storage)
    const held = `A script of the page blocked it for ${hangMs / 1000} s in Chrome.`
    const windows = `The page opened more than ${maxPopups} windows in Chrome.`
    this.watches.push(
      watchTurns(gate.cdp, hangMs, () => end.by(new Timeout(held, this.location))),
      popups.watch(this.page.target(), () => end.by(new TooLarge(windows, this.location))),
    )
    return gate
  }

  private get location() {
    return { url: this.requestedUrl }
  }

  private crash(): ScrapeError {
    return this.options.overMemory()
      ? new TooLarge("The page used too much memory in Chrome.", this.location)
      : new Unreachable("The page crashed in Chrome.", "connection", this.location)
  }

  private async navigate(address: string, deadline: number): Promise<void> {
    const timeoutMs = Math.max(1, deadline - performance.now())
    this.responses.forget()
    try {
      const response = await this.page.goto(address, {
        waitUntil: "domcontentloaded",
        timeout: timeoutMs,
      })
      this.responses.main = response ?? this.main
    } catch (error) {
      const message = messageOf(error)
      // A page that keeps loading is read in its current state, if its response has started.
      if (/timeout/i.test(message) && this.main) return
      if (message.includes("ERR_ABORTED")) {
        // A download is recognised by its content type.
        if (this.main && !isVisibleAs(this.main)) return
        if (await leavePage(this.page)) return this.navigate(address, deadline)
      }
      throw navigationFailure(message, this.wanted(), this.options.denial, timeoutMs)
    }
  }

  /** Waits for the requested state of the page, within the remaining time. */
  private async arrive(options: RenderOptions, deadline: number): Promise<void> {
    const left = Math.max(1, deadline - performance.now())
    const { waitFor } = options
    const quiet = (signal?: AbortSignal) => this.quiet(Math.min(left, quietLimitMs), signal)
    if (!waitFor || waitFor === "network-quiet") return quiet()
    const over = new AbortController()
    const selectorWait = this.waitFor(waitFor, Math.min(left, this.options.pageWaitMs), over.signal)
    const final = quiet(over.signal).then(async () => {
      if (over.signal.aborted) return
      // Error pages, and pages without scripts, do not change.
      if (isError(this.main?.status(), options) || !(await this.race(canChange(this.page))))
        over.abort()
    })
    final.catch(() => {})
    await selectorWait
    over.abort()
  }

  private perform(actions: readonly PageAction[]): Promise<ActionResults | undefined> {
    return perform(actions, {
      page: this.page,
      click: (selector) => this.click(selector),
      waitFor: (selector, timeoutMs) => this.waitFor(selector, timeoutMs),
      scroll: (options) => this.scroll(options),
      quiet: (timeoutMs) => this.quiet(timeoutMs),
      image: async (fullPage) =>
        (await this.shots({ screenshot: { type: "png", fullPage } })).screenshot!,
      race: (work) => this.race(work),
    })
  }

  private async quiet(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const wait = this.page.waitForNetworkIdle({
      ...(signal ? { signal } : {}),
      idleTime: quietMs,
      concurrency: quietRequests,
      timeout: timeoutMs,
    })
    await this.race(wait.catch(() => {}))
  }

  /**
   * Reads the page, with a timeout, because a page that cannot be read must not hold its tab for
   * the whole lease.
   */
  async read(source?: string): Promise<RenderedResponse> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const message = `The page could not be read within ${readMs / 1000} s in Chrome.`
    const timer = setTimeout(() => reject(new Timeout(message, { url: this.page.url() })), readMs)
    try {
      return await Promise.race([this.readNow(source), late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Whether the tab displays a page, and not a file in a page of Chrome's own. */
  private get isVisible(): boolean {
    return this.main === undefined || isPage(this.main)
  }

  private async readNow(source?: string): Promise<RenderedResponse> {
    const { main, page, isVisible } = this
    const bytes =
      isVisible || main === undefined
        ? new TextEncoder().encode(source ?? (await this.source()))
        : await this.race(bodyOf(main))
    // The page may have navigated to a URL that failed: Chrome's error page is not a page.
    if (page.url().startsWith("chrome-error:")) {
      throw navigationFailure(
        this.responses.failed?.reason ?? "",
        this.wanted(),
        this.options.denial,
        readMs,
      )
    }
    const { onScreenshot } = this.options
    if (onScreenshot) {
      const png = await this.race(page.screenshot({ type: "png" }).catch(() => undefined))
      if (png) onScreenshot(png)
    }
    const reply = pageResponse({
      url: isVisible || main === undefined ? page.url() : main.url(),
      requestedUrl: this.requestedUrl,
      main,
      bytes,
      milliseconds: performance.now() - this.startedAt,
    })
    const captured = await this.race(this.responses.captured())
    this.mark = [reply.url, reply.status, captured.length, Bun.hash(bytes)].join(" ")
    return Object.assign(reply, { captured })
  }

  private async source(): Promise<string> {
    return String(await this.race(this.page.evaluate(readSource)))
  }

  /** The last requested URL; a redirect's target if that failed. */
  private wanted(): string {
    return this.responses.failed?.url ?? this.requestedUrl
  }

  waitFor(
    selector: string,
    timeoutMs = this.options.pageWaitMs,
    signal?: AbortSignal,
  ): Promise<boolean> {
    return this.race(appears(this.page, selector, timeoutMs, signal))
  }

  async click(selector: string): Promise<boolean> {
    const element = await this.race(this.page.$(selector))
    if (!element) return false
    const moved = this.page
      .waitForNavigation({ waitUntil: "domcontentloaded", timeout: 1000 })
      .catch(() => null)
    await this.race(
      element.click().catch(() => element.evaluate("(node) => node.click()" as never)),
    )
    this.responses.main = (await this.race(moved)) ?? this.main
    await this.quiet(quietLimitMs)
    return true
  }

  async scroll(
    options: { element?: string; until?: string; screens?: number } = {},
  ): Promise<void> {
    const script = scrollScript(options.element)
    let height = -1
    let still = 0
    for (let screen = 0; screen < (options.screens ?? 20) && still < 2; screen++) {
      if (options.until && (await this.race(this.page.$(options.until)))) return
      const next = Number(await this.race(this.page.evaluate(script)))
      if (next < 0) return
      still = next === height ? still + 1 : 0
      height = next
      await this.quiet(3000)
    }
  }

  fetch(
    url: string,
    options: RequestOptions & { method?: string } = {},
  ): Promise<UpstreamResponse> {
    return fetchInPage(this.page, url, options, (work) => this.race(work))
  }

  storage(): Promise<OriginStorage | null> {
    return this.race(storageOf(this.page))
  }

  async watch(timeoutMs: number): Promise<Picture | null> {
    this.clean = false
    this.live ??= await this.race(
      LivePage.open(this.page, {
        follow: (page) => this.options.popups.follow(page.target()),
        prepare: this.options.prepare,
      }),
    )
    return this.race(this.live.next(timeoutMs))
  }

  input(events: readonly InputEvent[]): Promise<void> {
    return this.race(this.live ? this.live.input(events) : inputTo(this.page, events))
  }

  /** Releases the tab; it can serve another lease if its last page loaded. */
  async leave(): Promise<{ cookies: Cookie[]; reusable: boolean }> {
    this.responses.stop()
    this.page.off("error", this.onCrash)
    for (const stop of this.watches) stop()
    await this.race(this.live?.close() ?? Promise.resolve())
    const cookies = await this.race(this.page.browserContext().cookies())
    // The local storage must not reach the next lease of the tab.
    if (this.options.storage) this.clean = false
    return { cookies, reusable: this.clean }
  }

  private race<T>(work: Promise<T>): Promise<T> {
    return abortable(work, this.options.end.signal)
  }
}
