import * as jsc from "bun:jsc"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { threadId } from "node:worker_threads"
import { profileFolderVariable, type ThreadProfile } from "./profile.ts"

/**
 * Loaded before every program that `bun run bench --profile` starts, and before each of its
 * threads. Samples the thread's functions, and writes the counts to a file once a second.
 */
const everyMs = 1000
/** Script of the process, for its threads. */
const programVariable = "BENCH_PROFILE_PROGRAM"

/** The types do not include the second method. */
const { startSamplingProfiler, samplingProfilerStackTraces } = jsc as typeof jsc & {
  samplingProfilerStackTraces(): { traces: Trace[] }
}

interface Trace {
  frames: { name: string; sourceURL: string; category: string }[]
}

const root = join(import.meta.dir, "..")

function sample(folder: string): void {
  const profile: ThreadProfile = {
    program: nameOf(process.env[programVariable] ?? Bun.main),
    script: threadId === 0 ? "main" : nameOf(Bun.main),
    thread: threadId,
    samples: 0,
    self: {},
    whole: {},
    tiers: {},
  }
  startSamplingProfiler()
  const path = join(folder, `${process.pid}-${threadId}.json`)
  const add = (counts: Record<string, number>, key: string) => {
    counts[key] = (counts[key] ?? 0) + 1
  }
  const collect = () => {
    const { traces } = samplingProfilerStackTraces()
    for (const { frames } of traces) {
      const names = frames.map(({ name, sourceURL }) =>
        `${name || "(anonymous)"} ${placeOf(sourceURL)}`.trim(),
      )
      if (names.length === 0 || names.some((name) => name.includes("profile-thread"))) continue
      profile.samples++
      add(profile.self, names[0]!)
      add(profile.tiers, frames[0]!.category)
      for (const name of new Set(names)) add(profile.whole, name)
    }
    writeFileSync(path, JSON.stringify(profile))
  }
  setInterval(collect, everyMs).unref()
}

const nameOf = (path: string) => path.replace("file://", "").replace(`${root}/`, "")

const placeOf = (url = "") => nameOf(url).replace(/.*node_modules\//, "")

/** Makes all threads load this file as well. */
function followThreads(): void {
  const Native = globalThis.Worker
  globalThis.Worker = class extends Native {
    constructor(url: string | URL, options: WorkerOptions = {}) {
      const env = { ...process.env, [programVariable]: process.env[programVariable] ?? Bun.main }
      super(url, { ...options, env, preload: [import.meta.path] } as WorkerOptions)
    }
  }
}

const folder = process.env[profileFolderVariable]
if (folder) {
  mkdirSync(folder, { recursive: true })
  sample(folder)
  followThreads()
}
