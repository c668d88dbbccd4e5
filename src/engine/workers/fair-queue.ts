import { priorities } from "../../store/runs/priority.ts"
import { TenantQueue } from "./tenant-queue.ts"

export interface QueuePlace {
  /** The lane has nothing in hand. */
  isFresh?: boolean
  /** Default: of a call that nobody waits for. */
  priority?: number
}

/**
 * Runs that wait, in lanes (one an account) that take turns; within a lane by priority.
 * A lane that has nothing in hand yet comes before those that had their turn.
 */
export class FairQueue {
  /** The lane whose turn is next comes first: of the fresh ones, else of the others. */
  private readonly fresh = new Map<string, TenantQueue>()
  private readonly lanes = new Map<string, TenantQueue>()
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

  add(
    id: string,
    lane: string,
    { isFresh = false, priority = priorities.api }: QueuePlace = {},
  ): void {
    if (this.laneOf.has(id)) return
    this.laneOf.set(id, lane)
    let waiting = this.waitingIn(lane)
    if (!waiting) {
      waiting = new TenantQueue()
      const lanes = isFresh ? this.fresh : this.lanes
      lanes.set(lane, waiting)
    }
    waiting.add(id, priority)
  }

  remove(id: string): void {
    const lane = this.laneOf.get(id)
    if (lane === undefined) return
    this.waitingIn(lane)!.remove(id)
    this.left(id, lane)
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
      const waiting = this.waitingIn(lane)!
      const id = waiting.first!
      if (!allowed(id, lane)) continue
      waiting.take(id)
      this.left(id, lane)
      if (!waiting.isEmpty) this.toTheEnd(lane, waiting)
      return { id, lane }
    }
    return undefined
  }

  private left(id: string, lane: string): void {
    this.laneOf.delete(id)
    if (!this.waitingIn(lane)!.isEmpty) return
    this.fresh.delete(lane)
    this.lanes.delete(lane)
  }

  private waitingIn(lane: string): TenantQueue | undefined {
    return this.fresh.get(lane) ?? this.lanes.get(lane)
  }

  private toTheEnd(lane: string, waiting: TenantQueue): void {
    this.fresh.delete(lane)
    this.lanes.delete(lane)
    this.lanes.set(lane, waiting)
  }
}
