import { itemBodies } from "../../store/runs/items.ts"
import type { Store } from "../../store/store.ts"

const targetsAtOnce = 100

/**
 * The items of targets that are done, as they come. They are read from the store, so that no more of
 * them is held than is being written.
 */
export class ItemStream {
  private isOver = false
  private wake = Promise.withResolvers<void>()

  /** @param done Targets that were done before, by their places in the run. */
  constructor(
    private readonly store: Pick<Store, "db">,
    private readonly runN: number,
    private readonly done: number[],
  ) {}

  /** Further targets are done. */
  add(seqs: number[]): void {
    this.done.push(...seqs)
    this.wake.resolve()
  }

  /** No target comes any more. */
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
