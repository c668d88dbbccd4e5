import { randomBytes } from "node:crypto"
import type { BrowserContext, Cookie, Page } from "puppeteer-core"
import { Semaphore } from "../../base/semaphore.ts"
import { Outcome, Timeout } from "../../catalogue/kit/index.ts"
import { abortable, systemClock } from "../environment/clock.ts"
import { ProxyChoice } from "../http/proxy-choice.ts"
import { type Exit, readProxyRule } from "../http/proxy-rules.ts"
import type { NetAnswer, NetRequest } from "./carrier.ts"
import { Carriers, openCarrier } from "./carriers.ts"
import { sweepChromeFolders } from "./chrome-folder.ts"
import { ContextCookies } from "./cookies.ts"
import { isRoot, noSandboxAdvice } from "./find.ts"
import { GuardProxy, type ResolveChecked, type Route } from "./guard-proxy.ts"
import {
  connectInstance,
  type Instance,
  type InstanceSettings,
  type OpenTab,
  type OwnerContext,
  startInstance,
} from "./instance.ts"
import { chromeGone, LeaseEnd } from "./lease-end.ts"
import { reapOrphans } from "./reaper.ts"
import { Visit } from "./visit.ts"

export interface PoolSettings extends InstanceSettings {
  chromeWs: string[]
  /** Tabs open at once, over all runs. */
  tabs: number
  /** Pages after which a Chrome is ended and another started. */
  pagesPerChrome: number
  /** Chrome ends after this long without a lease. */
  idleMs: number
  /** A page whose event loop takes no turn for so long is given up. Default: 20 s. */
  hangMs?: number
  unlockerUrl?: string
  proxyUrls: string[]
  resolve: ResolveChecked
  /** Judges what goes on through a proxy of the operator. Default: as for what is dialled here. */
  checkProxied?: ResolveChecked
}

export interface LeaseRequest {
  /** The run: its leases share one context, and so cookies and storage. */
  owner: string
  unlocker: boolean
  /** For whom, where the operator's proxies are chosen by that. */
  exit?: Exit | undefined
  cookies: Cookie[]
  /** For the whole lease with all its steps. */
  deadlineMs: number
  /** The run is over, or its thread is gone: it waits for no tab, and opens none. */
  signal?: AbortSignal
  /** Called with a picture of each page that is read. */
  onScreenshot?(png: Uint8Array): void
}

/** One request of a run over Chrome's network stack. */
export interface NetLeaseRequest
  extends Pick<LeaseRequest, "owner" | "unlocker" | "exit" | "cookies" | "signal"> {
  request: NetRequest
}

export interface Lease {
  visit: Visit
  /** Gives the tab back; the context's cookies as they are now. */
  close(): Promise<Cookie[]>
}

const watchMs = 10_000
const defaultHangMs = 20_000
/** A context without a lease is closed after this long. */
const contextIdleMs = 30_000
/** Orphans of a Chrome are dead, and ours, by then. */
const orphansMs = 1000
/** A renderer grows with every page that it showed; a new tab after some costs little. */
const leasesPerTab = 25
/** Requests without a page that are under way at once, for each tab that may be open. */
const exchangesPerTab = 4

/** Chromes, their contexts and tabs; the only code that opens or closes any of them. */
export class BrowserPool {
  private readonly instances: Instance[] = []
  /** The guard of those that go on by none of the operator's proxies, and of the unlocker's. */
  private readonly proxies = new Map<string, Promise<GuardProxy>>()
  private readonly choice: ProxyChoice | undefined
  private readonly tabs: Semaphore
  /** Documents that are opened without a page hold a tab each, calls share one. */
  private readonly documents: Semaphore
  private readonly calls: Semaphore
  private open = 0
  private starting?: Promise<Instance>
  private turn = 0
  private hasStarted = false
  private readonly password = randomBytes(24).toString("base64url")
  private readonly proxyOrigins = new Set<string>()
  private usedAt = Date.now()
  private watch?: ReturnType<typeof setInterval>

  constructor(private readonly settings: PoolSettings) {
    this.tabs = new Semaphore(settings.tabs)
    this.documents = new Semaphore(settings.tabs)
    this.calls = new Semaphore(settings.tabs * exchangesPerTab)
    const rules = settings.proxyUrls.map(readProxyRule)
    if (rules.length > 0) this.choice = new ProxyChoice(rules, systemClock)
  }

  async lease(request: LeaseRequest): Promise<Lease> {
    const leave = await this.tabs.take(request.signal)
    this.open++
    const end = new LeaseEnd()
    try {
      if (request.signal) end.with(request.signal)
      return await this.begin(request, end, leave)
    } catch (error) {
      this.over(end, leave)
      throw error instanceof Outcome ? error : chromeGone(error)
    }
  }

  /** One exchange over Chrome's network stack, and the context's cookies after it. */
  async fetch(lease: NetLeaseRequest): Promise<{ answer: NetAnswer; cookies: Cookie[] }> {
    const { request } = lease
    const leave = await (request.as === "call" ? this.calls : this.documents).take(lease.signal)
    this.open++
    const end = new LeaseEnd()
    try {
      if (lease.signal) end.with(lease.signal)
      return await this.exchange(lease, end)
    } catch (error) {
      throw error instanceof Outcome ? error : chromeGone(error)
    } finally {
      this.over(end, leave)
    }
  }

  private async exchange(lease: NetLeaseRequest, end: LeaseEnd) {
    const { request } = lease
    const { hostname, origin } = new URL(request.url)
    const instance = await abortable(this.instance(), end.signal)
    end.with(instance.gone)
    const late = `${hostname} did not answer within ${request.timeoutMs / 1000} s in Chrome.`
    end.after(request.timeoutMs, new Timeout(late, { url: request.url }))
    instance.leases++
    try {
      const owner = await abortable(this.ownerContext(instance, lease), end.signal)
      owner.leases++
      try {
        await abortable(owner.cookies.give(lease.cookies), end.signal)
        const answer =
          request.as === "call"
            ? await (await abortable(owner.carriers.forCalls(origin), end.signal)).call(
                request,
                end.signal,
              )
            : await abortable(
                owner.carriers.withDocument((carrier) => carrier.document(request, end.signal)),
                end.signal,
              )
        const cookies = await abortable(owner.cookies.beyond(lease.cookies), end.signal)
        return { answer, cookies }
      } finally {
        owner.leases--
        owner.usedAt = Date.now()
      }
    } finally {
      instance.leases--
      if (instance.retired && instance.leases === 0) void this.end(instance)
    }
  }

  /** Starts a Chrome, so that it is known who it is. */
  async learn(): Promise<void> {
    await this.instance()
  }

  private over(end: LeaseEnd, leave: () => void): void {
    end.clear()
    this.open--
    this.usedAt = Date.now()
    leave()
  }

  private async begin(request: LeaseRequest, end: LeaseEnd, leave: () => void): Promise<Lease> {
    const instance = await abortable(this.instance(), end.signal)
    end.with(instance.gone)
    const late = `The page was not done within ${request.deadlineMs / 1000} s in Chrome.`
    end.after(request.deadlineMs, new Timeout(late))
    instance.leases++
    let held: { owner: OwnerContext; tab: OpenTab } | undefined
    const letGo = (reusable: boolean) => {
      if (held) this.keepOrClose(held.owner, held.tab, reusable)
      instance.leases--
      if (instance.retired && instance.leases === 0) void this.end(instance)
    }
    try {
      const owner = await abortable(this.ownerContext(instance, request), end.signal)
      if (request.cookies.length > 0) {
        await abortable(owner.context.setCookie(...request.cookies), end.signal)
      }
      const tab = await this.tab(instance, owner, end.signal)
      held = { owner, tab }
      owner.leases++
      tab.served++
      this.countPage(instance)
      const visit = new Visit({
        page: tab.page,
        end,
        hangMs: this.settings.hangMs ?? defaultHangMs,
        denial: (host, port) => owner.proxy?.denial(host, port),
        proxyPassword: (origin) => (this.isOurs(origin) ? this.password : undefined),
        popups: instance.popups,
        overMemory: () => instance.renderers?.hasJustEnded ?? false,
        ...(request.onScreenshot ? { onScreenshot: request.onScreenshot } : {}),
      })
      return {
        visit,
        close: async () => {
          const left = await visit.leave().catch(() => ({ cookies: [], reusable: false }))
          letGo(left.reusable)
          this.over(end, leave)
          return left.cookies
        },
      }
    } catch (error) {
      letGo(false)
      throw error
    }
  }

  private async tab(
    instance: Instance,
    owner: OwnerContext,
    signal: AbortSignal,
  ): Promise<OpenTab> {
    const free = owner.free.pop()
    if (free) return free
    const opening = this.newPage(owner.context, instance)
    try {
      return { page: await abortable(opening, signal), served: 0 }
    } catch (error) {
      // It may still be on its way, and nobody will hold it.
      opening.then(closePage, () => {})
      throw error
    }
  }

  private keepOrClose(owner: OwnerContext, tab: OpenTab, reusable: boolean): void {
    owner.leases--
    owner.usedAt = Date.now()
    if (reusable && tab.served < leasesPerTab && !tab.page.isClosed()) owner.free.push(tab)
    else closePage(tab.page)
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
    const { chromeWs } = this.settings
    const endpoint = chromeWs[this.turn++ % Math.max(1, chromeWs.length)]
    if (!this.hasStarted) this.prepare(endpoint === undefined)
    const instance = endpoint
      ? await connectInstance(this.settings, endpoint)
      : await startInstance(this.settings, await this.proxy())
    instance.gone.addEventListener("abort", () => void this.end(instance), { once: true })
    this.instances.push(instance)
    // It may have ended before anyone listened.
    if (!instance.browser.connected) await this.end(instance)
    return instance
  }

  /** Before the first Chrome. */
  private prepare(isHere: boolean): void {
    this.hasStarted = true
    sweepChromeFolders()
    if (isHere && isRoot()) this.settings.onNote?.(noSandboxAdvice)
  }

  /** Whether a proxy that asks for a password is one of ours. */
  private isOurs(origin: string): boolean {
    return this.proxyOrigins.has(new URL(origin).origin)
  }

  /** The guarding proxy, or one that goes on through the unlocker; each is there once. */
  private proxy(unlocker = ""): Promise<GuardProxy> {
    const known = this.proxies.get(unlocker)
    if (known) return known
    const route: Route = (_host, use) => use(unlocker)
    const started = this.guard(unlocker ? route : undefined)
    this.proxies.set(unlocker, started)
    return started
  }

  private async guard(route?: Route): Promise<GuardProxy> {
    const { resolve, checkProxied = resolve } = this.settings
    const { password } = this
    const guard = await GuardProxy.start({
      password,
      resolve,
      checkProxied,
      ...(route ? { route } : {}),
    })
    this.proxyOrigins.add(originOf(guard))
    return guard
  }

  /** The way out of a run: by the unlocker, or by a proxy of the operator for each connection. */
  private async wayOut({ unlocker, exit }: Pick<LeaseRequest, "unlocker" | "exit">) {
    const { unlockerUrl } = this.settings
    const { choice } = this
    if (unlocker && unlockerUrl) return { through: await this.proxy(unlockerUrl) }
    if (!choice) return {}
    const through = await this.guard((host, use) => choice.use(host, exit, use))
    const close = async () => {
      this.proxyOrigins.delete(originOf(through))
      await through.stop()
    }
    return { through, close }
  }

  private async ownerContext(
    instance: Instance,
    request: Pick<LeaseRequest, "owner" | "unlocker" | "exit">,
  ): Promise<OwnerContext> {
    const key = `${request.owner}${request.unlocker ? " unlocker" : ""}`
    const known = instance.contexts.get(key)
    if (known) return known
    const { through, close } = await this.wayOut(request)
    const context = await instance.browser
      .createBrowserContext({
        downloadBehavior: { policy: "deny" },
        ...(through
          ? { proxyServer: `127.0.0.1:${through.port}`, proxyBypassList: ["<-loopback>"] }
          : {}),
      })
      .catch(async (error) => {
        await close?.()
        throw error
      })
    const proxy = through ?? instance.proxy
    const carriers = new Carriers(
      () =>
        openCarrier(context, instance.cdp, {
          identity: instance.identity,
          denial: (host, port) => proxy?.denial(host, port),
          proxyPassword: (origin) => (this.isOurs(origin) ? this.password : undefined),
        }),
      this.settings.tabs,
    )
    const owner = {
      context,
      ...(proxy ? { proxy } : {}),
      free: [],
      carriers,
      cookies: new ContextCookies(context),
      leases: 0,
      usedAt: Date.now(),
      async close() {
        await context.close().catch(() => {})
        await close?.()
      },
    }
    // A second lease of the owner may have come first while the context was made.
    const first = instance.contexts.get(key)
    if (first) {
      await owner.close()
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
    page.on("error", () => closePage(page))
    await page.setUserAgent(instance.identity.override)
    return page
  }

  /** Closes what a run has open; called when it is over. */
  async releaseOwner(owner: string): Promise<void> {
    for (const instance of this.instances) {
      for (const key of [owner, `${owner} unlocker`]) {
        const known = instance.contexts.get(key)
        if (!known) continue
        instance.contexts.delete(key)
        await known.close()
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
        await owner.close()
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

  private async end(instance: Instance): Promise<void> {
    const at = this.instances.indexOf(instance)
    if (at >= 0) this.instances.splice(at, 1)
    await instance.end()
    for (const owner of instance.contexts.values()) await owner.close()
    instance.contexts.clear()
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

const originOf = ({ port }: GuardProxy) => `http://127.0.0.1:${port}`

/** Closes a tab without waiting for a page that does not let go. */
function closePage(page: Page): void {
  if (page.isClosed()) return
  page.close({ runBeforeUnload: false }).catch(() => {})
}
