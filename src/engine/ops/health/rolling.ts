import { dayMs, hourMs, minuteMs } from "../../../base/time.ts"
import { addCounts, type Counts, noCounts } from "./counts.ts"

/** Rolling windows, each divided into parts. */
const windows = {
  hour: { partMs: 10 * minuteMs, parts: 6 },
  day: { partMs: hourMs, parts: 24 },
  week: { partMs: dayMs, parts: 7 },
} as const
export type Window = keyof typeof windows
export const windowNames = Object.keys(windows) as Window[]

/** A part of a window: its number since 1970, and its counts. */
type Part = [number: number, counts: Counts]
/** Stored form. */
export type StoredRolling = Record<Window, Part[]>

/** Counts of the last hour, day and week. */
export class Rolling {
  private readonly parts: StoredRolling

  constructor(stored: StoredRolling = { hour: [], day: [], week: [] }) {
    this.parts = stored
  }

  add(counts: Counts, now: number): void {
    for (const window of windowNames) {
      const { partMs } = windows[window]
      const number = Math.floor(now / partMs)
      const parts = this.current(window, now)
      const last = parts.at(-1)
      // After a clock was set back, counts go into the newest part.
      const into = last && last[0] >= number ? last : ([number, noCounts()] satisfies Part)
      if (into !== last) parts.push(into)
      addCounts(into[1], counts)
    }
  }

  /** Returns the counts of the window that ends now. */
  over(window: Window, now: number): Counts {
    return this.current(window, now).reduce((sum, [, counts]) => addCounts(sum, counts), noCounts())
  }

  /** Returns the days of the last week with counts, by their number since 1970. */
  byDay(now: number): ReadonlyMap<number, Counts> {
    return new Map(this.current("week", now))
  }

  /** Returns whether nothing was counted in the last week. */
  isOver(now: number): boolean {
    return this.current("week", now).length === 0
  }

  stored(): StoredRolling {
    return this.parts
  }

  /** Returns the parts of a window that have not expired. */
  private current(window: Window, now: number): Part[] {
    const { partMs, parts: max } = windows[window]
    const parts = this.parts[window]
    const oldest = Math.floor(now / partMs) - max
    while (parts.length > 0 && (parts[0]![0] <= oldest || parts.length > max + 1)) parts.shift()
    return parts
  }
}
