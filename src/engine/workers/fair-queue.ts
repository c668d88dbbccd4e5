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

  has(id: string): boolean {
    return this.laneOf.has(id)
  }

  hasLane(lane: string): boolean {
    return this.waitingIn(lane) !== undefined
  }

  /** The lanes in the order of their turns. */
  *inTurn(keeping?: string): Generator<string> {
    yield* this.fresh.keys()
    if (keeping !== undefined && this.lanes.has(keeping)) yield keeping
    yield* this.lanes.keys()
  }

  /** @param isFresh The lane has nothing in hand. */
  add(id: string, lane: string, isFresh = false): void {
    if (this.laneOf.has(id)) return
    this.laneOf.set(id, lane)
    const waiting = this.waitingIn(lane)
    if (waiting) waiting.add(id)
    else (isFresh ? this.fresh : this.lanes).set(lane, new Set([id]))
  }

  remove(id: string): void {
    const lane = this.laneOf.get(id)
    if (lane === undefined) return
    this.laneOf.delete(id)
    const waiting = this.waitingIn(lane)!
    waiting.delete(id)
    if (waiting.size > 0) return
    this.fresh.delete(lane)
    this.lanes.delete(lane)
  }

  /**
   * Takes the next run out: the first of the first lane whose first run is allowed.
   * @param keeping A lane whose turn is not over; it comes before those that had theirs.
   */
  next(
    allowed: (id: string, lane: string) => boolean,
    keeping?: string,
  ): { id: string; lane: string } | undefined {
    for (const lane of this.inTurn(keeping)) {
      const [id] = this.waitingIn(lane)!
      if (!allowed(id!, lane)) continue
      const waiting = this.waitingIn(lane)!
      this.remove(id!)
      if (waiting.size > 0) this.toTheEnd(lane, waiting)
      return { id: id!, lane }
    }
    return undefined
  }

  private waitingIn(lane: string): Set<string> | undefined {
    return this.fresh.get(lane) ?? this.lanes.get(lane)
  }

  private toTheEnd(lane: string, waiting: Set<string>): void {
    this.fresh.delete(lane)
    this.lanes.delete(lane)
    this.lanes.set(lane, waiting)
  }
}
