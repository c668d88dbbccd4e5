import type { AnyScraper } from "../../../catalogue/kit/index.ts"

/**
 * Counts the items of a run against its cap, item by item, so that concurrent targets never exceed it.
 */
export class ItemCap {
  private readonly most: number
  /** The run's own cap is below what the input itself asks for. */
  readonly isLower: boolean
  /** An item found no place, by the run's own cap. */
  bound = false

  constructor(
    scraper: Pick<AnyScraper, "maxItems">,
    input: Record<string, unknown>,
    cap: number = Number.POSITIVE_INFINITY,
    /** Given by earlier attempts at the run. */
    private taken = 0,
  ) {
    const requested = scraper.maxItems?.(input) ?? Number.POSITIVE_INFINITY
    this.most = Math.min(requested, cap)
    this.isLower = cap < requested
  }

  take(): void {
    this.taken++
  }

  /** There is an item, and no place for it. */
  refuse(): void {
    if (this.isLower) this.bound = true
  }

  giveBack(places: number): void {
    this.taken -= places
  }

  get isFull(): boolean {
    return this.taken >= this.most
  }

  /** Exact caps: no target is started whose item could be one too many. */
  hasRoomBeside(targets: number): boolean {
    return this.taken + targets < this.most
  }
}
