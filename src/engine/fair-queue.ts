/**
 * Runs that wait, in lanes (one an account) that take turns; within a lane first come, first served.
 * A lane that has nothing in hand yet comes before those that had their turn.
 */
export class FairQueue {
  /** The lane whose turn is next comes first: of the fresh ones, else of the others. */
  private readonly fresh = new Map<string, Set<string>>()
  private readonly lanes = new Map<string, Set<string>>()
  private readonly laneOf = new Map<string, string>()

  get size(): number {
    return this.laneOf.size
  }

  /** The lanes in the order of their turns. */
  *inTurn(): Generator<string> {
    yield* this.fresh.keys()
    yield* this.lanes.keys()
  }

  /** @param isFresh The lane has nothing in hand. */
  add(id: string, lane: string, isFresh = false): void {
    if (this.laneOf.has(id)) return
    this.laneOf.set(id, lane)
    const waiting = this.fresh.get(lane) ?? this.lanes.get(lane)
    if (waiting) waiting.add(id)
    else (isFresh ? this.fresh : this.lanes).set(lane, new Set([id]))
  }

  remove(id: string): void {
    const lane = this.laneOf.get(id)
    if (lane === undefined) return
    this.laneOf.delete(id)
    const waiting = this.fresh.get(lane) ?? this.lanes.get(lane)!
    waiting.delete(id)
    if (waiting.size > 0) return
    this.fresh.delete(lane)
    this.lanes.delete(lane)
  }

  /** Takes the next run out: the first of the first lane whose first run is allowed. */
  next(allowed: (id: string, lane: string) => boolean): { id: string; lane: string } | undefined {
    for (const lanes of [this.fresh, this.lanes]) {
      for (const [lane, waiting] of lanes) {
        const [id] = waiting
        if (!allowed(id!, lane)) continue
        this.remove(id!)
        // The lane goes to the end of the round.
        if (lanes.delete(lane)) this.lanes.set(lane, waiting)
        return { id: id!, lane }
      }
    }
    return undefined
  }
}
