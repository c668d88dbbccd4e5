import type { HostPace } from "../../catalogue/define.ts"
import { Blocked } from "../../catalogue/outcome.ts"
import type { Clock } from "../clock.ts"

/** Why a request waits, for its run's log. */
export type WaitReason = "pace" | "concurrency" | "suspension"

/** How a request ended, as far as its host's pace is concerned. */
export type PaceReport = "ok" | "slow-down" | "refused"

export interface Permit {
  release(report: PaceReport): void
}

export interface PaceRequest {
  host: string
  limits: HostPace
  /** Whose permits are released together when it dies. */
  owner: string
  /** Called once, when the request has to wait noticeably. */
  onWait?(reason: WaitReason, milliseconds: number): void
}

interface Waiter {
  request: PaceRequest
  resolve(permit: Permit): void
  reject(reason: unknown): void
  told: boolean
}

interface Host {
  inFlight: number
  /** When the next request may start. */
  nextAt: number
  /** The interval is stretched by this after a 429, and shrinks back with successes. */
  stretch: number
  /** Refusals in a row. */
  refusals: number
  suspendedUntil: number
  queue: Waiter[]
  timer?: ReturnType<typeof setTimeout>
  usedAt: number
}

/** One run that meets a wall must not close the host to all; a row of refusals does. */
const refusalsToSuspend = 4
const firstSuspensionMs = 60_000
const longestSuspensionMs = 3_600_000
/** A suspension that ends this soon is waited for; for a longer one the request fails and says why. */
const patienceMs = 20_000
const mostStretch = 32
const tellAfterMs = 1000
const keptHosts = 5000

/**
 * Per-host pace and concurrency, over all workers: requests of a host start in turn, at its interval,
 * and no more at once than it takes. Hosts that say "too many" are asked more slowly for a while,
 * hosts that keep refusing are left alone.
 */
export class Pacer {
  private readonly hosts = new Map<string, Host>()
  private readonly held = new Map<string, Set<() => void>>()

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** @throws Blocked when the host is suspended for longer than a request should wait */
  acquire(request: PaceRequest, signal?: AbortSignal): Promise<Permit> {
    const host = this.host(request.host)
    const now = this.clock.now()
    const rest = host.suspendedUntil - now
    if (rest > patienceMs) {
      const until = new Date(host.suspendedUntil).toISOString().slice(0, 19)
      return Promise.reject(
        new Blocked(
          `${request.host} refused ${host.refusals} requests in a row and is left alone until ${until}Z.`,
        ),
      )
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { request, resolve, reject, told: false }
      signal?.addEventListener("abort", () => this.leave(host, waiter, signal.reason), {
        once: true,
      })
      host.queue.push(waiter)
      this.serve(request.host, host)
    })
  }

  private host(name: string): Host {
    const known = this.hosts.get(name)
    if (known) return known
    if (this.hosts.size >= keptHosts) this.forgetIdle()
    const host: Host = {
      inFlight: 0,
      nextAt: 0,
      stretch: 1,
      refusals: 0,
      suspendedUntil: 0,
      queue: [],
      usedAt: 0,
    }
    this.hosts.set(name, host)
    return host
  }

  private forgetIdle(): void {
    const now = this.clock.now()
    for (const [name, host] of this.hosts) {
      const quiet = host.inFlight === 0 && host.queue.length === 0
      if (quiet && host.nextAt < now && host.suspendedUntil < now) this.hosts.delete(name)
    }
  }

  /** Starts what may start now, and sets the alarm for what may start next. */
  private serve(name: string, host: Host): void {
    clearTimeout(host.timer)
    host.timer = undefined
    for (let waiter = host.queue[0]; waiter; waiter = host.queue[0]) {
      const { limits } = waiter.request
      if (host.inFlight >= (limits.concurrency ?? Number.POSITIVE_INFINITY)) {
        this.tell(waiter, "concurrency", 0)
        return
      }
      const now = this.clock.now()
      const wait = Math.max(host.nextAt, host.suspendedUntil) - now
      if (wait > 0) {
        this.tell(waiter, host.suspendedUntil > now ? "suspension" : "pace", wait)
        host.timer = setTimeout(() => this.serve(name, host), wait)
        return
      }
      host.queue.shift()
      host.inFlight++
      const interval = limits.perSecond ? (1000 / limits.perSecond) * host.stretch : 0
      host.nextAt = Math.max(host.nextAt, now) + interval
      waiter.resolve(this.permit(name, host, waiter.request.owner))
    }
  }

  private tell(waiter: Waiter, reason: WaitReason, wait: number): void {
    if (waiter.told || (wait < tellAfterMs && reason !== "concurrency")) return
    if (reason === "concurrency") return
    waiter.told = true
    waiter.request.onWait?.(reason, wait)
  }

  private permit(name: string, host: Host, owner: string): Permit {
    const held = this.held.get(owner) ?? new Set()
    this.held.set(owner, held)
    let open = true
    const release = (report: PaceReport) => {
      if (!open) return
      open = false
      held.delete(drop)
      host.inFlight--
      this.learn(host, report)
      this.serve(name, host)
    }
    const drop = () => release("ok")
    held.add(drop)
    return { release }
  }

  private learn(host: Host, report: PaceReport): void {
    if (report === "ok") {
      host.refusals = 0
      host.stretch = Math.max(1, host.stretch * 0.9)
      return
    }
    if (report === "slow-down") host.stretch = Math.min(mostStretch, host.stretch * 2)
    host.refusals++
    if (host.refusals < refusalsToSuspend) return
    const times = 2 ** (host.refusals - refusalsToSuspend)
    const wait = Math.min(longestSuspensionMs, firstSuspensionMs * times)
    host.suspendedUntil = this.clock.now() + wait
  }

  private leave(host: Host, waiter: Waiter, reason: unknown): void {
    const at = host.queue.indexOf(waiter)
    if (at < 0) return
    host.queue.splice(at, 1)
    waiter.reject(reason)
  }

  /** A worker is gone: what it held is free. */
  drop(owner: string): void {
    // Its waiting requests go first: what is freed must not be handed to the dead.
    for (const host of this.hosts.values()) {
      host.queue = host.queue.filter((waiter) => waiter.request.owner !== owner)
    }
    for (const release of [...(this.held.get(owner) ?? [])]) release()
    this.held.delete(owner)
  }

  /** For metrics and tests. */
  state(host: string): { inFlight: number; waiting: number; suspendedUntil: number } {
    const known = this.hosts.get(host)
    return {
      inFlight: known?.inFlight ?? 0,
      waiting: known?.queue.length ?? 0,
      suspendedUntil: known?.suspendedUntil ?? 0,
    }
  }
}
