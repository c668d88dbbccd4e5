import type { Insertable, Selectable, Updateable } from "kysely"
import type { Db } from "../db/database.ts"
import { idOf } from "../db/ids.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import { announce } from "../notifications/events.ts"
import { forgetTagged } from "../runs/memory.ts"
import { type PlannedRun, planRuns } from "../runs/planned.ts"
import type { QueuedRun } from "../runs/runs.ts"
import type { ScheduledRunsTable, SchedulesTable } from "../tables/automation-tables.ts"

export type ScheduleRow = Selectable<SchedulesTable>
export type StoredScheduledRun = Selectable<ScheduledRunsTable>

/** Stores a schedule; returns the stored one if the ID is known. */
export async function createSchedule(
  db: Db,
  schedule: Insertable<SchedulesTable>,
): Promise<ScheduleRow> {
  const row = await db
    .insertInto("schedules")
    .values(schedule)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? (await scheduleById(db, { id: schedule.id, accountId: schedule.account_id }))!
}

interface Owned {
  id: string
  accountId: string
}

export async function changeSchedule(
  db: Db,
  change: Owned & { set: Updateable<SchedulesTable> },
): Promise<ScheduleRow | undefined> {
  return db
    .updateTable("schedules")
    .set(change.set)
    .where("id", "=", change.id)
    .where("account_id", "=", change.accountId)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteSchedule(db: Db, schedule: Owned): Promise<boolean> {
  const result = await db
    .deleteFrom("schedules")
    .where("id", "=", schedule.id)
    .where("account_id", "=", schedule.accountId)
    .executeTakeFirst()
  if (result.numDeletedRows === 0n) return false
  await db
    .deleteFrom("webhooks")
    .where("account_id", "=", schedule.accountId)
    .where("schedule_id", "=", schedule.id)
    .execute()
  await forgetTagged(db, { owner: schedule.accountId, tag: schedule.id })
  return true
}

export interface ScheduledRun {
  schedule: ScheduleRow
  /**
   * The due time of the schedule as it was read; a different one means that the schedule was
   * already advanced.
   */
  currentDueAt: string
  dueAt: string
  firedAt: string
  nextAt: string | null
  outcome: StoredScheduledRun["outcome"]
  /** Number of further runs that were missed with this one. */
  missed: number
  /** The run to start; null if none is started. */
  work: Pick<PlannedRun, "slug" | "recipe" | "input" | "session"> | null
  /** The reason why it never runs again and is disabled; null if it continues. */
  ending: string | null
}

/** Whether a scheduled run was started, and the queued run. */
export interface Fired {
  isFired: boolean
  run: QueuedRun | null
}

/**
 * Advances a schedule and queues its run in the same transaction. Each due time starts one run: its row
 * is never overwritten, and the ID of its run is derived from the schedule and the due time.
 */
export async function fireSchedule(db: Db, scheduledRun: ScheduledRun): Promise<Fired> {
  const { schedule, work } = scheduledRun
  const moved = await db
    .updateTable("schedules")
    .set({
      next_at: scheduledRun.ending === null ? scheduledRun.nextAt : null,
      ...(scheduledRun.ending !== null && { enabled: 0, disabled_reason: scheduledRun.ending }),
    })
    .where("id", "=", schedule.id)
    .where("next_at", "=", scheduledRun.currentDueAt)
    .executeTakeFirst()
  if (moved.numUpdatedRows === 0n) return { isFired: false, run: null }
  if (scheduledRun.ending !== null)
    await announceEnding(db, schedule, scheduledRun.ending, scheduledRun.firedAt)
  const runId =
    work && idOf("run", Date.parse(scheduledRun.dueAt), `${schedule.id} ${scheduledRun.dueAt}`)
  const made = await db
    .insertInto("scheduled_runs")
    .values({
      schedule_id: schedule.id,
      due_at: scheduledRun.dueAt,
      fired_at: scheduledRun.firedAt,
      outcome: scheduledRun.outcome,
      missed: scheduledRun.missed,
      run_id: runId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("due_at")
    .executeTakeFirst()
  if (!made) return { isFired: false, run: null }
  if (work === null || runId === null) return { isFired: true, run: null }
  const run = {
    id: runId,
    ...work,
    title: schedule.name,
    accountId: schedule.account_id,
    keyId: schedule.key_id,
    origin: "schedule" as const,
    createdAt: scheduledRun.firedAt,
  }
  const [queued = null] = await planRuns(db, [run])
  return { isFired: true, run: queued }
}

/**
 * Queues a run of a schedule outside its due times; returns null if the schedule already has a run
 * at this time.
 */
export async function runScheduleNow(
  db: Db,
  { schedule, work, runId, keyId, traceParent, at }: ScheduleNow,
): Promise<QueuedRun | null> {
  const noted = await db
    .insertInto("scheduled_runs")
    .values({
      schedule_id: schedule.id,
      due_at: at,
      fired_at: at,
      outcome: "started",
      missed: 0,
      run_id: runId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (noted.numInsertedOrUpdatedRows === 0n) return null
  const accountId = schedule.account_id
  const run = {
    id: runId,
    ...work,
    title: schedule.name,
    accountId,
    keyId,
    origin: "schedule" as const,
    traceParent: traceParent ?? null,
    createdAt: at,
  }
  const [queued = null] = await planRuns(db, [run])
  return queued
}

export interface ScheduleNow {
  schedule: ScheduleRow
  work: Pick<PlannedRun, "slug" | "recipe" | "input" | "session">
  runId: string
  keyId: string | null
  traceParent?: string | null
  at: string
}

async function announceEnding(db: Db, schedule: ScheduleRow, reason: string, at: string) {
  const { id: scheduleId, account_id: accountId, name, slug: scraper } = schedule
  const data = { scheduleId, name, scraper, reason }
  await announce(db, { event: "schedule.disabled", to: { accountId }, data, at })
}

/** Returns the due time of the last started run of a schedule. */
export async function lastFired(db: Db, scheduleId: string): Promise<string | null> {
  const { last } = await db
    .selectFrom("scheduled_runs")
    .where("schedule_id", "=", scheduleId)
    .select((row) => row.fn.max<string | null>("due_at").as("last"))
    .executeTakeFirstOrThrow()
  return last
}

/** Sets the next time of a schedule, unless the schedule has been advanced meanwhile. */
export async function replanSchedule(
  db: Db,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  await db
    .updateTable("schedules")
    .set({ next_at: to })
    .where("id", "=", id)
    .where("next_at", "=", from)
    .execute()
}

/** Returns schedules with a next time, after the ID `after`. */
export async function plannedSchedules(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<(ScheduleRow & { next_at: string })[]> {
  return db
    .selectFrom("schedules")
    .selectAll()
    .where("id", ">", after)
    .where("next_at", "is not", null)
    .orderBy("id")
    .limit(limit)
    .$narrowType<{ next_at: string }>()
    .execute()
}

export async function scheduleById(db: Db, schedule: Owned): Promise<ScheduleRow | undefined> {
  return db
    .selectFrom("schedules")
    .selectAll()
    .where("id", "=", schedule.id)
    .where("account_id", "=", schedule.accountId)
    .executeTakeFirst()
}

export async function listSchedules(
  db: Db,
  accountId: string,
  page: Page,
): Promise<Listed<ScheduleRow>> {
  const query = db.selectFrom("schedules").where("account_id", "=", accountId).selectAll()
  return listed(query, page, "id")
}

/**
 * Returns due schedules, after one of them, so that schedules that stay due do not block the
 * others. Schedules of a locked account wait until it is unlocked.
 */
export async function dueSchedules(
  db: Db,
  { now, after, limit }: { now: string; after?: ScheduleRow | undefined; limit: number },
): Promise<ScheduleRow[]> {
  return db
    .selectFrom("schedules")
    .selectAll("schedules")
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("accounts")
            .select("accounts.id")
            .whereRef("accounts.id", "=", "schedules.account_id")
            .where("locked_at", "is not", null),
        ),
      ),
    )
    .where("next_at", "<=", now)
    .$if(after !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row("next_at", ">", after!.next_at),
          row.and([row("next_at", "=", after!.next_at), row("id", ">", after!.id)]),
        ]),
      ),
    )
    .orderBy("next_at")
    .orderBy("id")
    .limit(limit)
    .execute()
}

/** Returns a schedule's recent runs, newest first. */
export async function recentRuns(
  db: Db,
  scheduleId: string,
  limit: number,
): Promise<StoredScheduledRun[]> {
  return db
    .selectFrom("scheduled_runs")
    .selectAll()
    .where("schedule_id", "=", scheduleId)
    .orderBy("due_at", "desc")
    .limit(limit)
    .execute()
}

/** Returns the ID of the run that a schedule started last. */
export async function lastRunOf(db: Db, scheduleId: string): Promise<string | undefined> {
  const scheduledRun = await db
    .selectFrom("scheduled_runs")
    .select("run_id")
    .where("schedule_id", "=", scheduleId)
    .where("run_id", "is not", null)
    .orderBy("due_at", "desc")
    .limit(1)
    .executeTakeFirst()
  return scheduledRun?.run_id ?? undefined
}

/** Returns whether an account has a schedule that runs this scraper or recipe. */
export async function isScheduled(db: Db, accountId: string, slug: string): Promise<boolean> {
  const schedule = await db
    .selectFrom("schedules")
    .select("id")
    .where("account_id", "=", accountId)
    .where("slug", "=", slug)
    .limit(1)
    .executeTakeFirst()
  return schedule !== undefined
}
