import type { SQL } from "bun"
import { sql } from "kysely"
import type { Db } from "../db/database.ts"
import { releaseOfProcess } from "../destinations/run-deliveries.ts"
import { requeueRun } from "../runs/requeue.ts"
import type { RunRow } from "../tables/schema.ts"

/** Time by the database's clock, because the clocks of the machines differ. */
const now = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`
const in_ = (milliseconds: number) => sql<number>`${now} + ${milliseconds}::bigint`

/** Runs that are requeued in one transaction. */
const atOnce = 50

export interface Joining {
  id: string
  /**
   * Data folder of the process. An earlier process with the same folder has ended, since only one
   * uses it at a time.
   */
  folder: string
  leaseMs: number
}

/**
 * Registers a process that executes runs. It counts as alive for a time that each `beat` extends.
 */
export async function joinProcesses(db: Db, { id, folder, leaseMs }: Joining): Promise<void> {
  await db.updateTable("processes").set({ alive_until: 0 }).where("folder", "=", folder).execute()
  await db
    .insertInto("processes")
    .values({ id, folder, alive_until: in_(leaseMs) })
    .execute()
}

/** Returns false if the process was declared dead and its runs were requeued. */
export async function beat(
  db: Db,
  { id, leaseMs }: Pick<Joining, "id" | "leaseMs">,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("processes")
    .set({ alive_until: in_(leaseMs) })
    .where("id", "=", id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Requeues the runs of a process that is no longer alive, releases its destinations, and removes it
 * when it has no runs. Returns the number of runs, or null if there is no such process.
 */
export async function removeDeadProcess(db: Db, { at }: { at: string }): Promise<number | null> {
  const dead = await db
    .selectFrom("processes")
    .select("id")
    .where("alive_until", "<", now)
    .orderBy("alive_until")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!dead) return null
  await releaseOfProcess(db, dead.id)
  const runs = await heldBy(db, dead.id).limit(atOnce).execute()
  for (const { id, attempt } of runs) await requeueRun(db, { id, attempt, cause: "process", at })
  if (runs.length < atOnce) await db.deleteFrom("processes").where("id", "=", dead.id).execute()
  return runs.length
}

/** Records that a process has ended and has requeued its runs. */
export async function leaveProcesses(db: Db, { id }: { id: string }): Promise<void> {
  // Other processes requeue the runs that remain.
  await db.updateTable("processes").set({ alive_until: 0 }).where("id", "=", id).execute()
}

const heldBy = (db: Db, processId: string) =>
  db
    .selectFrom("runs")
    .select(["id", "attempt", "status"])
    .where("process_id", "=", processId)
    .where("status", "in", ["running", "aborting"])

/** Returns whether any process uses the database. */
export async function isInUse(client: SQL): Promise<boolean> {
  const rows: unknown[] = await client`
    SELECT 1 FROM processes WHERE alive_until > extract(epoch FROM clock_timestamp()) * 1000`
  return rows.length > 0
}

/** Returns the runs that a process executes, as other processes see it. */
export async function runsOfProcess(
  db: Db,
  processId: string,
): Promise<Pick<RunRow, "id" | "attempt" | "status">[]> {
  return heldBy(db, processId).execute()
}

/** Requeues runs without a process, in a database that one process used before. */
export async function adoptRuns(db: Db, { at }: { at: string }): Promise<void> {
  const runs = await db
    .selectFrom("runs")
    .select(["id", "attempt"])
    .where("status", "in", ["running", "aborting"])
    .where("process_id", "is", null)
    .execute()
  for (const { id, attempt } of runs) await requeueRun(db, { id, attempt, cause: "stop", at })
}

/** Values of a run that differ after any change. */
export interface RunMark {
  id: string
  status: RunRow["status"]
  mark: string
}

export async function runMarks(db: Db, ids: readonly string[]): Promise<RunMark[]> {
  const { rows } = await sql<RunMark>`
    SELECT id, status, concat_ws(' ', status, attempt, item_count, error_count, page_count, targets_done,
      targets_total, status_message, (SELECT max(id) FROM run_log WHERE run_n = n)) AS mark
    FROM runs WHERE id = ANY(${ids}::text[])`.execute(db)
  return rows
}
