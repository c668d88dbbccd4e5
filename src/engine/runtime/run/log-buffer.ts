import type { NewLogLine } from "../../../store/runs/run-log.ts"
import type { LogLine } from "./checkpoints.ts"

const flushMs = 200
/** Maximum log lines per attempt at a run. */
const maxLines = 10_000
const maxLineChars = 2_000

/** Buffers a run's log lines, and passes them on a few times a second. */
export class LogBuffer {
  private lines: NewLogLine[] = []
  private count = 0
  private waits?: string
  private timer?: ReturnType<typeof setTimeout>

  /** `waits`: the reason for waiting, from the last line with one. */
  constructor(
    private readonly pass: (lines: NewLogLine[], waits: string | undefined) => Promise<void>,
  ) {}

  add({ at, level, message, waits }: LogLine): void {
    if (waits) this.waits = message.slice(0, maxLineChars)
    if (++this.count > maxLines) return
    const text =
      this.count === maxLines
        ? "The log ends here, because it has reached its maximum length."
        : message.length > maxLineChars
          ? `${message.slice(0, maxLineChars)} …`
          : message
    this.lines.push({ at: new Date(at).toISOString(), level, message: text })
    this.timer ??= setTimeout(() => void this.flush(), flushMs)
  }

  /** A log that cannot be stored does not end its run. */
  async flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const { lines, waits } = this
    this.lines = []
    this.waits = undefined
    if (lines.length > 0) await this.pass(lines, waits).catch(() => {})
  }
}
