import type { Db } from "../database.ts"
import type { RunRow } from "../tables/schema.ts"

interface Owned {
  id: string
  accountId: string
  at: string
}

const ended = ["succeeded", "failed", "timed_out", "aborted"] as const

/** Hides a run that is over; `purge` removes it. Undefined when there is none such. */
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
