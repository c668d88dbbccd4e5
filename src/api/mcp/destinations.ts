import { listDestinations } from "../../store/destinations/destinations.ts"
import { deliveryCounts } from "../../store/destinations/run-deliveries.ts"
import { requireDestination } from "../destinations/own-destinations.ts"
import { bearerOf, callerOf, requireAccount, requireFullKey } from "../http/access.ts"
import { ApiError } from "../http/errors.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts, CoreParts } from "../service-parts.ts"
import type { ToolDestination } from "./tool-runs.ts"

type Parts = CoreParts & ClientParts & AccessParts

const maxListed = 50

/** Returns the destinations of the account of a call. @throws ApiError */
export async function destinationsOf(service: Parts, call: Call): Promise<ToolDestination[]> {
  const { db } = service.store
  const accountId = await accountOf(service, call)
  const { rows } = await listDestinations(db, accountId, { limit: maxListed, offset: 0 })
  const counts = await deliveryCounts(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, name, kind, target, disabled_at, error }) => {
    const { waiting = 0, delivered = 0, failed = 0 } = counts.get(id) ?? {}
    const enabled = disabled_at === null
    return { name, kind, target, enabled, deliveries: { waiting, delivered, failed }, error }
  })
}

/** Checks a destination of the account of a call; returns the function that delivers a run to it. @throws ApiError */
export async function deliveryTo(service: Parts, call: Call, name: string) {
  const accountId = await accountOf(service, call)
  requireFullKey(call.request)
  const { id: destinationId } = await requireDestination(service, accountId, name)
  return async (runId: string) => {
    const at = new Date().toISOString()
    await service.store.write("destinations.queue", { destinationId, runId, at })
  }
}

/** @throws ApiError 401 */
async function accountOf(service: Parts, call: Call): Promise<string> {
  if (bearerOf(call.request) === undefined) {
    throw new ApiError(401, "Destinations require an account: add its API key to the client.")
  }
  await requireAccount(service, call)
  return callerOf(call.request).accountId
}
