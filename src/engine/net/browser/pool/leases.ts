import { abortable } from "../../../../base/clock.ts"
import { Timeout } from "../../../../catalogue/kit/index.ts"
import type { Instance, OpenTab, OwnerContext } from "../chrome/instance.ts"
import type { LeaseEnd } from "../lease/lease-end.ts"
import { Visit } from "../page/visit.ts"
import type { Chromes } from "./chromes.ts"
import type { Contexts } from "./contexts.ts"
import type { EgressRouter } from "./egress-router.ts"
import type { Lease, LeaseRequest } from "./lease.ts"
import type { PoolSettings } from "./settings.ts"
import { keepOrClose, openTab, preparePage } from "./tabs.ts"

const defaultHangMs = 20_000
const defaultPageWaitMs = 12_000

/** Leases, each with a tab of its run's context. */
export class Leases {
  constructor(
    private readonly settings: PoolSettings,
    private readonly chromes: Chromes,
    private readonly contexts: Contexts,
    private readonly egressRouter: EgressRouter,
  ) {}

  /** @param over Called when the lease is closed. */
  async begin(request: LeaseRequest, end: LeaseEnd, over: () => void): Promise<Lease> {
    const instance = await abortable(this.chromes.get(), end.signal)
    end.with(instance.gone)
    const late = `The page was not finished within ${request.deadlineMs / 1000} s in Chrome.`
    end.after(request.deadlineMs, new Timeout(late))
    const release = this.chromes.hold(instance)
    let held: { owner: OwnerContext; tab: OpenTab } | undefined
    const letGo = (reusable: boolean) => {
      if (held) leaveTab(held.owner, held.tab, reusable)
      release()
    }
    try {
      const owner = await abortable(this.contexts.of(instance, request), end.signal)
      if (request.cookies.length > 0) {
        await abortable(owner.context.setCookie(...request.cookies), end.signal)
      }
      const tab = await openTab(instance, owner, end.signal)
      held = { owner, tab }
      owner.leases++
      owner.hasVisible = true
      tab.served++
      this.chromes.countPage(instance)
      const visit = this.visit(instance, owner, tab, { request, end })
      return {
        visit,
        close: async () => {
          const left = await visit.leave().catch(() => ({ cookies: [], reusable: false }))
          letGo(left.reusable)
          over()
          return left.cookies
        },
      }
    } catch (error) {
      letGo(false)
      throw error
    }
  }

  private visit(
    instance: Instance,
    owner: OwnerContext,
    tab: OpenTab,
    { request, end }: { request: LeaseRequest; end: LeaseEnd },
  ): Visit {
    const { onScreenshot, storage } = request
    return new Visit({
      tab,
      end,
      hangMs: this.settings.hangMs ?? defaultHangMs,
      pageWaitMs: this.settings.pageWaitMs ?? defaultPageWaitMs,
      denial: (host, port) => owner.proxy?.denial(host, port),
      proxyPassword: this.egressRouter.passwordOf,
      popups: instance.popups,
      prepare: (page) => preparePage(page, instance),
      overMemory: () => instance.renderers?.hasJustEnded ?? false,
      ...(onScreenshot ? { onScreenshot } : {}),
      ...(storage ? { storage } : {}),
    })
  }
}

function leaveTab(owner: OwnerContext, tab: OpenTab, reusable: boolean): void {
  owner.leases--
  owner.usedAt = Date.now()
  keepOrClose(owner, tab, reusable)
}
