import { abortable } from "../../../../base/clock.ts"
import { isRedirected, type Paused } from "./net-body.ts"
import type { NetRequest, NetResponse } from "./net-request.ts"
import { BrowserTransport, type BrowserTransportOptions, type HeaderEntry } from "./transport.ts"

/** Only one document is fetched at a time, so no mark is needed. */
const mark = ""
/** Chrome aborts a navigation at the twentieth redirect. */
const maxDocuments = 20
/** Chrome accepts a generated redirect only with a body. */
const anyBody = btoa(" ")

/**
 * Headers in the order of a navigation, before those that Chrome's network service adds. After a
 * redirect, Chrome would use another order.
 */
const inOrder = [
  "sec-ch-ua",
  "sec-ch-ua-mobile",
  "sec-ch-ua-platform",
  "upgrade-insecure-requests",
  "user-agent",
  "accept",
]

/**
 * One navigation that fetches several documents, each as the target of a redirect from the previous
 * one.
 */
interface Chain {
  origin: string
  documents: number
  /** Resolves when the navigation fails or is aborted. */
  over: Promise<void>
  /**
   * The request whose response was read last. It stays paused until the next document is requested.
   */
  halted?: Paused
}

/**
 * Opens URLs like a visitor, one at a time. A navigation costs Chrome more than its request, so one
 * navigation fetches many documents. Hosts cannot detect it: the requests are the same as for a
 * single document.
 */
export class DocumentTransport extends BrowserTransport {
  private chain?: Chain | undefined
  /** Origin of the current empty page. */
  private home?: string
  /** The caller's own headers, as they were set. */
  private headers = "[]"

  static async open(options: BrowserTransportOptions): Promise<DocumentTransport> {
    const transport = new DocumentTransport(options)
    await transport.start()
    return transport
  }

  /** Whether a document of this origin can use the current navigation. */
  isAt(origin: string): boolean {
    return this.chain?.origin === origin
  }

  /** Fetches a document. A failure ends the tab. */
  async document(request: NetRequest, signal: AbortSignal): Promise<NetResponse> {
    try {
      await abortable(this.setHeaders(request.headers), signal)
      return await this.exchange(mark, request, signal, () => this.request(request.url))
    } catch (error) {
      this.end()
      throw error
    }
  }

  private async setHeaders(list: [string, string][]): Promise<void> {
    const headers = JSON.stringify(list)
    if (headers === this.headers) return
    // A navigation keeps its initial headers.
    await this.endChain()
    if (this.isQuiet) await this.listen()
    await this.cdp.send("Network.setExtraHTTPHeaders", { headers: Object.fromEntries(list) })
    this.headers = headers
  }

  protected override get needsReports(): boolean {
    return this.headers !== "[]"
  }

  protected override get seesAllGoOut(): boolean {
    return true
  }

  private async request(url: string): Promise<void> {
    const { chain } = this
    if (!chain?.halted || chain.origin !== new URL(url).origin) return this.beginChain(url)
    const { requestId } = chain.halted
    delete chain.halted
    chain.documents++
    await this.cdp.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: 302,
      responseHeaders: [{ name: "location", value: url }],
      body: anyBody,
    })
  }

  private async beginChain(url: string): Promise<void> {
    await this.endChain()
    const chain = { origin: new URL(url).origin, documents: 1, over: Promise.resolve() }
    this.chain = chain
    chain.over = this.navigate(url, chain)
  }

  private async navigate(url: string, chain: Chain): Promise<void> {
    const exchange = () => (this.chain === chain ? this.exchanges.get(mark) : undefined)
    try {
      const { errorText } = await this.cdp.send("Page.navigate", { url }, { timeout: 0 })
      if (errorText) exchange()?.failed(errorText)
    } catch (error) {
      exchange()?.lost(error)
    }
  }

  private async endChain(): Promise<void> {
    const { chain } = this
    this.chain = undefined
    if (!chain?.halted) return
    if (this.shallSettle(chain, chain.halted)) {
      this.home = chain.origin
      await this.showEmpty(chain.halted)
    } else {
      await this.breakOff(chain.halted)
    }
    await chain.over
  }

  /**
   * Whether to open an empty page of the origin, because many documents are requested: navigations
   * within an origin need no new process.
   */
  private shallSettle({ origin, documents }: Chain, halted: Paused): boolean {
    return documents === maxDocuments && this.home !== origin && !isRedirected(halted)
  }

  protected async leave(paused: Paused, mayStay: boolean): Promise<void> {
    const { chain } = this
    if (!chain) return
    chain.halted = paused
    const mayGoOn = mayStay && this.headers === "[]" && chain.documents < maxDocuments
    if (!mayGoOn) await this.endChain()
  }

  protected override async sendOn(paused: Paused): Promise<void> {
    const { chain } = this
    if (!chain || chain.documents === 1) return this.goOn(paused)
    const headers = ordered(paused.request.headers)
    if (headers) return this.goOn(paused, headers)
    // The request would be sent with headers in an unknown order.
    chain.halted = paused
    await this.beginChain(paused.request.url)
  }

  protected markOf({ resourceType }: Paused): string {
    return resourceType === "Document" ? mark : "none"
  }
}

/** Returns undefined if there are other headers. */
function ordered(headers: Record<string, string>): HeaderEntry[] | undefined {
  const entries = Object.entries(headers).map(([name, value]) => ({ name, value }))
  const position = ({ name }: HeaderEntry) => inOrder.indexOf(name.toLowerCase())
  if (entries.some((entry) => position(entry) < 0)) return undefined
  return entries.sort((one, other) => position(one) - position(other))
}
