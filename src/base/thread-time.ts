import { readFileSync, readlinkSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"

/** Returns the system's ID of the calling thread; null if it has none. */
export function threadId(): number | null {
  if (process.platform !== "linux") return null
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1))
  } catch {
    return null
  }
}

/**
 * Returns the CPU time of a thread of this process in milliseconds. If the system does not report it,
 * that of the whole process, which is an upper bound.
 */
export function threadTimeMs(id: number | null): number {
  if (id !== null) {
    try {
      const [nanoseconds] = readFileSync(`/proc/self/task/${id}/schedstat`, "utf8").split(" ")
      return Number(nanoseconds) / 1e6
    } catch {
      // A kernel without the statistics, or a thread that has ended.
    }
  }
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Nice value for which a normal thread gets 88 % of a processor shared with two such threads: each
 * has a fourteenth of its weight on Linux.
 */
const stepsBack = 12

/** Lowers the priority of the calling thread, if the system can do that for a single thread. */
export function lowerPriority(): void {
  if (process.platform !== "linux") return
  try {
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + stepsBack))
  } catch {
    // Not allowed here: then all are alike.
  }
}
