import pino, { type Logger } from "pino"
import type { Config } from "../config.ts"

export type { Logger }

/** Lines are held back until there are so many bytes of them, or for so long. */
const heldBytes = 4096
const heldMs = 250

/** JSON lines on stderr, written in the background, many at once when there are many. */
export function createLog(config: Pick<Config, "logLevel">): { log: Logger; flush(): void } {
  const stream = pino.destination({ dest: 2, sync: false, minLength: heldBytes })
  setInterval(() => stream.flush(), heldMs).unref()
  const options = {
    level: config.logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
  }
  return { log: pino(options, stream), flush: () => stream.flushSync() }
}

const secretPath = /^(\/api\/(?:agent\/claim|results)\/)[^/?]+/
const secretParameter = /([?&](?:token|claim)=)[^&#]*/g

/** A call's path and query as they may be logged: without keys and tokens. */
export function loggedPath(url: string): string {
  const path = url.slice(url.indexOf("/", url.indexOf("//") + 2))
  return path.replace(secretPath, "$1…").replace(secretParameter, "$1…")
}
