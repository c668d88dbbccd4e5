import { readFileSync } from "node:fs"
import type { CDPSession } from "puppeteer-core"

const everyMs = 500
/** Milliseconds for Chrome to list its processes; otherwise it is asked at the next interval. */
const responseMs = 2000
/**
 * A crash within this time after a process was ended is its effect, because a busy Chrome reports
 * it late.
 */
const sameMomentMs = 10_000

export interface RendererWatchOptions {
  /** CDP session of the browser. */
  cdp: CDPSession
  limitBytes: number
  /** Whether a page is open; otherwise nothing is checked. */
  isBusy(): boolean
}

/** Ends the processes of pages that use too much memory. Only Linux reports it. */
export class RendererWatch {
  private readonly timer: ReturnType<typeof setInterval>
  private isLooking = false
  private endedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly options: RendererWatchOptions) {
    this.timer = setInterval(() => void this.look(), everyMs)
    this.timer.unref?.()
  }

  /** Whether a page that has just crashed was ended because of its memory. */
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
    const infos = await Promise.race([processes, Bun.sleep(responseMs).then(() => [])])
    return infos.map(({ id }) => id)
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

/** Resident memory of a process in bytes; 0 if the system does not report it. */
function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
