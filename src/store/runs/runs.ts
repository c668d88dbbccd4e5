import { sql, type Updateable } from "kysely"
import { type Db, hotInsert, hotQuery, isPostgres } from "../db/database.ts"
import { held, later } from "../db/dialect.ts"
import { announceRunEnd } from "../notifications/events.ts"
import type { RunStatus } from "../tables/run-status.ts"
import type { RunRow, RunsTable } from "../tables/schema.ts"
import { runOfNamedDataset } from "./datasets.ts"
import { type Priority, priorities } from "./priority.ts"
import { attachDestinations } from "./run-destinations.ts"
import { titleOfTargets } from "./titles.ts"

/** Allowed transitions of a run's status; all others are refused. */
export const runMoves: Record<RunStatus, readonly RunStatus[]> = {
  // Without a worker, a run fails if it cannot be started, and times out if it waits too long.
  queued: ["running", "aborted", "failed", "timed_out"],
  // Queued again: the service stops, other runs wait for its slot, or its worker has ended.
  running: ["succeeded", "failed", "timed_out", "aborting", "queued"],
  aborting: ["aborted"],
  // Only `resume` and `retry` restart a finished run.
  succeeded: ["queued"],
  failed: ["queued"],
  timed_out: ["queued"],
  aborted: ["queued"],
}

/** Returns whether a run in this state has finished. */
export function isOver(status: RunStatus): boolean {
  return status !== "queued" && status !== "running" && status !== "aborting"
}

/** The part of a run that its caller decides. */
export interface RunTerms {
  input: Record<string, unknown>
  /** Account; null for an anonymous caller. */
  accountId: string | null
  /** The API key that requested it, if any. */
  keyId?: string | null
  /** Owner of the remembered values of an anonymous caller's run (memory.ts). */
  memoryOwner?: string | null
  origin: string
  /** Maximum items, in addition to the scraper's limit. */
  maxItems: number | null
  maxPages: number | null
  /** Maximum credits of the run. */
  maxCredits?: number | null
  /** A dataset of the account that the run's items are appended to. */
  appendedTo?: string | null
  /** Fields that identify an item in its dataset. */
  uniqueBy?: string[] | null
  /** Name of the dataset that the items are appended to; the first run with the name creates it. */
  datasetName?: string | null
  /** JSONata expression applied to its dataset by default. */
  transform?: string | null
  /** Name of the destination that receives its items, in addition to those that receive all such runs. */
  destination?: string | null
  /** Name of the account's session used to fetch pages. Default: its recipe's. */
  session?: string | null
  timeoutSeconds: number
  /** Default: the priority of an API call that does not wait. */
  priority?: Priority
}

/** A run to store. */
export interface NewRun extends RunTerms {
  id: string
  datasetId: string
  slug: string
  recipe?: string | null
  /** Time at which the run expires if no worker has claimed it. */
  expiresAt?: string | null
  /** Trace of the call that starts the run, as W3C traceparent. */
  traceParent?: string | null
  createdAt: string
  /** Keys and JSON of the first targets, in order; each key is unique. */
  targets: { key: string; target: string }[]
}

/** Targets of one statement. */
const chunk = 500

const insertRun = hotInsert("runs")
const insertTarget = hotInsert("targets")

/** The slot that is reserved for a new run: it is stored as running. */
export interface ReservedSlot {
  /** The process that has the slot, if several share the database. */
  processId: string | null
}

/** Stores a run with its targets: as queued, or as running if a slot is reserved for it. */
export async function createRun(db: Db, run: NewRun, slot?: ReservedSlot): Promise<RunRow> {
  const named = await namedDataset(db, run)
  const row = await insertRun(db, {
    id: run.id,
    dataset_id: run.datasetId,
    slug: run.slug,
    recipe: run.recipe ?? null,
    appended_to: named ?? run.appendedTo ?? null,
    unique_by: run.uniqueBy ? JSON.stringify(run.uniqueBy) : null,
    dataset_name: named === undefined ? (run.datasetName ?? null) : null,
    transform: run.transform ?? null,
    session: run.session ?? null,
    title: run.accountId === null ? null : titleOfTargets(run.targets),
    status: slot ? "running" : "queued",
    attempt: slot ? 1 : 0,
    process_id: slot?.processId ?? null,
    status_message: null,
    input: JSON.stringify(run.input),
    account_id: run.accountId,
    memory_owner: run.memoryOwner ?? null,
    key_id: run.keyId ?? null,
    origin: run.origin,
    targets_total: run.targets.length,
    max_items: run.maxItems,
    max_pages: run.maxPages,
    max_credits: run.maxCredits ?? null,
    timeout_seconds: run.timeoutSeconds,
    capped: null,
    error_code: null,
    error_message: null,
    created_at: run.createdAt,
    started_at: slot ? run.createdAt : null,
    finished_at: null,
    priority: priorities[run.priority ?? "api"],
    expires_at: run.expiresAt ?? null,
    trace_parent: run.traceParent ?? null,
  })
  const targets = run.targets.map((target, seq) => ({ run_n: row.n, seq, ...target }))
  if (targets.length === 1) await insertTarget(db, targets[0]!)
  else {
    for (let from = 0; from < targets.length; from += chunk) {
      await db
        .insertInto("targets")
        .values(targets.slice(from, from + chunk))
        .execute()
    }
  }
  const { id, accountId, slug, recipe = null, destination, createdAt: at } = run
  await attachDestinations(db, {
    id,
    accountId,
    slug,
    recipe,
    destination: destination ?? null,
    origin: run.origin,
    at,
  })
  return row
}

/** Renames a run of an account; returns false if it does not exist. */
export async function renameRun(
  db: Db,
  { id, accountId, title }: { id: string; accountId: string; title: string },
): Promise<boolean> {
  const result = await db
    .updateTable("runs")
    .set({ title })
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Finds the dataset with the run's name. Of two runs that create it at once, the second appends. */
async function namedDataset(
  db: Db,
  { accountId, datasetName: name }: NewRun,
): Promise<string | undefined> {
  if (!name || accountId === null) return undefined
  await held(db, db.selectFrom("accounts").select("id").where("id", "=", accountId)).execute()
  return (await runOfNamedDataset(db, { name, accountId }))?.dataset_id
}

/**
 * Changes a run's status; returns undefined if it does not have the status `from`, or does not meet
 * `only`.
 */
export async function moveRun(
  db: Db,
  id: string,
  from: RunStatus,
  to: RunStatus,
  set: Updateable<RunsTable> = {},
  only: { attempt?: number; targetsDone?: number } = {},
): Promise<RunRow | undefined> {
  if (!runMoves[from].includes(to))
    throw new Error(`The status of a run cannot change from ${from} to ${to}.`)
  const { finished_at: at } = set
  // The clock may have been set back since the start.
  const end = at && { finished_at: later(db, at, sql`coalesce(started_at, created_at)`) }
  const { attempt, targetsDone } = only
  const moved = await db
    .updateTable("runs")
    .set({ ...set, ...end, ...(isPostgres(db) && releasedBy(to)), status: to })
    .where("id", "=", id)
    .where("status", "=", from)
    .$if(attempt !== undefined, (query) => query.where("attempt", "=", attempt!))
    .$if(targetsDone !== undefined, (query) => query.where("targets_done", ">=", targetsDone!))
    .returningAll()
    .executeTakeFirst()
  if (moved && isOver(to)) await announceRunEnd(db, moved)
  return moved
}

/** Releases the run from its process if no process executes a run with this status. */
const releasedBy = (status: RunStatus) =>
  status !== "running" && status !== "aborting" && { process_id: null }

/** Claims a queued run for a worker; returns undefined if it is no longer queued. */
export async function claimRun(
  db: Db,
  { id, at }: { id: string; at: string },
): Promise<RunRow | undefined> {
  const row = await heldRun(db, id)
  if (!row) return undefined
  return moveRun(db, id, "queued", "running", {
    attempt: row.attempt + 1,
    done_before: row.targets_done,
    started_at: row.started_at ?? at,
    status_message: null,
  })
}

/** The columns of a queued run that the queue needs. */
export type QueuedRun = Pick<RunRow, "id" | "account_id" | "suspicion" | "priority">
const queueColumns = ["id", "account_id", "suspicion", "priority"] as const

/** Maximum queued runs of one change. */
const atOnce = 200

/** Returns whether a queued run is due: to be started or to expire. */
export async function isTimeForQueued(db: Db, at: string): Promise<boolean> {
  const { rows } = await sql<{ isTime: number | boolean }>`
    SELECT EXISTS (SELECT 1 FROM runs WHERE status = 'queued' AND not_before <= ${at})
      OR EXISTS (SELECT 1 FROM runs WHERE status = 'queued' AND expires_at <= ${at}) AS "isTime"`.execute(
    db,
  )
  return Boolean(rows[0]?.isTime)
}

/** Makes deferred runs ready when they are due, and ends runs that no worker claimed in time. */
export async function advanceQueued(
  db: Db,
  { at }: { at: string },
): Promise<{ due: QueuedRun[]; expired: RunRow[] }> {
  const late = await held(
    db,
    db
      .selectFrom("runs")
      .select(["id", "created_at", "expires_at"])
      .where("status", "=", sql.lit("queued"))
      .where("expires_at", "<=", at)
      .limit(atOnce),
  ).execute()
  const expired: RunRow[] = []
  for (const { id, created_at, expires_at } of late) {
    const seconds = Math.round((Date.parse(expires_at!) - Date.parse(created_at)) / 1000)
    const run = await moveRun(db, id, "queued", "timed_out", {
      finished_at: at,
      status_message: null,
      error_code: "expired",
      error_message: `No worker started the run within ${seconds} s (expiresAfter).`,
    })
    if (run) expired.push(run)
  }
  const deferred = db
    .selectFrom("runs")
    .select("n")
    .where("status", "=", sql.lit("queued"))
    .where("not_before", "<=", at)
    .limit(atOnce)
  const due = await db
    .updateTable("runs")
    .set({ not_before: null })
    .where("n", "in", deferred)
    .where("status", "=", "queued")
    .returning(queueColumns)
    .execute()
  return { due, expired }
}

/** Ends a queued run or requests the end of a running one; returns the run's new state. */
export async function abortRun(
  db: Db,
  { id, at }: { id: string; at: string },
): Promise<RunRow | undefined> {
  await heldRun(db, id)
  return (
    (await moveRun(db, id, "queued", "aborted", { finished_at: at, status_message: null })) ??
    (await moveRun(db, id, "running", "aborting")) ??
    (await runById(db, id))
  )
}

const byId = hotQuery<RunRow, [id: string]>((db) =>
  db.selectFrom("runs").selectAll().where("id", "=", ""),
)

export async function runById(db: Db, id: string): Promise<RunRow | undefined> {
  return (await byId(db, id))[0]
}

/** Returns a run and locks it for a change that depends on it. */
export async function heldRun(db: Db, id: string): Promise<RunRow | undefined> {
  const query = db.selectFrom("runs").selectAll().where("id", "=", id)
  return held(db, query).executeTakeFirst()
}

/** Returns the run that was started last. */
export async function latestRun(db: Db): Promise<RunRow | undefined> {
  return db.selectFrom("runs").selectAll().orderBy("n", "desc").limit(1).executeTakeFirst()
}

/** Returns the runs that wait for a worker, oldest first. */
export async function queuedRuns(db: Db): Promise<QueuedRun[]> {
  return db
    .selectFrom("runs")
    .select(queueColumns)
    .where("status", "=", "queued")
    .where("not_before", "is", null)
    .orderBy("n")
    .execute()
}

/** Returns the runs that an earlier process was executing when it ended. */
export async function orphanedRuns(db: Db): Promise<Pick<RunRow, "id" | "attempt">[]> {
  return db
    .selectFrom("runs")
    .select(["id", "attempt"])
    .where("status", "in", ["running", "aborting"])
    .orderBy("n")
    .execute()
}
