import { oldestOneIn } from "../../../store/runs/priority.ts"

/** The queued runs of one tenant: by priority, then in order of arrival. */
export class TenantQueue {
  /** Runs by priority, with numbers in order of arrival. */
  private readonly byPriority = new Map<number, Map<string, number>>()
  private arrivals = 0
  private claims = 0

  get isEmpty(): boolean {
    return this.byPriority.size === 0
  }

  /** Returns the next run: that with the lowest number, but regularly the oldest of all. */
  get first(): string | undefined {
    const takesOldest = this.claims % oldestOneIn === oldestOneIn - 1
    let first: { id: string; rank: number } | undefined
    for (const [priority, runs] of this.byPriority) {
      const [[id, arrival] = []] = runs
      if (id === undefined || arrival === undefined) continue
      const rank = takesOldest ? arrival : priority
      if (!first || rank < first.rank) first = { id, rank }
    }
    return first?.id
  }

  add(id: string, priority: number): void {
    const runs = this.byPriority.get(priority)
    if (runs) runs.set(id, this.arrivals++)
    else this.byPriority.set(priority, new Map([[id, this.arrivals++]]))
  }

  /** Removes a run that a worker takes. */
  take(id: string): void {
    this.claims++
    this.remove(id)
  }

  remove(id: string): void {
    for (const [priority, runs] of this.byPriority) {
      if (!runs.delete(id)) continue
      if (runs.size === 0) this.byPriority.delete(priority)
      return
    }
  }
}
