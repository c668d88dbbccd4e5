import { Elysia } from "elysia"
import type { Service } from "../service.ts"
import { readJson } from "./body.ts"
import { callerOf, requireAccount, requireFullKey, requireOwner, requireRunner } from "./guard.ts"
import { queryOf } from "./query.ts"

/**
 * What a route may ask for: `account`, whose key or browser it is, as `accountId` and `keyId`;
 * `fullKey`, that the key has no limits of its own; `runner`, that it may start runs, by GET too; `json`, the body of an account's call; `owner` and `ownerJson`, the same of whoever operates the service; `root`,
 * the service's public address; `call`, what the rest is worked out from. Who calls is settled before anything of the call is read or judged: a stranger is told 401,
 * and no more.
 *
 * Elysia reads the sources of hooks for what of a call they use, and prepares that: they take it
 * apart in their heads, because one that passed its context on would have every body read.
 */
export function callContext(service: Service) {
  return (
    new Elysia({ name: "context" })
      // Elysia's own reading takes `1,2` for a list, and `[` for JSON.
      .derive({ as: "scoped" }, ({ request }) => {
        const taken: Record<string, unknown> = { query: queryOf(request) }
        return taken
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
