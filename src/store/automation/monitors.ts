import { type Selectable, type SqlBool, sql } from "kysely"
import { dayMs } from "../../base/time.ts"
import type { Db } from "../db/database.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import { announce } from "../notifications/events.ts"
import type { MonitorPointsTable } from "../tables/automation-tables.ts"
import type { ScheduleRow } from "./schedules.ts"

export type MonitorPoint = Selectable<MonitorPointsTable>

/** Maximum values that one schedule may watch. */
export const maxPoints = 2000
/** Days without a sighting after which a value is no longer watched. */
const forgottenAfterDays = 90
/** Maximum changes in one message. */
const maxReported = 20
/** Maximum changes that are stored for one monitor. */
const maxStored = 500

/** A finished run of a schedule that has not been compared yet. */
export interface RunToCompare {
  runId: string
  runN: number
  hasItems: boolean
  schedule: ScheduleRow
}

export async function runsToCompare(db: Db, limit: number): Promise<RunToCompare[]> {
  const rows = await db
    .selectFrom("scheduled_runs")
    .innerJoin("runs", "runs.id", "scheduled_runs.run_id")
    .innerJoin("schedules", "schedules.id", "scheduled_runs.schedule_id")
    .where("scheduled_runs.evaluated", "=", sql.lit(0))
    .where("scheduled_runs.run_id", "is not", null)
    .where("runs.finished_at", "is not", null)
    .select(["runs.id as runId", "runs.n as runN", "runs.dataset_deleted_at as gone"])
    .selectAll("schedules")
    .orderBy("runs.n")
    .limit(limit)
    .execute()
  return rows.map(({ runId, runN, gone, ...schedule }) => ({
    runId,
    runN,
    hasItems: gone === null,
    schedule,
  }))
}

export async function pointsOf(db: Db, scheduleId: string): Promise<MonitorPoint[]> {
  return db.selectFrom("monitor_points").selectAll().where("schedule_id", "=", scheduleId).execute()
}

/** A change of a watched value, as it is reported. */
export interface Change {
  key: string
  name: string
  url: string | null
  condition: string
  before: string | number | boolean | null
  after: string | number | boolean | null
  sentence: string
  /** URL of an image of the item, if it has one. */
  image?: string | null
}

export interface StoredChange extends Change {
  runId: string
}

export interface Noted {
  runId: string
  scheduleId: string
  points: MonitorPoint[]
  changes: Change[]
  at: string
}

/** Stores a run's readings of the watched values, and announces changes unless the schedule is muted. */
export async function noteRun(
  db: Db,
  { runId, scheduleId, points, changes, at }: Noted,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("scheduled_runs")
    .set({ evaluated: 1 })
    .where("run_id", "=", runId)
    .where("evaluated", "=", 0)
    .executeTakeFirst()
  const schedule = await db
    .selectFrom("schedules")
    .selectAll()
    .where("id", "=", scheduleId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n || !schedule) return
  for (const { schedule_id, key, ...point } of points) {
    await db
      .insertInto("monitor_points")
      .values({ schedule_id, key, ...point })
      .onConflict((conflict) => conflict.columns(["schedule_id", "key"]).doUpdateSet(point))
      .execute()
  }
  const forgotten = new Date(Date.parse(at) - forgottenAfterDays * dayMs).toISOString()
  await db
    .deleteFrom("monitor_points")
    .where("schedule_id", "=", scheduleId)
    .where("seen_at", "<", forgotten)
    .execute()
  await storeChanges(db, { scheduleId, at, runId, changes })
  if (changes.length === 0 || (schedule.muted_until ?? "") > at) return
  await announce(db, {
    event: "monitor.changed",
    to: { accountId: schedule.account_id },
    runId,
    at,
    data: {
      scheduleId,
      name: schedule.name,
      scraper: schedule.slug,
      runId,
      changes: changes.slice(0, maxReported),
      more: Math.max(0, changes.length - maxReported),
    },
  })
}

/** Returns watched values in the order of their keys, after the key `after`. */
export async function pointsAfter(
  db: Db,
  { scheduleId, after, limit }: { scheduleId: string; after: string; limit: number },
): Promise<MonitorPoint[]> {
  return db
    .selectFrom("monitor_points")
    .selectAll()
    .where("schedule_id", "=", scheduleId)
    .where("key", ">", after)
    .orderBy("key")
    .limit(limit)
    .execute()
}

async function storeChanges(
  db: Db,
  { scheduleId, at, runId, changes }: Pick<Noted, "scheduleId" | "at" | "runId" | "changes">,
): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.slice(0, maxStored).map((change, position) => ({
    schedule_id: scheduleId,
    at,
    position,
    change: JSON.stringify({ ...change, runId } satisfies StoredChange),
  }))
  await db
    .insertInto("monitor_changes")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const oldest = await db
    .selectFrom("monitor_changes")
    .select("at")
    .where("schedule_id", "=", scheduleId)
    .orderBy("at", "desc")
    .orderBy("position", "desc")
    .offset(maxStored)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await db
    .deleteFrom("monitor_changes")
    .where("schedule_id", "=", scheduleId)
    .where("at", "<=", oldest.at)
    .where("at", "<", at)
    .execute()
}

/** Returns the last changes of a monitor, newest first. */
export async function changesOf(
  db: Db,
  scheduleId: string,
  limit: number,
): Promise<({ at: string } & StoredChange)[]> {
  const rows = await db
    .selectFrom("monitor_changes")
    .select(["at", "change"])
    .where("schedule_id", "=", scheduleId)
    .orderBy("at", "desc")
    .orderBy("position")
    .limit(limit)
    .execute()
  return rows.map(({ at, change }) => ({ at, ...(JSON.parse(change) as StoredChange) }))
}

/** Matches the tag as the JSON list contains it. */
const hasTag = (tag: string) =>
  sql<SqlBool>`tags LIKE ${`%${JSON.stringify(tag).replace(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`

/** Returns the account's schedules with a tag. */
export async function monitorsTagged(
  db: Db,
  { accountId, tag }: { accountId: string; tag: string },
): Promise<ScheduleRow[]> {
  return db
    .selectFrom("schedules")
    .where("account_id", "=", accountId)
    .where(hasTag(tag))
    .selectAll()
    .orderBy("id")
    .execute()
}

/** Returns the schedules that watch values: those of these scrapers, and those with conditions. */
export async function listMonitors(
  db: Db,
  accountId: string,
  slugs: readonly string[],
  { tag, ...page }: Page & { tag?: string | undefined },
): Promise<Listed<ScheduleRow>> {
  const query = db
    .selectFrom("schedules")
    .where("account_id", "=", accountId)
    .where((row) => row.or([row("slug", "in", slugs), row("conditions", "is not", null)]))
    .$if(tag !== undefined, (tagged) => tagged.where(hasTag(tag!)))
    .selectAll()
  return listed(query, page, "id")
}

/** Returns the watched values of a schedule, last changed first, and their total number. */
export async function watchedBy(
  db: Db,
  scheduleId: string,
  limit: number,
): Promise<{ points: MonitorPoint[]; total: number }> {
  const query = db.selectFrom("monitor_points").where("schedule_id", "=", scheduleId)
  const points = await query
    .selectAll()
    .orderBy(sql`coalesce(changed_at, '')`, "desc")
    .orderBy("key")
    .limit(limit)
    .execute()
  const { total } = await query
    .select((row) => row.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow()
  return { points, total }
}
