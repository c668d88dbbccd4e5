import { liveRunIds } from "../../store/runs/run-lists.ts"
import { ApiError, notFound } from "../http/errors.ts"
import type { AccessParts, CoreParts, RunParts } from "../service-parts.ts"

/** Maximum wait for running runs. A run that hangs ends with its worker later. */
const abortMs = 5000
const runsAtOnce = 50
const maxRounds = 20

/** Aborts the runs of an account, and deletes it with all its data. @throws ApiError 404, 409 */
export async function deleteAccount(
  service: CoreParts & AccessParts & RunParts,
  id: string,
): Promise<void> {
  const { store } = service
  // The account is locked, so that nothing new starts.
  const locked = await store.write("accounts.change", { id, lockedAt: new Date().toISOString() })
  if (!locked) throw notFound("account", id)
  if (locked === "last_owner") {
    throw new ApiError(
      409,
      "This is the last administrator; make another account an administrator first.",
    )
  }
  service.keys.forget()
  await endRuns(service, id)
  await store.write("accounts.delete", { id, at: new Date().toISOString() })
  service.log.info({ account: id }, "an account was deleted")
}

async function endRuns({ store, runs }: CoreParts & RunParts, accountId: string): Promise<void> {
  // Without a service there are no running runs.
  if (!runs) return
  for (let round = 0; round < maxRounds; round++) {
    const live = await liveRunIds(store.db, accountId, runsAtOnce)
    if (live.length === 0) return
    await Promise.all(live.map((run) => runs.abort(run)))
    await Promise.all(live.map((run) => runs.wait(run, abortMs)))
  }
}
