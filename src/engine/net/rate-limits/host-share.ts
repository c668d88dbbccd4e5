import type { Clock } from "../../../base/clock.ts"
import type { HostRateLimit } from "../../../catalogue/kit/index.ts"
import type { Slots } from "../../../store/shared/host-rate-limits.ts"
import type { SharedRateLimit } from "./shared-limits.ts"

/** Milliseconds after which unused start times are lost. */
const staleMs = 500
/** Pauses before slots that other processes hold are requested again; they increase. */
const againMs = { first: 50, max: 500 }
/**
 * Interval of sending demand to the database; a process that sends nothing for three seconds is
 * considered gone.
 */
const beatMs = 500
const renewMs = 1000
/** Milliseconds after which this process continues on its own if the database does not respond. */
const localMs = 1000

/** The load of a host in this process. */
interface Load {
  inFlight: number
  queued: number
}

interface HostShareOptions {
  name: string
  shared: SharedRateLimit
  clock: Pick<Clock, "now">
  load(): Load
  /** Called with the shared state of the host, after which a request may start. */
  onReported(slots: Slots | undefined): void
  /** Called when a request may start. */
  onReady(): void
}

/**
 * This process's share of a host that other processes request too: start times, and concurrent
 * slots.
 */
export class HostShare {
  private times: number[] = []
  private part = Number.POSITIVE_INFINITY
  private share = Number.POSITIVE_INFINITY
  /** Time until which the share is valid. */
  private until = 0
  private wanted = 0
  private isRequesting = false
  private requestedAt = 0
  private retryMs = againMs.first
  private requested?: { limits: HostRateLimit; intervalMs: number }
  private alarm?: ReturnType<typeof setTimeout> | undefined
  private beat?: ReturnType<typeof setInterval> | undefined

  constructor(private readonly options: HostShareOptions) {}

  /**
   * Returns the time at which the next request may start; undefined if it must be requested, or if
   * others must finish first.
   */
  nextStart(limits: HostRateLimit, intervalMs: number): number | undefined {
    this.requested = { limits, intervalMs }
    const now = this.options.clock.now()
    const { inFlight, queued } = this.options.load()
    while (this.times[0]! < now - staleMs) this.times.shift()
    const mayHaveMore = this.part < this.share && inFlight + queued > this.wanted
    if (now >= this.until || mayHaveMore) return this.requestSlots()
    if (inFlight >= Math.min(this.part, this.share)) {
      clearTimeout(this.alarm)
      if (this.until < Number.POSITIVE_INFINITY) {
        this.alarm = setTimeout(() => this.options.onReady(), this.until - now)
      }
      return undefined
    }
    return this.times[0] ?? this.requestSlots()
  }

  /** Called when a request starts. */
  used(): void {
    this.times.shift()
  }

  /** Called when a request has finished; surplus slots are returned immediately. */
  released(): void {
    if (this.part > this.share && this.options.load().inFlight < this.part) this.requestSlots()
  }

  private requestSlots(): undefined {
    if (this.isRequesting || !this.requested) return
    this.isRequesting = true
    const { name, shared, clock } = this.options
    const { limits, intervalMs } = this.requested
    const load = this.options.load()
    this.wanted = load.inFlight + load.queued
    this.requestedAt = clock.now()
    // Available start times are used first, because unused ones are lost to all processes.
    const times = this.times.length > 0 ? 0 : load.queued
    void shared
      .lease(name, limits, intervalMs, { times, ...load })
      .then(
        (slots) => this.take(slots, intervalMs),
        () => this.continueLocally(),
      )
      .then((slots) => {
        this.isRequesting = false
        this.options.onReported(slots)
      })
  }

  private take(slots: Slots, intervalMs: number): Slots {
    const now = this.options.clock.now()
    for (let n = 0; n < slots.count; n++) this.times.push(now + slots.inMs + n * intervalMs)
    if (slots.part === null) {
      this.part = this.share = this.until = Number.POSITIVE_INFINITY
      return slots
    }
    this.part = slots.part
    this.share = slots.share
    const isShort = this.part < Math.min(this.share, this.wanted)
    this.retryMs = isShort ? Math.min(againMs.max, this.retryMs * 1.5) : againMs.first
    this.until = now + (isShort ? Math.min(this.retryMs, slots.turnMs) : slots.turnMs)
    this.beat ??= setInterval(() => this.renew(), beatMs)
    this.beat.unref()
    return slots
  }

  private continueLocally(): undefined {
    const now = this.options.clock.now()
    this.times.push(now)
    this.part = Math.max(1, this.part)
    this.share = Math.max(1, this.share)
    this.until = now + localMs
  }

  /** Renews the share while requests run, and returns it afterwards. */
  private renew(): void {
    const { inFlight, queued } = this.options.load()
    if (inFlight + queued === 0) {
      clearInterval(this.beat)
      this.beat = undefined
      this.until = 0
      this.options.shared.leave(this.options.name)
    } else if (this.options.clock.now() - this.requestedAt >= renewMs) this.requestSlots()
  }
}
