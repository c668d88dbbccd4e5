import type { HostRateLimit } from "../../../catalogue/kit/index.ts"
import type { CommandArguments } from "../../../store/commands/commands.ts"
import type { Slots } from "../../../store/shared/host-rate-limits.ts"
import type { Store } from "../../../store/store.ts"

/**
 * How far ahead start times are reserved: a lower value means more database queries, a higher one
 * more unused times.
 */
const aheadMs = 500
/** Maximum start times at once for a host without an interval. */
const maxAtOnce = 16

/** Demand of a process for a host. */
export interface Wanted {
  /** Waiting requests without a start time. */
  times: number
  inFlight: number
  /** Waiting requests. */
  queued: number
}

/** State of hosts shared by processes with one database. */
export interface SharedRateLimit {
  /**
   * Reserves start times for up to the requested number of requests, and a share of the concurrent
   * slots.
   */
  lease(host: string, limits: HostRateLimit, intervalMs: number, wanted: Wanted): Promise<Slots>
  /** Called when no request for the host waits or runs. */
  leave(host: string): void
  suspend(host: string, forMs: number, cause: "refused" | "slow-down"): void
  /** Counts a refusal; returns the number of consecutive refusals over all processes. */
  strike(host: string, weight: number): Promise<number>
  /** Called after a normal response. */
  calm(host: string): void
  /**
   * Counts a request in the host's quota. Returns the rest and the milliseconds until it resets.
   */
  spend(host: string, quota: Quota): Promise<{ left: number; endsInMs: number }>
}

type Quota = NonNullable<HostRateLimit["quota"]>

export class StoreRateLimit implements SharedRateLimit {
  private readonly processId = crypto.randomUUID()

  constructor(private readonly store: Pick<Store, "write">) {}

  lease(
    id: string,
    { concurrency }: HostRateLimit,
    intervalMs: number,
    { times, inFlight, queued }: Wanted,
  ): Promise<Slots> {
    const max = intervalMs > 0 ? Math.max(1, Math.floor(aheadMs / intervalMs)) : maxAtOnce
    return this.store.write("rateLimits.lease", {
      ...{ id, processId: this.processId, intervalMs, inFlight, soft: true },
      concurrency: concurrency ?? null,
      ...{ count: Math.min(times, max), wanted: inFlight + queued },
    })
  }

  leave(id: string): void {
    this.notify("rateLimits.leave", { id, processId: this.processId })
  }

  suspend(id: string, forMs: number, cause: "refused" | "slow-down"): void {
    this.notify("rateLimits.suspend", { id, forMs, cause })
  }

  strike(id: string, weight: number): Promise<number> {
    return this.store.write("rateLimits.strike", { id, weight, soft: true })
  }

  calm(id: string): void {
    this.notify("rateLimits.clearStrikes", { id })
  }

  spend(id: string, { requests, hours }: Quota) {
    const forMs = hours * 3_600_000
    return this.store.write("rateLimits.spend", { id, requests, forMs, soft: true })
  }

  /** Notifies the other processes. A process that misses it learns on its own. */
  private notify<V extends "rateLimits.leave" | "rateLimits.suspend" | "rateLimits.clearStrikes">(
    command: V,
    args: CommandArguments<V>,
  ): void {
    this.store.write(command, { ...args, soft: true }).catch(() => {})
  }
}
