import { isKeyless, type LaneLoad, type Lanes, Shares } from "./shares.ts"

/** How many runs each lane has with the workers, and what more it may have. */
export class LaneLoads {
  readonly shares: Shares
  private readonly runs = new Map<string, number>()
  private all = 0
  private keyless = 0

  constructor(
    private readonly places: number,
    /** Runs of one account that are executed at once. */
    private readonly mostOf: (account: string) => number,
  ) {
    this.shares = new Shares(places)
  }

  get isEmpty(): boolean {
    return this.all === 0
  }

  get placesLeft(): number {
    return this.places - this.all
  }

  get keylessLeft(): number {
    return this.shares.keylessPlaces - this.keyless
  }

  has(lane: string): boolean {
    return this.runs.has(lane)
  }

  /** A run has a worker, or is about to. */
  begin(lane: string): void {
    this.runs.set(lane, this.of(lane) + 1)
    this.all++
    if (isKeyless(lane)) this.keyless++
  }

  end(lane: string): void {
    const left = this.of(lane) - 1
    if (left > 0) this.runs.set(lane, left)
    else this.runs.delete(lane)
    this.all--
    if (isKeyless(lane)) this.keyless--
  }

  mayRunMore(lane: string): boolean {
    return isKeyless(lane) ? this.keylessLeft > 0 : this.of(lane) < this.mostOf(lane)
  }

  isBelowShare(lane: string, lanes: Lanes): boolean {
    return this.of(lane) < this.shares.shareOf(lane, lanes)
  }

  /** How many lanes of each kind there are, with those that wait. */
  with(waiting: Iterable<string>): Lanes {
    const lanes = { accounts: 0, keyless: 0 }
    const count = (lane: string) => lanes[isKeyless(lane) ? "keyless" : "accounts"]++
    for (const lane of this.runs.keys()) count(lane)
    for (const lane of waiting) if (!this.runs.has(lane)) count(lane)
    return lanes
  }

  /** What each lane has, those that wait among them. */
  loads(waiting: readonly string[]): LaneLoad[] {
    const names = new Set([...this.runs.keys(), ...waiting])
    return [...names].map((lane) => ({ lane, running: this.of(lane) }))
  }

  private of(lane: string): number {
    return this.runs.get(lane) ?? 0
  }
}
