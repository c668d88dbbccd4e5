import { limitCalls, requireSameOrigin } from "../http/guard.ts"
import type { Call, Service } from "../service.ts"

/** Each call hashes a password; pages of other sites have no business here. @throws ApiError */
export function enterDoor(service: Service, call: Call): void {
  requireSameOrigin(service, call)
  limitCalls(call, service.authLimit, service.callerKey(call))
}
