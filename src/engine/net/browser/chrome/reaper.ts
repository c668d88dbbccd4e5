import { readdirSync, readFileSync } from "node:fs"
import { openC } from "../../../../base/c-library.ts"

const noHang = 1

type WaitPid = (pid: number, status: null, options: number) => number
let waitPid: WaitPid | null | undefined

/**
 * Reaps zombie processes that Chrome left behind. The first process of a container inherits them;
 * elsewhere, init reaps them.
 */
export function reapOrphans(): void {
  if (process.pid !== 1 || process.platform !== "linux") return
  waitPid ??= openWaitPid()
  if (!waitPid) return
  for (const pid of deadChromes()) waitPid(pid, null, noHang)
}

/** Without waitpid, zombies stay until the container ends. */
function openWaitPid(): WaitPid | null {
  const library = openC({ waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" } })
  return (library?.waitpid as WaitPid | undefined) ?? null
}

/** Zombie children that were Chrome; `stat` has the format "pid (name) state parent …". */
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
