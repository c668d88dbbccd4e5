import { fullGC } from "bun:jsc"
import { heapBytes } from "../../../base/process-usage.ts"

const lookMs = 50
/** Bytes by which the heap may grow before it is collected. */
const growthBytes = 12 * 1024 * 1024

/**
 * Runs the garbage collector after this thread's heap has grown by a fixed amount: parsed pages
 * produce much garbage, which would pile up on a machine with plenty of memory. (`Bun.gc` takes
 * three times as long, because it also drops compiled code.) Returns a function that stops it.
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
