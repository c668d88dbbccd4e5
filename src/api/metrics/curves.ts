import { residentBytes } from "../../base/process-usage.ts"
import type { TargetCounts } from "../../engine/runtime/workers/worker-interface.ts"

const minuteMs = 60_000
/** Three hours. */
const minutesStored = 180

/** What this process did in one minute. */
export interface Minute {
  /** Its start, in milliseconds since 1970. */
  at: number
  pages: number
  /** Targets that failed. */
  failures: number
  /** Memory of the process in bytes, when the minute was last looked at. */
  memory: number
}

/** Counts pages, failures and memory by the minute, for the last three hours. */
export class Curves {
  private readonly minutes: Minute[] = []
  private readonly timer: ReturnType<typeof setInterval>

  constructor(private readonly now: () => number = Date.now) {
    this.timer = setInterval(() => this.current(), minuteMs)
    this.timer.unref()
    this.current()
  }

  tallied(tallies: readonly TargetCounts[]): void {
    const minute = this.current()
    for (const { code, targets, pages } of tallies) {
      minute.pages += pages
      if (code !== "ok") minute.failures += targets
    }
  }

  /** Returns the minutes so far, the oldest first. */
  read(): readonly Minute[] {
    this.current()
    return this.minutes
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private current(): Minute {
    const at = Math.floor(this.now() / minuteMs) * minuteMs
    const last = this.minutes.at(-1)
    if (last && last.at >= at) {
      last.memory = residentBytes()
      return last
    }
    const minute = { at, pages: 0, failures: 0, memory: residentBytes() }
    this.minutes.push(minute)
    if (this.minutes.length > minutesStored) this.minutes.shift()
    return minute
  }
}
