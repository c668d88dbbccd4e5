import { readFileSync } from "node:fs"
import type { CDPSession } from "puppeteer-core"

const everyMs = 500
/** A Chrome that has no time to name its processes is asked again at the next turn. */
const responseMs = 2000
/** A crash this soon after the process was ended is its effect: a busy Chrome reports it late. */
const sameMomentMs = 10_000

export interface RendererWatchOptions {
  /** To the browser as a whole. */
  cdp: CDPSession
  limitBytes: number
  /** Whether any page is open; without one, nothing is looked at. */
  isBusy(): boolean
}

/** Ends the processes of pages that take too much memory. Only Linux reports it. */
export class RendererWatch {
  private readonly timer: ReturnType<typeof setInterval>
  private isLooking = false
  private endedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly options: RendererWatchOptions) {
    this.timer = setInterval(() => void this.look(), everyMs)
    this.timer.unref?.()
  }

  /** Whether a page that just crashed did so for its memory. */
  get hasJustEnded(): boolean {
    return performance.now() - this.endedAt < sameMomentMs
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private async look(): Promise<void> {
    if (this.isLooking || !this.options.isBusy()) return
    this.isLooking = true
    for (const pid of await this.renderers()) {
      if (residentBytes(pid) > this.options.limitBytes) this.end(pid)
    }
    this.isLooking = false
  }

  private async renderers(): Promise<number[]> {
    const processes = this.options.cdp.send("SystemInfo.getProcessInfo").then(
      ({ processInfo }) => processInfo.filter(({ type }) => type === "renderer"),
      () => [],
    )
    const found = await Promise.race([processes, Bun.sleep(responseMs).then(() => [])])
    return found.map(({ id }) => id)
  }

  private end(pid: number): void {
    this.endedAt = performance.now()
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      // It ended by itself.
    }
  }
}

/** What a process holds in memory; 0 where the system does not say. */
function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
