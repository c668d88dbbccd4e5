import { chromeGone } from "../lease/lease-end.ts"
import { callsScript, startCall, stopCall } from "../page/page-scripts.ts"
import type { Paused } from "./net-body.ts"
import type { NetRequest, NetResponse } from "./net-request.ts"
import { BrowserTransport, type BrowserTransportOptions, type HeaderEntry } from "./transport.ts"

const claimed = /^(?:origin|referer)$/i

/** Makes calls of an origin as a script of an empty page, several at a time. */
export class CallTransport extends BrowserTransport {
  private calls = 0
  /** Headers that a script must not set, by the mark of their call. */
  private readonly claims = new Map<string, HeaderEntry[]>()
  private isClaiming = false

  /** @param origin Origin of the empty page. */
  static async open(origin: string, options: BrowserTransportOptions): Promise<CallTransport> {
    const transport = new CallTransport(options)
    await transport.start()
    await transport.settle(origin)
    return transport
  }

  async call(request: NetRequest, signal: AbortSignal): Promise<NetResponse> {
    // The fragment is not sent: it distinguishes requests to one URL.
    const number = ++this.calls
    const url = `${request.url}#${number}`
    const { method, body, headers } = request
    await this.claim(`#${number}`, request)
    const wanted = { number, url, method, headers, ...(body === undefined ? {} : { body }) }
    try {
      return await this.exchange(`#${number}`, request, signal, () => this.run(startCall(wanted)))
    } catch (error) {
      this.run(stopCall(number)).catch(() => {})
      throw error
    } finally {
      this.claims.delete(`#${number}`)
      if (!this.isUsable && !this.isBusy) this.end()
    }
  }

  /** Sets a Referer of another origin for a call, because Chrome would send the page's own. */
  private async claim(mark: string, { url, headers }: NetRequest): Promise<void> {
    const { origin } = new URL(url)
    const claims = headers.filter(
      ([name, value]) => claimed.test(name) && URL.parse(value)?.origin !== origin,
    )
    if (claims.length === 0) return
    this.claims.set(
      mark,
      claims.map(([name, value]) => ({ name, value })),
    )
    if (this.isClaiming) return
    this.isClaiming = true
    await this.seeAllGoOut()
  }

  protected override get seesAllGoOut(): boolean {
    return this.isClaiming
  }

  /** Opens an empty page of an origin without a request to its host. */
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

  protected leave(paused: Paused): Promise<void> {
    return this.breakOff(paused)
  }

  protected markOf({ request }: Paused): string {
    return request.urlFragment ?? "none"
  }

  private claimedHeaders(paused: Paused): HeaderEntry[] | undefined {
    const claims = this.claims.get(this.markOf(paused))
    if (!claims) return undefined
    const own = Object.entries(paused.request.headers)
      .filter(([name]) => !claimed.test(name))
      .map(([name, value]) => ({ name, value }))
    return [...own, ...claims]
  }

  /** The empty page is generated here. */
  protected override async sendOn(paused: Paused): Promise<void> {
    if (paused.resourceType === "Document") await this.showEmpty(paused, callsScript)
    else await this.goOn(paused, this.claimedHeaders(paused))
  }
}
