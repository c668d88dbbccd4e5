import type { BrowserContext, CDPSession, Target } from "puppeteer-core"
import { Carrier, type CarrierOptions } from "./carrier.ts"

/** Origins that a run calls at once; more take turns in the tabs of these. */
const keptOrigins = 4

/** The carriers of one context: some for documents, and one for the calls of each origin. */
export class Carriers {
  private readonly documents: Carrier[] = []
  private readonly origins = new Map<string, Promise<Carrier>>()

  constructor(
    private readonly open: () => Promise<Carrier>,
    /** Idle tabs that are worth their memory. */
    private readonly kept: number,
  ) {}

  /** A carrier that nobody else has, for one document. */
  async withDocument<T>(use: (carrier: Carrier) => Promise<T>): Promise<T> {
    const carrier = this.documents.pop() ?? (await this.open())
    try {
      return await use(carrier)
    } finally {
      if (!carrier.isUsable) carrier.end()
      else if (this.documents.length < this.kept) this.documents.push(carrier)
      else carrier.end()
    }
  }

  /** The carrier of an origin, which its calls share. */
  async forCalls(origin: string): Promise<Carrier> {
    const known = this.origins.get(origin)
    const carrier = await known?.catch(() => undefined)
    if (carrier?.isUsable) return carrier
    // Another call may have opened one meanwhile.
    if (this.origins.get(origin) !== known) return this.forCalls(origin)
    await this.makeRoom()
    const opening = this.open()
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

/** Opens a tab without what Puppeteer keeps for pages that are shown. */
export async function openCarrier(
  context: BrowserContext,
  browser: CDPSession,
  options: Omit<CarrierOptions, "cdp" | "close">,
): Promise<Carrier> {
  const { targetId } = await browser.send("Target.createTarget", {
    url: "about:blank",
    ...(context.id ? { browserContextId: context.id } : {}),
  })
  const close = () => {
    browser.send("Target.closeTarget", { targetId }).catch(() => {})
  }
  try {
    const target = await context.waitForTarget((one) => idOf(one) === targetId)
    return await Carrier.open({ ...options, cdp: await target.createCDPSession(), close })
  } catch (error) {
    close()
    throw error
  }
}

const idOf = (target: Target) => (target as unknown as { _targetId: string })._targetId
