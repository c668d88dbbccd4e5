import { Outcome } from "../../catalogue/outcome.ts"
import type { Clock } from "../clock.ts"
import type { Transport, WireAnswer, WireRequest } from "./exchange.ts"

/** A proxy that failed is left alone for this long, longer with each failure in a row. */
const restMs = 30_000
const longestRestMs = 600_000

interface Proxy {
  transport: Transport
  failures: number
  restsUntil: number
}

/** Takes the operator's proxies in turn, and lets those rest that do not connect. */
export class RotatingTransport implements Transport {
  private readonly proxies: Proxy[]
  private turn = 0

  constructor(
    transports: Transport[],
    private readonly clock: Pick<Clock, "now">,
  ) {
    this.proxies = transports.map((transport) => ({ transport, failures: 0, restsUntil: 0 }))
  }

  async send(request: WireRequest): Promise<WireAnswer> {
    const proxy = this.next()
    try {
      const answer = await proxy.transport.send(request)
      proxy.failures = 0
      return answer
    } catch (error) {
      if (error instanceof Outcome && error.code === "connection") this.rest(proxy)
      throw error
    }
  }

  /** The next one that does not rest; when all do, the one whose rest ends first. */
  private next(): Proxy {
    const now = this.clock.now()
    for (let tried = 0; tried < this.proxies.length; tried++) {
      const proxy = this.proxies[this.turn++ % this.proxies.length]!
      if (proxy.restsUntil <= now) return proxy
    }
    return this.proxies.reduce((a, b) => (a.restsUntil <= b.restsUntil ? a : b))
  }

  private rest(proxy: Proxy): void {
    const wait = Math.min(longestRestMs, restMs * 2 ** proxy.failures)
    proxy.failures++
    proxy.restsUntil = this.clock.now() + wait
  }
}
