import { abortable, type Clock } from "../../../base/clock.ts"
import { messageOf } from "../../../base/error-message.ts"
import { Unreachable } from "../../../catalogue/kit/index.ts"
import type { EgressFilter } from "../egress/filter.ts"
import { connectionFailure, errorCode, isRefused } from "./connection-failure.ts"
import type { Transport, WireRequest, WireResponse } from "./exchange.ts"
import { hostOf, portOf } from "./live.ts"
import { ProxyChoice, ProxyFailure } from "./proxy-choice.ts"
import type { ProxyRule } from "./proxy-rules.ts"
import { Deadline, exchange } from "./wire.ts"

/** Sends requests through an upstream proxy, which resolves the name again. */
export class ProxyTransport implements Transport {
  constructor(
    private readonly egress: EgressFilter,
    private readonly proxy: string,
    /** Unlockers decrypt the traffic, so their certificate is not the site's. */
    private readonly unlocker = false,
  ) {}

  async send(request: WireRequest): Promise<WireResponse> {
    const url = new URL(request.url)
    const deadline = new Deadline(request)
    const tls = this.unlocker ? { tls: { rejectUnauthorized: false } } : {}
    try {
      await abortable(this.egress.checkProxied(hostOf(url), portOf(url)), deadline.signal)
      const response = await exchange(
        request,
        { url: url.href, proxy: this.proxy, ...tls },
        deadline,
      )
      if (response.status === 407)
        throw this.refusal("407 Proxy Authentication Required", request.url)
      return this.unlocker ? { ...response, via: "unlocker" } : response
    } catch (error) {
      request.signal.throwIfAborted()
      throw this.failure(error, request.url)
    } finally {
      deadline.clear()
    }
  }

  private failure(error: unknown, url: string) {
    if (isRefused(error)) return this.refusal("it cannot be reached", url)
    if (errorCode(error) !== "ERR_PROXY_TUNNEL") return connectionFailure(error, url)
    const status = /: (\d{3} .*)$/.exec(messageOf(error))?.[1] ?? ""
    if (status.startsWith("407")) return this.refusal(status, url)
    return new Unreachable(
      `The proxy could not connect to ${new URL(url).host} (${status || "unknown reason"}).`,
      "connection",
      { url, cause: error },
    )
  }

  /** Names the proxy by its host only: its URL contains a password. */
  private refusal(why: string, url: string): ProxyFailure {
    const { host } = new URL(this.proxy)
    return new ProxyFailure(`The proxy ${host} failed: ${why}.`, "connection", { url })
  }
}

/** Sends each request through the next proxy in rotation, or directly if no rule matches. */
export class RotatingTransport implements Transport {
  private readonly choice: ProxyChoice

  constructor(
    rules: readonly ProxyRule[],
    private readonly through: (url: string | null) => Transport,
    clock: Pick<Clock, "now">,
  ) {
    this.choice = new ProxyChoice(rules, clock)
  }

  send(request: WireRequest): Promise<WireResponse> {
    const host = hostOf(new URL(request.url))
    return this.choice.use(host, request.exit, (url) => this.through(url).send(request))
  }
}
