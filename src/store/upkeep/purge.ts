import { type Expression, type SqlBool, sql } from "kysely"
import { daysFrom } from "../../base/time.ts"
import { type Db, isPostgres } from "../db/database.ts"
import { forgetCommits } from "../db/postgres/commit-mark.ts"
import { removeFilesOf } from "../files/files.ts"
import { forgetEnded } from "../shared/host-memory.ts"
import { forgetHosts } from "../shared/host-rate-limits.ts"
import type { RunRow } from "../tables/schema.ts"
import { firstOfParts } from "./partitions.ts"

/** Retention of runs and logs in days; 0 means forever. */
export interface Keep {
  /** The time now. */
  now: string
  runDays: number
  logDays: number
}

/** Rows that are deleted at once. This takes about 50 ms, during which other writes wait. */
const slice = 1500
/** Runs that are deleted at once, even if they have few rows: each has rows in several tables. */
const runsAtOnce = 60

/** Rows that expire a number of days after a time in the row. */
const expiring = [
  { table: "deliveries", key: "id", since: "ended_at", days: 30 },
  { table: "run_deliveries", key: "id", since: "ended_at", days: 30 },
  { table: "scheduled_runs", key: "schedule_id, due_at", since: "fired_at", days: 30 },
  { table: "idempotency", key: "account_id, key", since: "created_at", days: 1 },
  { table: "sessions", key: "hash", since: "expires_at", days: 0 },
  { table: "account_links", key: "hash", since: "expires_at", days: 0 },
  { table: "dataset_links", key: "id", since: "expires_at", days: 0 },
  { table: "monitor_links", key: "id", since: "expires_at", days: 0 },
  { table: "claims", key: "claim_hash", since: "expires_at", days: 0 },
  { table: "keyless_results", key: "token_hash", since: "expires_at", days: 0 },
  {
    table: "reused_cookies",
    key: "site, agent, fetch_method, host, path, name",
    since: "expires_at",
    days: 0,
  },
  { table: "allowance", key: "subject, day", since: "day", days: 1 },
  { table: "health_days", key: "slug, day", since: "day", days: 8 },
] as const

/** Days without a call after which the remembered values of an agent are deleted. */
const agentMemoryDays = 90

/** Days after which the result of a keyless run has expired and its items cannot be read. */
const keylessDays = 1

/** Removes some of the rows that were deleted or have expired; returns false if none are left. */
export async function purge(db: Db, { now, runDays, logDays }: Keep): Promise<boolean> {
  if (!(await isMyDuty(db))) return false
  const ago = (days: number) => daysFrom(Date.parse(now), -days)
  let isMore = false
  for (const { table, key, since, days } of expiring) {
    const over = sql<SqlBool>`${sql.ref(since)} < ${ago(days)}`
    isMore = (await deleteRows(db, { table, key, where: over })) === slice || isMore
  }
  const forgotten = sql<SqlBool>`substr(owner, 1, 6) = 'agent:' AND updated_at < ${ago(agentMemoryDays)}`
  const ofAgents = { table: "memory", key: "owner, slug, key", where: forgotten }
  isMore = (await deleteRows(db, ofAgents)) === slice || isMore
  if (logDays > 0) isMore = (await purgeLog(db, ago(logDays))) || isMore
  isMore = (await purgeNotes(db)) || isMore
  isMore = (await purgeHooks(db, ago(hookDays))) || isMore
  if (isPostgres(db)) {
    await forgetHosts(db)
    await forgetCommits(db)
    isMore = (await forgetEnded(db, slice)) === slice || isMore
  }
  const inParts = isPostgres(db) ? await firstOfParts(db, { now, runDays, logDays }) : undefined
  if (await eraseRuns(db, await runsToErase(db, ago, runDays, inParts), now)) return true
  return (await purgeDatasets(db)) || isMore
}

/** Returns whether this process purges: of several processes with one database, only one does. */
async function isMyDuty(db: Db): Promise<boolean> {
  if (!isPostgres(db)) return true
  const duty = db.selectFrom("duties").select("name").where("name", "=", "purge")
  return (await duty.forUpdate().skipLocked().executeTakeFirst()) !== undefined
}

type ErasedRun = Pick<RunRow, "n" | "id">

async function runsToErase(
  db: Db,
  ago: (days: number) => string,
  runDays: number,
  /** Run number from which expired runs are dropped with their partition instead. */
  inParts?: number,
): Promise<ErasedRun[]> {
  const runs = db.selectFrom("runs").select(["n", "id"]).limit(runsAtOnce)
  const ended = runs.orderBy("finished_at")
  const stored = inParts === undefined ? ended : ended.where("n", "<", inParts)
  const lists = [
    runs.where("deleted_at", "is not", null),
    ended.where("account_id", "is", null).where("finished_at", "<", ago(keylessDays)),
    ...(runDays > 0 ? [stored.where("finished_at", "<", ago(runDays))] : []),
  ]
  const erased = new Map<number, ErasedRun>()
  for (const list of lists) for (const run of await list.execute()) erased.set(run.n, run)
  return [...erased.values()].slice(0, runsAtOnce)
}

/** Deletes as many of these runs as one step allows; returns whether there were any. */
async function eraseRuns(db: Db, runs: readonly ErasedRun[], now: string): Promise<boolean> {
  let left = slice
  const ids = runs.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom("run_sources").where("run_id", "in", ids).execute()
  for (const { n } of runs) {
    if (left <= 0) break
    left -= await eraseUpTo(db, n, left, now)
  }
  return runs.length > 0
}

const ofRuns = [
  { table: "items", key: "seq, idx" },
  { table: "staged_items", key: "seq, idx" },
  { table: "targets", key: "seq" },
  { table: "run_log", key: "id" },
  { table: "run_notes", key: "id" },
]

/**
 * Deletes a run with up to `most` rows; returns the number of deleted rows. The run itself is
 * deleted if there are fewer.
 */
async function eraseUpTo(db: Db, runN: number, max: number, now: string): Promise<number> {
  let left = max
  for (const { table, key } of ofRuns) {
    const ofRun = sql<SqlBool>`run_n = ${runN}`
    left -= await deleteRows(db, { table, key: `run_n, ${key}`, where: ofRun, max: left })
    if (left <= 0) return max
  }
  // engine/ops/background/purge.ts removes the contents of the files.
  await removeFilesOf(db, runN, now)
  const dataset = db.selectFrom("runs").select("dataset_id").where("n", "=", runN)
  await db.deleteFrom("dataset_links").where("dataset_id", "in", dataset).execute()
  await db.deleteFrom("runs").where("n", "=", runN).execute()
  return max - left + 1
}

/**
 * Deletes expired lines. It reads only the oldest ones, because lines are in the order of their
 * times. In PostgreSQL, those in partitions are dropped with them.
 */
async function purgeLog(db: Db, before: string): Promise<boolean> {
  const table = sql.table(isPostgres(db) ? "run_log_before" : "run_log")
  const result = await sql`
    DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY id LIMIT ${slice})
      AND at < ${before}`.execute(db)
  return Number(result.numAffectedRows ?? 0) === slice
}

/**
 * Deletes notes of runs that have succeeded and cannot continue. Starts from the notes, because
 * there are few of them.
 */
async function purgeNotes(db: Db): Promise<boolean> {
  const result = await sql`
    DELETE FROM run_notes WHERE id IN (
      SELECT run_notes.id FROM run_notes CROSS JOIN runs
      WHERE runs.n = run_notes.run_n AND runs.status = 'succeeded' LIMIT ${slice}
    )`.execute(db)
  return Number(result.numAffectedRows ?? 0) === slice
}

/** Days for which the webhook of a finished run stays; longer than a delivery is retried. */
const hookDays = 3

/** Removes webhooks of single runs that finished long ago or were deleted. */
async function purgeHooks(db: Db, before: string): Promise<boolean> {
  const where = sql<SqlBool>`run_id IS NOT NULL AND created_at < ${before}
    AND NOT EXISTS (SELECT 1 FROM runs
      WHERE runs.id = webhooks.run_id AND (finished_at IS NULL OR finished_at >= ${before}))`
  return (await deleteRows(db, { table: "webhooks", key: "id", where })) === slice
}

async function purgeDatasets(db: Db): Promise<boolean> {
  const result = await sql`
    DELETE FROM items WHERE (run_n, seq, idx) IN (
      SELECT items.run_n, items.seq, items.idx FROM runs
      JOIN items ON items.run_n = runs.n
      WHERE runs.dataset_deleted_at IS NOT NULL LIMIT ${slice}
    )`.execute(db)
  return (result.numAffectedRows ?? 0n) > 0n
}

interface Deletion {
  table: string
  /** Columns of the table's key. */
  key: string
  where: Expression<SqlBool>
  max?: number
}

/** Deletes some rows; returns their number. */
async function deleteRows(
  db: Db,
  { table, key, where, max: maximum = slice }: Deletion,
): Promise<number> {
  const result = await sql`
    DELETE FROM ${sql.table(table)} WHERE (${sql.raw(key)}) IN (
      SELECT ${sql.raw(key)} FROM ${sql.table(table)} WHERE ${where} LIMIT ${maximum}
    )`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
