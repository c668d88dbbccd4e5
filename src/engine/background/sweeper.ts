import { dayMs } from "../../base/time.ts"
import type { Store } from "../../store/store.ts"
import type { PlannedRuns } from "../run/planned-runs.ts"
import { inParts } from "./retention.ts"

const everyMs = 60_000

/** In the background: starts promised runs that are still due, removes what was deleted or is old. */
export class Sweeper {
  private timer?: ReturnType<typeof setTimeout>
  private sweeping: Promise<void> = Promise.resolve()
  private stopped = false

  constructor(
    private readonly parts: {
      store: Store
      plans: PlannedRuns
      onTrouble(message: string): void
    },
  ) {}

  /** The first look is at once: an earlier process may have left something behind. */
  start(delayMs = 0): void {
    this.timer = setTimeout(() => {
      this.sweeping = this.look().finally(() => {
        if (!this.stopped) this.start(everyMs)
      })
    }, delayMs)
  }

  private async look(): Promise<void> {
    const { plans, onTrouble } = this.parts
    await plans
      .recover()
      .catch((error) => onTrouble(`A promised run could not be started: ${error}`))
    await this.sweep().catch((error) => onTrouble(`Old rows could not be removed: ${error}`))
  }

  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.sweeping
  }

  async sweep(now = new Date()): Promise<void> {
    const before = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
    const times = { now: before(0), dayAgo: before(1), monthAgo: before(30) }
    await inParts(
      () => this.parts.store.write("trash.sweep", times),
      () => this.stopped,
    )
  }
}
