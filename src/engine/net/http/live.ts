import { abortable } from "../../../base/clock.ts"
import type { EgressFilter } from "../egress/filter.ts"
import { connectionFailure, isRefused } from "./connection-failure.ts"
import type { Transport, WireRequest, WireResponse } from "./exchange.ts"
import { Deadline, type Dial, exchange } from "./wire.ts"

/** Maximum IP addresses of a name to try. */
const triedAddresses = 4

export interface LiveOptions {
  /** Additional trusted certificate authority as PEM, for tests. */
  ca?: string
}

/**
 * The filtered fetch: connects only to IP addresses that the egress filter resolved and checked.
 */
export class LiveTransport implements Transport {
  constructor(
    private readonly egress: EgressFilter,
    private readonly options: LiveOptions = {},
  ) {}

  async send(request: WireRequest): Promise<WireResponse> {
    const url = new URL(request.url)
    const deadline = new Deadline(request)
    try {
      const addresses = await abortable(
        this.egress.resolve(hostOf(url), portOf(url)),
        deadline.signal,
      )
      return await this.dial(request, url, addresses, deadline)
    } catch (error) {
      request.signal.throwIfAborted()
      throw connectionFailure(error, request.url)
    } finally {
      deadline.clear()
    }
  }

  /** Tries the IP addresses in order. A refused request was never sent, so repeating it is safe. */
  private async dial(
    request: WireRequest,
    url: URL,
    addresses: readonly string[],
    deadline: Deadline,
  ): Promise<WireResponse> {
    let failure: unknown
    for (const href of addresses.slice(0, triedAddresses)) {
      try {
        return { ...(await exchange(request, this.pinned(url, href), deadline)), ip: href }
      } catch (error) {
        if (!isRefused(error)) throw error
        failure = error
      }
    }
    throw failure
  }

  /** Puts the checked IP address into the URL, so that the name is not resolved again. */
  private pinned(url: URL, href: string): Dial {
    const dialled = new URL(url)
    dialled.hostname = href.includes(":") ? `[${href}]` : href
    return {
      url: dialled.href,
      host: url.host,
      proxy: false,
      ...(url.protocol === "https:" ? { tls: { serverName: hostOf(url), ...this.options } } : {}),
    }
  }
}

/** The host, without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "")
}

export function portOf(url: URL): number {
  return Number(url.port || (url.protocol === "https:" ? 443 : 80))
}
