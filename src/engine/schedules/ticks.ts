export interface Ticks {
  /** The newest tick that is due. */
  latest: Date
  /** Ticks that are due before it. */
  earlier: number
  next: Date | null
}

/** More ticks than these are not counted one by one. */
const countedTicks = 100_000

/** The next time after `from`; null when the expression never matches again. @throws for a bad one */
export function nextTick(cron: string, timeZone: string, from: Date): Date | null {
  return Bun.cron.parse(cron, from, { tz: timeZone })
}

/** The next times after `from`, `count` at most. */
export function nextTicks(cron: string, timeZone: string, from: Date, count: number): Date[] {
  const ticks: Date[] = []
  let tick = nextTick(cron, timeZone, from)
  while (tick && ticks.length < count) {
    ticks.push(tick)
    tick = nextTick(cron, timeZone, tick)
  }
  return ticks
}

/** Everything that has come due from `due` (itself a tick) until now. */
export function dueTicks(cron: string, timeZone: string, due: Date, now: Date): Ticks {
  let latest = due
  for (let earlier = 0; ; earlier++) {
    const next = nextTick(cron, timeZone, latest)
    if (!next || next > now) return { latest, earlier, next }
    if (earlier === countedTicks) return { latest, earlier, next: nextTick(cron, timeZone, now) }
    latest = next
  }
}
