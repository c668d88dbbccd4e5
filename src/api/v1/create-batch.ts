import { newId } from "../../store/ids.ts"
import type { RunSource } from "../../store/runs/sources.ts"
import { batchAnswer } from "../schemas/batch.ts"
import type { Service } from "../service.ts"

export interface WantedRun {
  slug: string
  /** JSON. */
  input: string
}

interface PlannedRun extends WantedRun {
  runId: string
}

/** Runs started together: each looks through its whole input, while nobody else is answered. */
const startedAtOnce = 8

interface NewBatch {
  request: Request
  accountId: string
  keyId: string | null
  root: string
  name: string | null
  runs: WantedRun[]
  /** What stood beside the values of the runs. @throws ApiError 400 */
  sourcesOf?(planned: PlannedRun[]): Promise<RunSource[]>
}

/** Keeps a batch with all its runs, once for each Idempotency-Key, and starts them. */
export function createBatch(
  service: Service,
  { request, accountId, keyId, root, name, runs, sourcesOf }: NewBatch,
): Promise<Response> {
  const { store, idempotency } = service
  return idempotency.answer(
    { request, accountId, prefix: "bat", list: `${root}/api/v1/batches` },
    async (id) => {
      const planned = runs.map((run) => ({ ...run, runId: newId("run") }))
      const createdAt = new Date().toISOString()
      const sources = (await sourcesOf?.(planned)) ?? []
      const batch = { id, accountId, keyId, name, createdAt, runs: planned, sources }
      const { row, created } = await store.write("batches.create", batch)
      if (created) await startAll(service, { accountId, keyId }, planned)
      return { status: 201, body: await batchAnswer(store.db, row, root) }
    },
  )
}

/** What cannot be started now, because the service stops, is started later from its plan. */
async function startAll(
  service: Service,
  { accountId, keyId }: { accountId: string; keyId: string | null },
  planned: PlannedRun[],
): Promise<void> {
  for (let from = 0; from < planned.length; from += startedAtOnce) {
    await Promise.allSettled(
      planned.slice(from, from + startedAtOnce).map(({ runId, slug, input }) =>
        service.plans.start({
          run_id: runId,
          account_id: accountId,
          key_id: keyId,
          slug,
          input,
          origin: "batch",
        }),
      ),
    )
  }
}
