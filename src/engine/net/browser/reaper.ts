import { readdirSync, readFileSync } from "node:fs"
import { openC } from "../../../base/c-library.ts"

const noHang = 1

type WaitPid = (pid: number, status: null, options: number) => number
let waitPid: WaitPid | null | undefined

/**
 * Reaps zombie processes that Chrome left behind. As the first process of a container we inherit
 * them and must do it ourselves; elsewhere init does.
 */
export function reapOrphans(): void {
  if (process.pid !== 1 || process.platform !== "linux") return
  waitPid ??= openWaitPid()
  if (!waitPid) return
  for (const pid of deadChromes()) waitPid(pid, null, noHang)
}

/** Without it, zombies stay until the container ends. */
function openWaitPid(): WaitPid | null {
  const library = openC({ waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" } })
  return (library?.waitpid as WaitPid | undefined) ?? null
}

/** Our zombie children that were Chrome; a `stat` reads "pid (name) state parent …". */
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
