import { BoundedMap } from "../../../base/bounded-map.ts"
import type { ScheduleRow } from "../../../store/automation/schedules.ts"

/** Maximum attempts to start a scheduled run. */
const maxTries = 5
const firstPauseMs = 1_000
/** Maximum schedules whose failures are remembered. */
const maxStored = 10_000

interface Failures {
  dueAt: string | null
  count: number
  nextTryAt: number
}

/** Scheduled runs that could not be started. Each is retried after a pause that doubles. */
export class FailedScheduledRuns {
  private readonly stored = new BoundedMap<string, Failures>(maxStored)

  /** Returns whether a schedule may be tried now. */
  isTime({ id, next_at }: ScheduleRow, now: Date): boolean {
    const known = this.stored.get(id)
    return !known || known.dueAt !== next_at || now.getTime() >= known.nextTryAt
  }

  /** Records a failure; returns whether it was the last attempt. */
  failed({ id, next_at }: ScheduleRow, now: Date): boolean {
    const known = this.stored.get(id)
    const count = known?.dueAt === next_at ? known.count + 1 : 1
    const nextTryAt = now.getTime() + firstPauseMs * 2 ** (count - 1)
    this.stored.set(id, { dueAt: next_at, count, nextTryAt })
    return count >= maxTries
  }

  forget({ id }: ScheduleRow): void {
    this.stored.delete(id)
  }
}
