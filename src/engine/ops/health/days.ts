import { dayMs } from "../../../base/time.ts"
import type { Verdict } from "../../../store/health/verdicts.ts"
import type { Counts } from "./counts.ts"

/** What was seen of a scraper on one day (UTC). */
export interface DayOfHealth {
  day: string
  /** The worst state of the day; null if nothing was observed. */
  state: Verdict | null
  /** The share of users' targets that succeeded; null if there were none. */
  goodShare: number | null
}

const daysVisible = 7

/** The last days, today at the end. */
export function lastDays(
  now: number,
  states: ReadonlyMap<string, Verdict> | undefined,
  counted: ReadonlyMap<number, Counts>,
): DayOfHealth[] {
  const today = Math.floor(now / dayMs)
  return Array.from({ length: daysVisible }, (_, index) => {
    const number = today - daysVisible + 1 + index
    const day = new Date(number * dayMs).toISOString().slice(0, 10)
    return { day, state: states?.get(day) ?? null, goodShare: goodShare(counted.get(number)) }
  })
}

/** A target that is not there, or was misspelt, is answered truly. */
function goodShare(counts: Counts | undefined): number | null {
  if (!counts) return null
  const { callers: _callers, ...failed } = counts.failed
  const bad = Object.values(failed).reduce((sum, count) => sum + count, 0)
  const conclusive = counts.good + bad
  return conclusive === 0 ? null : Math.round((counts.good / conclusive) * 1000) / 1000
}
