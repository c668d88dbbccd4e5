import { readFileSync, readlinkSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"

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

/**
 * Of a processor that two such threads and another want, the other has 88 %: a fourteenth of the
 * weight each, as Linux has it.
 */
const stepsBack = 12

/** The calling thread stands back where others want the processor; elsewhere it would be the process. */
export function standBack(): void {
  if (process.platform !== "linux") return
  try {
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + stepsBack))
  } catch {
    // Not allowed here: then all are alike.
  }
}
