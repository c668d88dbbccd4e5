export interface ScheduledRuns {
  /** The latest due time. */
  latest: Date
  /** Number of due times before it. */
  earlier: number
  next: Date | null
}

/** Maximum due times that are counted one by one. */
const countedScheduledRuns = 100_000

/**
 * Returns the next time after `from`; null if the expression never matches again. @throws for an
 * invalid expression
 */
export function nextScheduledRun(cron: string, timeZone: string, from: Date): Date | null {
  return Bun.cron.parse(cron, from, { tz: timeZone })
}

/** Returns up to `count` times after `from`. */
export function nextRuns(cron: string, timeZone: string, from: Date, count: number): Date[] {
  const scheduledRuns: Date[] = []
  let scheduledRun = nextScheduledRun(cron, timeZone, from)
  while (scheduledRun && scheduledRuns.length < count) {
    scheduledRuns.push(scheduledRun)
    scheduledRun = nextScheduledRun(cron, timeZone, scheduledRun)
  }
  return scheduledRuns
}

/** Returns the due times from `due`, inclusive, until now. */
export function dueScheduledRuns(
  cron: string,
  timeZone: string,
  due: Date,
  now: Date,
): ScheduledRuns {
  let latest = due
  for (let earlier = 0; ; earlier++) {
    const next = nextScheduledRun(cron, timeZone, latest)
    if (!next || next > now) return { latest, earlier, next }
    if (earlier === countedScheduledRuns)
      return { latest, earlier, next: nextScheduledRun(cron, timeZone, now) }
    latest = next
  }
}
