import type { BrowserContext, CDPSession, Target } from "puppeteer-core"
import { CallCarrier } from "./call-carrier.ts"
import type { CarrierOptions } from "./carrier.ts"
import { DocumentCarrier } from "./document-carrier.ts"

/** Origins that a run calls at once; more take turns in the tabs of these. */
const keptOrigins = 4

/** Opens a tab for documents, or for the calls of an origin. */
export interface OpenCarriers {
  forDocuments(): Promise<DocumentCarrier>
  forCalls(origin: string): Promise<CallCarrier>
}

/** The carriers of one context: some for documents, and one for the calls of each origin. */
export class Carriers {
  /** Those that wait for a document, the one that waited longest first. */
  private readonly idle: DocumentCarrier[] = []
  private readonly origins = new Map<string, Promise<CallCarrier>>()

  constructor(
    private readonly open: OpenCarriers,
    /** Idle tabs that are worth their memory. */
    private readonly kept: number,
  ) {}

  /** A carrier for exclusive use, for one document of an origin. */
  async withDocument<T>(origin: string, use: (carrier: DocumentCarrier) => Promise<T>): Promise<T> {
    const carrier = this.takeIdle(origin) ?? (await this.open.forDocuments())
    try {
      return await use(carrier)
    } finally {
      this.idle.push(carrier)
      if (this.idle.length > this.kept) this.idle.shift()?.end()
    }
  }

  private takeIdle(origin: string): DocumentCarrier | undefined {
    for (;;) {
      const there = this.idle.findLastIndex((carrier) => carrier.isAt(origin))
      // Or that which was used last.
      const [carrier] = this.idle.splice(there, 1)
      if (!carrier || carrier.isUsable) return carrier
      carrier.end()
    }
  }

  /** The carrier of an origin, which its calls share. */
  async forCalls(origin: string): Promise<CallCarrier> {
    const known = this.origins.get(origin)
    const carrier = await known?.catch(() => undefined)
    if (carrier?.isUsable) return carrier
    // Another call may have opened one meanwhile.
    if (this.origins.get(origin) !== known) return this.forCalls(origin)
    // A busy one closes when it is done.
    if (carrier && !carrier.isBusy) carrier.end()
    await this.makeRoom()
    const opening = this.open.forCalls(origin)
    this.origins.set(origin, opening)
    opening.catch(() => this.origins.delete(origin))
    return opening
  }

  private async makeRoom(): Promise<void> {
    for (const [origin, opening] of this.origins) {
      if (this.origins.size < keptOrigins) return
      const carrier = await opening.catch(() => undefined)
      if (carrier?.isBusy) continue
      carrier?.end()
      this.origins.delete(origin)
    }
  }
}

/**
 * Opens carriers, without what Puppeteer keeps for pages that are shown. Hidden, a tab has no window in
 * which Chrome would draw that it loads, and its address.
 */
export function openCarriers(
  context: BrowserContext,
  browser: CDPSession,
  options: Omit<CarrierOptions, "cdp" | "close">,
): OpenCarriers {
  const open = async <C>(begin: (options: CarrierOptions) => Promise<C>): Promise<C> => {
    const { targetId } = await browser.send("Target.createTarget", {
      url: "about:blank",
      hidden: true,
      ...(context.id ? { browserContextId: context.id } : {}),
    })
    const close = () => {
      browser.send("Target.closeTarget", { targetId }).catch(() => {})
    }
    try {
      const target = await context.waitForTarget((target) => idOf(target) === targetId)
      return await begin({ ...options, cdp: await target.createCDPSession(), close })
    } catch (error) {
      close()
      throw error
    }
  }
  return {
    forDocuments: () => open(DocumentCarrier.open),
    forCalls: (origin) => open((options) => CallCarrier.open(origin, options)),
  }
}

const idOf = (target: Target) => (target as unknown as { _targetId: string })._targetId
