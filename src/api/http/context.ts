import { Elysia } from "elysia"
import type { AccessParts, ClientParts } from "../service-parts.ts"
import { callerOf, requireAccount, requireFullKey, requireOwner, requireRunner } from "./access.ts"
import { readJson } from "./body.ts"
import { queryOf } from "./query.ts"

/**
 * The properties of a route. `account`: the account and key of the request, as `accountId` and `keyId`.
 * `fullKey`: the key has no limits of its own. `runner`: the route starts runs, by GET too. `json`: the
 * body of an account's request. `owner` and `ownerJson`: the same for administrators. `root`: the
 * public URL of the service. `call`: the request with its response headers. Authentication comes
 * first: an anonymous caller gets 401 before anything else is checked.
 *
 * Elysia reads the source of hooks to find the parts of the request that they use, and prepares only
 * these. They destructure the context: if it were passed on whole, every body would be read.
 */
export function callContext(service: ClientParts & AccessParts) {
  return (
    new Elysia({ name: "context" })
      // Elysia's parser would read `1,2` as a list, and `[` as JSON.
      .derive({ as: "scoped" }, ({ request }) => {
        const parts: Record<string, unknown> = { query: queryOf(request) }
        return parts
      })
      .macro("account", {
        transform: ({ request, set, server }) => requireAccount(service, { request, set, server }),
        resolve: ({ request }) => {
          const { accountId, key } = callerOf(request)
          return { accountId, keyId: key?.keyId ?? null }
        },
      })
      .macro("fullKey", {
        beforeHandle: ({ request }) => requireFullKey(request),
      })
      .macro("runner", {
        beforeHandle: ({ request, set, server }) =>
          requireRunner(service, { request, set, server }),
      })
      .macro("owner", {
        transform: ({ request, set, server }) => requireOwner(service, { request, set, server }),
      })
      .macro("ownerJson", {
        async parse({ request, set, server }) {
          await requireOwner(service, { request, set, server })
          return readJson(request)
        },
      })
      .macro("json", {
        async parse({ request, set, server }) {
          await requireAccount(service, { request, set, server })
          return readJson(request)
        },
      })
      .macro("root", {
        resolve: ({ request, set, server }) => ({ root: service.root({ request, set, server }) }),
      })
      .macro("call", {
        resolve: ({ request, set, server }) => ({ call: { request, set, server } }),
      })
  )
}
