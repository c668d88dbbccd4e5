import { sql } from "kysely"
import type { Db } from "../database.ts"

/** Rows deleted in one go, so that no transaction holds up the others for long. */
const slice = 5000
/** Runs deleted in one go, however little belongs to them. */
const runsAtOnce = 200

/** Deletes a part of the runs that ended before a time, the oldest first; false when none is left. */
export async function pruneRuns(db: Db, { before }: { before: string }): Promise<boolean> {
  const runs = await db
    .selectFrom("runs")
    .select("n")
    .where("finished_at", "<", before)
    .orderBy("finished_at")
    .limit(runsAtOnce)
    .execute()
  return eraseRuns(db, runs)
}

/** Deletes as many of these runs as one go may; whether there was any. */
export async function eraseRuns(db: Db, runs: readonly { n: number }[]): Promise<boolean> {
  let left = slice
  for (const { n } of runs) {
    if (left <= 0) break
    left -= await eraseUpTo(db, n, left)
  }
  return runs.length > 0
}

/** How many rows were deleted; the run is gone when they are less than `most`. */
async function eraseUpTo(db: Db, runN: number, most: number): Promise<number> {
  let left = most
  for (const table of ["items", "targets", "run_log"] as const) {
    const key = sql.raw(keys[table])
    const result = await sql`
      DELETE FROM ${sql.table(table)} WHERE run_n = ${runN} AND (${key}) IN (
        SELECT ${key} FROM ${sql.table(table)} WHERE run_n = ${runN} LIMIT ${left}
      )`.execute(db)
    left -= Number(result.numAffectedRows ?? 0)
    if (left <= 0) return most
  }
  await db.deleteFrom("runs").where("n", "=", runN).execute()
  return most - left + 1
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
