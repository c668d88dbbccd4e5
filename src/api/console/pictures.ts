import { Semaphore } from "../../base/semaphore.ts"
import type { Config } from "../../config.ts"
import { EgressGuard } from "../../engine/egress/guard.ts"
import type { Transport, WireAnswer } from "../../engine/http/exchange.ts"
import { LiveTransport } from "../../engine/http/live.ts"
import { redirectTarget } from "../../engine/http/redirects.ts"
import type { PaceBroker } from "../../engine/pace/channel.ts"
import { readPace } from "../../engine/pace/operator-pace.ts"
import { inTurn } from "../../engine/pace/paced.ts"
import { RateLimit } from "../http/rate-limit.ts"

const mostBytes = 4 * 1024 * 1024
const timeoutMs = 10_000
const mostRedirects = 3
/** Fetched at once, and waiting for that; what is more is not shown. */
const atOnce = 6
const mostWaiting = 200
/** Of one account in a minute: as many as somebody looks at. */
const perMinute = 240

export interface Picture {
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * Pictures that items name, as the console shows them: its page asks this service alone, so that a site
 * learns nothing of who looks, and what it sends is shown where it is a picture indeed. They are asked for
 * in the host's turn, beside what runs ask of it.
 */
export class Pictures {
  private readonly places = new Semaphore(atOnce)
  private readonly limit = new RateLimit(perMinute)
  private asked = 0
  private readonly isShown: boolean
  private readonly owner = crypto.randomUUID()

  constructor(
    private readonly config: Pick<Config, "egressAllow" | "proxyUrls" | "replay" | "pace">,
    private readonly pace?: PaceBroker | undefined,
    private readonly transport: Transport = new LiveTransport(new EgressGuard(config.egressAllow)),
  ) {
    // Where all else goes by the operator's proxies, or nowhere, no site shall see this machine.
    this.isShown = config.proxyUrls.length === 0 && config.replay.length === 0
  }

  /** Undefined where there is none to be shown. */
  async of(url: string, account: string, signal: AbortSignal): Promise<Picture | undefined> {
    if (!this.isShown || this.asked >= atOnce + mostWaiting) return undefined
    if (this.limit.take(account)?.retryAfter) return undefined
    this.asked++
    let leave = () => {}
    try {
      leave = await this.places.take(signal)
      return await this.fetched(url, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    } catch {
      // That a picture is missing is seen; why is of no use to whoever looks at items.
      return undefined
    } finally {
      leave()
      this.asked--
    }
  }

  private async fetched(first: string, signal: AbortSignal): Promise<Picture | undefined> {
    let url = first
    for (let hops = 0; hops <= mostRedirects; hops++) {
      const headers = new Headers({ accept: "image/avif,image/webp,image/png,image/*;q=0.8" })
      const request = { method: "GET", url, headers, maxBytes: mostBytes, timeoutMs, signal }
      const answer = await this.inTurn(url, signal, () => this.transport.send(request))
      const next = redirectTarget(answer, url)
      if (next === undefined) {
        const type = answer.status === 200 ? typeOf(answer.bytes) : undefined
        return type ? { type, bytes: answer.bytes.slice() } : undefined
      }
      url = next
    }
    return undefined
  }

  private inTurn(url: string, signal: AbortSignal, ask: () => Promise<WireAnswer>) {
    const { pace: broker, owner } = this
    if (!broker) return ask()
    const hostPace = readPace(this.config.pace)
    return inTurn({ broker, owner, hostPace, isAside: true }, url, signal, ask)
  }
}

/** By how their bytes begin; a drawing that may hold scripts (SVG) is none of them. */
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
