import type { Givers, LaneLoad, Shares } from "./shares.ts"

/** A run that holds a place. */
export interface Holding {
  lane: string
  attempt: number
  /** When its lane got the place, perhaps for an earlier run. */
  since: number
  /** When it last got on. */
  movedAt: number
  /** When it was told to make room. */
  leavingSince?: number
}

/** A run that has not made room after this time is no longer relied on. */
const leavingMs = 500
/** Lanes that are made room for in one go. */
const newcomersAtOnce = 32
/** A requeued run keeps its next place twice as long, to make progress; this often at most. */
const mostDoublings = 9

/**
 * The runs that have to make room at a moment, for lanes that wait and have less than their share: of
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
    loads: readonly LaneLoad[]
    /** Lanes in the order of their turns. */
    waiting: Iterable<string>
    at: number
  },
): [id: string, held: Held][] {
  const asked: [string, Held][] = []
  const standing = loads.map((load) => ({ ...load }))
  let leaving = 0
  for (const { leavingSince } of inHand.values()) {
    if (leavingSince !== undefined && at - leavingSince < leavingMs) leaving++
  }
  let newcomers = 0
  for (const lane of waiting) {
    if (++newcomers > newcomersAtOnce) break
    const givers = shares.givers(lane, standing)
    // Room is being made already.
    if (!givers || leaving-- > 0) continue
    const chosen = leastMoved(inHand, givers, at, sliceMs, asked)
    if (!chosen) continue
    asked.push(chosen)
    standing.find((load) => load.lane === chosen[1].lane)!.running--
    standing.find((load) => load.lane === lane)!.running++
  }
  return asked
}

function leastMoved<Held extends Holding>(
  inHand: ReadonlyMap<string, Held>,
  { lanes, inTurn }: Givers,
  at: number,
  sliceMs: number,
  asked: readonly [string, Held][],
): [string, Held] | undefined {
  let least: [string, Held] | undefined
  for (const [id, held] of inHand) {
    if (held.leavingSince !== undefined || !lanes.includes(held.lane)) continue
    if (asked.some(([other]) => other === id)) continue
    const slice = sliceMs * 2 ** Math.min(held.attempt - 1, mostDoublings)
    if (inTurn && at - held.since < slice) continue
    if (!least || held.movedAt < least[1].movedAt) least = [id, held]
  }
  return least
}
