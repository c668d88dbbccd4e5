import type { CDPSession, Protocol } from "puppeteer-core"
import { abortable } from "../../../../base/clock.ts"
import type { ChromeIdentity } from "../chrome/identity.ts"
import { chromeGone } from "../lease/lease-end.ts"
import { type Denial, navigationFailure } from "../page/navigation.ts"
import { answerPasswordRequests, type ProxyPassword } from "../page/request-gate.ts"
import { headersOf, isRedirected, type Paused, readBody } from "./net-body.ts"
import type { NetRequest, NetResponse } from "./net-request.ts"

export type HeaderEntry = Protocol.Fetch.HeaderEntry

export interface BrowserTransportOptions {
  cdp: CDPSession
  identity: ChromeIdentity
  denial: Denial
  proxyPassword: ProxyPassword
  /** Whether the context has displayed a page, whose site may have registered a worker. */
  hasVisible(): boolean
  close(): void
}

/** A running exchange, which is notified at each stage at which Chrome pauses its request. */
interface Exchange {
  headed(paused: Paused): void
  failed(reason: string): void
  /** Called when Chrome or the tab is gone. */
  lost(cause?: unknown): void
}

/**
 * A tab without visible pages. Every request is paused when its response headers arrive, and the
 * body is read here before Chrome builds a page from it. So a document costs no page, and no script
 * of a site ever runs.
 */
export abstract class BrowserTransport {
  /** Exchanges by a mark that their paused requests have, too. */
  protected readonly exchanges = new Map<string, Exchange>()
  /** Exchanges by Chrome's request ID, for its events. */
  private readonly numbered = new Map<string, Exchange>()
  private hasAnswered = false
  /** Whether Chrome reports only paused requests, and blocks no worker. */
  protected isQuiet = false
  private isOver = false
  protected readonly cdp: CDPSession

  constructor(private readonly options: BrowserTransportOptions) {
    this.cdp = options.cdp
  }

  async start(): Promise<void> {
    const { cdp, options } = this
    answerPasswordRequests(cdp, options.proxyPassword)
    cdp.on("Fetch.requestPaused", (paused) => this.pause(paused).catch(() => {}))
    cdp.on("Network.requestWillBeSent", ({ requestId, request }) => {
      const exchange = this.exchanges.get(request.urlFragment ?? "none")
      if (exchange) this.numbered.set(requestId, exchange)
    })
    cdp.on("Network.loadingFailed", ({ requestId, errorText }) =>
      this.numbered.get(requestId)?.failed(errorText),
    )
    cdp.once("Inspector.targetCrashed", () => this.end())
    const { override } = options.identity
    await Promise.all([
      this.listen(),
      override && cdp.send("Emulation.setUserAgentOverride", override),
      // Chrome asks for the proxy's password only if requests are paused before they are sent.
      this.halt("Request", "Response"),
    ])
  }

  /** Makes Chrome report its requests and bypass service workers of sites. */
  protected async listen(): Promise<void> {
    const { cdp } = this
    this.isQuiet = false
    await Promise.all([
      // Chrome buffers nothing, because bodies are read from paused requests.
      cdp.send("Network.enable", { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      cdp.send("Network.setBypassServiceWorker", { bypass: true }),
    ])
  }

  /** Sets the stages at which Chrome pauses requests. */
  private async halt(...stages: Protocol.Fetch.RequestStage[]): Promise<void> {
    const patterns = stages.map((requestStage) => ({ urlPattern: "*", requestStage }))
    await this.cdp.send("Fetch.enable", { handleAuthRequests: true, patterns })
  }

  /**
   * After the first response, Chrome knows the proxy's password, so one stage is enough and
   * cheaper. Events cost more than the request itself. No script of a site has run, so there is no
   * worker to block.
   */
  private async relax(): Promise<void> {
    if (!this.seesAllGoOut) await this.halt("Response")
    this.hasAnswered = true
    if (this.needsReports || this.options.hasVisible()) return
    this.isQuiet = true
    await this.cdp.send("Network.disable")
  }

  /** Pauses every request before it is sent from now on. */
  protected async seeAllGoOut(): Promise<void> {
    if (this.hasAnswered) await this.halt("Request", "Response")
  }

  get isUsable(): boolean {
    return !this.isOver && !(this.isQuiet && this.options.hasVisible())
  }

  get isBusy(): boolean {
    return this.exchanges.size > 0
  }

  /** Ends all running exchanges and closes the tab. */
  end(): void {
    if (this.isOver) return
    this.isOver = true
    for (const { lost } of this.exchanges.values()) lost()
    this.options.close()
  }

  protected get needsReports(): boolean {
    return false
  }

  /** Whether requests must be changed before they are sent. */
  protected get seesAllGoOut(): boolean {
    return false
  }

  /** @param begin Makes Chrome send the request. */
  protected async exchange(
    mark: string,
    request: NetRequest,
    signal: AbortSignal,
    begin: () => Promise<unknown>,
  ): Promise<NetResponse> {
    const started = performance.now()
    const { promise: head, resolve: headed, reject } = Promise.withResolvers<Paused>()
    const { url, timeoutMs } = request
    const { denial } = this.options
    const failed = (reason: string) => reject(navigationFailure(reason, url, denial, timeoutMs))
    const lost = (cause?: unknown) => reject(chromeGone(cause))
    const exchange = { headed, failed, lost }
    this.exchanges.set(mark, exchange)
    head.catch(() => {})
    try {
      const beginning = begin().catch(lost)
      const paused = await abortable(head, signal)
      const firstByte = Math.round(performance.now() - started)
      const isRedirect = isRedirected(paused)
      const bytes = isRedirect
        ? new Uint8Array()
        : await abortable(
            readBody(this.cdp, paused, request, () => this.isOver),
            signal,
          )
      await abortable(beginning, signal)
      // A new setting waits for the page while a request stays paused.
      const mayStay = this.hasAnswered && bytes.length < request.maxBytes
      await abortable(this.leave(paused, mayStay), signal)
      if (!this.hasAnswered) await this.relax()
      return {
        status: paused.responseStatusCode!,
        headers: headersOf(paused),
        bytes,
        firstByte,
        took: performance.now() - started,
      }
    } finally {
      this.exchanges.delete(mark)
      for (const [number, stored] of this.numbered) {
        if (stored === exchange) this.numbered.delete(number)
      }
    }
  }

  /**
   * Finishes a request whose response was read.
   * @param mayStay Whether it may stay paused, because its response was read completely.
   */
  protected abstract leave(paused: Paused, mayStay: boolean): Promise<void>

  protected async breakOff({ requestId }: Pick<Paused, "requestId">): Promise<void> {
    await this.cdp.send("Fetch.failRequest", { requestId, errorReason: "Aborted" })
  }

  /** Responds to a request with a page that is empty except for a script. */
  protected async showEmpty({ requestId }: Paused, script = ""): Promise<void> {
    await this.cdp.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: "content-type", value: "text/html" }],
      body: btoa(`<!doctype html><link rel=icon href=data:,><script>${script}</script>`),
    })
  }

  /** Handles a paused request: when its response arrives and, if set, before it is sent. */
  private async pause(paused: Paused): Promise<void> {
    const { responseStatusCode, responseErrorReason } = paused
    const exchange = this.exchanges.get(this.markOf(paused))
    if (responseStatusCode !== undefined && exchange) return exchange.headed(paused)
    if (responseStatusCode === undefined && !responseErrorReason) return this.sendOn(paused)
    // While Chrome reports events, the reason comes in another event.
    if (responseErrorReason && this.isQuiet && paused.resourceType !== "Document") {
      exchange?.failed(`net::${responseErrorReason}`)
    }
    await this.goOn(paused)
  }

  protected abstract markOf(paused: Paused): string

  /** Sends a paused request. */
  protected sendOn(paused: Paused): Promise<void> {
    return this.goOn(paused)
  }

  protected async goOn({ requestId }: Paused, headers?: HeaderEntry[]): Promise<void> {
    await this.cdp.send("Fetch.continueRequest", { requestId, ...(headers ? { headers } : {}) })
  }
}
