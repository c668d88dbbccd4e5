import { chromeGone } from "../lease-end.ts"
import { callsScript, startCall, stopCall } from "../page-scripts.ts"
import { Carrier, type CarrierOptions } from "./carrier.ts"
import type { Paused } from "./net-body.ts"
import type { NetAnswer, NetRequest } from "./net-request.ts"

/** Makes calls of an origin, as a script of an empty page there; several at a time. */
export class CallCarrier extends Carrier {
  private calls = 0

  /** @param origin The origin whose empty page is shown. */
  static async open(origin: string, options: CarrierOptions): Promise<CallCarrier> {
    const carrier = new CallCarrier(options)
    await carrier.start()
    await carrier.settle(origin)
    return carrier
  }

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

  protected leave(paused: Paused): Promise<void> {
    return this.breakOff(paused)
  }

  protected markOf({ request }: Paused): string {
    return request.urlFragment ?? "none"
  }

  /** The empty page comes from here. */
  protected override async sendOn(paused: Paused): Promise<void> {
    if (paused.resourceType === "Document") await this.showEmpty(paused, callsScript)
    else await this.goOn(paused)
  }
}
