import type { Db } from "./database.ts"
import type { Listed, Page } from "./page.ts"
import type { RunRow } from "./runs.ts"

/** A dataset is a run's items: read through its run. */
export async function runOfDataset(
  db: Db,
  dataset: { id: string; accountId: string },
): Promise<RunRow | undefined> {
  return db
    .selectFrom("runs")
    .selectAll()
    .where("dataset_id", "=", dataset.id)
    .where("account_id", "=", dataset.accountId)
    .where("deleted_at", "is", null)
    .where("dataset_deleted_at", "is", null)
    .executeTakeFirst()
}

/** The account's datasets, the newest first. */
export async function listDatasets(db: Db, accountId: string, page: Page): Promise<Listed<RunRow>> {
  const own = db
    .selectFrom("runs")
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .where("dataset_deleted_at", "is", null)
  const rows = await own
    .selectAll()
    .orderBy("n", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await own
    .select((row) => row.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow()
  return { rows, total }
}
