import { dayMs, hourMs, minuteMs } from "../../../base/time.ts"
import { addCounts, type Counts, noCounts } from "./counts.ts"

/** The windows that roll, each of parts of its own length. */
const windows = {
  hour: { partMs: 10 * minuteMs, parts: 6 },
  day: { partMs: hourMs, parts: 24 },
  week: { partMs: dayMs, parts: 7 },
} as const
export type Window = keyof typeof windows
export const windowNames = Object.keys(windows) as Window[]

/** Parts of a window by their number since 1970, from the oldest. */
type Part = [number: number, counts: Counts]
/** As it is kept in the store. */
export type StoredRolling = Record<Window, Part[]>

/** What was counted in the last hour, day and week. */
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
      // A clock that was set back counts into the newest part.
      const into = last && last[0] >= number ? last : ([number, noCounts()] satisfies Part)
      if (into !== last) parts.push(into)
      addCounts(into[1], counts)
    }
  }

  /** What was counted in the window that ends now. */
  over(window: Window, now: number): Counts {
    return this.current(window, now).reduce((sum, [, counts]) => addCounts(sum, counts), noCounts())
  }

  /** The days of the last week on which anything was counted, by their number since 1970. */
  byDay(now: number): ReadonlyMap<number, Counts> {
    return new Map(this.current("week", now))
  }

  /** Nothing was counted in the last week. */
  isOver(now: number): boolean {
    return this.current("week", now).length === 0
  }

  stored(): StoredRolling {
    return this.parts
  }

  /** Returns the parts of a window that have not expired. */
  private current(window: Window, now: number): Part[] {
    const { partMs, parts: most } = windows[window]
    const parts = this.parts[window]
    const oldest = Math.floor(now / partMs) - most
    while (parts.length > 0 && (parts[0]![0] <= oldest || parts.length > most + 1)) parts.shift()
    return parts
  }
}
