import { getPriority, setPriority } from "node:os"

/**
 * Lets the thread that answers calls go first where processors are short: this one takes what is
 * left. Linux alone has priorities of threads; elsewhere it would be that of the process.
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
