/** Maximum stored lines, for administrators without access to the terminal. */
const maxLines = 5_000
const maxCharacters = 2_000_000
/** Of one line; the rest of it is in the log itself. */
const maxLine = 8_000
const ownCalls = /"path":"\/api\/admin\/v1\/log["?]/

export const logLevels = ["debug", "info", "warn", "error"] as const
type LogLevel = (typeof logLevels)[number]

export interface TailLine {
  /** Grows from line to line, from the start of the process. */
  id: number
  at: string
  level: string
  message: string
  /** What else the line says. */
  details: Record<string, unknown>
}

export interface TailOptions {
  level: LogLevel
  /** Words that the line holds, in any case; "" for all. */
  text: string
  /** Only lines behind this one. */
  after: number
  limit: number
}

/** The last lines of the log of this process: as many as have room. */
export class LogTail {
  private lines: string[] = []
  /** Of the first line that is kept. */
  private first = 1
  private characters = 0

  /** @param line JSON. */
  keep(line: string): void {
    // A console that shows the log would add a line with each look.
    if (ownCalls.test(line)) return
    const stored = line.length > maxLine ? shortened(line) : line
    this.lines.push(stored)
    this.characters += stored.length
    if (this.lines.length > maxLines || this.characters > maxCharacters) this.drop()
  }

  /** A tenth at a time: a list that loses its head line by line is moved as a whole each time. */
  private drop(): void {
    const gone = this.lines.splice(0, Math.ceil(this.lines.length / 10))
    this.characters -= gone.reduce((sum, { length }) => sum + length, 0)
    this.first += gone.length
  }

  /** The newest of the lines that fit, in their order. */
  read({ level, text, after, limit }: TailOptions): TailLine[] {
    const words = text.toLowerCase()
    const least = logLevels.indexOf(level)
    const found: TailLine[] = []
    const end = Math.max(0, after + 1 - this.first)
    for (let index = this.lines.length - 1; index >= end && found.length < limit; index--) {
      const line = this.lines[index]!
      if (words && !line.toLowerCase().includes(words)) continue
      const read = lineOf(line, this.first + index)
      if (read && weight(read.level) >= least) found.push(read)
    }
    return found.reverse()
  }
}

/** What is worse than an error counts as one. */
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
