import { sql } from "kysely"
import type { Db } from "../db/database.ts"
import { textsOf } from "../db/dialect.ts"
import { announceRunEnd } from "../notifications/events.ts"
import { type EndOfRun, finishRun, minDone } from "../runs/finish.ts"
import type { RunRow } from "../tables/schema.ts"

/**
 * Ends the runs of one transaction: nearly all by one update and one query for the notifications. An
 * end that the update does not fit (aborted, another attempt, lost targets) is written separately.
 * Returns the runs in the order of their ends.
 */
export async function finishRuns(
  db: Db,
  ends: readonly EndOfRun[],
): Promise<(RunRow | undefined)[]> {
  const plain = plainEnds(ends)
  const ended = new Map((await endRunning(db, plain)).map((run) => [run.id, run]))
  await notify(db, [...ended.values()])
  const results: (RunRow | undefined)[] = []
  for (const end of ends) {
    const run = plain.get(end.id) === end ? ended.get(end.id) : undefined
    results.push(run ?? (await finishRun(db, end)))
  }
  return results
}

/**
 * Ends runs by one statement that is its own transaction: those that nothing else depends on. Returns
 * undefined for the others, which are not changed. May be repeated.
 */
export async function finishQuietRuns(
  db: Db,
  ends: readonly EndOfRun[],
): Promise<(RunRow | undefined)[]> {
  const plain = plainEnds(ends)
  const isQuiet = sql`NOT EXISTS (
    SELECT FROM webhooks WHERE disabled_at IS NULL AND account_id = runs.account_id)`
  const ended = new Map((await endRunning(db, plain, isQuiet)).map((run) => [run.id, run]))
  return ends.map((end) => (plain.get(end.id) === end ? ended.get(end.id) : undefined))
}

/** Returns the first end of each run, without those that were requested. */
function plainEnds(ends: readonly EndOfRun[]): Map<string, EndOfRun> {
  const plain = new Map<string, EndOfRun>()
  for (const end of ends) {
    if (end.status !== "aborted" && !plain.has(end.id)) plain.set(end.id, end)
  }
  return plain
}

async function endRunning(
  db: Db,
  ends: ReadonlyMap<string, EndOfRun>,
  only = sql`true`,
): Promise<RunRow[]> {
  const rows = [...ends.values()].map((end) => ({
    id: end.id,
    attempt: end.attempt,
    status: end.status,
    code: end.error?.code ?? null,
    message: end.error?.message ?? null,
    capped: end.capped,
    at: end.at,
    done: minDone(end),
  }))
  // A schedule's run is ended separately: its schedule stores whether its input was accepted.
  const { rows: ended } = await sql<RunRow>`
    UPDATE runs SET status = e.status, status_message = NULL, error_code = e.code,
      error_message = e.message, capped = e.capped, process_id = NULL,
      finished_at = greatest(e.at COLLATE "C", coalesce(runs.started_at, runs.created_at))
    FROM json_to_recordset((${JSON.stringify(rows)}::text)::json) AS e(id text, attempt bigint,
      status text, code text, message text, capped text, at text, done bigint)
    WHERE runs.id = e.id COLLATE "C" AND runs.status = 'running' AND runs.attempt = e.attempt
      AND runs.targets_done >= e.done AND runs.origin <> 'schedule' AND ${only}
    RETURNING runs.*`.execute(db)
  return ended
}

/** Most accounts have no channel; one query finds those that have one. */
async function notify(db: Db, runs: readonly RunRow[]): Promise<void> {
  const accounts = [...new Set(runs.flatMap(({ account_id }) => account_id ?? []))]
  if (accounts.length === 0) return
  const { rows } = await sql<{ account_id: string }>`
    SELECT DISTINCT account_id FROM webhooks
    WHERE disabled_at IS NULL AND account_id IN (SELECT value COLLATE "C" FROM ${textsOf(db, accounts)} AS value)`.execute(
    db,
  )
  const listening = new Set(rows.map(({ account_id }) => account_id))
  for (const run of runs) {
    if (run.account_id !== null && listening.has(run.account_id)) await announceRunEnd(db, run)
  }
}
