import { readFileSync, readlinkSync } from "node:fs"
import { constants, setPriority } from "node:os"

/** The system's number of the thread that calls; null where it has no name for its threads. */
export function threadId(): number | null {
  if (process.platform !== "linux") return null
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1))
  } catch {
    return null
  }
}

/**
 * Milliseconds for which a thread of this process has had the processor. Where the system does not
 * tell, those of the whole process: a thread has had no more.
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

/** The calling thread stands back where others want the processor; elsewhere it would be the process. */
export function standBack(): void {
  if (process.platform !== "linux") return
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not allowed here: then all are alike.
  }
}
