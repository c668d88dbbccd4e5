import { abortable, type Clock } from "../../../../base/clock.ts"
import { messageOf } from "../../../../base/error-message.ts"
import { Unreachable } from "../../../../catalogue/kit/index.ts"
import type { RemoteAddress } from "../lease/remote-addresses.ts"
import type { Remote, RemoteState } from "./leasing.ts"

const firstPauseMs = 1000
const maxPauseMs = 60_000
/** Milliseconds without failure after which a browser starts again with the shortest pause. */
const wellMs = 60_000
/** Milliseconds for which leases wait after the last browser was lost; a restart takes less. */
const gracePeriodMs = 60_000
/** Milliseconds for a response to a cheap request. */
const responseMs = 10_000

export interface Endpoint extends Pick<RemoteAddress, "name" | "weight"> {
  remote: Pick<Remote, "ready" | "ping" | "drop">
}

interface Known<E extends Endpoint> {
  endpoint: E
  leases: number
  /** Reason why it is backed off; null while it responds. */
  away: string | null
  /** Consecutive failures. */
  failures: number
  wellSince: number
}

/**
 * Selects the next of several remote browsers: a responding one with the least load for its weight.
 */
export class Endpoints<E extends Endpoint> {
  private readonly known: Known<E>[]
  private readonly stopping = new AbortController()
  private awaySince: number | undefined
  /** Resolves when a browser responds again. */
  private back = Promise.withResolvers<void>()

  constructor(
    endpoints: readonly E[],
    private readonly clock: Clock,
    private readonly onNote: (message: string) => void = () => {},
  ) {
    const wellSince = clock.now()
    this.known = endpoints.map((endpoint) => ({
      endpoint,
      leases: 0,
      away: null,
      failures: 0,
      wellSince,
    }))
  }

  /**
   * Returns a connected browser for the next lease, and a function that releases it. Waits while
   * none responds. @throws Unreachable (browser_unavailable), or the signal's reason
   */
  async take(signal?: AbortSignal): Promise<{ endpoint: E; release: () => void }> {
    for (;;) {
      signal?.throwIfAborted()
      const next = this.next() ?? (await this.waitFor(signal))
      if (!next) continue
      const giveBack = hold(next)
      const ready = next.endpoint.remote.ready()
      try {
        await (signal ? abortable(ready, signal) : ready)
        return { endpoint: next.endpoint, release: giveBack }
      } catch (error) {
        giveBack()
        if (!signal?.aborted) this.backOff(next, messageOf(error))
      }
    }
  }

  private next(): Known<E> | undefined {
    const load = ({ leases, endpoint }: Known<E>) => (leases + 1) / endpoint.weight
    let best: Known<E> | undefined
    for (const one of this.known) {
      if (one.away === null && (!best || load(one) < load(best))) best = one
    }
    return best
  }

  private async waitFor(signal?: AbortSignal): Promise<undefined> {
    const left = (this.awaySince ?? 0) + gracePeriodMs - this.clock.now()
    if (left <= 0) throw this.noneAnswers()
    const waiting = new AbortController()
    const ends = [waiting.signal, this.stopping.signal, ...(signal ? [signal] : [])]
    try {
      await Promise.race([this.back.promise, this.clock.sleep(left, AbortSignal.any(ends))])
    } finally {
      waiting.abort()
    }
  }

  private noneAnswers(): Unreachable {
    const { length } = this.known
    const [first] = this.known
    const which = length === 1 ? "The browser" : `None of the ${length} browsers`
    const predicate = length === 1 ? "does not respond" : "responds"
    return new Unreachable(
      `${which} at TRAWL_CHROME_WS ${predicate}: ${first!.endpoint.name} ${first!.away}`,
      "connection",
      { code: "browser_unavailable", nextStep: "The operator can check it with `trawl doctor`." },
    )
  }

  /** Checks whether each browser that is not backed off responds; ends hanging connections. */
  async watch(): Promise<void> {
    const reachable = this.known.filter(({ away }) => away === null)
    await Promise.all(
      reachable.map(async (one) => {
        const answered = await this.answers(one)
        if (answered === true || one.away !== null || this.stopping.signal.aborted) return
        this.backOff(one, answered)
        await one.endpoint.remote.drop()
      }),
    )
  }

  /** Returns true, or the reason. */
  private async answers({ endpoint }: Known<E>): Promise<true | string> {
    const waiting = new AbortController()
    const response = endpoint.remote.ping().then(() => true as const, messageOf)
    const late = this.clock
      .sleep(responseMs, AbortSignal.any([waiting.signal, this.stopping.signal]))
      .then(
        () => `no longer responds.`,
        () => true as const,
      )
    try {
      return await Promise.race([response, late])
    } finally {
      waiting.abort()
    }
  }

  private backOff(one: Known<E>, reason: string): void {
    if (one.away !== null) return
    const now = this.clock.now()
    if (now - one.wellSince >= wellMs) one.failures = 0
    one.away = reason
    if (this.known.every(({ away }) => away !== null)) this.awaySince ??= now
    this.onNote(`The browser ${one.endpoint.name} is backed off: ${reason}`)
    void this.tryAgain(one)
  }

  private async tryAgain(one: Known<E>): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      const pause = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(one.failures, 10))
      one.failures++
      try {
        await this.clock.sleep(pause, signal)
        await one.endpoint.remote.ready()
      } catch (error) {
        one.away = messageOf(error)
        continue
      }
      one.away = null
      one.wellSince = this.clock.now()
      this.awaySince = undefined
      this.back.resolve()
      this.back = Promise.withResolvers()
      this.onNote(`The browser ${one.endpoint.name} answers again.`)
      return
    }
  }

  states(): RemoteState[] {
    return this.known.map(({ endpoint, leases, away }) => ({
      name: endpoint.name,
      weight: endpoint.weight,
      isAway: away !== null,
      leases,
    }))
  }

  stop(): void {
    this.stopping.abort(
      new Unreachable("The service is shutting down.", "connection", {
        code: "browser_unavailable",
      }),
    )
  }
}

function hold(one: { leases: number }): () => void {
  one.leases++
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    one.leases--
  }
}
