import { dayMs } from "../../../base/time.ts"
import type { Verdict } from "../../../store/health/verdicts.ts"
import type { Counts } from "./counts.ts"

/** Health of a scraper on one day (UTC). */
export interface DayOfHealth {
  day: string
  /** The worst state of the day; null if nothing was observed. */
  state: Verdict | null
  /** Share of users' targets that succeeded; null if there were none. */
  goodShare: number | null
}

const daysVisible = 7

/** Returns the last days, ending today. */
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

/** Returns the share of succeeded targets. Targets that do not exist count as neither. */
function goodShare(counts: Counts | undefined): number | null {
  if (!counts) return null
  const { callers: _callers, ...failed } = counts.failed
  const bad = Object.values(failed).reduce((sum, count) => sum + count, 0)
  const conclusive = counts.good + bad
  return conclusive === 0 ? null : Math.round((counts.good / conclusive) * 1000) / 1000
}
