import type { Clock } from "../../../base/clock.ts"
import type { HostRateLimit } from "../../../catalogue/kit/index.ts"
import type { Slots } from "../../../store/shared/host-rate-limits.ts"
import type { SharedRateLimit } from "./shared-limits.ts"

/** A time that was not used is not made up for later. */
const staleMs = 500
/** Until what others have too much of is asked for again; then ever longer. */
const againMs = { first: 50, longest: 500 }
/** Who asks for nothing in three seconds is taken for gone. */
const beatMs = 500
const renewMs = 1000
/** Where the database does not answer. */
const aloneMs = 1000

/** Of one host, at this process. */
interface Load {
  inFlight: number
  queued: number
}

interface HostShareOptions {
  name: string
  shared: SharedRateLimit
  clock: Pick<Clock, "now">
  load(): Load
  /** What the processes know of the host; now there may be a turn. */
  onReported(slots: Slots | undefined): void
  /** The turn may have come. */
  onTurn(): void
}

/** What this process has of a host that others ask too: times to start at, and a part of what is sent at once. */
export class HostShare {
  private times: number[] = []
  private part = Number.POSITIVE_INFINITY
  private share = Number.POSITIVE_INFINITY
  /** Until then, the part holds. */
  private until = 0
  private wanted = 0
  private isAsking = false
  private requestedAt = 0
  private askAgainMs = againMs.first
  private asking?: { limits: HostRateLimit; intervalMs: number }
  private alarm?: ReturnType<typeof setTimeout> | undefined
  private beat?: ReturnType<typeof setInterval> | undefined

  constructor(private readonly options: HostShareOptions) {}

  /** Returns when the next request may start; undefined if it must be requested or others must end first. */
  nextStart(limits: HostRateLimit, intervalMs: number): number | undefined {
    this.asking = { limits, intervalMs }
    const now = this.options.clock.now()
    const { inFlight, queued } = this.options.load()
    while (this.times[0]! < now - staleMs) this.times.shift()
    const mayHaveMore = this.part < this.share && inFlight + queued > this.wanted
    if (now >= this.until || mayHaveMore) return this.ask()
    if (inFlight >= Math.min(this.part, this.share)) {
      clearTimeout(this.alarm)
      if (this.until < Number.POSITIVE_INFINITY) {
        this.alarm = setTimeout(() => this.options.onTurn(), this.until - now)
      }
      return undefined
    }
    return this.times[0] ?? this.ask()
  }

  /** A request starts. */
  used(): void {
    this.times.shift()
  }

  /** A request has ended; what is too much is given back at once. */
  released(): void {
    if (this.part > this.share && this.options.load().inFlight < this.part) this.ask()
  }

  private ask(): undefined {
    if (this.isAsking || !this.asking) return
    this.isAsking = true
    const { name, shared, clock } = this.options
    const { limits, intervalMs } = this.asking
    const load = this.options.load()
    this.wanted = load.inFlight + load.queued
    this.requestedAt = clock.now()
    // Start times that it has are used first: an unused one is lost to all.
    const times = this.times.length > 0 ? 0 : load.queued
    void shared
      .lease(name, limits, intervalMs, { times, ...load })
      .then(
        (slots) => this.take(slots, intervalMs),
        () => this.goAlone(),
      )
      .then((slots) => {
        this.isAsking = false
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
    this.askAgainMs = isShort ? Math.min(againMs.longest, this.askAgainMs * 1.5) : againMs.first
    this.until = now + (isShort ? Math.min(this.askAgainMs, slots.turnMs) : slots.turnMs)
    this.beat ??= setInterval(() => this.renew(), beatMs)
    this.beat.unref()
    return slots
  }

  private goAlone(): undefined {
    const now = this.options.clock.now()
    this.times.push(now)
    this.part = Math.max(1, this.part)
    this.share = Math.max(1, this.share)
    this.until = now + aloneMs
  }

  /** Keeps the part while requests run, and returns it afterwards. */
  private renew(): void {
    const { inFlight, queued } = this.options.load()
    if (inFlight + queued === 0) {
      clearInterval(this.beat)
      this.beat = undefined
      this.until = 0
      this.options.shared.leave(this.options.name)
    } else if (this.options.clock.now() - this.requestedAt >= renewMs) this.ask()
  }
}
