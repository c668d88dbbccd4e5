import type { AnyScraper } from "../../../catalogue/kit/index.ts"

/**
 * Counts the items of a run against its limit one by one, so that concurrent targets never exceed
 * it.
 */
export class ItemCap {
  private readonly most: number
  /** Whether the run's limit is lower than the input's own. */
  readonly isLower: boolean
  /** Whether an item was refused because of the run's limit. */
  bound = false

  constructor(
    scraper: Pick<AnyScraper, "maxItems">,
    input: Record<string, unknown>,
    cap: number = Number.POSITIVE_INFINITY,
    /** Items of earlier attempts at the run. */
    private taken = 0,
  ) {
    const requested = scraper.maxItems?.(input) ?? Number.POSITIVE_INFINITY
    this.most = Math.min(requested, cap)
    this.isLower = cap < requested
  }

  take(): void {
    this.taken++
  }

  /** Records that an item was refused. */
  refuse(): void {
    if (this.isLower) this.bound = true
  }

  giveBack(places: number): void {
    this.taken -= places
  }

  get isFull(): boolean {
    return this.taken >= this.most
  }

  /**
   * Whether another target may start, because the items of running targets cannot reach the limit.
   */
  hasRoomBeside(targets: number): boolean {
    return this.taken + targets < this.most
  }
}
