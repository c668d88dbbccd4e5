import type { SQL } from "bun"
import { sql } from "kysely"
import type { Db } from "../database.ts"
import { requeueRun } from "../runs/requeue.ts"
import type { RunRow } from "../tables/schema.ts"

/** By the database's clock: those of the machines differ. */
const now = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`
const in_ = (milliseconds: number) => sql<number>`${now} + ${milliseconds}::bigint`

/** Runs that are put back in one transaction. */
const atOnce = 50

export interface Joining {
  id: string
  /** Its data folder; an earlier process with the same folder has ended, since one uses it at a time. */
  folder: string
  leaseMs: number
}

/** From now on, a process takes runs; it is alive for so long, and longer with each `beat`. */
export async function joinProcesses(db: Db, { id, folder, leaseMs }: Joining): Promise<void> {
  await db.updateTable("processes").set({ alive_until: 0 }).where("folder", "=", folder).execute()
  await db
    .insertInto("processes")
    .values({ id, folder, alive_until: in_(leaseMs) })
    .execute()
}

/** False when the process was taken for dead, and its runs were given to others. */
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
 * Puts runs back that one process had in hand which is not alive any more, and forgets it when it has
 * none; how many, or null when there is no such process.
 */
export async function buryProcess(db: Db, { at }: { at: string }): Promise<number | null> {
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
  const runs = await heldBy(db, dead.id).limit(atOnce).execute()
  for (const { id, attempt } of runs) await requeueRun(db, { id, attempt, cause: "process", at })
  if (runs.length < atOnce) await db.deleteFrom("processes").where("id", "=", dead.id).execute()
  return runs.length
}

/** The process has ended, and has put back what it had in hand. */
export async function leaveProcesses(db: Db, { id }: { id: string }): Promise<void> {
  // What it could not put back, others do.
  await db.updateTable("processes").set({ alive_until: 0 }).where("id", "=", id).execute()
}

const heldBy = (db: Db, processId: string) =>
  db
    .selectFrom("runs")
    .select(["id", "attempt", "status"])
    .where("process_id", "=", processId)
    .where("status", "in", ["running", "aborting"])

/** Whether a process works with the database. */
export async function isInUse(client: SQL): Promise<boolean> {
  const rows: unknown[] = await client`
    SELECT 1 FROM processes WHERE alive_until > extract(epoch FROM clock_timestamp()) * 1000`
  return rows.length > 0
}

/** What a process has in hand, as all others see it. */
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

/** What differs when something has happened to a run. */
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
