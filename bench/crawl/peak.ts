import { readFileSync } from "node:fs"

/** Returns the maximum resident memory of this process so far, in MB. */
export function peakMemory(): number {
  try {
    const status = readFileSync("/proc/self/status", "utf8")
    return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)![1]) / 1024)
  } catch {
    return Math.round(process.memoryUsage().rss / 1024 / 1024)
  }
}

/**
 * Starts to measure processor time. The returned function returns the milliseconds of all threads
 * of this process since then.
 */
export function processorTime(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
