import { readFileSync } from "node:fs"

/** The most memory (resident) that this process has had so far, in MB. */
export function peakMemory(): number {
  try {
    const status = readFileSync("/proc/self/status", "utf8")
    return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)![1]) / 1024)
  } catch {
    return Math.round(process.memoryUsage().rss / 1024 / 1024)
  }
}

/** Milliseconds of processor time that all threads of this process take from now on. */
export function processorTime(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
