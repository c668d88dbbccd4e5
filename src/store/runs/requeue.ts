import type { Db } from "../db/database.ts"
import { storeTime } from "../db/dialect.ts"
import type { RunRow } from "../tables/schema.ts"
import { deliverAgain } from "./run-destinations.ts"
import { heldRun, isOver, moveRun } from "./runs.ts"

/**
 * Reason for requeuing a run. `stop`: the service stops. `room`: other runs wait for its slot.
 * `worker`: its worker crashed or hung. `lost`: the database has lost changes that were not yet
 * durable. `process`: the whole process ended. The last one may have any cause (kill -9, a power
 * cut), so that it hardly raises suspicion, and not at all if the run had made progress.
 */
export type RequeueCause = "stop" | "room" | "worker" | "lost" | "process"

/** The causes as metrics count them, with `start`: the run could not be started. */
export const requeueCauses = ["stop", "room", "worker", "lost", "process", "start"] as const

/** Suspicion from which a target is not retried: two crashed workers or ten ended processes. */
export const suspiciousTarget = 10
/** Suspicion from which a run fails: three crashed workers or fifteen ended processes. */
const suspiciousRun = 15

/**
 * Attempts up to which a run without running targets is not suspected of having ended its process.
 */
const innocentUpTo = 10

function weight(cause: RequeueCause, gotOn: boolean): number {
  if (cause === "worker") return 5
  return cause === "process" && !gotOn ? 1 : 0
}

/**
 * Requeues a run that no worker executes any more. Finished targets stay finished; staged items of
 * the others are dropped. A run that is being aborted ends, and a suspicious one fails.
 */
export async function requeueRun(
  db: Db,
  {
    id,
    attempt,
    cause,
    workedMs = 0,
    at,
  }: {
    id: string
    attempt: number
    cause: RequeueCause
    /** Milliseconds that count towards the run's timeout. */
    workedMs?: number
    at: string
  },
): Promise<RunRow | undefined> {
  const row = await heldRun(db, id)
  if (!row || row.attempt !== attempt) return row
  if (row.status === "aborting") return moveRun(db, id, "aborting", "aborted", { finished_at: at })
  if (row.status !== "running") return row
  const gotOn = row.targets_done > row.done_before
  const isInnocent =
    cause === "process" && row.attempt < innocentUpTo && !(await hasRunningTarget(db, row.n))
  const more = isInnocent ? 0 : weight(cause, gotOn)
  await requeueTargets(db, row.n, more)
  const suspicion = cause === "process" && gotOn ? 0 : row.suspicion + more
  if (suspicion >= suspiciousRun) {
    return moveRun(db, id, "running", "failed", {
      suspicion,
      error_code: "crashed",
      error_message: `The run's worker ended unexpectedly in ${row.attempt} attempts.`,
      finished_at: at,
    })
  }
  return moveRun(db, id, "running", "queued", {
    suspicion,
    worked_ms: row.worked_ms + workedMs,
    status_message: waitingFor[cause],
  })
}

async function hasRunningTarget(db: Db, runN: number): Promise<boolean> {
  const target = await db
    .selectFrom("targets")
    .select("seq")
    .where("run_n", "=", runN)
    .where("state", "=", "running")
    .limit(1)
    .executeTakeFirst()
  return target !== undefined
}

const waitingFor: Record<RequeueCause, string> = {
  stop: "Waiting to continue after a restart.",
  room: "Waiting to continue: other runs have their time slice.",
  worker: "Waiting to continue after a crash of its worker.",
  lost: "Waiting to continue: the database has lost a part of the results.",
  process: "Waiting to continue after an unexpected end of the service.",
}

/** Returns the cause for which a run was requeued, by its row. */
export function requeueCauseOf({
  not_before,
  status_message,
}: RunRow): (typeof requeueCauses)[number] | undefined {
  if (not_before !== null) return "start"
  return requeueCauses.find((cause) => cause !== "start" && waitingFor[cause] === status_message)
}

async function requeueTargets(db: Db, runN: number, suspicion: number): Promise<void> {
  await db.deleteFrom("staged_items").where("run_n", "=", runN).execute()
  await db
    .updateTable("targets")
    .set((eb) => ({ state: "queued", suspicion: eb("suspicion", "+", suspicion) }))
    .where("run_n", "=", runN)
    .where("state", "=", "running")
    .execute()
}

/** Consecutive attempts that may end before the first target; after them the run fails. */
export const maxStarts = 5
const firstPauseMs = 2000

/**
 * Defers a run that could not be started, for longer each time. After the last attempt it fails
 * with the reason, so that its account sees it and no other run is delayed.
 */
export async function deferRun(
  db: Db,
  { id, attempt, reason }: { id: string; attempt?: number; reason: string },
): Promise<RunRow | undefined> {
  const row = await heldRun(db, id)
  if (!row || (attempt !== undefined && row.attempt !== attempt)) return row
  const now = await storeTime(db)
  const at = now.toISOString()
  const { status, start_failures: before } = row
  if (status === "aborting") return moveRun(db, id, "aborting", "aborted", { finished_at: at })
  if (status !== "running" && status !== "queued") return row
  const failures = before + 1
  if (failures >= maxStarts) {
    return moveRun(db, id, status, "failed", {
      start_failures: failures,
      status_message: null,
      error_code: "not_started",
      error_message: `The run could not be started in ${failures} attempts: ${reason}`,
      finished_at: at,
    })
  }
  const pauseMs = firstPauseMs * 2 ** before
  const waiting = {
    start_failures: failures,
    not_before: new Date(now.getTime() + pauseMs).toISOString(),
    status_message: `Waiting to be started again: ${reason}`,
  }
  if (status === "running") return moveRun(db, id, "running", "queued", waiting)
  return db
    .updateTable("runs")
    .set(waiting)
    .where("id", "=", id)
    .where("status", "=", "queued")
    .returningAll()
    .executeTakeFirst()
}

interface RequeueRequest {
  id: string
  /** Key that resumes the run and is charged from then on. Without one, the run keeps its key. */
  keyId?: string | null
}

/** Queues an unsuccessful run again: finished targets stay, failed ones are retried. */
export async function resumeRun(
  db: Db,
  { id, keyId }: RequeueRequest,
): Promise<RunRow | undefined> {
  const row = await heldRun(db, id)
  if (!row || !["failed", "timed_out", "aborted"].includes(row.status)) return row
  return queueAgain(db, row, keyId)
}

/** Queues a finished run again if any of its targets failed, also a run that succeeded. */
export async function retryRun(db: Db, { id, keyId }: RequeueRequest): Promise<RunRow | undefined> {
  const row = await heldRun(db, id)
  if (!row || !isOver(row.status) || row.targets_failed === 0) return row
  return queueAgain(db, row, keyId)
}

async function queueAgain(db: Db, row: RunRow, keyId?: string | null): Promise<RunRow | undefined> {
  await requeueTargets(db, row.n, 0)
  const errors = await dropFailed(db, row.n)
  await deliverAgain(db, row)
  return moveRun(db, row.id, row.status, "queued", {
    error_count: row.error_count - errors,
    targets_done: row.targets_done - row.targets_failed,
    targets_failed: 0,
    suspicion: 0,
    start_failures: 0,
    not_before: null,
    expires_at: null,
    worked_ms: 0,
    capped: null,
    error_code: null,
    error_message: null,
    finished_at: null,
    status_message: null,
    ...(keyId && { key_id: keyId }),
  })
}

/** Requeues failed targets and deletes their error items; returns the number of deleted items. */
async function dropFailed(db: Db, runN: number): Promise<number> {
  const failed = db
    .selectFrom("targets")
    .select("seq")
    .where("run_n", "=", runN)
    .where("state", "=", "failed")
  const { numDeletedRows } = await db
    .deleteFrom("items")
    .where("run_n", "=", runN)
    .where("seq", "in", failed)
    .executeTakeFirstOrThrow()
  await db
    .updateTable("targets")
    .set({ state: "queued", suspicion: 0 })
    .where("run_n", "=", runN)
    .where("state", "=", "failed")
    .execute()
  return Number(numDeletedRows)
}
