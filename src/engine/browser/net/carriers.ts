import type { BrowserContext, CDPSession, Target } from "puppeteer-core"
import { BoundedMap } from "../../../base/bounded-map.ts"
import { Carrier, type CarrierOptions } from "./carrier.ts"

/** Origins that a run calls at once; more take turns in the tabs of these. */
const keptOrigins = 4
/**
 * After so many documents of one origin, tabs that are at home there are made for those that follow:
 * each takes as long as some twenty documents, and does the next in half the time.
 */
const worthAHome = 20
/** Origins whose documents are counted. */
const countedOrigins = 100

/** Opens a carrier; one with a home is hidden, and its page is an empty one of that origin. */
export type OpenCarrier = (home?: string) => Promise<Carrier>

/** The carriers of one context: some for documents, and one for the calls of each origin. */
export class Carriers {
  /** Those that wait for a document, the one that waited longest first. */
  private readonly idle: Carrier[] = []
  private readonly documents = new BoundedMap<string, number>(countedOrigins)
  private readonly origins = new Map<string, Promise<Carrier>>()

  constructor(
    private readonly open: OpenCarrier,
    /** Idle tabs that are worth their memory. */
    private readonly kept: number,
  ) {}

  /** A carrier for exclusive use, for one document of an origin. */
  async withDocument<T>(origin: string, use: (carrier: Carrier) => Promise<T>): Promise<T> {
    const count = (this.documents.get(origin) ?? 0) + 1
    this.documents.set(origin, count)
    const home = count > worthAHome ? origin : undefined
    const carrier = this.takeIdle(home) ?? (await this.open(home))
    try {
      return await use(carrier)
    } finally {
      this.idle.push(carrier)
      if (this.idle.length > this.kept) this.idle.shift()?.end()
    }
  }

  private takeIdle(home: string | undefined): Carrier | undefined {
    for (;;) {
      const at = this.idle.findLastIndex((carrier) => carrier.home === home)
      if (at < 0) return undefined
      const [carrier] = this.idle.splice(at, 1)
      if (carrier!.isUsable) return carrier
      carrier!.end()
    }
  }

  /** The carrier of an origin, which its calls share. */
  async forCalls(origin: string): Promise<Carrier> {
    const known = this.origins.get(origin)
    const carrier = await known?.catch(() => undefined)
    if (carrier?.isUsable) return carrier
    // Another call may have opened one meanwhile.
    if (this.origins.get(origin) !== known) return this.forCalls(origin)
    // A busy one closes when it is done.
    if (carrier && !carrier.isBusy) carrier.end()
    await this.makeRoom()
    const opening = this.open(origin)
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
 * Opens a tab without what Puppeteer keeps for pages that are shown. In one that is hidden, Chrome
 * draws no tab strip and no address at each navigation; but from its blank page it would start a
 * process for each, so that only one with a home is.
 */
export async function openCarrier(
  context: BrowserContext,
  browser: CDPSession,
  options: Omit<CarrierOptions, "cdp" | "close">,
): Promise<Carrier> {
  const { targetId } = await browser.send("Target.createTarget", {
    url: "about:blank",
    ...(options.home === undefined ? { background: true } : { hidden: true }),
    ...(context.id ? { browserContextId: context.id } : {}),
  })
  const close = () => {
    browser.send("Target.closeTarget", { targetId }).catch(() => {})
  }
  try {
    const target = await context.waitForTarget((target) => idOf(target) === targetId)
    return await Carrier.open({ ...options, cdp: await target.createCDPSession(), close })
  } catch (error) {
    close()
    throw error
  }
}

const idOf = (target: Target) => (target as unknown as { _targetId: string })._targetId
