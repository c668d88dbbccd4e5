/** Runs that wait, in lanes (one an account) that take turns; within a lane first come, first served. */
export class FairQueue {
  /** The lane whose turn is next comes first. */
  private readonly lanes = new Map<string, Set<string>>()
  private readonly laneOf = new Map<string, string>()

  get size(): number {
    return this.laneOf.size
  }

  add(id: string, lane: string): void {
    if (this.laneOf.has(id)) return
    this.laneOf.set(id, lane)
    const waiting = this.lanes.get(lane)
    if (waiting) waiting.add(id)
    else this.lanes.set(lane, new Set([id]))
  }

  remove(id: string): void {
    const lane = this.laneOf.get(id)
    if (lane === undefined) return
    this.laneOf.delete(id)
    const waiting = this.lanes.get(lane)!
    waiting.delete(id)
    if (waiting.size === 0) this.lanes.delete(lane)
  }

  /** Takes the next run out: the first of the first lane whose first run is allowed. */
  next(allowed: (id: string, lane: string) => boolean): { id: string; lane: string } | undefined {
    for (const [lane, waiting] of this.lanes) {
      const [id] = waiting
      if (!allowed(id!, lane)) continue
      this.remove(id!)
      // The lane goes to the end of the round.
      if (this.lanes.delete(lane)) this.lanes.set(lane, waiting)
      return { id: id!, lane }
    }
    return undefined
  }
}
