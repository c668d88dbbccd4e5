/** How long a place stays a lane's own behind its run. */
const keptMs = 250

/**
 * Places that lanes within their share have just left. Whoever has one run after the other would else lose
 * the place to those who flood, between any two of them, and wait until one of theirs has made room again.
 */
export class KeptPlaces {
  private readonly until = new Map<string, number>()

  keep(lane: string): void {
    this.until.set(lane, performance.now() + keptMs)
  }

  /** The lane has a run again. */
  use(lane: string): void {
    this.until.delete(lane)
  }

  /** For whom one is kept at this moment. */
  lanes(): string[] {
    const at = performance.now()
    for (const [lane, until] of this.until) if (until <= at) this.until.delete(lane)
    return [...this.until.keys()]
  }
}
