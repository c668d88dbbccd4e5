import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Returns a folder with packages that only a benchmark needs, installed at its first run. */
export function rivals(
  name: string,
  packages: string[],
  /** Overridden versions of dependencies, for packages that do not install otherwise. */
  overrides: Record<string, string> = {},
): string {
  const folder = join(tmpdir(), `trawl-bench-${name}`)
  mkdirSync(folder, { recursive: true })
  if (
    packages.every((one) => existsSync(join(folder, "node_modules", one.replace(/(.)@.*$/, "$1"))))
  ) {
    return folder
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ overrides }))
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "add", ...packages], {
    cwd: folder,
    // Options for profiles would take the word after them as a script.
    env: { ...process.env, BUN_OPTIONS: "" },
  })
  if (exitCode !== 0) throw new Error(`could not install ${packages.join(", ")}: ${stderr}`)
  return folder
}

/**
 * Returns the proportional memory of processes and all their descendants in MB; 0 if /proc is
 * missing.
 */
export function proportionalMemory(pids: number[]): number {
  let kilobytes = 0
  for (const pid of descendants(pids)) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
    } catch {
      // The process ended meanwhile.
    }
  }
  return Math.round(kilobytes / 1024)
}

const scheduledRunsPerSecond = 100

/**
 * Returns the processor time of this process, and of others with all their descendants, in
 * milliseconds.
 */
export function processorTime(pids: number[]): number {
  const { user, system } = process.cpuUsage()
  let scheduledRuns = 0
  for (const pid of descendants(pids)) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")
      scheduledRuns += Number(fields[11]) + Number(fields[12])
    } catch {
      // The process ended meanwhile.
    }
  }
  return (user + system) / 1000 + (scheduledRuns / scheduledRunsPerSecond) * 1000
}

export function descendants(pids: number[]): number[] {
  const { stdout } = Bun.spawnSync(["ps", "-eo", "pid=,ppid="])
  const children = new Map<number, number[]>()
  for (const line of stdout.toString().split("\n")) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    if (pid === undefined || parent === undefined) continue
    children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  const all: number[] = []
  const open = [...pids]
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    all.push(pid)
    open.push(...(children.get(pid) ?? []))
  }
  return all
}
