import type { Selectable } from "kysely"
import type { Db } from "./database.ts"
import type { RunStatus, RunsTable } from "./schema.ts"

export type RunRow = Selectable<RunsTable>

/** The moves that a run may make; every other is refused. */
export const runMoves: Record<RunStatus, readonly RunStatus[]> = {
  queued: ["running", "aborting", "aborted", "failed"],
  running: ["succeeded", "failed", "timed_out", "aborting", "queued"],
  aborting: ["aborted"],
  // Only `resume` leaves an end.
  succeeded: [],
  failed: ["queued"],
  timed_out: ["queued"],
  aborted: ["queued"],
}

export interface NewRun {
  id: string
  datasetId: string
  slug: string
  input: Record<string, unknown>
  accountId: string | null
  origin: string
  maxItems: number | null
  maxPages: number | null
  timeoutSeconds: number
  createdAt: string
  /** Keys and JSON of the first targets, in order. */
  targets: { key: string; target: string }[]
}

export async function createRun(db: Db, run: NewRun): Promise<RunRow> {
  const row = await db
    .insertInto("runs")
    .values({
      id: run.id,
      dataset_id: run.datasetId,
      slug: run.slug,
      status: "queued",
      status_message: null,
      input: JSON.stringify(run.input),
      account_id: run.accountId,
      origin: run.origin,
      targets_total: run.targets.length,
      max_items: run.maxItems,
      max_pages: run.maxPages,
      timeout_seconds: run.timeoutSeconds,
      capped: null,
      error_code: null,
      error_message: null,
      created_at: run.createdAt,
      started_at: null,
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const [seq, { key, target }] of run.targets.entries()) {
    await db
      .insertInto("targets")
      .values({ run_n: row.n, seq, key, target, state: "queued" })
      .execute()
  }
  return row
}

/** Moves a run; false when it is not (any more) in a state that allows the move. */
export async function moveRun(
  db: Db,
  move: { id: string; to: RunStatus; set?: Partial<RunRow> },
): Promise<boolean> {
  const from = (Object.keys(runMoves) as RunStatus[]).filter((state) =>
    runMoves[state].includes(move.to),
  )
  const result = await db
    .updateTable("runs")
    .set({ ...move.set, status: move.to })
    .where("id", "=", move.id)
    .where("status", "in", from)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function finishRun(
  db: Db,
  end: {
    id: string
    status: "succeeded" | "failed" | "timed_out" | "aborted"
    error: { code: string; message: string } | null
    capped: string | null
    finishedAt: string
  },
): Promise<boolean> {
  return moveRun(db, {
    id: end.id,
    to: end.status,
    set: {
      error_code: end.error?.code ?? null,
      error_message: end.error?.message ?? null,
      capped: end.capped,
      finished_at: end.finishedAt,
    },
  })
}

export async function runById(db: Db, id: string): Promise<RunRow | undefined> {
  return db.selectFrom("runs").selectAll().where("id", "=", id).executeTakeFirst()
}
