import { residentBytes } from "../../base/process-usage.ts"
import type { TargetCounts } from "../../engine/runtime/workers/worker-interface.ts"

const minuteMs = 60_000
/** Minutes stored: three hours. */
const minutesStored = 180

/** Counts of this process in one minute. */
export interface Minute {
  /** Start of the minute, in milliseconds since 1970. */
  at: number
  pages: number
  /** Failed targets. */
  failures: number
  /** Memory of the process in bytes at the last reading. */
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

  /** Returns the minutes so far, oldest first. */
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
