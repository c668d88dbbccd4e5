import type { Cookie } from "puppeteer-core"
import { Semaphore } from "../../../../base/semaphore.ts"
import { ScrapeError } from "../../../../catalogue/kit/index.ts"
import type { ChromeIdentity } from "../chrome/identity.ts"
import { reapOrphans } from "../chrome/reaper.ts"
import { browserLost, chromeGone, LeaseEnd } from "../lease/lease-end.ts"
import type { NetResponse } from "../net/net-request.ts"
import { Chromes } from "./chromes.ts"
import { Contexts } from "./contexts.ts"
import { EgressRouter } from "./egress-router.ts"
import { Exchanges } from "./exchanges.ts"
import type { Lease, LeaseRequest, NetLeaseRequest } from "./lease.ts"
import { Leases } from "./leases.ts"
import type { Leasing, LeasingStats } from "./leasing.ts"
import type { PoolSettings } from "./settings.ts"

const watchMs = 10_000
/** Concurrent requests without a page per tab. */
export const exchangesPerTab = 4

/** Limits the number and duration of all leases in Chrome, and ensures that they are released. */
export class BrowserPool implements Leasing {
  private readonly egressRouter: EgressRouter
  private readonly chromes: Chromes
  private readonly contexts: Contexts
  private readonly leases: Leases
  private readonly exchanges: Exchanges
  private readonly tabs: Semaphore
  /** Each document without a page uses a tab; calls share one. */
  private readonly documents: Semaphore
  private readonly calls: Semaphore
  private open = 0
  private usedAt = Date.now()
  private watch?: ReturnType<typeof setInterval>

  constructor(private readonly settings: PoolSettings) {
    this.egressRouter = new EgressRouter(settings)
    this.chromes = new Chromes(settings, this.egressRouter)
    this.contexts = new Contexts(settings, this.egressRouter)
    this.leases = new Leases(settings, this.chromes, this.contexts, this.egressRouter)
    this.exchanges = new Exchanges(this.chromes, this.contexts)
    this.tabs = new Semaphore(settings.tabs)
    this.documents = new Semaphore(settings.tabs)
    this.calls = new Semaphore(settings.tabs * exchangesPerTab)
  }

  async lease(request: LeaseRequest): Promise<Lease> {
    const { end, over } = await this.admit(this.tabs, request.signal)
    try {
      return await this.leases.begin(request, end, over)
    } catch (error) {
      over()
      throw this.reported(error)
    }
  }

  /** Makes a request over Chrome's network stack, and returns the context's cookies after it. */
  async fetch(lease: NetLeaseRequest): Promise<{ response: NetResponse; cookies: Cookie[] }> {
    const places = lease.request.as === "call" ? this.calls : this.documents
    const { end, over } = await this.admit(places, lease.signal)
    try {
      return await this.exchanges.begin(lease, end)
    } catch (error) {
      throw this.reported(error)
    } finally {
      over()
    }
  }

  private reported(error: unknown): ScrapeError {
    if (error instanceof ScrapeError) return error
    const { remote } = this.settings
    return remote ? browserLost(remote.name, "failed.", error) : chromeGone(error)
  }

  async learn(): Promise<ChromeIdentity> {
    this.beginWatch()
    return (await this.chromes.get()).identity
  }

  async ready(): Promise<void> {
    await this.chromes.get()
  }

  async ping(): Promise<void> {
    for (const { browser } of this.chromes.all) await browser.version()
  }

  async drop(): Promise<void> {
    await this.chromes.endAll()
  }

  /** Waits for a slot; `over` stops waiting. @throws the signal's reason */
  private async admit(places: Semaphore, signal?: AbortSignal) {
    const leave = await places.take(signal)
    this.open++
    this.beginWatch()
    const end = new LeaseEnd()
    if (signal) end.with(signal)
    const over = () => {
      end.clear()
      this.open--
      this.usedAt = Date.now()
      leave()
    }
    return { end, over }
  }

  /** Closes the contexts of a run that has ended. */
  async releaseOwner(owner: string): Promise<void> {
    for (const instance of this.chromes.all) await this.contexts.release(instance, owner)
  }

  private beginWatch(): void {
    this.watch ??= setInterval(() => void this.sweep(), watchMs)
    this.watch.unref?.()
  }

  /** The watchdog: closes contexts without leases, targets without a context and an unused Chrome. */
  private async sweep(): Promise<void> {
    reapOrphans()
    const now = Date.now()
    for (const instance of this.chromes.all) await this.contexts.sweep(instance)
    if (this.open === 0 && now - this.usedAt >= this.settings.idleMs) {
      await this.chromes.endAll()
      clearInterval(this.watch)
      this.watch = undefined
    }
  }

  /** Open leases and processes, for tests and metrics. */
  stats(): LeasingStats & { pids: number[] } {
    const instances = this.chromes.all
    return {
      chromes: instances.length,
      contexts: instances.reduce((sum, instance) => sum + instance.contexts.size, 0),
      leases: this.open,
      pids: instances.flatMap((instance) => instance.browser.process()?.pid ?? []),
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.watch)
    await this.chromes.endAll()
    await this.egressRouter.stop()
  }
}
