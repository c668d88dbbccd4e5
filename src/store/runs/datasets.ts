import type { Db } from "../db/database.ts"
import type { RunRow } from "../tables/schema.ts"
import { visibleColumns } from "./run-lists.ts"

/** Returns the run of a dataset, which has the same ID. */
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

/** Returns the run that created the dataset with this name. */
export async function runOfNamedDataset(
  db: Db,
  dataset: { name: string; accountId: string },
): Promise<RunRow | undefined> {
  return db
    .selectFrom("runs")
    .selectAll()
    .where("dataset_name", "=", dataset.name)
    .where("account_id", "=", dataset.accountId)
    .where("deleted_at", "is", null)
    .where("dataset_deleted_at", "is", null)
    .executeTakeFirst()
}

/** Maximum runs that append to a dataset. */
export const maxAppended = 999

/** Returns the runs that append to a run's dataset, in the order in which they were started. */
export async function appendedRuns(
  db: Db,
  run: Pick<RunRow, "dataset_id" | "account_id">,
): Promise<Omit<RunRow, "input">[]> {
  return db
    .selectFrom("runs")
    .select(visibleColumns)
    .where("appended_to", "=", run.dataset_id)
    .where("account_id", "=", run.account_id)
    .where("deleted_at", "is", null)
    .where("dataset_deleted_at", "is", null)
    .orderBy("n")
    .limit(maxAppended)
    .execute()
}

/** Returns the last earlier run of the same scraper with the same input that succeeded. */
export async function runBefore(db: Db, n: number): Promise<RunRow | undefined> {
  return db
    .selectFrom("runs")
    .innerJoin("runs as this", (join) =>
      join
        .onRef("runs.account_id", "=", "this.account_id")
        .onRef("runs.slug", "=", "this.slug")
        .onRef("runs.input", "=", "this.input"),
    )
    .selectAll("runs")
    .where("this.n", "=", n)
    .where("runs.n", "<", n)
    .where("runs.status", "=", "succeeded")
    .where("runs.deleted_at", "is", null)
    .where("runs.dataset_deleted_at", "is", null)
    .orderBy("runs.n", "desc")
    .limit(1)
    .executeTakeFirst()
}
