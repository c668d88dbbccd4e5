import { writeSync } from "node:fs"
import pino, { type Logger } from "pino"
import type { Config } from "../config.ts"

export type { Logger }

/** Lines are held back until there are so many characters of them, or for so long. */
const heldCharacters = 65_536
const heldMs = 250
const stderr = 2

/** Writes many lines at once: a write for each would cost more than the calls that they tell of. */
class LineBuffer {
  private held = ""

  constructor(private readonly words: (line: string) => string) {}

  write(line: string): void {
    this.held += this.words(line)
    if (this.held.length >= heldCharacters) this.flush()
  }

  flush(): void {
    let rest: Uint8Array = Buffer.from(this.held)
    this.held = ""
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(stderr, rest))
      } catch (error) {
        // Nobody reads any more: the service goes on without its log.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return
        Bun.sleepSync(1)
      }
    }
  }
}

/**
 * JSON lines on stderr, or what `words` makes of each. `flush` writes what is held back, before the
 * process ends.
 */
export function createLog(
  config: Pick<Config, "logLevel">,
  words = (line: string) => line,
): { log: Logger; flush(): void } {
  const lines = new LineBuffer(words)
  setInterval(() => lines.flush(), heldMs).unref()
  const options = {
    level: config.logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
  }
  return { log: pino(options, lines), flush: () => lines.flush() }
}
