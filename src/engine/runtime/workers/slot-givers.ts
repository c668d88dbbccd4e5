import type { Givers, Shares, TenantLoad } from "./shares.ts"

/** A tenant's use of a slot, from run to run. */
export interface SlotUse {
  tenant: string
  /** The time at which its tenant got the slot, possibly for an earlier run. */
  since: number
}

/** A run that occupies a slot. */
export interface Holding extends SlotUse {
  attempt: number
  /** Time of its last progress. */
  movedAt: number
  /** The time at which it was asked to free its slot. */
  leavingSince?: number
}

/** Milliseconds after which a run that was asked to free its slot is no longer counted on. */
const leavingMs = 500
/** Maximum tenants for which slots are freed at once. */
const newcomersAtOnce = 32
/**
 * Maximum doublings of the time that a requeued run keeps its next slot, so that it makes progress.
 */
const maxDoublings = 9

/**
 * Returns the runs that have to free their slots for waiting tenants with less than their share:
 * runs of tenants with more than theirs that made the least progress.
 */
export function runsToSetBack<Held extends Holding>(
  { shares, sliceMs }: { shares: Shares; sliceMs: number },
  {
    inHand,
    loads,
    waiting,
    at,
  }: {
    inHand: ReadonlyMap<string, Held>
    loads: readonly TenantLoad[]
    /** Waiting tenants in the order of their turns. */
    waiting: Iterable<string>
    at: number
  },
): [id: string, held: Held][] {
  const requested: [string, Held][] = []
  const current = loads.map((load) => ({ ...load }))
  let leaving = 0
  for (const { leavingSince } of inHand.values()) {
    if (leavingSince !== undefined && at - leavingSince < leavingMs) leaving++
  }
  let newcomers = 0
  for (const tenant of waiting) {
    if (++newcomers > newcomersAtOnce) break
    const givers = shares.givers(tenant, current)
    // A slot is already being freed.
    if (!givers || leaving-- > 0) continue
    const chosen = minMoved(inHand, givers, at, sliceMs, requested)
    if (!chosen) continue
    requested.push(chosen)
    current.find((load) => load.tenant === chosen[1].tenant)!.running--
    current.find((load) => load.tenant === tenant)!.running++
  }
  return requested
}

function minMoved<Held extends Holding>(
  inHand: ReadonlyMap<string, Held>,
  { tenants, byQueueOrder }: Givers,
  at: number,
  sliceMs: number,
  requested: readonly [string, Held][],
): [string, Held] | undefined {
  let min: [string, Held] | undefined
  for (const [id, held] of inHand) {
    if (held.leavingSince !== undefined || !tenants.includes(held.tenant)) continue
    if (requested.some(([other]) => other === id)) continue
    const slice = sliceMs * 2 ** Math.min(held.attempt - 1, maxDoublings)
    if (byQueueOrder && at - held.since < slice) continue
    if (!min || held.movedAt < min[1].movedAt) min = [id, held]
  }
  return min
}
