import { itemBodies } from "../../store/runs/items.ts"
import type { Store } from "../../store/store.ts"

const targetsAtOnce = 100

/**
 * Yields the items of finished targets as they arrive. They are read from the store, so that only
 * those being written are in memory.
 */
export class ItemStream {
  private isOver = false
  private wake = Promise.withResolvers<void>()

  /** @param done Targets that were finished before, by position. */
  constructor(
    private readonly store: Pick<Store, "db">,
    private readonly runN: number,
    private readonly done: number[],
  ) {}

  /** Adds finished targets. */
  add(seqs: number[]): void {
    this.done.push(...seqs)
    this.wake.resolve()
  }

  /** Called after the last target. */
  end(): void {
    this.isOver = true
    this.wake.resolve()
  }

  async *items(): AsyncGenerator<Record<string, unknown>> {
    for (;;) {
      const targets = this.done.splice(0, targetsAtOnce)
      for (const target of targets) {
        for await (const body of itemBodies(this.store.db, this.runN, { target })) {
          yield JSON.parse(body)
        }
      }
      if (targets.length > 0) continue
      if (this.isOver) return
      await this.wake.promise
      this.wake = Promise.withResolvers()
    }
  }
}
