import type { Browser, BrowserContext, Cookie, Page } from "puppeteer-core"
import puppeteer from "puppeteer-core"
import { Forbidden, Outcome, Timeout, Unreachable } from "../../catalogue/outcome.ts"
import { chromeAdvice, findChrome } from "./find.ts"
import { GuardProxy, type ResolveChecked } from "./guard-proxy.ts"
import { browserIdentity } from "./identity.ts"
import { type LaunchedChrome, launchChrome } from "./launch.ts"
import { reapOrphans } from "./reaper.ts"
import { Visit } from "./visit.ts"

export interface PoolSettings {
  chrome?: string
  chromeWs: string[]
  dataDir: string
  /** Tabs open at once, over all runs. */
  tabs: number
  /** Pages after which a Chrome is ended and another started. */
  pagesPerChrome: number
  /** Chrome ends after this long without a lease. */
  idleMs: number
  unlockerUrl?: string
  proxyUrls: string[]
  resolve: ResolveChecked
}

export interface LeaseRequest {
  /** The run: its leases share one context, and so cookies and storage. */
  owner: string
  unlocker: boolean
  cookies: Cookie[]
  /** For the whole lease with all its steps. */
  deadlineMs: number
  /** Called with a picture of each page that is read. */
  onScreenshot?(png: Uint8Array): void
}

export interface Lease {
  visit: Visit
  /** Gives the tab back; the context's cookies as they are now. */
  close(): Promise<Cookie[]>
}

interface OpenTab {
  page: Page
  /** Leases that it has served. */
  served: number
}

interface OwnerContext {
  context: BrowserContext
  free: OpenTab[]
  leases: number
  usedAt: number
}

/** One Chrome and what is open in it. */
interface Instance {
  browser: Browser
  end(): Promise<void>
  proxy?: GuardProxy
  identity: ReturnType<typeof browserIdentity>
  contexts: Map<string, OwnerContext>
  pages: number
  leases: number
  /** Takes no new leases; ends with its last one. */
  retired: boolean
  gone: Promise<never>
}

const watchMs = 10_000
/** A context without a lease is closed after this long. */
const contextIdleMs = 30_000
/** Orphans of a Chrome are dead, and ours, by then. */
const orphansMs = 1000
/** A renderer grows with every page that it showed; a new tab after some costs little. */
const leasesPerTab = 25

/** Chromes, their contexts and tabs; the only code that opens or closes any of them. */
export class BrowserPool {
  private readonly instances: Instance[] = []
  private readonly proxies = new Map<string, Promise<GuardProxy>>()
  private readonly waiting: (() => void)[] = []
  private open = 0
  private starting?: Promise<Instance>
  private turn = 0
  private proxyTurn = 0
  private usedAt = Date.now()
  private watch?: ReturnType<typeof setInterval>

  constructor(private readonly settings: PoolSettings) {}

  async lease(request: LeaseRequest): Promise<Lease> {
    await this.slot()
    try {
      return await this.begin(request)
    } catch (error) {
      this.freeSlot()
      throw error
    }
  }

  private async slot(): Promise<void> {
    if (this.open >= this.settings.tabs) {
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    }
    this.open++
  }

  private freeSlot(): void {
    this.open--
    this.usedAt = Date.now()
    this.waiting.shift()?.()
  }

  private async begin(request: LeaseRequest): Promise<Lease> {
    const instance = await this.instance()
    instance.leases++
    let timer: ReturnType<typeof setTimeout> | undefined
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new Timeout(`The page was not done within ${request.deadlineMs / 1000} s in Chrome.`),
          ),
        request.deadlineMs,
      )
    })
    deadline.catch(() => {})
    const ended = Promise.race([deadline, instance.gone])
    ended.catch(() => {})
    const race = <T>(work: Promise<T>) => {
      work.catch(() => {})
      return Promise.race([work, ended])
    }
    let owner: OwnerContext | undefined
    let tab: OpenTab | undefined
    const release = (reuse: boolean) => {
      clearTimeout(timer)
      if (owner) {
        owner.leases--
        owner.usedAt = Date.now()
        if (tab && reuse && tab.served < leasesPerTab && !tab.page.isClosed()) owner.free.push(tab)
        else if (tab) closePage(tab.page)
      }
      instance.leases--
      this.freeSlot()
      if (instance.retired && instance.leases === 0) void this.end(instance)
    }
    try {
      owner = await race(this.ownerContext(instance, request))
      owner.leases++
      if (request.cookies.length > 0) await race(owner.context.setCookie(...request.cookies))
      tab = owner.free.pop() ?? {
        page: await race(this.newPage(owner.context, instance)),
        served: 0,
      }
      tab.served++
      const visit = new Visit({
        page: tab.page,
        ended,
        denial: (host) => instance.proxy?.denial(host),
        ...(request.onScreenshot ? { onScreenshot: request.onScreenshot } : {}),
      })
      this.countPage(instance)
      return {
        visit,
        close: async () => {
          const left = await visit.leave().catch(() => ({ cookies: [], reusable: false }))
          release(left.reusable)
          return left.cookies
        },
      }
    } catch (error) {
      // begin() failing frees the slot in lease(); release() would free it a second time.
      this.open++
      release(false)
      throw error instanceof Outcome ? error : chromeGone(error)
    }
  }

  private countPage(instance: Instance): void {
    instance.pages++
    if (instance.pages >= this.settings.pagesPerChrome) instance.retired = true
  }

  private async instance(): Promise<Instance> {
    this.watch ??= setInterval(() => void this.sweep(), watchMs)
    this.watch.unref?.()
    const ready = this.instances.filter((one) => !one.retired && one.browser.connected)
    const wanted = Math.max(1, this.settings.chromeWs.length)
    if (ready.length >= wanted) return ready[this.turn++ % ready.length]!
    this.starting ??= this.start().finally(() => {
      this.starting = undefined
    })
    return this.starting
  }

  private async start(): Promise<Instance> {
    const endpoint =
      this.settings.chromeWs[this.turn++ % Math.max(1, this.settings.chromeWs.length)]
    const proxy = await this.proxy()
    let launched: LaunchedChrome
    if (endpoint) {
      const browser = await puppeteer.connect({ browserWSEndpoint: endpoint }).catch((error) => {
        throw new Unreachable(
          `The browser at TRAWL_CHROME_WS does not answer: ${error.message}`,
          "connection",
        )
      })
      launched = { browser, end: async () => void (await browser.disconnect()) }
    } else {
      const path = findChrome(this.settings)
      if (!path) throw new Forbidden(chromeAdvice, { code: "no_browser" })
      launched = await launchChrome(path, proxy.port).catch((error) => {
        throw new Forbidden(
          `Chrome at ${path} did not start: ${String(error.message).split("\n")[0]}`,
          {
            code: "no_browser",
          },
        )
      })
    }
    const { browser } = launched
    const instance: Instance = {
      ...launched,
      ...(endpoint ? {} : { proxy }),
      identity: browserIdentity(await browser.version()),
      contexts: new Map(),
      pages: 0,
      leases: 0,
      retired: false,
      gone: new Promise<never>((_, reject) => {
        browser.once("disconnected", () => {
          this.forget(instance)
          reject(chromeGone())
        })
      }),
    }
    instance.gone.catch(() => {})
    this.instances.push(instance)
    return instance
  }

  /** The unlocker, or the operator's proxies in turn: one for each run. */
  private upstreamOf({ unlocker }: LeaseRequest): string | undefined {
    const { unlockerUrl, proxyUrls } = this.settings
    if (unlocker && unlockerUrl) return unlockerUrl
    return proxyUrls[this.proxyTurn++ % Math.max(1, proxyUrls.length)]
  }

  /** The guarding proxy, or one that goes on through an operator's proxy. */
  private proxy(through = ""): Promise<GuardProxy> {
    const known = this.proxies.get(through)
    if (known) return known
    const started = GuardProxy.start({
      resolve: this.settings.resolve,
      ...(through ? { upstream: new URL(through) } : {}),
    })
    this.proxies.set(through, started)
    return started
  }

  private async ownerContext(instance: Instance, request: LeaseRequest): Promise<OwnerContext> {
    const key = `${request.owner}${request.unlocker ? " unlocker" : ""}`
    const known = instance.contexts.get(key)
    if (known) return known
    const upstream = this.upstreamOf(request)
    const server = upstream && (await this.proxy(upstream))
    const context = await instance.browser.createBrowserContext({
      downloadBehavior: { policy: "deny" },
      ...(server
        ? { proxyServer: `127.0.0.1:${server.port}`, proxyBypassList: ["<-loopback>"] }
        : {}),
    })
    const owner = { context, free: [], leases: 0, usedAt: Date.now() }
    // A second lease of the owner may have come first while the context was made.
    const first = instance.contexts.get(key)
    if (first) {
      await context.close()
      return first
    }
    instance.contexts.set(key, owner)
    return owner
  }

  private async newPage(context: BrowserContext, instance: Instance): Promise<Page> {
    const page = await context.newPage()
    page.on("dialog", (dialog) => {
      const leaving = dialog.type() === "beforeunload"
      ;(leaving ? dialog.accept() : dialog.dismiss()).catch(() => {})
    })
    page.on("popup", (popup) => popup && closePage(popup))
    page.on("error", () => closePage(page))
    await page.setUserAgent(instance.identity)
    await page.setViewport({ width: 1366, height: 900 })
    return page
  }

  /** Closes what a run has open; called when it is over. */
  async releaseOwner(owner: string): Promise<void> {
    for (const instance of this.instances) {
      for (const key of [owner, `${owner} unlocker`]) {
        const known = instance.contexts.get(key)
        if (!known) continue
        instance.contexts.delete(key)
        await known.context.close().catch(() => {})
      }
    }
  }

  /** The watchdog: contexts without leases, targets of no context, a Chrome that nobody needs. */
  private async sweep(): Promise<void> {
    reapOrphans()
    const now = Date.now()
    for (const instance of [...this.instances]) {
      for (const [key, owner] of instance.contexts) {
        if (owner.leases > 0 || now - owner.usedAt < contextIdleMs) continue
        instance.contexts.delete(key)
        await owner.context.close().catch(() => {})
      }
      await this.closeStrays(instance).catch(() => {})
    }
    if (this.open === 0 && now - this.usedAt >= this.settings.idleMs) {
      for (const instance of [...this.instances]) await this.end(instance)
      clearInterval(this.watch)
      this.watch = undefined
    }
  }

  private async closeStrays(instance: Instance): Promise<void> {
    const ours = new Set([...instance.contexts.values()].map((owner) => owner.context))
    for (const context of instance.browser.browserContexts()) {
      if (ours.has(context) || context === instance.browser.defaultBrowserContext()) continue
      // A context is made before it is listed; one sweep later it is either known or a stray.
      if (instance.leases === 0) await context.close().catch(() => {})
    }
  }

  private forget(instance: Instance): void {
    void this.end(instance)
  }

  private async end(instance: Instance): Promise<void> {
    const at = this.instances.indexOf(instance)
    if (at >= 0) this.instances.splice(at, 1)
    await instance.end()
    // By now our own child has been waited for; what is left are its orphans.
    setTimeout(reapOrphans, orphansMs).unref()
  }

  /** What is open, for tests and metrics. */
  stats(): { chromes: number; contexts: number; leases: number; pids: number[] } {
    return {
      chromes: this.instances.length,
      contexts: this.instances.reduce((sum, one) => sum + one.contexts.size, 0),
      leases: this.open,
      pids: this.instances.flatMap((one) => one.browser.process()?.pid ?? []),
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.watch)
    for (const instance of [...this.instances]) await this.end(instance)
    for (const proxy of this.proxies.values()) await (await proxy).stop()
    this.proxies.clear()
  }
}

function chromeGone(cause?: unknown): Outcome {
  return new Unreachable("Chrome ended while the page was open.", "connection", {
    code: "browser_gone",
    cause,
  })
}

/** Closes a tab without waiting for a page that does not let go. */
function closePage(page: Page): void {
  if (page.isClosed()) return
  page.close({ runBeforeUnload: false }).catch(() => {})
}
