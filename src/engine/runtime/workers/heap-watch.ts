import { fullGC } from "bun:jsc"
import { heapBytes } from "../../../base/process-usage.ts"

const lookMs = 50
/** Bytes by which the heap may grow before it is collected. */
const growthBytes = 12 * 1024 * 1024

/**
 * Calls the collector once this thread's heap has grown by a fixed amount: parsed pages make much
 * garbage, and on a machine with plenty of memory the collector would let it pile up. (`Bun.gc` takes
 * three times as long: it throws away compiled code, too.) Returns a function that stops it.
 */
export function watchHeap(): () => void {
  let low = heapBytes()
  const timer = setInterval(() => {
    const used = heapBytes()
    if (used - low > growthBytes) {
      fullGC()
      low = heapBytes()
    } else low = Math.min(low, used)
  }, lookMs)
  return () => clearInterval(timer)
}
