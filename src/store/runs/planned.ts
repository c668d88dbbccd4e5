import type { Db } from "../db/database.ts"
import { type Attempt, addCounts } from "../db/run-counts.ts"
import type { RunRow } from "../tables/schema.ts"
import { priorities } from "./priority.ts"
import { attachDestinations } from "./run-destinations.ts"
import type { QueuedRun } from "./runs.ts"
import { titleOfTargets } from "./titles.ts"

/** A run of a batch or a schedule. Its worker creates its targets from the input. */
export interface PlannedRun {
  id: string
  slug: string
  /** The recipe that started the run, if any. */
  recipe: string | null
  /** Stored input as JSON; the worker checks it. */
  input: string
  /** Null: the first target becomes the title. */
  title: string | null
  /** Name of the session with which pages are fetched; null for none. */
  session?: string | null
  accountId: string
  keyId: string | null
  origin: "batch" | "schedule"
  /** Trace of the call that planned the run, as W3C traceparent; null for scheduled runs. */
  traceParent?: string | null
  /** Name of the destination that receives its items, in addition to those that receive all such runs. */
  destination?: string | null
  createdAt: string
}

/** Rows of one statement. */
const chunk = 100
const timeoutSeconds = 3600

/** Queues runs in the caller's transaction; a run whose ID exists stays unchanged. */
export async function planRuns(db: Db, runs: readonly PlannedRun[]): Promise<QueuedRun[]> {
  const queued: QueuedRun[] = []
  for (let from = 0; from < runs.length; from += chunk) {
    const rows = await db
      .insertInto("runs")
      .values(runs.slice(from, from + chunk).map(rowOf))
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning(["id", "account_id", "suspicion", "priority"])
      .execute()
    queued.push(...rows)
  }
  const isNew = new Set(queued.map(({ id }) => id))
  for (const run of runs) {
    if (isNew.has(run.id)) await attachDestinations(db, { ...run, at: run.createdAt })
  }
  return queued
}

const rowOf = (run: PlannedRun) => ({
  id: run.id,
  dataset_id: run.id.replace(/^run_/, "ds_"),
  slug: run.slug,
  recipe: run.recipe,
  title: run.title,
  session: run.session ?? null,
  status: "queued" as const,
  input: run.input,
  account_id: run.accountId,
  key_id: run.keyId,
  origin: run.origin,
  trace_parent: run.traceParent ?? null,
  priority: priorities.background,
  targets_known: 0,
  timeout_seconds: timeoutSeconds,
  created_at: run.createdAt,
})

/** Targets of one statement. */
const targetsAtOnce = 500

/** Stores the first targets of a planned run; returns the changed row. @throws AttemptGivenUp */
export async function keepTargets(
  db: Db,
  { targets, ...attempt }: Attempt & { targets: { key: string; target: string }[] },
): Promise<RunRow> {
  await addCounts(db, attempt, {})
  const run = db.updateTable("runs").where("n", "=", attempt.runN)
  const known = await run
    .set((row) => ({
      targets_known: 1,
      targets_total: targets.length,
      title: row.fn.coalesce("title", row.val(titleOfTargets(targets))),
    }))
    .where("targets_known", "=", 0)
    .returningAll()
    .executeTakeFirst()
  if (known) {
    for (let from = 0; from < targets.length; from += targetsAtOnce) {
      const rows = targets.slice(from, from + targetsAtOnce)
      await db
        .insertInto("targets")
        .values(
          rows.map((target, index) => ({ run_n: attempt.runN, seq: from + index, ...target })),
        )
        .execute()
    }
    return known
  }
  return db.selectFrom("runs").selectAll().where("n", "=", attempt.runN).executeTakeFirstOrThrow()
}
