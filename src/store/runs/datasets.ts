import type { Db } from "../database.ts"
import type { RunRow } from "../tables/schema.ts"

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
