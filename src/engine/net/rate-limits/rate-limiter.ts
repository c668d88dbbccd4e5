import { BoundedMap } from "../../../base/bounded-map.ts"
import type { Clock } from "../../../base/clock.ts"
import { hourMs } from "../../../base/time.ts"
import {
  Blocked,
  type HostRateLimit,
  RateLimited,
  type ScrapeError,
} from "../../../catalogue/kit/index.ts"
import type { Slots } from "../../../store/shared/host-rate-limits.ts"
import { consequences } from "../http/consequences.ts"
import { HostShare } from "./host-share.ts"
import type { SharedRateLimit } from "./shared-limits.ts"

/** Reason why a request waits, for its run's log. */
export type WaitReason = "rateLimit" | "concurrency" | "suspension"

/**
 * Result of a request for its host's rate limit: a response, 429, blocked by bot protection, a
 * failure of the host (5xx, truncated, timeout), or aborted, which has no effect.
 */
export type RateLimitReport = "ok" | "slow-down" | "refused" | "failing" | "failed"

export interface Permit {
  /** `holdMs`: time that the host asked all clients to wait (Retry-After). */
  release(report: RateLimitReport, holdMs?: number): void
}

export interface RateLimitRequest {
  host: string
  limits: HostRateLimit
  /** Owner, whose permits are released together if it dies. */
  owner: string
  /** Whether Chrome rendered the page: its duration does not measure the host's latency. */
  isRendered?: boolean
  /**
   * Called once if the request has to wait noticeably; with 0 milliseconds if the time is unknown.
   */
  onWait?(reason: WaitReason, milliseconds: number): void
}

interface Waiter {
  request: RateLimitRequest
  since: number
  reported: boolean
  grant(permit: Permit): void
  refuse(reason: unknown): void
}

interface Host {
  inFlight: number
  /** Time at which the next request may start. */
  nextAt: number
  /** Factor of the interval: increased after a 429, decreased by successes. */
  stretch: number
  /** Minimum interval because of the host's latency. */
  latencyMs: number
  /** Consecutive refusals. */
  strikes: number
  struckAt: number
  suspendedUntil: number
  suspendedFor: "refused" | "slow-down"
  /** Requests of the current quota period, and its end. */
  spent: number
  quotaEndsAt: number
  quota?: Quota
  queue: Waiter[]
  timer?: ReturnType<typeof setTimeout>
  /** Set if processes share rate limits. */
  share?: HostShare
}

type Quota = NonNullable<RateLimitRequest["limits"]["quota"]>

/** The remaining requests that a host allows to anonymous clients. */
interface QuotaLeft {
  host: string
  requests: number
  left: number
  /** Time of the next reset. */
  endsAt: string
  /** Name of the secret that removes the quota. */
  without: string
}

/**
 * Consecutive refusals that suspend a host, so that one blocked run does not suspend it for all.
 */
const strikesToSuspend = 4
/** Weights of refusals: a target with 429 is requested four times, which together count as one. */
const strikeOf = { refused: 1, "slow-down": 0.25 }
const forgetStrikesMs = hourMs
const maxSuspensionMs = hourMs
/** Maximum remaining suspension to wait for; with a longer one, the request fails. */
const gracePeriodMs = 20_000
const maxStretch = 32
/** Latency that is normal for a page. */
const slowMs = 1000
const maxLatencyMs = 10_000
const notifyAfterMs = 1000
const storedHosts = 5000

/**
 * Limits rate and concurrency per host over all workers: requests start in order, at the host's
 * interval, up to its concurrency. Hosts that respond with 429 are requested more slowly for a
 * while; hosts that keep refusing are suspended.
 */
export class RateLimiter {
  private readonly hosts = new BoundedMap<string, Host>(storedHosts, (host) => this.isQuiet(host))
  private readonly held = new Map<string, Set<() => void>>()

  /** @param shared State shared with other processes that request the same hosts. */
  constructor(
    private readonly clock: Pick<Clock, "now">,
    private readonly shared?: SharedRateLimit | undefined,
  ) {}

  /** Waits for a permit. @throws Blocked or RateLimited if the host is suspended for too long */
  async acquire(request: RateLimitRequest, signal?: AbortSignal): Promise<Permit> {
    signal?.throwIfAborted()
    const host = this.host(request.host)
    const now = this.clock.now()
    if (host.suspendedUntil - now > gracePeriodMs) throw suspended(request.host, host, now)
    if (this.shared) await spendShared(request, host, this.shared, now)
    else spend(request, host, now)
    const { promise, resolve, reject } = Promise.withResolvers<Permit>()
    const leave = () => {
      host.queue = host.queue.filter((queued) => queued !== waiter)
      reject(signal?.reason)
    }
    const waiter: Waiter = { request, since: now, reported: false, grant: resolve, refuse: reject }
    host.queue.push(waiter)
    this.serve(request.host, host)
    signal?.addEventListener("abort", leave, { once: true })
    return promise.finally(() => signal?.removeEventListener("abort", leave))
  }

  private host(name: string): Host {
    const known = this.hosts.get(name)
    if (known) return known
    const host: Host = {
      inFlight: 0,
      nextAt: 0,
      stretch: 1,
      latencyMs: 0,
      strikes: 0,
      struckAt: 0,
      suspendedUntil: 0,
      suspendedFor: "refused",
      spent: 0,
      quotaEndsAt: 0,
      queue: [],
    }
    if (this.shared) host.share = this.shareOf(name, host, this.shared)
    this.hosts.set(name, host)
    return host
  }

  /** Returns whether nothing runs or waits, so that the host's state can be dropped. */
  private isQuiet({ inFlight, queue, nextAt, suspendedUntil, quotaEndsAt }: Host): boolean {
    const now = this.clock.now()
    if (inFlight > 0 || queue.length > 0) return false
    return Math.max(nextAt, suspendedUntil, quotaEndsAt) < now
  }

  /** Starts requests that may start now, and sets a timer for the next. */
  private serve(name: string, host: Host): void {
    clearTimeout(host.timer)
    host.timer = undefined
    for (let waiter = host.queue[0]; waiter; waiter = host.queue[0]) {
      const { limits } = waiter.request
      const now = this.clock.now()
      const nextStart = host.share ? host.share.nextStart(limits, intervalOf(limits, host)) : 0
      if (
        nextStart === undefined ||
        host.inFlight >= (limits.concurrency ?? Number.POSITIVE_INFINITY)
      ) {
        if (now - waiter.since >= notifyAfterMs) notify(waiter, "concurrency", 0)
        return
      }
      const wait = Math.max(host.nextAt, host.suspendedUntil, nextStart) - now
      if (wait > 0) {
        if (wait >= notifyAfterMs) {
          notify(waiter, host.suspendedUntil > now ? "suspension" : "rateLimit", wait)
        }
        host.timer = setTimeout(() => this.serve(name, host), wait)
        return
      }
      host.queue.shift()
      host.share?.used()
      host.inFlight++
      const interval = intervalOf(limits, host)
      host.nextAt = Math.max(host.nextAt, now) + interval
      waiter.grant(this.permit(name, host, waiter.request))
    }
  }

  private shareOf(name: string, host: Host, shared: SharedRateLimit): HostShare {
    return new HostShare({
      ...{ name, shared, clock: this.clock },
      load: () => ({ inFlight: host.inFlight, queued: host.queue.length }),
      onReady: () => this.serve(name, host),
      onReported: (slots) => {
        if (slots) this.hear(name, host, slots)
        this.serve(name, host)
      },
    })
  }

  /** Applies what other processes have learned about the host. */
  private hear(name: string, host: Host, { suspendedMs, suspendedFor, strikes }: Slots): void {
    const now = this.clock.now()
    host.strikes = strikes
    if (now + suspendedMs <= host.suspendedUntil) return
    host.suspendedUntil = now + suspendedMs
    host.suspendedFor = suspendedFor ?? host.suspendedFor
    if (suspendedMs > gracePeriodMs) this.refuseAll(name, host, now)
  }

  private permit(name: string, host: Host, { owner, isRendered }: RateLimitRequest): Permit {
    const startedAt = this.clock.now()
    const held = this.held.get(owner) ?? new Set()
    this.held.set(owner, held)
    let open = true
    const release = (report: RateLimitReport, holdMs = 0) => {
      if (!open) return
      open = false
      held.delete(drop)
      host.inFlight--
      host.nextAt = Math.max(host.nextAt, this.clock.now() + holdMs)
      if (report === "ok" && !isRendered) follow(host, this.clock.now() - startedAt)
      this.learn(name, host, report)
      this.serve(name, host)
      host.share?.released()
    }
    const drop = () => release("failed")
    held.add(drop)
    return { release }
  }

  private learn(name: string, host: Host, report: RateLimitReport): void {
    if (report === "failed") return
    if (report === "ok") {
      if (host.strikes > 0) this.shared?.calm(name)
      host.strikes = 0
      host.stretch = Math.max(1, host.stretch * 0.9)
      return
    }
    if (report !== "refused") host.stretch = Math.min(maxStretch, host.stretch * 2)
    if (report === "failing") return
    const now = this.clock.now()
    if (now - host.struckAt > forgetStrikesMs) host.strikes = 0
    host.struckAt = now
    host.strikes += strikeOf[report]
    if (host.strikes >= strikesToSuspend) this.suspend(name, host, report)
    void this.shared?.strike(name, strikeOf[report]).then(
      (strikes) => {
        const isNews = strikes > host.strikes && host.suspendedUntil <= this.clock.now()
        host.strikes = strikes
        if (isNews && strikes >= strikesToSuspend) this.suspend(name, host, report)
      },
      () => {},
    )
  }

  /** Suspends the host, longer each time, and fails its waiting requests. */
  private suspend(name: string, host: Host, cause: "refused" | "slow-down"): void {
    const { suspendSeconds } = consequences[cause === "refused" ? "Blocked" : "RateLimited"]!
    const times = 2 ** Math.floor(host.strikes - strikesToSuspend)
    const now = this.clock.now()
    const rest = Math.min(maxSuspensionMs, suspendSeconds * 1000 * times)
    host.suspendedUntil = Math.max(host.suspendedUntil, now + rest)
    host.suspendedFor = cause
    this.shared?.suspend(name, rest, cause)
    this.refuseAll(name, host, now)
  }

  private refuseAll(name: string, host: Host, now: number): void {
    for (const waiter of host.queue.splice(0)) waiter.refuse(suspended(name, host, now))
  }

  /** Releases the permits of a lost worker. */
  drop(owner: string): void {
    // Drop its waiting requests first, so that freed permits do not go to the lost worker.
    for (const host of this.hosts.values()) {
      host.queue = host.queue.filter((waiter) => waiter.request.owner !== owner)
    }
    for (const release of [...(this.held.get(owner) ?? [])]) release()
    this.held.delete(owner)
  }

  /** Waiting requests and suspended hosts, at most `most` of them, for metrics. */
  overview(max: number) {
    const now = this.clock.now()
    let [waiting, inFlight] = [0, 0]
    const suspended: { host: string; reason: string; seconds: number }[] = []
    const quotas: QuotaLeft[] = []
    for (const [name, host] of this.hosts.entries()) {
      waiting += host.queue.length
      inFlight += host.inFlight
      const seconds = Math.ceil((host.suspendedUntil - now) / 1000)
      if (seconds > 0 && suspended.length < max) {
        suspended.push({ host: name, reason: host.suspendedFor, seconds })
      }
      if (host.quota && host.quotaEndsAt > now && quotas.length < max) {
        const { requests, without } = host.quota
        const left = Math.max(0, requests - host.spent)
        const endsAt = new Date(host.quotaEndsAt).toISOString()
        quotas.push({ host: name, requests, left, endsAt, without })
      }
    }
    return { waiting, inFlight, suspended, quotas }
  }

  /** State of a host, for tests. */
  state(host: string): { inFlight: number; waiting: number; suspendedUntil: number } {
    const known = this.hosts.get(host)
    return {
      inFlight: known?.inFlight ?? 0,
      waiting: known?.queue.length ?? 0,
      suspendedUntil: known?.suspendedUntil ?? 0,
    }
  }
}

function notify(waiter: Waiter, reason: WaitReason, milliseconds: number): void {
  if (waiter.reported) return
  waiter.reported = true
  waiter.request.onWait?.(reason, milliseconds)
}

function suspended(name: string, host: Host, now: number): ScrapeError {
  const until = new Date(host.suspendedUntil).toISOString().slice(11, 19)
  const rest = Math.ceil((host.suspendedUntil - now) / 1000)
  if (host.suspendedFor === "slow-down") {
    return new RateLimited(
      `${name} repeatedly limited the rate of requests. It gets no requests until ${until} UTC.`,
      rest,
    )
  }
  return new Blocked(
    `${name} turned away ${host.strikes} requests in a row. It gets no requests until ${until} UTC.`,
  )
}

function intervalOf({ perSecond }: HostRateLimit, { stretch, latencyMs }: Host): number {
  return perSecond ? Math.max((1000 / perSecond) * stretch, latencyMs) : 0
}

/**
 * Limits requests to a slow host as if they were made one at a time, as in Scrapy's AutoThrottle.
 */
function follow(host: Host, tookMs: number): void {
  const wanted = tookMs < slowMs ? 0 : Math.min(tookMs, maxLatencyMs)
  host.latencyMs = (host.latencyMs + wanted) / 2
}

/**
 * Like `spend`, over all processes; each on its own if the database does not respond. @throws
 * RateLimited
 */
async function spendShared(
  request: RateLimitRequest,
  host: Host,
  shared: SharedRateLimit,
  now: number,
): Promise<void> {
  const { quota } = request.limits
  if (!quota) return
  const counted = await shared.spend(request.host, quota).catch(() => undefined)
  if (counted) {
    // The current request is included in the count.
    host.spent = quota.requests - counted.left - 1
    host.quotaEndsAt = now + counted.endsInMs
  }
  spend(request, host, now)
}

/**
 * Counts a request in a host's quota, whose period starts with the first request. @throws
 * RateLimited
 */
function spend({ host: name, limits: { quota } }: RateLimitRequest, host: Host, now: number): void {
  if (!quota) return
  const { requests, hours, without } = quota
  host.quota = quota
  if (now >= host.quotaEndsAt) {
    host.spent = 0
    host.quotaEndsAt = now + hours * hourMs
  }
  if (host.spent < requests) {
    host.spent++
    return
  }
  const until = new Date(host.quotaEndsAt).toISOString().slice(0, 16).replace("T", " ")
  throw new RateLimited(
    `${name} allows ${requests} requests in ${hours === 1 ? "an hour" : `${hours} hours`} without ${without}; the quota is used up until ${until} UTC.`,
    Math.ceil((host.quotaEndsAt - now) / 1000),
  )
}
