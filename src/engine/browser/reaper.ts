import { dlopen } from "bun:ffi"
import { readdirSync, readFileSync } from "node:fs"

const noHang = 1
/** The C library by its names with glibc and musl. */
const libraries = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"]

type WaitPid = (pid: number, status: null, options: number) => number
let waitPid: WaitPid | null | undefined

/**
 * Takes leave of dead processes that Chrome left behind. As the first process of a container we
 * inherit them, and nobody else does it; elsewhere the system's own first process does.
 */
export function reapOrphans(): void {
  if (process.pid !== 1 || process.platform !== "linux") return
  waitPid ??= openWaitPid()
  if (!waitPid) return
  for (const pid of deadChromes()) waitPid(pid, null, noHang)
}

function openWaitPid(): WaitPid | null {
  for (const library of libraries) {
    try {
      const { symbols } = dlopen(library, {
        waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
      })
      return symbols.waitpid as WaitPid
    } catch {
      // The next name, or none: then the dead stay until the container ends.
    }
  }
  return null
}

/** Dead children of ours whose name is Chrome's; a `stat` reads "pid (name) state parent …". */
function deadChromes(): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8")
      return /^\d+ \((?:chrom|headless_shell)[^)]*\) Z 1 /.test(stat) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
