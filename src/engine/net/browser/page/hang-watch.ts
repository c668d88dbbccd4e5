import type { CDPSession } from "puppeteer-core"

const beats = 10

/**
 * Calls `onHang` when a page's event loop hangs for too long. It counts ticks of its own timer, so
 * that time in which this thread was blocked does not count against the page.
 */
export function watchTurns(cdp: CDPSession, limitMs: number, onHang: () => void): () => void {
  let silent = 0
  const turned = () => {
    silent = 0
  }
  const timer = setInterval(() => {
    if (silent++ >= beats) {
      clearInterval(timer)
      onHang()
    } else {
      // A page that is navigating rejects the call, so it is alive.
      cdp.send("Runtime.evaluate", { expression: "0" }).then(turned, turned)
    }
  }, limitMs / beats)
  timer.unref?.()
  return () => clearInterval(timer)
}
