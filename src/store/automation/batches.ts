import type { Selectable } from "kysely"
import type { Db } from "../db/database.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import { type PlannedRun, planRuns } from "../runs/planned.ts"
import { type ListedRun, visibleColumns } from "../runs/run-lists.ts"
import type { QueuedRun } from "../runs/runs.ts"
import { keepSources, type RunSource } from "../runs/sources.ts"
import type { BatchesTable } from "../tables/automation-tables.ts"
import type { RunStatus } from "../tables/run-status.ts"

export type BatchRow = Selectable<BatchesTable>

export interface NewBatch {
  id: string
  accountId: string
  keyId: string | null
  name: string | null
  createdAt: string
  traceParent?: string | null
  runs: (Pick<PlannedRun, "slug" | "recipe" | "input" | "session"> & { runId: string })[]
  sources?: readonly RunSource[]
  /** Name of the destination that receives the items of its runs. */
  destination?: string | null
}

/** Maximum rows of one statement. */
const chunk = 100

/** Stores a batch and queues all its runs; returns the stored batch if the ID is known. */
export async function createBatch(
  db: Db,
  batch: NewBatch,
): Promise<{ row: BatchRow; queued: QueuedRun[] }> {
  const row = await db
    .insertInto("batches")
    .values({
      id: batch.id,
      account_id: batch.accountId,
      name: batch.name,
      size: batch.runs.length,
      created_at: batch.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) {
    const status = await batchById(db, { id: batch.id, accountId: batch.accountId })
    return { row: status!, queued: [] }
  }
  const places = batch.runs.map(({ runId }, position) => ({
    batch_id: batch.id,
    position,
    run_id: runId,
  }))
  for (let from = 0; from < places.length; from += chunk) {
    await db
      .insertInto("batch_runs")
      .values(places.slice(from, from + chunk))
      .execute()
  }
  await keepSources(db, batch.sources ?? [])
  const queued = await planRuns(
    db,
    batch.runs.map(({ runId, ...work }, position) => ({
      id: runId,
      ...work,
      title: batch.name && titleInBatch(batch.name, position, batch.runs.length),
      accountId: batch.accountId,
      keyId: batch.keyId,
      origin: "batch" as const,
      traceParent: batch.traceParent ?? null,
      destination: batch.destination ?? null,
      createdAt: batch.createdAt,
    })),
  )
  return { row, queued }
}

const titleInBatch = (name: string, position: number, size: number) =>
  size > 1 ? `${name}, ${position + 1} of ${size}` : name

export async function batchById(
  db: Db,
  batch: { id: string; accountId: string },
): Promise<BatchRow | undefined> {
  return db
    .selectFrom("batches")
    .selectAll()
    .where("id", "=", batch.id)
    .where("account_id", "=", batch.accountId)
    .executeTakeFirst()
}

export async function listBatches(
  db: Db,
  accountId: string,
  page: Page,
): Promise<Listed<BatchRow>> {
  const query = db.selectFrom("batches").where("account_id", "=", accountId).selectAll()
  return listed(query, page, "id")
}

export interface BatchProgress {
  byStatus: Partial<Record<RunStatus, number>>
  itemCount: number
  errorCount: number
  creditsCharged: number
  /** Finished targets of the started runs. */
  targetsDone: number
  targetsTotal: number
  targetsFailed: number
}

export async function batchProgress(db: Db, batchId: string): Promise<BatchProgress> {
  const rows = await db
    .selectFrom("batch_runs")
    .innerJoin("runs", "runs.id", "batch_runs.run_id")
    .select((row) => [
      "runs.status",
      row.fn.countAll<number>().as("runs"),
      row.fn.sum<number>("runs.item_count").as("items"),
      row.fn.sum<number>("runs.error_count").as("errors"),
      row.fn.sum<number>("runs.credits_charged").as("credits"),
      row.fn.sum<number>("runs.targets_done").as("done"),
      row.fn.sum<number>("runs.targets_total").as("targets"),
      row.fn.sum<number>("runs.targets_failed").as("failed"),
    ])
    .where("batch_runs.batch_id", "=", batchId)
    .groupBy("runs.status")
    .execute()
  const sum = (field: "items" | "errors" | "credits" | "done" | "targets" | "failed") =>
    rows.reduce((total, row) => total + row[field], 0)
  return {
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.runs])),
    itemCount: sum("items"),
    errorCount: sum("errors"),
    creditsCharged: sum("credits"),
    targetsDone: sum("done"),
    targetsTotal: sum("targets"),
    targetsFailed: sum("failed"),
  }
}

/** Returns the batch's runs in the order of the call. */
export async function batchRuns(
  db: Db,
  batchId: string,
  page: Page & { withInput?: boolean },
): Promise<(ListedRun & { position: number })[]> {
  return db
    .selectFrom("batch_runs")
    .innerJoin("runs", "runs.id", "batch_runs.run_id")
    .select(visibleColumns.map((column) => `runs.${column}` as const))
    .select("batch_runs.position")
    .$if(page.withInput === true, (query) => query.select("runs.input"))
    .where("batch_runs.batch_id", "=", batchId)
    .where("batch_runs.position", ">", Number(page.cursor ?? -1))
    .where("runs.deleted_at", "is", null)
    .orderBy("batch_runs.position")
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}
