import { sql } from "kysely"
import type { Db } from "./database.ts"

/** Rows deleted in one go, so that no transaction holds up the others for long. */
const slice = 5000

/**
 * Deletes a part of the oldest run that ended before a time, and the run itself with the last part.
 * False when there is none left.
 */
export async function pruneRuns(db: Db, { before }: { before: string }): Promise<boolean> {
  const run = await db
    .selectFrom("runs")
    .select("n")
    .where("finished_at", "<", before)
    .orderBy("finished_at")
    .limit(1)
    .executeTakeFirst()
  if (run) await eraseRun(db, { runN: run.n })
  return run !== undefined
}

/** Deletes a part of a run's rows, and the run with the last part; whether it is gone. */
export async function eraseRun(db: Db, { runN }: { runN: number }): Promise<boolean> {
  for (const table of ["items", "targets", "run_log"] as const) {
    const key = sql.raw(keys[table])
    const result = await sql`
      DELETE FROM ${sql.table(table)} WHERE run_n = ${runN} AND (${key}) IN (
        SELECT ${key} FROM ${sql.table(table)} WHERE run_n = ${runN} LIMIT ${slice}
      )`.execute(db)
    if (Number(result.numAffectedRows ?? 0) === slice) return false
  }
  await db.deleteFrom("runs").where("n", "=", runN).execute()
  return true
}

const keys = { items: "seq, idx", targets: "seq", run_log: "id" }

/** Deletes the oldest log lines from before a time; false when there are none left. */
export async function pruneLog(db: Db, { before }: { before: string }): Promise<boolean> {
  const oldest = db.selectFrom("run_log").select("id").orderBy("id").limit(slice)
  const { numDeletedRows } = await db
    .deleteFrom("run_log")
    .where("id", "in", oldest)
    .where("at", "<", before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) === slice
}
