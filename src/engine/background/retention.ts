import { messageOf } from "../../base/error-message.ts"
import { dayMs, hourMs } from "../../base/time.ts"
import type { Config } from "../../config.ts"
import type { Store } from "../../store/store.ts"

/** After the start, when there is much else to do. */
const firstMs = 60_000
const leastRestMs = 5

/** Deletes, soon after the start and hour by hour, what is older than the operator wants it kept. */
export class Retention {
  private timer: ReturnType<typeof setTimeout>
  private stopped = false
  private sweeping = false

  constructor(
    private readonly store: Store,
    private readonly config: Pick<Config, "retentionDays" | "logRetentionDays">,
    private readonly onTrouble: (message: string) => void,
    { firstMs: delayMs = firstMs } = {},
  ) {
    this.timer = this.sweepAfter(delayMs)
  }

  private sweepAfter(delayMs: number): ReturnType<typeof setTimeout> {
    const timer = setTimeout(async () => {
      await this.sweep()
      if (!this.stopped) this.timer = this.sweepAfter(hourMs)
    }, delayMs)
    timer.unref()
    return timer
  }

  async sweep(): Promise<void> {
    if (this.sweeping) return
    this.sweeping = true
    const { retentionDays, logRetentionDays } = this.config
    try {
      await this.whole("runs.prune", retentionDays)
      await this.whole("log.prune", logRetentionDays)
    } catch (error) {
      this.onTrouble(`Old runs could not be deleted: ${messageOf(error)}`)
    } finally {
      this.sweeping = false
    }
  }

  private async whole(verb: "runs.prune" | "log.prune", days: number): Promise<void> {
    if (days === 0) return
    const before = new Date(Date.now() - days * dayMs).toISOString()
    await inParts(
      () => this.store.write(verb, { before }),
      () => this.stopped,
    )
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }
}

/**
 * Repeats a part of some work until there is none left. It rests as long as a part took, so that the
 * writer has half of its time for others, however slow the disk is.
 */
export async function inParts(
  part: () => Promise<boolean>,
  isStopped: () => boolean,
): Promise<void> {
  while (!isStopped()) {
    const started = performance.now()
    if (!(await part())) return
    await Bun.sleep(Math.max(leastRestMs, performance.now() - started))
  }
}
