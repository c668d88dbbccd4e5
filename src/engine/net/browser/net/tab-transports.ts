import type { BrowserContext, CDPSession, Target } from "puppeteer-core"
import { CallTransport } from "./call-transport.ts"
import { DocumentTransport } from "./document-transport.ts"
import type { BrowserTransportOptions } from "./transport.ts"

/** Maximum origins with open tabs per run; further origins share them. */
const storedOrigins = 4

/** Opens a tab for documents, or for the calls of an origin. */
export interface OpenTabTransports {
  forDocuments(): Promise<DocumentTransport>
  forCalls(origin: string): Promise<CallTransport>
}

/** The transports of one context: some for documents, and one for the calls of each origin. */
export class TabTransports {
  /** Idle tabs, least recently used first. */
  private readonly idle: DocumentTransport[] = []
  private readonly origins = new Map<string, Promise<CallTransport>>()

  constructor(
    private readonly open: OpenTabTransports,
    /** Maximum idle tabs. */
    private readonly stored: number,
  ) {}

  /** A transport for exclusive use by one document of an origin. */
  async withDocument<T>(
    origin: string,
    use: (transport: DocumentTransport) => Promise<T>,
  ): Promise<T> {
    const transport = this.claimIdle(origin) ?? (await this.open.forDocuments())
    try {
      return await use(transport)
    } finally {
      this.idle.push(transport)
      if (this.idle.length > this.stored) this.idle.shift()?.end()
    }
  }

  private claimIdle(origin: string): DocumentTransport | undefined {
    for (;;) {
      const there = this.idle.findLastIndex((transport) => transport.isAt(origin))
      // Otherwise the most recently used one.
      const [transport] = this.idle.splice(there, 1)
      if (!transport || transport.isUsable) return transport
      transport.end()
    }
  }

  /** The transport of an origin, shared by its calls. */
  async forCalls(origin: string): Promise<CallTransport> {
    const known = this.origins.get(origin)
    const transport = await known?.catch(() => undefined)
    if (transport?.isUsable) return transport
    // Another call may have opened one in the meantime.
    if (this.origins.get(origin) !== known) return this.forCalls(origin)
    // A busy transport closes when it is done.
    if (transport && !transport.isBusy) transport.end()
    await this.evict()
    const opening = this.open.forCalls(origin)
    this.origins.set(origin, opening)
    opening.catch(() => this.origins.delete(origin))
    return opening
  }

  private async evict(): Promise<void> {
    for (const [origin, opening] of this.origins) {
      if (this.origins.size < storedOrigins) return
      const transport = await opening.catch(() => undefined)
      if (transport?.isBusy) continue
      transport?.end()
      this.origins.delete(origin)
    }
  }
}

/**
 * Opens tabs for transports without Puppeteer's state for visible pages. A hidden tab has no window
 * in which Chrome draws its progress and URL.
 */
export function openTabTransports(
  context: BrowserContext,
  browser: CDPSession,
  options: Omit<BrowserTransportOptions, "cdp" | "close">,
): OpenTabTransports {
  const open = async <C>(begin: (options: BrowserTransportOptions) => Promise<C>): Promise<C> => {
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
    forDocuments: () => open(DocumentTransport.open),
    forCalls: (origin) => open((options) => CallTransport.open(origin, options)),
  }
}

const idOf = (target: Target) => (target as unknown as { _targetId: string })._targetId
