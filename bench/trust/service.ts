import { readdirSync, readFileSync } from "node:fs"
import { trawlCommand } from "../../test/trawl.ts"

/** A service as a separate process, with its processor time. */
export interface Watched {
  root: string
  pid: number
  /** Milliseconds until it listened. */
  startMs: number
  /** Milliseconds of processor time of all its threads. */
  cpuMs(): number
  end(signal?: NodeJS.Signals): Promise<number>
}

/**
 * Starts a service on a data folder, and measures the elapsed and the processor time until it
 * listens.
 */
export async function startService(
  dataDir: string,
  settings: Record<string, string> = {},
  /** A program that runs the service: its arguments are followed by the service's command. */
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
  // A benchmark that is stopped stops its service, too.
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

/** A wrapper does not stop its child, so this returns the last process that it started. */
function lastOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
  return children === "" ? pid : lastOf(Number.parseInt(children, 10))
}

/** Returns the processor time of all current threads, as exactly as the kernel counts. */
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

/** Returns the given quantile of a list. */
export function quantile(list: readonly number[], part: number): number {
  const sorted = list.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
