import type { NewLogLine } from "../../../store/runs/run-log.ts"
import type { LogLine } from "./checkpoints.ts"

const flushMs = 200
/** Lines that one attempt at a run may write. */
const maxLines = 10_000
const maxLineChars = 2_000

/** Gathers a run's log lines, and passes them on a few times a second. */
export class LogBuffer {
  private lines: NewLogLine[] = []
  private count = 0
  private waits?: string
  private timer?: ReturnType<typeof setTimeout>

  /** `waits`: for what, as the last of the lines that say so. */
  constructor(
    private readonly pass: (lines: NewLogLine[], waits: string | undefined) => Promise<void>,
  ) {}

  add({ at, level, message, waits }: LogLine): void {
    if (waits) this.waits = message.slice(0, maxLineChars)
    if (++this.count > maxLines) return
    const text =
      this.count === maxLines
        ? "The log ends here: it is too long."
        : message.length > maxLineChars
          ? `${message.slice(0, maxLineChars)} …`
          : message
    this.lines.push({ at: new Date(at).toISOString(), level, message: text })
    this.timer ??= setTimeout(() => void this.flush(), flushMs)
  }

  /** A log that cannot be kept does not end its run. */
  async flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const { lines, waits } = this
    this.lines = []
    this.waits = undefined
    if (lines.length > 0) await this.pass(lines, waits).catch(() => {})
  }
}
