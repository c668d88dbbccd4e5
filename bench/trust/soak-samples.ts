import { readdirSync, readFileSync, statSync } from "node:fs"
import { databasePath } from "../../src/store/store.ts"

export interface Sample {
  minute: number
  /** Resident memory of the process without Chrome, in MB. */
  memory: number
  descriptors: number
  threads: number
  /** Number of files in the given folders. */
  files: number
  /** Size of the database's log, in MB. */
  log: number
}

/** Measures a process from outside. */
export function sample(
  pid: number,
  { minute, dataDir, folders }: { minute: number; dataDir: string; folders: readonly string[] },
): Sample {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const numberOf = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)![1])
  const log = statSync(`${databasePath(dataDir)}-wal`, { throwIfNoEntry: false })
  return {
    minute,
    memory: numberOf("VmRSS") / 1000,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: numberOf("Threads"),
    files: folders.reduce((sum, folder) => sum + filesIn(folder), 0),
    log: (log?.size ?? 0) / 1e6,
  }
}

/** Chrome's files come and go during the count. */
function filesIn(folder: string): number {
  let count = 0
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      count += entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : 1
    }
  } catch {
    // The folder was deleted meanwhile.
  }
  return count
}

export interface Growth {
  medians: number[]
  perHour: number
}

/** Returns medians of consecutive time spans, and their growth an hour by least squares. */
export function growth(
  samples: readonly Sample[],
  spanMinutes: number,
  of: (sample: Sample) => number,
): Growth {
  const first = samples[0]?.minute ?? 0
  const spans = [
    ...Map.groupBy(samples, ({ minute }) => Math.floor((minute - first) / spanMinutes)),
  ].map(([span, list]) => ({ at: span * spanMinutes, value: median(list.map(of)) }))
  const x = mean(spans.map(({ at }) => at))
  const y = mean(spans.map(({ value }) => value))
  const above = spans.reduce((sum, { at, value }) => sum + (at - x) * (value - y), 0)
  const below = spans.reduce((sum, { at }) => sum + (at - x) ** 2, 0)
  return { medians: spans.map(({ value }) => value), perHour: (60 * above) / below }
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
