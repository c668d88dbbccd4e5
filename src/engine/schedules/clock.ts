import { accountById } from "../../store/accounts/accounts.ts"
import {
  dueSchedules,
  plannedSchedules,
  type ScheduleRow,
  type Tick,
} from "../../store/automation/schedules.ts"
import { newId } from "../../store/ids.ts"
import type { PlannedRuns, PlanParts } from "../run/planned-runs.ts"
import { dueTicks, nextTick } from "./ticks.ts"

/** A tick that is found later than this was missed: the service was not there. */
const graceMs = 60_000
/** Between two turns for others. */
const replannedAtOnce = 50
const neverStopped = new AbortController().signal

export interface ScheduleClockParts extends Pick<PlanParts, "store" | "scraper"> {
  plans: PlannedRuns
  now?(): Date
}

/**
 * Fires schedules. A tick is fired once, by whoever moves the schedule on; its run is planned in
 * the same step. Of the ticks that were missed together, `run_once` makes up for all by one run,
 * `skip` for none.
 */
export class ScheduleClock {
  private lastPoll?: Date
  private readonly now: () => Date

  constructor(private readonly parts: ScheduleClockParts) {
    this.now = parts.now ?? (() => new Date())
  }

  /** Fires all that is due now. */
  async poll(stopped = neverStopped): Promise<void> {
    const now = this.now()
    // Also at the first poll: the clock may have been set back while nobody looked.
    if (!this.lastPoll || now < this.lastPoll) await this.replan(now, stopped)
    this.lastPoll = now
    for (const schedule of await dueSchedules(this.parts.store.db, now.toISOString())) {
      if (stopped.aborted) return
      await this.fire(schedule, now)
    }
  }

  /** Moves schedules that the clock's setback left far in the future to their next tick from now. */
  private async replan(now: Date, stopped: AbortSignal): Promise<void> {
    const { store } = this.parts
    for (let after: string | undefined = ""; after !== undefined && !stopped.aborted; ) {
      const schedules = await plannedSchedules(store.db, { after, limit: replannedAtOnce })
      for (const { id, cron, time_zone, next_at } of schedules) {
        const next = nextTick(cron, time_zone, now)?.toISOString()
        if (next && next < next_at) {
          await store.write("schedules.replan", { id, from: next_at, to: next })
        }
      }
      after = schedules.length < replannedAtOnce ? undefined : schedules.at(-1)?.id
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  private async fire(schedule: ScheduleRow, now: Date): Promise<void> {
    const { store, plans } = this.parts
    const tick = await this.tickOf(schedule, now)
    const fired = await store.write("schedules.fire", tick)
    if (!fired || tick.runId === null) return
    await plans.start({
      run_id: tick.runId,
      account_id: schedule.account_id,
      key_id: null,
      slug: schedule.slug,
      input: schedule.input,
      origin: "schedule",
    })
  }

  private async tickOf(schedule: ScheduleRow, now: Date): Promise<Tick> {
    const due = new Date(schedule.next_at!)
    const { latest, earlier, next } = dueTicks(schedule.cron, schedule.time_zone, due, now)
    const isLate = now.getTime() - latest.getTime() > graceMs
    const isKnown = Boolean(await this.parts.scraper(schedule.slug, schedule.account_id))
    const outcome = isKnown ? await this.outcomeOf(schedule, isLate) : "skipped"
    return {
      schedule,
      standingDueAt: schedule.next_at!,
      dueAt: latest.toISOString(),
      firedAt: now.toISOString(),
      nextAt: next?.toISOString() ?? null,
      outcome,
      missed: earlier + (isLate ? 1 : 0),
      runId: outcome === "started" ? newId("run") : null,
      ending: endingOf(schedule, next, isKnown),
    }
  }

  private async outcomeOf(schedule: ScheduleRow, isLate: boolean): Promise<Tick["outcome"]> {
    if (isLate && schedule.missed === "skip") return "skipped"
    const account = await accountById(this.parts.store.db, schedule.account_id)
    if (!account) return "skipped"
    return account.unlimited === 1 || account.balance > 0 ? "started" : "out_of_credit"
  }
}

/** Why a schedule never runs again; null for most. */
function endingOf({ slug, cron }: ScheduleRow, next: Date | null, isKnown: boolean): string | null {
  if (!isKnown) return `There is no scraper "${slug}" any more.`
  return next === null ? `"${cron}" never comes true again.` : null
}
