import { readdirSync, readFileSync } from "node:fs"

/** Last known value: without a free descriptor, the runtime cannot read the memory and throws. */
let resident = 0
let heap = 0

/** Returns the memory of the process in bytes; the last known if it cannot be read now. */
export function residentBytes(): number {
  try {
    resident = process.memoryUsage.rss()
  } catch {}
  return resident
}

/** Returns the used heap of this thread in bytes; the last known if it cannot be read now. */
export function heapBytes(): number {
  try {
    heap = process.memoryUsage().heapUsed
  } catch {}
  return heap
}

export interface Descriptors {
  open: number
  /** Maximum open descriptors of the process. */
  max: number
}

/** Returns the file descriptors of the process; undefined on systems other than Linux. */
export function descriptors(): Descriptors | undefined {
  try {
    const open = readdirSync("/proc/self/fd").length
    const max = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]
    return max === undefined ? undefined : { open, max: Number(max) }
  } catch (error) {
    const isFull = (error as { code?: string }).code === "EMFILE"
    return isFull ? { open: Number.POSITIVE_INFINITY, max: Number.POSITIVE_INFINITY } : undefined
  }
}

/** Returns the processor time of the process in seconds. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
