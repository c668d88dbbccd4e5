import type { Clock } from "../../../base/clock.ts"
import { Unreachable } from "../../../catalogue/kit/index.ts"
import {
  type EgressRules,
  filledUrl,
  type ProxyRule,
  rulesFor,
  sessionOf,
  stickyRule,
} from "./proxy-rules.ts"

/** The proxy itself failed; nothing reached the host. */
export class ProxyFailure extends Unreachable {}

/** Milliseconds for which a failed proxy is not used, longer with each consecutive failure. */
const restMs = 30_000
const maxRestMs = 600_000

interface Proxy extends ProxyRule {
  failures: number
  restsUntil: number
}

/** Selects the operator's proxies by their rules in rotation, and backs off those that fail. */
export class ProxyChoice {
  private readonly proxies: Proxy[]
  private uses = 0

  constructor(
    rules: readonly ProxyRule[],
    private readonly clock: Pick<Clock, "now">,
  ) {
    this.proxies = rules.map((rule) => ({ ...rule, failures: 0, restsUntil: 0 }))
  }

  /** Tries proxies in order while they fail themselves; none (null) if no rule matches the host. */
  async use<T>(
    host: string,
    egress: EgressRules | undefined,
    through: (url: string | null) => Promise<T>,
  ): Promise<T> {
    const fit = rulesFor(this.proxies, host, egress)
    if (fit.length === 0) return through(null)
    for (let tried = 1; ; tried++) {
      const proxy = this.next(fit, egress)
      try {
        const result = await through(filledUrl(proxy, egress))
        proxy.failures = 0
        return result
      } catch (error) {
        if (!(error instanceof ProxyFailure)) throw error
        this.rest(proxy)
        if (tried >= fit.length) throw error
      }
    }
  }

  /**
   * Returns a proxy that is not backed off: the session's own, otherwise the next. If all are, the
   * one that is available first.
   */
  private next(fit: Proxy[], egress: EgressRules | undefined): Proxy {
    const now = this.clock.now()
    const ready = fit.filter(({ restsUntil }) => restsUntil <= now)
    if (ready.length === 0) return fit.reduce((a, b) => (a.restsUntil <= b.restsUntil ? a : b))
    const next = ready[this.uses++ % ready.length]!
    const session = sessionOf(next, egress)
    if (session === null) return next
    return stickyRule(
      ready.filter(({ sticky }) => sticky === next.sticky),
      session,
    )
  }

  private rest(proxy: Proxy): void {
    const wait = Math.min(maxRestMs, restMs * 2 ** proxy.failures)
    proxy.failures++
    proxy.restsUntil = this.clock.now() + wait
  }
}
