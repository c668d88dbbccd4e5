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
  /** Targets that this attempt and those before it have finished, as far as it was told. */
  done?: number
  at: string
}

/**
 * The end of an attempt; a run whose end was asked for is aborted, however it went. One of whose soft
 * changes a server that took over knows nothing goes on instead, with the targets that were lost.
 */
export async function finishRun(db: Db, end: EndOfRun): Promise<RunRow | undefined> {
  const row = await heldRun(db, end.id)
  if (!row || row.attempt !== end.attempt) return row
  if (row.status === "aborting") {
    return moveRun(db, end.id, "aborting", "aborted", {
      finished_at: end.at,
      status_message: null,
    })
  }
  if (row.status !== "running" || end.status === "aborted") return row
  if (end.status === "succeeded" && row.targets_done < (end.done ?? 0)) {
    return requeueRun(db, { ...end, cause: "lost" })
  }
  return moveRun(db, end.id, "running", end.status, {
    status_message: null,
    error_code: end.error?.code ?? null,
    error_message: end.error?.message ?? null,
    capped: end.capped,
    finished_at: end.at,
  })
}
