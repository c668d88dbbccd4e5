import type { Db } from "../db/database.ts"
import type { RunRow } from "../tables/schema.ts"
import { requeueRun } from "./requeue.ts"
import { heldRun, moveRun } from "./runs.ts"

export interface EndOfRun {
  id: string
  attempt: number
  status: "succeeded" | "failed" | "timed_out" | "aborted"
  error: { code: string; message: string } | null
  capped: string | null
  /** Whether the scraper refuses the stored input; the schedule reports it. */
  isInputRefused?: boolean
  /** Acknowledged targets that this attempt and earlier ones have finished. */
  done?: number
  at: string
}

/**
 * Ends an attempt; a run that is to be aborted is aborted, whatever its result. After a failover that
 * lost soft changes, the run continues with the lost targets instead.
 */
export async function finishRun(db: Db, end: EndOfRun): Promise<RunRow | undefined> {
  // One change is enough for nearly all runs.
  const ended = end.status === "aborted" ? undefined : await endRunning(db, end)
  if (ended) return ended
  const row = await heldRun(db, end.id)
  if (!row || row.attempt !== end.attempt) return row
  if (row.status === "aborting") {
    return moveRun(db, end.id, "aborting", "aborted", {
      finished_at: end.at,
      status_message: null,
    })
  }
  if (row.status !== "running" || end.status === "aborted") return row
  if (row.targets_done < minDone(end)) return requeueRun(db, { ...end, cause: "lost" })
  // The last changes of the run were committed after the first attempt to end it.
  return endRunning(db, end)
}

/** Targets that must be finished in the database for the run to end. */
export const minDone = ({ status, done = 0 }: EndOfRun) => (status === "succeeded" ? done : 0)

async function endRunning(db: Db, end: EndOfRun): Promise<RunRow | undefined> {
  const set = {
    status_message: null,
    error_code: end.error?.code ?? null,
    error_message: end.error?.message ?? null,
    capped: end.capped,
    finished_at: end.at,
  }
  const only = { attempt: end.attempt, targetsDone: minDone(end) }
  const run = await moveRun(db, end.id, "running", end.status, set, only)
  if (run?.origin === "schedule") {
    const inputError = end.isInputRefused ? (end.error?.message ?? null) : null
    await noteInputOfSchedule(db, run.id, inputError)
  }
  return run
}

/** Stores for a schedule whether its input was accepted, and the reason if not. */
async function noteInputOfSchedule(
  db: Db,
  runId: string,
  inputError: string | null,
): Promise<void> {
  const schedule = db.selectFrom("scheduled_runs").select("schedule_id").where("run_id", "=", runId)
  await db
    .updateTable("schedules")
    .set({ input_error: inputError })
    .where("id", "in", schedule)
    .$if(inputError === null, (query) => query.where("input_error", "is not", null))
    .execute()
}
