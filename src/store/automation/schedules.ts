import type { Insertable, Selectable, Updateable } from "kysely"
import type { Db } from "../database.ts"
import { type Listed, listed, type Page } from "../page.ts"
import type { SchedulesTable, ScheduleTicksTable } from "../tables/automation-tables.ts"
import { tell } from "./events.ts"
import { planRuns } from "./planned-runs.ts"

export type ScheduleRow = Selectable<SchedulesTable>
export type ScheduleTick = Selectable<ScheduleTicksTable>

/** Stores a schedule; the one that stands when the id is known. */
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
  return result.numDeletedRows > 0n
}

export interface Tick {
  schedule: ScheduleRow
  /** The due time that the schedule still has, unless another firing has moved it on. */
  standingDueAt: string
  dueAt: string
  firedAt: string
  nextAt: string | null
  outcome: ScheduleTick["outcome"]
  /** Ticks that were missed together with this one. */
  missed: number
  /** Null when no run is started. */
  runId: string | null
  /** Why it never runs again, and is switched off; null where it goes on. */
  ending: string | null
}

/** Moves a schedule on and plans its run in one step; false when that tick was fired before. */
export async function fireSchedule(db: Db, tick: Tick): Promise<boolean> {
  const { schedule } = tick
  const moved = await db
    .updateTable("schedules")
    .set({
      next_at: tick.ending === null ? tick.nextAt : null,
      ...(tick.ending !== null && { enabled: 0, disabled_reason: tick.ending }),
    })
    .where("id", "=", schedule.id)
    .where("next_at", "=", tick.standingDueAt)
    .executeTakeFirst()
  if (moved.numUpdatedRows === 0n) return false
  if (tick.ending !== null) await tellEnding(db, schedule, tick.ending, tick.firedAt)
  await db
    .insertInto("schedule_ticks")
    .values({
      schedule_id: schedule.id,
      due_at: tick.dueAt,
      fired_at: tick.firedAt,
      outcome: tick.outcome,
      missed: tick.missed,
      run_id: tick.runId,
    })
    // The clock was set back, and the time has come again.
    .onConflict((conflict) =>
      conflict.columns(["schedule_id", "due_at"]).doUpdateSet((row) => ({
        fired_at: row.ref("excluded.fired_at"),
        outcome: row.ref("excluded.outcome"),
        missed: row.ref("excluded.missed"),
        run_id: row.ref("excluded.run_id"),
      })),
    )
    .execute()
  if (tick.runId !== null) {
    await planRuns(db, [
      {
        run_id: tick.runId,
        account_id: schedule.account_id,
        slug: schedule.slug,
        input: schedule.input,
        origin: "schedule",
        key_id: null,
      },
    ])
  }
  return true
}

async function tellEnding(db: Db, schedule: ScheduleRow, reason: string, at: string) {
  const { id: scheduleId, account_id: accountId, name, slug: scraper } = schedule
  const data = { scheduleId, name, scraper, reason }
  await tell(db, { event: "schedule.disabled", to: { accountId }, data, at })
}

/** Gives a schedule another next time, unless it has been moved on meanwhile. */
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

/** Schedules that are to fire, behind `after`. */
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

export async function dueSchedules(db: Db, now: string): Promise<ScheduleRow[]> {
  return db
    .selectFrom("schedules")
    .selectAll()
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .limit(100)
    .execute()
}

/** What a schedule's last ticks came to, the newest first. */
export async function lastTicks(
  db: Db,
  scheduleId: string,
  limit: number,
): Promise<ScheduleTick[]> {
  return db
    .selectFrom("schedule_ticks")
    .selectAll()
    .where("schedule_id", "=", scheduleId)
    .orderBy("due_at", "desc")
    .limit(limit)
    .execute()
}
