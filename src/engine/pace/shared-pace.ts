import type { HostPace } from "../../catalogue/kit/index.ts"
import type { Slots } from "../../store/shared/pace.ts"
import type { Store } from "../../store/store.ts"

/** How far ahead times are taken: less, and the database is asked more often; more, and some go unused. */
const aheadMs = 500
/** Of a host without an interval. */
const mostAtOnce = 16

/** What the processes that share a database know of hosts together. */
export interface SharedPace {
  /** Times for so many requests, or fewer. */
  lease(host: string, limits: HostPace, intervalMs: number, wanted: number): Promise<Slots>
  suspend(host: string, forMs: number, cause: "refused" | "slow-down"): void
  /** Counts a request of the host's quota; what is left, and milliseconds until it begins anew. */
  spend(host: string, quota: Quota): Promise<{ left: number; endsInMs: number }>
}

type Quota = NonNullable<HostPace["quota"]>

const anyNumber = 1_000_000

export class StorePace implements SharedPace {
  private readonly processId = crypto.randomUUID()

  constructor(private readonly store: Pick<Store, "write">) {}

  lease(
    host: string,
    { concurrency = anyNumber }: HostPace,
    intervalMs: number,
    wanted: number,
  ): Promise<Slots> {
    const most = intervalMs > 0 ? Math.max(1, Math.floor(aheadMs / intervalMs)) : mostAtOnce
    const count = Math.min(wanted, most)
    const { processId } = this
    const asked = { id: host, processId, intervalMs, count, concurrency }
    return this.store.write("pace.lease", { ...asked, soft: true })
  }

  suspend(host: string, forMs: number, cause: "refused" | "slow-down"): void {
    // Each finds it out by itself else.
    this.store.write("pace.suspend", { id: host, forMs, cause, soft: true }).catch(() => {})
  }

  spend(host: string, { requests, hours }: Quota) {
    const forMs = hours * 3_600_000
    return this.store.write("pace.spend", { id: host, requests, forMs, soft: true })
  }
}
