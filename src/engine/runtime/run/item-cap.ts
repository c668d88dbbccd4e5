import type { AnyScraper } from "../../../catalogue/kit/index.ts"

/**
 * Counts the items of a run against its limit one by one, so that concurrent targets never exceed
 * it.
 */
export class ItemCap {
  private readonly max: number
  /** Whether the run's limit is lower than the input's own. */
  readonly isLower: boolean
  /** Whether an item was refused because of the run's limit. */
  bound = false

  constructor(
    scraper: Pick<AnyScraper, "maxItems">,
    input: Record<string, unknown>,
    cap: number = Number.POSITIVE_INFINITY,
    /** Items of earlier attempts at the run. */
    private used = 0,
  ) {
    const requested = scraper.maxItems?.(input) ?? Number.POSITIVE_INFINITY
    this.max = Math.min(requested, cap)
    this.isLower = cap < requested
  }

  take(): void {
    this.used++
  }

  /** Records that an item was refused. */
  refuse(): void {
    if (this.isLower) this.bound = true
  }

  release(slots: number): void {
    this.used -= slots
  }

  get isFull(): boolean {
    return this.used >= this.max
  }

  /**
   * Whether another target may start, because the items of running targets cannot reach the limit.
   */
  hasPlacesFor(targets: number): boolean {
    return this.used + targets < this.max
  }
}
