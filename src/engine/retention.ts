import type { Config } from "../config.ts"
import type { Store } from "../store/store.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Between two slices, so that other changes are not held up. */
const breathMs = 50

/** Deletes, hour by hour, what is older than the operator wants it kept. */
export class Retention {
  private readonly timer: ReturnType<typeof setInterval>
  private stopped = false
  private sweeping = false

  constructor(
    private readonly store: Store,
    private readonly config: Pick<Config, "retentionDays" | "logRetentionDays">,
    private readonly onTrouble: (message: string) => void,
  ) {
    this.timer = setInterval(() => void this.sweep(), hourMs)
    this.timer.unref()
  }

  async sweep(): Promise<void> {
    if (this.sweeping) return
    this.sweeping = true
    const { retentionDays, logRetentionDays } = this.config
    try {
      await this.whole("runs.prune", retentionDays)
      await this.whole("log.prune", logRetentionDays)
    } catch (error) {
      this.onTrouble(`Old runs could not be deleted: ${(error as Error).message}`)
    } finally {
      this.sweeping = false
    }
  }

  private async whole(verb: "runs.prune" | "log.prune", days: number): Promise<void> {
    if (days === 0) return
    const before = new Date(Date.now() - days * dayMs).toISOString()
    while (!this.stopped && (await this.store.write(verb, { before }))) await Bun.sleep(breathMs)
  }

  stop(): void {
    this.stopped = true
    clearInterval(this.timer)
  }
}
