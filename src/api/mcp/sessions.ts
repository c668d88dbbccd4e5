import { listSiteSessions } from "../../store/accounts/site-sessions.ts"
import { bearerOf, callerOf, requireAccount } from "../http/access.ts"
import { ApiError } from "../http/errors.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts, CoreParts } from "../service-parts.ts"
import { maxSessions } from "../sessions/own-sessions.ts"

/** The sessions of the account that calls, without their cookies. @throws ApiError 401 */
export async function sessionsOf(service: CoreParts & ClientParts & AccessParts, call: Call) {
  if (bearerOf(call.request) === undefined) {
    throw new ApiError(401, "Sessions require an account: add its API key to the client.")
  }
  await requireAccount(service, call)
  const { accountId } = callerOf(call.request)
  const page = { limit: maxSessions, offset: 0 }
  const { rows } = await listSiteSessions(service.store.db, accountId, page)
  return rows.map(({ name, hosts, expired }) => ({
    name,
    hosts: JSON.parse(hosts) as string[],
    status: expired === 1 ? "expired" : "active",
  }))
}
