import type { Givers, Shares, TenantLoad } from "./shares.ts"

/** A run that holds a place. */
export interface Holding {
  tenant: string
  attempt: number
  /** The time at which its tenant got the slot, possibly for an earlier run. */
  since: number
  /** When it last got on. */
  movedAt: number
  /** The time at which it was asked to free its slot. */
  leavingSince?: number
}

/** A run that has not made room after this time is no longer relied on. */
const leavingMs = 500
/** Maximum tenants for which slots are freed at once. */
const newcomersAtOnce = 32
/** A requeued run keeps its next place twice as long, to make progress; this often at most. */
const maxDoublings = 9

/**
 * Returns the runs that have to free their slots for waiting tenants with less than their share: of
 * those that have more, the runs that got on least.
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
    /** Tenants in the order of their turns. */
    waiting: Iterable<string>
    at: number
  },
): [id: string, held: Held][] {
  const requested: [string, Held][] = []
  const standing = loads.map((load) => ({ ...load }))
  let leaving = 0
  for (const { leavingSince } of inHand.values()) {
    if (leavingSince !== undefined && at - leavingSince < leavingMs) leaving++
  }
  let newcomers = 0
  for (const tenant of waiting) {
    if (++newcomers > newcomersAtOnce) break
    const givers = shares.givers(tenant, standing)
    // Room is being made already.
    if (!givers || leaving-- > 0) continue
    const chosen = minMoved(inHand, givers, at, sliceMs, requested)
    if (!chosen) continue
    requested.push(chosen)
    standing.find((load) => load.tenant === chosen[1].tenant)!.running--
    standing.find((load) => load.tenant === tenant)!.running++
  }
  return requested
}

function minMoved<Held extends Holding>(
  inHand: ReadonlyMap<string, Held>,
  { tenants, inTurn }: Givers,
  at: number,
  sliceMs: number,
  requested: readonly [string, Held][],
): [string, Held] | undefined {
  let least: [string, Held] | undefined
  for (const [id, held] of inHand) {
    if (held.leavingSince !== undefined || !tenants.includes(held.tenant)) continue
    if (requested.some(([other]) => other === id)) continue
    const slice = sliceMs * 2 ** Math.min(held.attempt - 1, maxDoublings)
    if (inTurn && at - held.since < slice) continue
    if (!least || held.movedAt < least[1].movedAt) least = [id, held]
  }
  return least
}
