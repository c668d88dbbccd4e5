/** Maximum stored lines, for administrators without access to the terminal. */
const maxLines = 5_000
const maxCharacters = 2_000_000
/** Maximum characters per stored line; the log itself has the whole line. */
const maxLine = 8_000
const ownCalls = /"path":"\/api\/admin\/v1\/log["?]/

export const logLevels = ["debug", "info", "warn", "error"] as const
type LogLevel = (typeof logLevels)[number]

export interface TailLine {
  /** Number of the line, counted from the start of the process. */
  id: number
  at: string
  level: string
  message: string
  /** Other fields of the line. */
  details: Record<string, unknown>
}

export interface TailOptions {
  level: LogLevel
  /** Text that the line must contain, ignoring case; "" for all lines. */
  text: string
  /** Only lines after this one. */
  after: number
  limit: number
}

/** The last lines of this process's log, up to a maximum size. */
export class LogTail {
  private lines: string[] = []
  /** Number of the first stored line. */
  private first = 1
  private characters = 0

  /** @param line JSON. */
  keep(line: string): void {
    // A console that shows the log would add a line with each poll.
    if (ownCalls.test(line)) return
    const stored = line.length > maxLine ? shortened(line) : line
    this.lines.push(stored)
    this.characters += stored.length
    if (this.lines.length > maxLines || this.characters > maxCharacters) this.drop()
  }

  /**
   * Drops a tenth of the lines at a time, because removing the first element moves the whole list.
   */
  private drop(): void {
    const gone = this.lines.splice(0, Math.ceil(this.lines.length / 10))
    this.characters -= gone.reduce((sum, { length }) => sum + length, 0)
    this.first += gone.length
  }

  /** Returns the newest matching lines, in order. */
  read({ level, text, after, limit }: TailOptions): TailLine[] {
    const words = text.toLowerCase()
    const min = logLevels.indexOf(level)
    const lines: TailLine[] = []
    const end = Math.max(0, after + 1 - this.first)
    for (let index = this.lines.length - 1; index >= end && lines.length < limit; index--) {
      const line = this.lines[index]!
      if (words && !line.toLowerCase().includes(words)) continue
      const read = lineOf(line, this.first + index)
      if (read && weight(read.level) >= min) lines.push(read)
    }
    return lines.reverse()
  }
}

/** Levels above error count as error. */
const weight = (level: string) =>
  level === "fatal" ? logLevels.length : logLevels.indexOf(level as LogLevel)

function lineOf(line: string, id: number): TailLine | undefined {
  try {
    const { level, time, msg, ...details } = JSON.parse(line) as Record<string, unknown>
    return { id, at: String(time), level: String(level), message: String(msg ?? ""), details }
  } catch {
    return undefined
  }
}

function shortened(line: string): string {
  const read = lineOf(line, 0)
  const msg = `${read?.message.slice(0, 1_000) ?? ""} (a line of ${line.length} characters)`
  return JSON.stringify({ level: read?.level ?? "info", time: read?.at, msg })
}
