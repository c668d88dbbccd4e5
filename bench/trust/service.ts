import { readdirSync, readFileSync } from "node:fs"
import { trawlCommand } from "../../test/trawl.ts"

/** A service that is asked from outside, and what it took of the processor. */
export interface Watched {
  root: string
  pid: number
  /** Milliseconds until it said that it listens. */
  startMs: number
  /** Milliseconds of the processor, of all its threads. */
  cpuMs(): number
  end(signal?: NodeJS.Signals): Promise<number>
}

/** Starts a service on a data folder; the time and the processor's until it listens are counted. */
export async function startService(
  dataDir: string,
  settings: Record<string, string> = {},
  /** A program that runs it, which takes the command behind its own words. */
  by: readonly string[] = [],
): Promise<Watched> {
  const began = performance.now()
  const child = Bun.spawn([...by, ...trawlCommand, "serve"], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: dataDir,
      TRAWL_DATA_DIR: dataDir,
      TRAWL_PORT: "0",
      TRAWL_RATE_LIMIT: "0",
      ...settings,
    },
    stdout: "ignore",
    stderr: "pipe",
  })
  const listening = Promise.withResolvers<string>()
  void (async () => {
    let text = ""
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
      if (text.length < 20_000) text += chunk
      const found = /"url":"([^"]+)"/.exec(text)
      if (found) listening.resolve(found[1]!)
    }
    listening.reject(new Error(`The service ended: ${text}`))
  })()
  const root = await listening.promise
  const startMs = performance.now() - began
  const pid = lastOf(child.pid)
  // A benchmark that is stopped takes its service with it.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))
  process.once("exit", () => {
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      // It has ended.
    }
  })
  return {
    root,
    pid,
    startMs,
    cpuMs: () => cpuMsOf(pid),
    async end(signal = "SIGTERM") {
      process.kill(pid, signal)
      return child.exited
    },
  }
}

/** A program that runs another does not end it with itself: the last of those that it started. */
function lastOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
  return children === "" ? pid : lastOf(Number.parseInt(children, 10))
}

/** Of all threads that are there, as exactly as the kernel counts. */
export function cpuMsOf(pid: number): number {
  let nanoseconds = 0
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(
        readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0],
      )
    } catch {
      // A thread that has just ended.
    }
  }
  return nanoseconds / 1e6
}

/** The value that so much of a list is not above. */
export function quantile(list: readonly number[], part: number): number {
  const sorted = list.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
