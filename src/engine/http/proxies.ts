import { messageOf } from "../../base/error-message.ts"
import { Unreachable } from "../../catalogue/kit/index.ts"
import type { EgressGuard } from "../egress/guard.ts"
import { abortable, type Clock } from "../environment/clock.ts"
import { connectionFailure, errorCode, isRefused } from "./connection-failure.ts"
import type { Transport, WireAnswer, WireRequest } from "./exchange.ts"
import { hostOf, portOf } from "./live.ts"
import {
  type Exit,
  filledUrl,
  type ProxyRule,
  rulesFor,
  sessionOf,
  stickyRule,
} from "./proxy-rules.ts"
import { Deadline, exchange } from "./wire.ts"

/** The proxy itself is at fault: nothing reached the host. */
export class ProxyFailure extends Unreachable {}

/** Through a proxy of the operator, which resolves the name once more by itself. */
export class ProxyTransport implements Transport {
  constructor(
    private readonly guard: EgressGuard,
    private readonly proxy: string,
    /** Unlockers decrypt what passes, so their certificate is not the site's. */
    private readonly unlocker = false,
  ) {}

  async send(request: WireRequest): Promise<WireAnswer> {
    const url = new URL(request.url)
    const deadline = new Deadline(request)
    const tls = this.unlocker ? { tls: { rejectUnauthorized: false } } : {}
    try {
      await abortable(this.guard.checkProxied(hostOf(url), portOf(url)), deadline.signal)
      const answer = await exchange(request, { url: url.href, proxy: this.proxy, ...tls }, deadline)
      if (answer.status === 407)
        throw this.refusal("407 Proxy Authentication Required", request.url)
      return this.unlocker ? { ...answer, via: "unlocker" } : answer
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
    const said = /: (\d{3} .*)$/.exec(messageOf(error))?.[1] ?? ""
    if (said.startsWith("407")) return this.refusal(said, url)
    return new Unreachable(
      `The proxy could not connect to ${new URL(url).host} (${said || "no reason given"}).`,
      "connection",
      { url, cause: error },
    )
  }

  /** The proxy by its host alone: its address holds a password. */
  private refusal(why: string, url: string): ProxyFailure {
    const { host } = new URL(this.proxy)
    return new ProxyFailure(`The proxy ${host} failed: ${why}.`, "connection", { url })
  }
}

/** A proxy that failed is left alone for this long, longer with each failure in a row. */
const restMs = 30_000
const longestRestMs = 600_000

interface Proxy extends ProxyRule {
  failures: number
  restsUntil: number
}

/** Takes the operator's proxies by their rules and in turn, and lets those rest that fail. */
export class RotatingTransport implements Transport {
  private readonly proxies: Proxy[]
  private turn = 0

  constructor(
    rules: readonly ProxyRule[],
    private readonly through: (url: string | null) => Transport,
    private readonly clock: Pick<Clock, "now">,
  ) {
    this.proxies = rules.map((rule) => ({ ...rule, failures: 0, restsUntil: 0 }))
  }

  /** What a proxy did not pass on at all goes to the next one. */
  async send(request: WireRequest): Promise<WireAnswer> {
    const { exit } = request
    const fit = rulesFor(this.proxies, hostOf(new URL(request.url)), exit)
    // Rules for other hosts alone: this one is asked without a proxy of its own.
    if (fit.length === 0) return this.through(null).send(request)
    for (let tried = 1; ; tried++) {
      const proxy = this.next(fit, exit)
      try {
        const answer = await this.through(filledUrl(proxy, exit)).send(request)
        proxy.failures = 0
        return answer
      } catch (error) {
        if (!(error instanceof ProxyFailure)) throw error
        this.rest(proxy)
        if (tried >= fit.length) throw error
      }
    }
  }

  /** One that does not rest: the session's own, else the next; when all do, whose rest ends first. */
  private next(fit: Proxy[], exit: Exit | undefined): Proxy {
    const now = this.clock.now()
    const ready = fit.filter(({ restsUntil }) => restsUntil <= now)
    if (ready.length === 0) return fit.reduce((a, b) => (a.restsUntil <= b.restsUntil ? a : b))
    const next = ready[this.turn++ % ready.length]!
    const session = sessionOf(next, exit)
    if (session === null) return next
    return stickyRule(
      ready.filter(({ sticky }) => sticky === next.sticky),
      session,
    )
  }

  private rest(proxy: Proxy): void {
    const wait = Math.min(longestRestMs, restMs * 2 ** proxy.failures)
    proxy.failures++
    proxy.restsUntil = this.clock.now() + wait
  }
}
