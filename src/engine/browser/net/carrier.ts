import type { CDPSession, Protocol } from "puppeteer-core"
import { abortable } from "../../environment/clock.ts"
import type { ChromeIdentity } from "../identity.ts"
import { chromeGone } from "../lease-end.ts"
import { type Denial, navigationFailure } from "../navigation.ts"
import { callsScript, startCall, stopCall } from "../page-scripts.ts"
import { type ProxyPassword, tellPassword } from "../request-gate.ts"
import { headersOf, isRedirected, type Paused, readBody } from "./net-body.ts"
import type { NetAnswer, NetRequest } from "./net-request.ts"

export interface CarrierOptions {
  cdp: CDPSession
  identity: ChromeIdentity
  denial: Denial
  proxyPassword: ProxyPassword
  /** The origin whose empty page is shown; no page is shown without it. */
  home?: string | undefined
  /** Whether the context has shown a page, whose site may have a worker there since. */
  hasShown(): boolean
  close(): void
}

/** Under way: told of each stage at which Chrome halts its request. */
interface Exchange {
  request: NetRequest
  headed(paused: Paused): void
  failed(reason: string): void
}

const emptyPage = btoa(`<!doctype html><link rel=icon href=data:,><script>${callsScript}</script>`)
const navigationMark = ""

/**
 * A tab that shows nothing. Every request halts when its answer's head is there; the body is read
 * here, and then the request is broken off, before Chrome makes a page of it. So one document costs
 * no page, and no script of a site ever runs.
 */
export class Carrier {
  private readonly exchanges = new Map<string, Exchange>()
  /** The same, by Chrome's own number, for what it reports of them. */
  private readonly numbered = new Map<string, Exchange>()
  private calls = 0
  /** At how many stages Chrome halts a request. */
  private stages = 0
  /** Whether a document's own headers are set. */
  private hasHeaders = false
  /** Whether Chrome says nothing of requests but where it halts them, and keeps no worker out. */
  private isQuiet = false
  private isOver = false
  private readonly cdp: CDPSession

  private constructor(private readonly options: CarrierOptions) {
    this.cdp = options.cdp
  }

  static async open(options: CarrierOptions): Promise<Carrier> {
    const carrier = new Carrier(options)
    await carrier.start()
    return carrier
  }

  private async start(): Promise<void> {
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
    await Promise.all([
      this.listen(),
      cdp.send("Emulation.setUserAgentOverride", options.identity.override),
      // Chrome asks for the proxy's password only where requests are halted before they go out.
      this.halt("Request", "Response"),
    ])
    if (options.home !== undefined) await this.settle(options.home)
  }

  /** Makes Chrome report its requests and bypass sites' service workers. */
  private async listen(): Promise<void> {
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
    this.stages = stages.length
  }

  /**
   * After the first answer Chrome knows the proxy's password, and one stage costs less. Reports cost
   * more than the request itself; where no site's script ever ran, there is no worker to keep out.
   */
  private async relax(): Promise<void> {
    await this.halt("Response")
    if (this.hasHeaders || this.options.hasShown()) return
    this.isQuiet = true
    await this.cdp.send("Network.disable")
  }

  get home(): string | undefined {
    return this.options.home
  }

  get isUsable(): boolean {
    return !this.isOver && !(this.isQuiet && this.options.hasShown())
  }

  get isBusy(): boolean {
    return this.exchanges.size > 0
  }

  /** Ends the tab with all that is under way in it. */
  end(): void {
    if (this.isOver) return
    this.isOver = true
    for (const { failed } of this.exchanges.values()) failed("")
    this.options.close()
  }

  /** Opens an address as a visitor does. One at a time; what fails ends the tab. */
  async document(request: NetRequest, signal: AbortSignal): Promise<NetAnswer> {
    const headers = Object.fromEntries(request.headers)
    try {
      if (this.hasHeaders || request.headers.length > 0) {
        if (this.isQuiet) await abortable(this.listen(), signal)
        await abortable(this.cdp.send("Network.setExtraHTTPHeaders", { headers }), signal)
        this.hasHeaders = request.headers.length > 0
      }
      return await this.exchange(navigationMark, request, signal, async (fail) => {
        const { errorText } = await this.cdp.send("Page.navigate", { url: request.url })
        if (errorText) fail(errorText)
      })
    } catch (error) {
      this.end()
      throw error
    }
  }

  /** Calls an address as a script of the carrier's own page does; several at a time. */
  async call(request: NetRequest, signal: AbortSignal): Promise<NetAnswer> {
    // The fragment stays here: it tells requests to one address apart.
    const number = ++this.calls
    const url = `${request.url}#${number}`
    const { method, body, headers } = request
    const wanted = { number, url, method, headers, ...(body === undefined ? {} : { body }) }
    try {
      return await this.exchange(`#${number}`, request, signal, () => this.run(startCall(wanted)))
    } catch (error) {
      this.run(stopCall(number)).catch(() => {})
      throw error
    } finally {
      if (!this.isUsable && !this.isBusy) this.end()
    }
  }

  /** An empty page of an origin, made without a request to its host. */
  private async settle(origin: string): Promise<void> {
    const { promise: loaded, resolve, reject } = Promise.withResolvers<void>()
    loaded.catch(() => {})
    this.cdp.once("Page.domContentEventFired", () => resolve())
    this.cdp.once("Inspector.targetCrashed", () => reject(chromeGone()))
    await this.cdp.send("Page.enable")
    await this.cdp.send("Page.navigate", { url: `${origin}/` })
    await loaded
    await this.cdp.send("Page.disable")
  }

  private async run(expression: string): Promise<void> {
    await this.cdp.send("Runtime.evaluate", { expression, silent: true })
  }

  private async exchange(
    mark: string,
    request: NetRequest,
    signal: AbortSignal,
    begin: (fail: (reason: string) => void) => Promise<void>,
  ): Promise<NetAnswer> {
    const started = performance.now()
    const { promise: head, resolve: headed, reject } = Promise.withResolvers<Paused>()
    const failed = (reason: string) => reject(this.failure(reason, request))
    const exchange = { request, headed, failed }
    this.exchanges.set(mark, exchange)
    head.catch(() => {})
    try {
      const begun = begin(failed).catch((error) => reject(chromeGone(error)))
      const paused = await abortable(head, signal)
      const firstByte = Math.round(performance.now() - started)
      const isRedirect = isRedirected(paused)
      const bytes = isRedirect
        ? new Uint8Array()
        : await abortable(
            readBody(this.cdp, paused, request, () => this.isOver),
            signal,
          )
      const { requestId } = paused
      const broken = this.cdp.send("Fetch.failRequest", { requestId, errorReason: "Aborted" })
      await abortable(Promise.all([broken, begun]), signal)
      if (this.stages > 1) await this.relax()
      return {
        status: paused.responseStatusCode!,
        headers: headersOf(paused),
        bytes,
        firstByte,
        took: performance.now() - started,
      }
    } finally {
      this.exchanges.delete(mark)
      for (const [number, kept] of this.numbered) {
        if (kept === exchange) this.numbered.delete(number)
      }
    }
  }

  private failure(reason: string, { url, timeoutMs }: NetRequest) {
    if (this.isOver && reason === "") return chromeGone()
    return navigationFailure(reason, url, this.options.denial, timeoutMs)
  }

  /** Chrome halts here with every request when its answer comes, and at first before it goes out. */
  private async pause(paused: Paused): Promise<void> {
    const { requestId, request, resourceType, responseStatusCode, responseErrorReason } = paused
    const isDocument = resourceType === "Document"
    const mark = isDocument ? navigationMark : (request.urlFragment ?? "none")
    const exchange = this.exchanges.get(mark)
    if (exchange && responseStatusCode !== undefined) return exchange.headed(paused)
    // The empty page from which calls are made.
    if (isDocument && !exchange && responseErrorReason === undefined) return this.fulfil(requestId)
    // A reason in Chrome's own words is told elsewhere, as long as it reports.
    if (responseErrorReason && this.isQuiet && !isDocument) {
      exchange?.failed(`net::${responseErrorReason}`)
    }
    await this.cdp.send("Fetch.continueRequest", { requestId })
  }

  private async fulfil(requestId: string): Promise<void> {
    await this.cdp.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: "content-type", value: "text/html" }],
      body: emptyPage,
    })
  }
}
