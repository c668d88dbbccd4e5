import { Semaphore } from "../../base/semaphore.ts"
import type { Config } from "../../config/config.ts"
import { EgressFilter } from "../../engine/net/egress/filter.ts"
import type { Transport, WireResponse } from "../../engine/net/http/exchange.ts"
import { LiveTransport } from "../../engine/net/http/live.ts"
import { redirectTarget } from "../../engine/net/http/redirects.ts"
import type { RateLimitBroker } from "../../engine/net/rate-limits/channel.ts"
import { readRateLimit } from "../../engine/net/rate-limits/configured-limits.ts"
import { withinRateLimit } from "../../engine/net/rate-limits/rate-limited-transport.ts"
import { RateLimit } from "../http/rate-limit.ts"

const maxImageBytes = 4 * 1024 * 1024
const timeoutMs = 10_000
const maxRedirects = 3
/** Maximum images fetched, and waiting, at the same time; further images are not shown. */
const atOnce = 6
const maxWaiting = 200
/** Maximum images per account and minute. */
const perMinute = 240

export interface Image {
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * Images that items name, as the console shows them. The page requests only this service, so that the
 * site learns nothing about the user, and only valid images are shown. Requests respect the host's rate
 * limit, together with those of runs.
 */
export class Images {
  private readonly slots = new Semaphore(atOnce)
  private readonly limit = new RateLimit(perMinute)
  private requested = 0
  private readonly isVisible: boolean
  private readonly owner = crypto.randomUUID()

  constructor(
    private readonly config: Pick<
      Config,
      "egressAllow" | "proxyUrls" | "replay" | "hostRateLimits"
    >,
    private readonly hostRateLimits?: RateLimitBroker | undefined,
    private readonly transport: Transport = new LiveTransport(new EgressFilter(config.egressAllow)),
  ) {
    // If all requests use the operator's proxies or recordings, sites must not see this machine.
    this.isVisible = config.proxyUrls.length === 0 && config.replay.length === 0
  }

  /** Returns undefined if there is no image to show. */
  async of(url: string, account: string, signal: AbortSignal): Promise<Image | undefined> {
    if (!this.isVisible || this.requested >= atOnce + maxWaiting) return undefined
    if (this.limit.take(account)?.retryAfter) return undefined
    this.requested++
    let leave = () => {}
    try {
      leave = await this.slots.take(signal)
      return await this.fetched(url, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    } catch {
      // The reason does not matter to a user who looks at items.
      return undefined
    } finally {
      leave()
      this.requested--
    }
  }

  private async fetched(first: string, signal: AbortSignal): Promise<Image | undefined> {
    let url = first
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const headers = new Headers({ accept: "image/avif,image/webp,image/png,image/*;q=0.8" })
      const request = { method: "GET", url, headers, maxBytes: maxImageBytes, timeoutMs, signal }
      const response = await this.withinRateLimit(url, signal, () => this.transport.send(request))
      const next = redirectTarget(response, url)
      if (next === undefined) {
        const type = response.status === 200 ? typeOf(response.bytes) : undefined
        return type ? { type, bytes: response.bytes.slice() } : undefined
      }
      url = next
    }
    return undefined
  }

  private withinRateLimit(url: string, signal: AbortSignal, request: () => Promise<WireResponse>) {
    const { hostRateLimits: broker, owner } = this
    if (!broker) return request()
    const hostRateLimit = readRateLimit(this.config.hostRateLimits)
    return withinRateLimit({ broker, owner, hostRateLimit, isAside: true }, url, signal, request)
  }
}

/** Image types by their first bytes. SVG is not included, because it may contain scripts. */
const beginnings: [type: string, pattern: RegExp][] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
  ["image/avif", /^[\s\S]{4}ftypavi[fs]/],
]

function typeOf(bytes: Uint8Array): string | undefined {
  const begin = Buffer.from(bytes.subarray(0, 16)).toString("latin1")
  return beginnings.find(([, pattern]) => pattern.test(begin))?.[0]
}
