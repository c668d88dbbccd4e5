import { Elysia } from "elysia"
import { readJson } from "../http/body.ts"
import { limitCalls, requireSameOrigin } from "../http/guard.ts"
import type { Call } from "../service.ts"
import type { ClientParts, SignUpParts } from "../service-parts.ts"

/** Each call hashes a password; pages of other sites have no business here. @throws ApiError */
export function enterDoor(service: ClientParts & SignUpParts, call: Call): void {
  requireSameOrigin(service, call)
  limitCalls(call, service.authLimit, service.callerKey(call))
}

/** `door`: the body of a call that names a password. */
export function doorJson(service: ClientParts & SignUpParts) {
  return new Elysia({ name: "door" }).macro("door", {
    async parse({ request, set, server }) {
      enterDoor(service, { request, set, server })
      return readJson(request)
    },
  })
}
