import type { Db } from "../db/database.ts"
import { removeFilesOf } from "../files/files.ts"
import type { RunRow } from "../tables/schema.ts"

interface Owned {
  id: string
  accountId: string
  at: string
}

const ended = ["succeeded", "failed", "timed_out", "aborted"] as const

/** Hides a finished run; `purge` removes it. Returns undefined if there is no such run. */
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

/** Hides the items and files of a finished run; the run stays. */
export async function deleteDataset(db: Db, dataset: Owned): Promise<RunRow | undefined> {
  const run = await db
    .updateTable("runs")
    .set({ dataset_deleted_at: dataset.at })
    .where("dataset_id", "=", dataset.id)
    .where("account_id", "=", dataset.accountId)
    .where("status", "in", ended)
    .where("dataset_deleted_at", "is", null)
    .returningAll()
    .executeTakeFirst()
  if (!run) return undefined
  await removeFilesOf(db, run.n, dataset.at)
  await db.deleteFrom("dataset_links").where("dataset_id", "=", dataset.id).execute()
  return run
}

/** Selects finished runs. */
export interface Older {
  /** Only runs that finished before this time. */
  before: string
  /** Null: runs of anonymous callers. Undefined: runs of all accounts. */
  accountId?: string | null
  slug?: string
}

const atOnce = 5000

const olderRuns = (db: Db, { before, accountId, slug }: Older) => {
  let runs = db.selectFrom("runs").where("finished_at", "<", before).where("deleted_at", "is", null)
  if (accountId === null) runs = runs.where("account_id", "is", null)
  else if (accountId !== undefined) runs = runs.where("account_id", "=", accountId)
  return slug === undefined ? runs : runs.where("slug", "=", slug)
}

export async function countOlder(db: Db, older: Older): Promise<{ runs: number; items: number }> {
  const { runs, items } = await olderRuns(db, older)
    .select((row) => [
      row.fn.countAll<number>().as("runs"),
      row.fn.sum<number | null>("item_count").as("items"),
    ])
    .executeTakeFirstOrThrow()
  return { runs, items: items ?? 0 }
}

/** Hides a part of the selected runs; returns their number. `purge` removes them. */
export async function deleteOlder(db: Db, older: Older & { at: string }): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("runs")
    .set({ deleted_at: older.at })
    .where("n", "in", olderRuns(db, older).select("n").limit(atOnce))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
