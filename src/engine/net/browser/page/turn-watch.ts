import type { CDPSession } from "puppeteer-core"

const beats = 10

/**
 * Calls `onHang` when a page's event loop hangs for too long. Counted in beats of our own timer, so
 * that time in which this thread itself was blocked is not held against the page.
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
      // A page on its way to another one refuses, and that is a sign of life.
      cdp.send("Runtime.evaluate", { expression: "0" }).then(turned, turned)
    }
  }, limitMs / beats)
  timer.unref?.()
  return () => clearInterval(timer)
}
