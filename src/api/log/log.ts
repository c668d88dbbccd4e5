import pino, { type Logger } from "pino"
import type { Config } from "../../config/config.ts"
import { LogPipe } from "./log-pipe.ts"
import { LogTail } from "./log-tail.ts"

export type { Logger }

/** Maximum characters buffered before a write. */
const heldCharacters = 65_536
const heldMs = 250
/** Milliseconds to write the buffer at the end. */
const flushMs = 500

/** Buffers lines, because a write per line would cost more than the request that it logs. */
class LineBuffer {
  private held = ""
  private lines = 0
  private readonly pipe: LogPipe

  constructor(
    private readonly words: (line: string) => string,
    private readonly tail: LogTail,
  ) {
    this.pipe = new LogPipe({ words })
  }

  write(line: string): void {
    this.tail.keep(line)
    this.held += this.words(line)
    this.lines++
    if (this.held.length >= heldCharacters) this.send()
  }

  send(): void {
    if (this.held !== "") this.pipe.write(this.held, this.lines)
    this.held = ""
    this.lines = 0
  }

  flush(): Promise<void> {
    this.send()
    return this.pipe.flushed(flushMs)
  }
}

/**
 * Writes JSON lines to stderr, or each as formatted by `words`. `flush` writes the buffer before
 * the process ends; `tail` has the last lines.
 */
export function createLog(
  config: Pick<Config, "logLevel">,
  words = (line: string) => line,
): { log: Logger; tail: LogTail; flush(): Promise<void> } {
  const tail = new LogTail()
  const lines = new LineBuffer(words, tail)
  setInterval(() => lines.send(), heldMs).unref()
  const options = {
    level: config.logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
  }
  return { log: pino(options, lines), tail, flush: () => lines.flush() }
}

/**
 * Logs at level info in pino's format. Pino assembles a line of ten fields from forty strings,
 * which costs as much per call as reading a run from the store.
 */
export function logInfo(log: Logger, fields: object, msg: string): void {
  if (!log.isLevelEnabled("info")) return
  const line = JSON.stringify({ level: "info", time: new Date().toISOString(), ...fields, msg })
  const lines = log as unknown as Record<symbol, { write(line: string): void }>
  lines[pino.symbols.streamSym]!.write(`${line}\n`)
}
