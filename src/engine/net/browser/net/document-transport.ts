import { abortable } from "../../../../base/clock.ts"
import { isRedirected, type Paused } from "./net-body.ts"
import type { NetRequest, NetResponse } from "./net-request.ts"
import { BrowserTransport, type BrowserTransportOptions, type HeaderEntry } from "./transport.ts"

/** Only one document is fetched at a time. */
const mark = ""
/** Chrome gives a navigation up at its twentieth redirect. */
const maxDocuments = 20
/** Chrome takes a redirect that is made up here only with a body. */
const anyBody = btoa(" ")

/**
 * As Chrome writes them for a navigation, before those that its network adds. Led on by a redirect,
 * it would write them in another order.
 */
const inOrder = [
  "sec-ch-ua",
  "sec-ch-ua-mobile",
  "sec-ch-ua-platform",
  "upgrade-insecure-requests",
  "user-agent",
  "accept",
]

/** One navigation by which several documents are asked for, each as where the one before led to. */
interface Chain {
  origin: string
  documents: number
  /** Until it fails, or is broken off. */
  over: Promise<void>
  /** The request whose answer was read last; it stays halted until the next document is wanted. */
  halted?: Paused
}

/**
 * Opens URLs as a visitor does, one at a time. A navigation costs Chrome more than its request, so that one
 * navigation fetches many documents. Hosts cannot detect it: no link started it, and its requests are the
 * same as for a single document.
 */
export class DocumentTransport extends BrowserTransport {
  private chain?: Chain | undefined
  /** The origin whose empty page is shown. */
  private home?: string
  /** The caller's own headers, as they are set. */
  private headers = "[]"

  static async open(options: BrowserTransportOptions): Promise<DocumentTransport> {
    const transport = new DocumentTransport(options)
    await transport.start()
    return transport
  }

  /** Whether a document of this origin needs no navigation of its own. */
  isAt(origin: string): boolean {
    return this.chain?.origin === origin
  }

  /** What fails ends the tab. */
  async document(request: NetRequest, signal: AbortSignal): Promise<NetResponse> {
    try {
      await abortable(this.setHeaders(request.headers), signal)
      return await this.exchange(mark, request, signal, () => this.ask(request.url))
    } catch (error) {
      this.end()
      throw error
    }
  }

  private async setHeaders(list: [string, string][]): Promise<void> {
    const headers = JSON.stringify(list)
    if (headers === this.headers) return
    // A chain keeps the headers with which it began.
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

  private async ask(url: string): Promise<void> {
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

  /** Where many documents are wanted: at home on their origin, a navigation needs no other process. */
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
    // It would go out with a header whose position is not known.
    chain.halted = paused
    await this.beginChain(paused.request.url)
  }

  protected markOf({ resourceType }: Paused): string {
    return resourceType === "Document" ? mark : "none"
  }
}

/** Returns undefined if there are others. */
function ordered(headers: Record<string, string>): HeaderEntry[] | undefined {
  const entries = Object.entries(headers).map(([name, value]) => ({ name, value }))
  const position = ({ name }: HeaderEntry) => inOrder.indexOf(name.toLowerCase())
  if (entries.some((entry) => position(entry) < 0)) return undefined
  return entries.sort((one, other) => position(one) - position(other))
}
