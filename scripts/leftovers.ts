import { existsSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename } from "node:path"

/**
 * Returns what a test run left, one line each: processes whose environment or command line names
 * its temporary folder (found on Linux only), and new folders of Trawl or Chrome in that folder and
 * in the system's.
 *
 * @param temporary The folder that the run's processes had as `TMPDIR`.
 * @param before Names in the system's temporary folder before the run.
 */
export function leftovers(temporary: string, before: ReadonlySet<string>): string[] {
  const own = existsSync(temporary) ? readdirSync(temporary) : []
  const others = readdirSync(tmpdir()).filter((name) => !before.has(name))
  const folders = [...own, ...others].filter(
    (name) => ofTests.test(name) && name !== basename(temporary),
  )
  const processes = processesOf(temporary).map((line) => `process ${line}`)
  return [...processes, ...folders.map((name) => `folder ${name}`)]
}

const ofTests = /^(?:trawl-|tv-|ts-|puppeteer_|\.?org\.chromium)/

/**
 * Returns what is left after `milliseconds`: child processes may end a moment after their parent.
 */
export async function leftoversAfter(
  milliseconds: number,
  temporary: string,
  before: ReadonlySet<string>,
): Promise<string[]> {
  for (const end = Date.now() + milliseconds; ; await Bun.sleep(100)) {
    const left = leftovers(temporary, before)
    if (left.length === 0 || Date.now() > end) return left
  }
}

/** Returns the processes whose environment or command line names a folder; none except on Linux. */
export function processesOf(temporary: string): string[] {
  if (process.platform !== "linux") return []
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")
      const belongs =
        command.includes(temporary) || read(`/proc/${pid}/environ`).includes(temporary)
      // A process that has ended and waits for its parent has no command line.
      return belongs && command ? [`${pid} ${command.slice(0, 160)}`] : []
    })
}

/** Returns "" for a process that ended meanwhile or that belongs to another user. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
