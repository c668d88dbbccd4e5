import type { BrowserContext } from "puppeteer-core"
import type { Instance, OwnerContext } from "../chrome/instance.ts"
import { openTabTransports, TabTransports } from "../net/tab-transports.ts"
import { ContextCookies } from "../page/cookies.ts"
import type { EgressRouter } from "./egress-router.ts"
import type { LeaseRequest } from "./lease.ts"
import type { PoolSettings } from "./settings.ts"

type Owning = Pick<LeaseRequest, "owner" | "unlocker" | "exit">

/** Milliseconds after which a context without a lease is closed. */
const contextIdleMs = 30_000

/** The contexts of runs in a Chrome, each with its own cookies, storage and egress route. */
export class Contexts {
  constructor(
    private readonly settings: PoolSettings,
    private readonly egressRouter: EgressRouter,
  ) {}

  /** Returns the context of a run; creates it if there is none. */
  async of(instance: Instance, request: Owning): Promise<OwnerContext> {
    const key = `${request.owner}${request.unlocker ? " unlocker" : ""}`
    const known = instance.contexts.get(key)
    if (known) return known
    const owner = await this.make(instance, request)
    // Another lease of the owner may have created the context in the meantime.
    const first = instance.contexts.get(key)
    if (first) {
      await owner.close()
      return first
    }
    instance.contexts.set(key, owner)
    return owner
  }

  private async make(instance: Instance, request: Owning): Promise<OwnerContext> {
    const { through, close } = await this.egressRouter.of(request)
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
    const owner: OwnerContext = {
      context,
      ...(proxy ? { proxy } : {}),
      free: [],
      tabTransports: new TabTransports(
        this.openTabTransports(context, instance, () => owner),
        this.settings.tabs,
      ),
      cookies: new ContextCookies(context),
      leases: 0,
      hasVisible: false,
      usedAt: Date.now(),
      async close() {
        await context.close().catch(() => {})
        await close?.()
      },
    }
    return owner
  }

  private openTabTransports(
    context: BrowserContext,
    { identity, cdp }: Instance,
    owner: () => OwnerContext,
  ) {
    return openTabTransports(context, cdp, {
      identity,
      hasVisible: () => owner().hasVisible,
      denial: (host, port) => owner().proxy?.denial(host, port),
      proxyPassword: this.egressRouter.passwordOf,
    })
  }

  /** Closes the contexts of a run that has ended. */
  async release(instance: Instance, owner: string): Promise<void> {
    for (const key of [owner, `${owner} unlocker`]) {
      const known = instance.contexts.get(key)
      if (!known) continue
      instance.contexts.delete(key)
      await known.close()
    }
  }

  /** Closes contexts without a lease, and those without an owner. */
  async sweep(instance: Instance): Promise<void> {
    const now = Date.now()
    for (const [key, owner] of instance.contexts) {
      if (owner.leases > 0 || now - owner.usedAt < contextIdleMs) continue
      instance.contexts.delete(key)
      await owner.close()
    }
    await closeStrays(instance).catch(() => {})
  }
}

async function closeStrays(instance: Instance): Promise<void> {
  const ours = new Set([...instance.contexts.values()].map((owner) => owner.context))
  for (const context of instance.browser.browserContexts()) {
    if (ours.has(context) || context === instance.browser.defaultBrowserContext()) continue
    // A context is created before it is listed: after one more sweep it is either listed or unused.
    if (instance.leases === 0) await context.close().catch(() => {})
  }
}
