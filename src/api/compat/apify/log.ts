import { type LogRow, logLines } from "../../../store/runs/run-log.ts"
import { isOver, runById } from "../../../store/runs/runs.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { queryOf } from "../../http/query.ts"
import { streamed } from "../../http/stream.ts"
import type { Call } from "../../service.ts"
import type { CoreParts, RunParts } from "../../service-parts.ts"
import { flagIn } from "./request.ts"
import { theirStatus } from "./responses.ts"

const linesAtOnce = 500
/** Pause between two reads of a running run. */
const lookMs = 1000

/** A run's log as text. With `stream`, the response ends when the run has finished. */
export function logResponse(service: CoreParts & RunParts, call: Call, run: RunRow): Response {
  const follows = flagIn(queryOf(call.request), "stream")
  call.server?.timeout(call.request, 0)
  return streamed(lines(service, call.request.signal, run, follows), {
    "content-type": "text/plain;charset=utf-8",
    "x-accel-buffering": "no",
  })
}

async function* lines(
  { store, runs, ending }: CoreParts & RunParts,
  signal: AbortSignal,
  run: RunRow,
  follows: boolean,
): AsyncGenerator<string> {
  const gone = AbortSignal.any([signal, ending.signal])
  let after = 0
  let isEmpty = true
  for (let current: RunRow | undefined = run; current; ) {
    // The status is read before the lines, so that all lines of a finished run are included.
    const { status } = (await runById(store.db, run.id)) ?? current
    const rows = await logLines(store.db, run.n, { after, limit: linesAtOnce })
    if (rows.length > 0) yield rows.map(line).join("")
    isEmpty &&= rows.length === 0
    after = rows.at(-1)?.id ?? after
    if (rows.length === linesAtOnce) continue
    if (!follows || isOver(status) || gone.aborted) {
      // Clients treat an empty log as a missing one.
      if (isEmpty) yield `${new Date().toISOString()} INFO The run is ${theirStatus(status)}.\n`
      return
    }
    current = await runs.wait(run.id, lookMs, gone).catch(() => undefined)
  }
}

const levels = { info: "INFO", warning: "WARN", error: "ERROR" }
const line = ({ at, level, message }: LogRow) => `${at} ${levels[level]} ${message}\n`
