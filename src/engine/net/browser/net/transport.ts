import type { CDPSession, Protocol } from "puppeteer-core"
import { abortable } from "../../../../base/clock.ts"
import type { ChromeIdentity } from "../identity.ts"
import { chromeGone } from "../lease-end.ts"
import { type Denial, navigationFailure } from "../navigation.ts"
import { type ProxyPassword, tellPassword } from "../request-gate.ts"
import { headersOf, isRedirected, type Paused, readBody } from "./net-body.ts"
import type { NetRequest, NetResponse } from "./net-request.ts"

export type HeaderEntry = Protocol.Fetch.HeaderEntry

export interface BrowserTransportOptions {
  cdp: CDPSession
  identity: ChromeIdentity
  denial: Denial
  proxyPassword: ProxyPassword
  /** Whether the context has shown a page, whose site may have a worker there since. */
  hasVisible(): boolean
  close(): void
}

/** A running exchange, which is notified of each stage at which Chrome halts its request. */
interface Exchange {
  headed(paused: Paused): void
  failed(reason: string): void
  /** Chrome, or the tab, is gone. */
  lost(cause?: unknown): void
}

/**
 * A tab that shows nothing. Every request halts when its answer's head is there; the body is read
 * here, before Chrome makes a page of it. So one document costs no page, and no script of a site
 * ever runs.
 */
export abstract class BrowserTransport {
  /** By a mark that a paused request has, too. */
  protected readonly exchanges = new Map<string, Exchange>()
  /** The same, by Chrome's own number, for what it reports of them. */
  private readonly numbered = new Map<string, Exchange>()
  private hasAnswered = false
  /** Whether Chrome reports requests only when it halts them, and blocks no worker. */
  protected isQuiet = false
  private isOver = false
  protected readonly cdp: CDPSession

  constructor(private readonly options: BrowserTransportOptions) {
    this.cdp = options.cdp
  }

  async start(): Promise<void> {
    const { cdp, options } = this
    tellPassword(cdp, options.proxyPassword)
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
      // Chrome asks for the proxy's password only where requests are halted before they go out.
      this.halt("Request", "Response"),
    ])
  }

  /** Makes Chrome report its requests and bypass sites' service workers. */
  protected async listen(): Promise<void> {
    const { cdp } = this
    this.isQuiet = false
    await Promise.all([
      // Nothing is kept: bodies are read from their requests.
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
   * After the first response Chrome knows the proxy's password, and one stage costs less. Reports cost
   * more than the request itself. No site's script has run, so that there is no worker to block.
   */
  private async relax(): Promise<void> {
    if (!this.seesAllGoOut) await this.halt("Response")
    this.hasAnswered = true
    if (this.needsReports || this.options.hasVisible()) return
    this.isQuiet = true
    await this.cdp.send("Network.disable")
  }

  /** Has every request halt before it goes out, from now on. */
  protected async seeAllGoOut(): Promise<void> {
    if (this.hasAnswered) await this.halt("Request", "Response")
  }

  get isUsable(): boolean {
    return !this.isOver && !(this.isQuiet && this.options.hasVisible())
  }

  get isBusy(): boolean {
    return this.exchanges.size > 0
  }

  /** Closes the tab with all its running exchanges. */
  end(): void {
    if (this.isOver) return
    this.isOver = true
    for (const { lost } of this.exchanges.values()) lost()
    this.options.close()
  }

  protected get needsReports(): boolean {
    return false
  }

  /** Whether it has something to say about each request before it goes out. */
  protected get seesAllGoOut(): boolean {
    return false
  }

  /** @param begin Has Chrome make the request. */
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
      const begun = begin().catch(lost)
      const paused = await abortable(head, signal)
      const firstByte = Math.round(performance.now() - started)
      const isRedirect = isRedirected(paused)
      const bytes = isRedirect
        ? new Uint8Array()
        : await abortable(
            readBody(this.cdp, paused, request, () => this.isOver),
            signal,
          )
      await abortable(begun, signal)
      // A new setting waits for the page while a request stays halted.
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
   * Takes leave of a request whose answer was read.
   * @param mayStay Whether it may stay halted; its answer was read to its end, then.
   */
  protected abstract leave(paused: Paused, mayStay: boolean): Promise<void>

  protected async breakOff({ requestId }: Pick<Paused, "requestId">): Promise<void> {
    await this.cdp.send("Fetch.failRequest", { requestId, errorReason: "Aborted" })
  }

  /** Shows a page that is empty but for a script of ours, as what was asked for. */
  protected async showEmpty({ requestId }: Paused, script = ""): Promise<void> {
    await this.cdp.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: "content-type", value: "text/html" }],
      body: btoa(`<!doctype html><link rel=icon href=data:,><script>${script}</script>`),
    })
  }

  /** Chrome halts here with every request when its answer comes, and where so set before it goes out. */
  private async pause(paused: Paused): Promise<void> {
    const { responseStatusCode, responseErrorReason } = paused
    const exchange = this.exchanges.get(this.markOf(paused))
    if (responseStatusCode !== undefined && exchange) return exchange.headed(paused)
    if (responseStatusCode === undefined && !responseErrorReason) return this.sendOn(paused)
    // While Chrome reports, its own words for the reason come in another event.
    if (responseErrorReason && this.isQuiet && paused.resourceType !== "Document") {
      exchange?.failed(`net::${responseErrorReason}`)
    }
    await this.goOn(paused)
  }

  protected abstract markOf(paused: Paused): string

  /** Has a request go out. */
  protected sendOn(paused: Paused): Promise<void> {
    return this.goOn(paused)
  }

  protected async goOn({ requestId }: Paused, headers?: HeaderEntry[]): Promise<void> {
    await this.cdp.send("Fetch.continueRequest", { requestId, ...(headers ? { headers } : {}) })
  }
}
