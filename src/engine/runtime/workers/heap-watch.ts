import { fullGC } from "bun:jsc"
import { every, type Loop } from "../../../base/every.ts"
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

/** Milliseconds between two looks at a heap that many calls share, and bytes by which it may grow meanwhile. */
const sharedHeap = { ms: 30_000, growthBytes: 4 * 1024 * 1024 }

/**
 * Collects the main thread's garbage if its heap has grown, at most every 30 s: a collection takes some 20 ms, in
 * which no call is answered. The collector itself would wait until the heap has grown by half, and the memory
 * of such a peak is never fully returned, so that the process would grow for its first hour.
 */
export function watchMainHeap({
  ms = sharedHeap.ms,
  growthBytes = sharedHeap.growthBytes,
  bytes = heapBytes,
  collect = fullGC,
}: {
  ms?: number
  growthBytes?: number
  bytes?(): number
  collect?(): void
} = {}): Loop {
  let low = Number.POSITIVE_INFINITY
  const look = async () => {
    const used = bytes()
    if (used - low <= growthBytes) {
      low = Math.min(low, used)
      return
    }
    collect()
    low = bytes()
  }
  return every(ms, look, { onError: () => {} })
}
