import { dlopen } from "bun:ffi"
import { readdirSync, readFileSync } from "node:fs"
import { getPriority } from "node:os"

/** Bytes of a CPU set, with up to 1,024 processors. */
const setSize = 128

/** Pins the calling thread to one processor: the first that it may use. Linux with glibc only. */
export function crowdOntoOneProcessor(): void {
  const { symbols } = dlopen("libc.so.6", {
    sched_getaffinity: { args: ["i32", "u64", "ptr"], returns: "i32" },
    sched_setaffinity: { args: ["i32", "u64", "ptr"], returns: "i32" },
  })
  const allowed = new Uint8Array(setSize)
  symbols.sched_getaffinity(0, setSize, allowed)
  const at = allowed.findIndex((byte) => byte !== 0)
  const first = new Uint8Array(setSize)
  first[at] = allowed[at]! & -allowed[at]!
  symbols.sched_setaffinity(0, setSize, first)
}

/**
 * Uses the processor for a time. Returns the processor time that low-priority threads got
 * meanwhile.
 */
export function burn(milliseconds: number): { ownMs: number; behindMs: number } {
  const start = process.threadCpuUsage()
  const behind = timeBehindMs()
  for (;;) {
    const { user, system } = process.threadCpuUsage(start)
    const ownMs = (user + system) / 1000
    if (ownMs >= milliseconds) return { ownMs, behindMs: timeBehindMs() - behind }
  }
}

/**
 * Returns the processor time of this process's threads with a lower priority than the calling one.
 */
function timeBehindMs(): number {
  const own = getPriority(0)
  let nanoseconds = 0
  for (const id of readdirSync("/proc/self/task")) {
    try {
      const folder = `/proc/self/task/${id}`
      const afterName = readFileSync(`${folder}/stat`, "utf8").split(") ").at(-1)!
      const [used] = readFileSync(`${folder}/schedstat`, "utf8").split(" ")
      if (Number(afterName.split(" ")[16]) > own) nanoseconds += Number(used)
    } catch {
      // It has just ended.
    }
  }
  return nanoseconds / 1e6
}
