import { getPriority, setPriority } from "node:os"

/**
 * Lowers this thread's priority, so that the main thread comes first if processors are scarce. Only
 * Linux has priorities of threads; elsewhere it would apply to the process.
 */
export function goSecond(): void {
  if (process.platform !== "linux") return
  try {
    setPriority(0, Math.min(19, getPriority(0) + niceness))
  } catch {
    // It is only slower.
  }
}

const niceness = 10
