/** Counts the messages between this process and its Chromes, in both directions. */
import { Connection } from "puppeteer-core/internal/cdp/Connection.js"

let messages = 0

type Method = (this: unknown, ...args: unknown[]) => unknown

function counted(name: "_rawSend" | "onMessage"): void {
  const prototype = Connection.prototype as unknown as Record<string, Method>
  const method = prototype[name]!
  prototype[name] = function (...args) {
    messages++
    return method.apply(this, args)
  }
}

counted("_rawSend")
counted("onMessage")

/** Starts counting. The returned function returns the number of messages since then. */
export function countMessages(): () => number {
  const before = messages
  return () => messages - before
}
