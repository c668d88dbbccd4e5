import { sql } from "kysely"
import type { Db } from "../database.ts"
import type { RunRow } from "../tables/schema.ts"
import { eraseRuns } from "./retention.ts"

interface Owned {
  id: string
  accountId: string
  at: string
}

const ended = ["succeeded", "failed", "timed_out", "aborted"] as const

/** Hides a run that is over; `sweep` removes it. Undefined when there is none such. */
export async function deleteRun(db: Db, run: Owned): Promise<RunRow | undefined> {
  return db
    .updateTable("runs")
    .set({ deleted_at: run.at })
    .where("id", "=", run.id)
    .where("account_id", "=", run.accountId)
    .where("status", "in", ended)
    .where("deleted_at", "is", null)
    .returningAll()
    .executeTakeFirst()
}

/** Hides the items of a run that is over; the run stays. */
export async function deleteDataset(db: Db, dataset: Owned): Promise<RunRow | undefined> {
  return db
    .updateTable("runs")
    .set({ dataset_deleted_at: dataset.at })
    .where("dataset_id", "=", dataset.id)
    .where("account_id", "=", dataset.accountId)
    .where("status", "in", ended)
    .where("dataset_deleted_at", "is", null)
    .returningAll()
    .executeTakeFirst()
}

/** Rows deleted in one go, so that no transaction holds up the others for long. */
const slice = 5000

/** What is over by its age. */
const expiring = [
  { table: "deliveries", column: "ended_at", since: "monthAgo" },
  { table: "schedule_ticks", column: "fired_at", since: "monthAgo" },
  { table: "idempotency", column: "created_at", since: "dayAgo" },
  { table: "sessions", column: "expires_at", since: "now" },
  { table: "claims", column: "expires_at", since: "now" },
  { table: "keyless_results", column: "expires_at", since: "now" },
  { table: "allowance", column: "day", since: "dayAgo" },
] as const

export interface SweepTimes {
  now: string
  dayAgo: string
  monthAgo: string
}

/** Removes a part of what was deleted or is over; false when nothing is left to remove. */
export async function sweep(db: Db, times: SweepTimes): Promise<boolean> {
  let isMore = false
  for (const { table, column, since } of expiring) {
    const result = await sql`
      DELETE FROM ${sql.table(table)} WHERE (${sql.raw(keys[table])}) IN (
        SELECT ${sql.raw(keys[table])} FROM ${sql.table(table)}
        WHERE ${sql.ref(column)} < ${times[since]} LIMIT ${slice}
      )`.execute(db)
    isMore ||= Number(result.numAffectedRows ?? 0) === slice
  }
  const runs = [...(await deletedRuns(db)), ...(await oldKeylessRuns(db, times.dayAgo))]
  if (await eraseRuns(db, runs)) return true
  return (await sweepDatasets(db)) || isMore
}

const keys = {
  deliveries: "id",
  schedule_ticks: "schedule_id, due_at",
  idempotency: "account_id, key",
  sessions: "hash",
  claims: "claim_hash",
  keyless_results: "token_hash",
  allowance: "subject, day",
}
/** Runs deleted in one go, however little belongs to them. */
const runsAtOnce = 100

async function deletedRuns(db: Db): Promise<{ n: number }[]> {
  return db
    .selectFrom("runs")
    .select("n")
    .where("deleted_at", "is not", null)
    .limit(runsAtOnce)
    .execute()
}

/** Nobody can read a keyless run's items any more when its results are over. */
async function oldKeylessRuns(db: Db, dayAgo: string): Promise<{ n: number }[]> {
  return db
    .selectFrom("runs")
    .select("n")
    .where("account_id", "is", null)
    .where("finished_at", "<", dayAgo)
    .orderBy("finished_at")
    .limit(runsAtOnce)
    .execute()
}

async function sweepDatasets(db: Db): Promise<boolean> {
  const result = await sql`
    DELETE FROM items WHERE (run_n, seq, idx) IN (
      SELECT items.run_n, items.seq, items.idx FROM runs
      JOIN items ON items.run_n = runs.n
      WHERE runs.dataset_deleted_at IS NOT NULL LIMIT ${slice}
    )`.execute(db)
  return (result.numAffectedRows ?? 0n) > 0n
}
