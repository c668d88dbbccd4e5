import { messageOf } from "../../../base/error-message.ts"
import type { AnyScraper } from "../../../catalogue/kit/index.ts"
import { accountById } from "../../../store/accounts/accounts.ts"
import { keyById, leftOfKey } from "../../../store/accounts/keys.ts"
import {
  dueSchedules,
  lastFired,
  lastRunOf,
  plannedSchedules,
  type ScheduledRun,
  type ScheduleRow,
} from "../../../store/automation/schedules.ts"
import { storeTime } from "../../../store/db/dialect.ts"
import { isOver, runById } from "../../../store/runs/runs.ts"
import type { Store } from "../../../store/store.ts"
import type { RunService } from "../workers/runs.ts"
import { storedWork } from "../workers/work-of.ts"
import { dueScheduledRuns, nextScheduledRun } from "./due-times.ts"
import { FailedScheduledRuns } from "./failed-runs.ts"

/** A run found due later than this was missed, because the service was stopped. */
const graceMs = 60_000
/** Schedules read per page. */
const pageSize = 50
/** Schedules started at the same time, so that their changes to the store are written together. */
const firedAtOnce = 8
/**
 * If the clock is set back by more than this, it was wrong before, and so were the runs that it
 * started.
 */
const maxSetbackMs = 24 * 3_600_000
const neverStopped = new AbortController().signal

export interface ScheduleClockParts {
  store: Store
  runs: Pick<RunService, "queued">
  /** Returns a scraper of the catalogue or the account. */
  scraper(slug: string, accountId: string): AnyScraper | undefined | Promise<AnyScraper | undefined>
  onError(message: string): void
  /** Current time. Default: the clock shared by all processes on the database. */
  now?(): Date
}

/**
 * Starts scheduled runs, each separately, so that a failing one does not delay others. The process
 * that advances the schedule starts the run in the same transaction, so each starts once. After
 * missed times, the misfire policy `run_once` starts one run for all of them, `skip` none.
 */
export class ScheduleClock {
  private lastPoll?: Date
  private readonly failed = new FailedScheduledRuns()

  constructor(private readonly parts: ScheduleClockParts) {}

  /** Starts all due schedules. */
  async poll(stopped = neverStopped): Promise<void> {
    const now = this.parts.now?.() ?? (await storeTime(this.parts.store.db))
    // Also at the first poll, because the clock may have been set back in the meantime.
    if (!this.lastPoll || now < this.lastPoll) await this.replan(now, stopped)
    this.lastPoll = now
    let after: ScheduleRow | undefined
    do {
      const page = { now: now.toISOString(), after, limit: pageSize }
      const schedules = await dueSchedules(this.parts.store.db, page)
      for (let from = 0; from < schedules.length && !stopped.aborted; from += firedAtOnce) {
        const some = schedules.slice(from, from + firedAtOnce)
        await Promise.all(some.map((schedule) => this.fire(schedule, now)))
      }
      after = schedules.length < pageSize ? undefined : schedules.at(-1)
    } while (after && !stopped.aborted)
  }

  /**
   * Moves schedules whose next time is far in the future, because the clock was set back, to their
   * next time from now, but never to or before a time that has been started.
   */
  private async replan(now: Date, stopped: AbortSignal): Promise<void> {
    const { db } = this.parts.store
    for (let after: string | undefined = ""; after !== undefined && !stopped.aborted; ) {
      const schedules = await plannedSchedules(db, { after, limit: pageSize })
      for (const schedule of schedules) {
        await this.replanOne(schedule, now).catch((error) => this.reported(schedule, error))
      }
      after = schedules.length < pageSize ? undefined : schedules.at(-1)?.id
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  private async replanOne(
    { id, cron, time_zone, next_at: from }: ScheduleRow & { next_at: string },
    now: Date,
  ): Promise<void> {
    const { store } = this.parts
    if (!isBefore(nextScheduledRun(cron, time_zone, now), from)) return
    const last = Date.parse((await lastFired(store.db, id)) ?? "")
    const isFired = last > now.getTime() && last - now.getTime() <= maxSetbackMs
    const next = nextScheduledRun(cron, time_zone, isFired ? new Date(last) : now)
    if (!isBefore(next, from)) return
    await store.write("schedules.replan", { id, from, to: next!.toISOString() })
  }

  private async fire(schedule: ScheduleRow, now: Date): Promise<void> {
    if (!this.failed.isTime(schedule, now)) return
    try {
      const { run } = await this.parts.store.write(
        "schedules.fire",
        await this.scheduledRunOf(schedule, now),
      )
      this.failed.forget(schedule)
      if (run) this.parts.runs.queued([run])
    } catch (error) {
      // Not the schedule's failure: it is tried again at the next poll.
      if (this.parts.store.hasReported(error)) return
      this.reported(schedule, error)
      if (this.failed.failed(schedule, now)) await this.disable(schedule, now)
    }
  }

  private reported({ id, account_id }: ScheduleRow, error: unknown): void {
    this.parts.onError(
      `Schedule ${id} of account ${account_id} could not be started: ${messageOf(error)}`,
    )
  }

  /** Skips a scheduled run after the last attempt: the schedule continues with the next one. */
  private async disable(schedule: ScheduleRow, now: Date): Promise<void> {
    const at = now.toISOString()
    let next: Date | null = null
    let ending: string | null = null
    try {
      next = nextScheduledRun(schedule.cron, schedule.time_zone, now)
    } catch (error) {
      ending = `"${schedule.cron}" is not valid: ${messageOf(error)}`
    }
    const scheduledRun: ScheduledRun = {
      schedule,
      currentDueAt: schedule.next_at!,
      dueAt: schedule.next_at!,
      firedAt: at,
      nextAt: next?.toISOString() ?? null,
      outcome: "failed",
      missed: 0,
      work: null,
      ending,
    }
    try {
      await this.parts.store.write("schedules.fire", scheduledRun)
    } catch (error) {
      this.reported(schedule, error)
    }
  }

  private async scheduledRunOf(schedule: ScheduleRow, now: Date): Promise<ScheduledRun> {
    const due = new Date(schedule.next_at!)
    const { latest, earlier, next } = dueScheduledRuns(schedule.cron, schedule.time_zone, due, now)
    const isLate = now.getTime() - latest.getTime() > graceMs
    const scraper = await this.parts.scraper(schedule.slug, schedule.account_id)
    const keyEnding = await this.keyEndingOf(schedule, now)
    const scrapeError =
      scraper && keyEnding === null ? await this.outcomeOf(schedule, isLate) : "skipped"
    const isStarted = scrapeError === "started" && scraper !== undefined
    return {
      schedule,
      currentDueAt: schedule.next_at!,
      dueAt: latest.toISOString(),
      firedAt: now.toISOString(),
      nextAt: next?.toISOString() ?? null,
      outcome: scrapeError,
      missed: earlier + (isLate ? 1 : 0),
      work: isStarted ? storedWork(scraper, JSON.parse(schedule.input), schedule.session) : null,
      ending: keyEnding ?? endingOf(schedule, next, scraper !== undefined),
    }
  }

  /** Returns whether the schedule's last run has not finished. */
  private async isRunning({ id }: ScheduleRow): Promise<boolean> {
    const { db } = this.parts.store
    const last = await lastRunOf(db, id)
    if (last === undefined) return false
    const run = await runById(db, last)
    return run !== undefined && !isOver(run.status)
  }

  private async outcomeOf(
    schedule: ScheduleRow,
    isLate: boolean,
  ): Promise<ScheduledRun["outcome"]> {
    if (isLate && schedule.misfire_policy === "skip") return "skipped"
    if (schedule.exclusive === 1 && (await this.isRunning(schedule))) return "skipped"
    const account = await accountById(this.parts.store.db, schedule.account_id)
    if (!account) return "skipped"
    if (account.unlimited === 0 && account.balance === 0) return "out_of_credit"
    const { key_id: keyId } = schedule
    const left = keyId === null ? 1 : await leftOfKey(this.parts.store.db, keyId)
    return left > 0 ? "started" : "out_of_credit"
  }

  /** Returns the reason why the schedule's API key can no longer be used; null if it can. */
  private async keyEndingOf(schedule: ScheduleRow, now: Date): Promise<string | null> {
    const { key_id: id, account_id: accountId } = schedule
    if (id === null) return null
    const key = await keyById(this.parts.store.db, { id, accountId })
    if (!key || key.revoked_at !== null) return "The API key that created it was revoked."
    const isExpired = key.expires_at !== null && key.expires_at <= now.toISOString()
    return isExpired ? "The API key that created it has expired." : null
  }
}

const isBefore = (scheduledRun: Date | null, time: string) =>
  scheduledRun !== null && scheduledRun.toISOString() < time

/** Returns the reason why a schedule never runs again; null for most. */
function endingOf({ slug, cron }: ScheduleRow, next: Date | null, isKnown: boolean): string | null {
  if (!isKnown) return `The scraper "${slug}" no longer exists.`
  return next === null ? `"${cron}" never matches a date again; change the cron expression.` : null
}
