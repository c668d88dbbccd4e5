import { Elysia } from "elysia"
import { limitCalls, requireSameOrigin } from "../http/access.ts"
import { readJson } from "../http/body.ts"
import type { Call } from "../service.ts"
import type { ClientParts, SignUpParts } from "../service-parts.ts"

/**
 * Checks a call that hashes a password: rate limit, and only from the service's own pages. @throws
 * ApiError
 */
export function checkPasswordCall(service: ClientParts & SignUpParts, call: Call): void {
  requireSameOrigin(service, call)
  limitCalls(call, service.authLimit, service.callerKey(call))
}

/** `door`: the body of a call with a password. */
export function passwordJson(service: ClientParts & SignUpParts) {
  return new Elysia({ name: "door" }).macro("door", {
    async parse({ request, set, server }) {
      checkPasswordCall(service, { request, set, server })
      return readJson(request)
    },
  })
}
