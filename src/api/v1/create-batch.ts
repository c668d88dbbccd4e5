import { currentTraceparent } from "../../engine/runtime/traces/calls.ts"
import { newId } from "../../store/db/ids.ts"
import type { RunSource } from "../../store/runs/sources.ts"
import { batchResponse } from "../schemas/batch.ts"
import type { CoreParts, RunParts } from "../service-parts.ts"

export interface WantedRun {
  slug: string
  /** Slug of the account's recipe, if one was called. */
  recipe: string | null
  /** JSON. */
  input: string
  /** Name of the session used to fetch pages. */
  session?: string | null
}

interface PlannedRun extends WantedRun {
  runId: string
}

interface NewBatch {
  request: Request
  accountId: string
  keyId: string | null
  root: string
  name: string | null
  /** Name of the destination that receives the items. */
  destination?: string | null
  runs: WantedRun[]
  /** Returns the other columns of the values. @throws ApiError 400 */
  sourcesOf?(planned: PlannedRun[]): Promise<RunSource[]>
}

/** Stores a batch and queues all its runs, once per Idempotency-Key. */
export function createBatch(
  service: CoreParts & RunParts,
  { request, accountId, keyId, root, name, destination = null, runs: wanted, sourcesOf }: NewBatch,
): Promise<Response> {
  const { store, runs, idempotency } = service
  return idempotency.response(
    { request, accountId, prefix: "bat", list: `${root}/api/v1/batches` },
    async (id) => {
      const planned = wanted.map((run) => ({ ...run, runId: newId("run") }))
      const createdAt = new Date().toISOString()
      const sources = (await sourcesOf?.(planned)) ?? []
      const traceParent = currentTraceparent()
      const details = { name, destination, createdAt, traceParent }
      const batch = { id, accountId, keyId, ...details, runs: planned, sources }
      const { row, queued } = await store.write("batches.create", batch)
      runs.queued(queued)
      return { status: 201, body: await batchResponse(store.db, row, root) }
    },
  )
}
