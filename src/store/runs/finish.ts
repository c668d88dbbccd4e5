import { noteInputOfSchedule } from "../automation/schedules.ts"
import type { Db } from "../database.ts"
import type { RunRow } from "../tables/schema.ts"
import { requeueRun } from "./requeue.ts"
import { heldRun, moveRun } from "./runs.ts"

export interface EndOfRun {
  id: string
  attempt: number
  status: "succeeded" | "failed" | "timed_out" | "aborted"
  error: { code: string; message: string } | null
  capped: string | null
  /** The scraper refuses the stored input, which its schedule should say. */
  isInputRefused?: boolean
  /** Targets that this attempt and those before it have finished, as far as it was told. */
  done?: number
  at: string
}

/**
 * The end of an attempt; a run whose end was asked for is aborted, however it went. One of whose soft
 * changes a server that took over knows nothing goes on instead, with the targets that were lost.
 */
export async function finishRun(db: Db, end: EndOfRun): Promise<RunRow | undefined> {
  // Of nearly all, the one change says all that there is to look at.
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
  // Its last changes have come between the two looks.
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
