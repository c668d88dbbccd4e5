import { every, type Loop } from "../../base/every.ts"
import { type DiskError, diskIssueWords } from "../db/disk/disk-error.ts"

/** Interval for testing a database that cannot be written. Waiting runs test it more often. */
const tryMs = 2_500

/**
 * Reports to the operator whether changes can be made: once when they start to fail, and once when
 * they have succeeded again for a while.
 */
export class WriterWatch {
  private failing?: { issue: DiskError; since: number; last: number }
  private loop?: Loop

  constructor(
    private readonly parts: {
      /** Executes a command that changes nothing. */
      probe(): Promise<unknown>
      report(level: "error" | "info", message: string): void
    },
    private readonly everyMs = tryMs,
  ) {}

  /** The reason why changes fail; undefined while they succeed. */
  get issue(): DiskError | undefined {
    return this.failing?.issue
  }

  /** Reports a failed change. */
  failed(issue: DiskError): void {
    const now = performance.now()
    if (this.failing) {
      this.failing.last = now
      return
    }
    this.failing = { issue, since: now, last: now }
    this.parts.report(
      "error",
      `The database cannot be written: ${diskIssueWords[issue]}. Runs wait, and calls that change data are refused.`,
    )
    this.loop = every(this.everyMs, () => this.poll(), { onError() {} })
  }

  private async poll(): Promise<void> {
    const requested = performance.now()
    const wrote = await this.parts.probe().then(
      () => true,
      () => false,
    )
    const { failing } = this
    // A small change may still fit where larger ones fail.
    if (!failing || !wrote || failing.last > requested - 2 * this.everyMs) return
    const seconds = Math.round((performance.now() - failing.since) / 1000)
    this.stop()
    this.parts.report("info", `The database can be written again, after ${seconds} s.`)
  }

  stop(): void {
    void this.loop?.stop()
    this.failing = undefined
  }
}
