import { Elysia } from "elysia"
import type { Service } from "../service.ts"
import { authenticate } from "./guard.ts"

/**
 * What routes may ask for: `account`, whose key or browser it is, as `accountId`; `root`, the
 * service's public address. Who calls is settled before anything of the call is judged: a stranger
 * is told 401, and no more.
 */
export function keyed(service: Service) {
  const callers = new WeakMap<Request, string>()
  return new Elysia({ name: "keyed" })
    .macro("account", {
      async transform({ request, set, server }) {
        const { accountId } = await authenticate(service, { request, set, server })
        callers.set(request, accountId)
      },
      resolve: ({ request }) => ({ accountId: callers.get(request)! }),
    })
    .macro("root", {
      resolve: ({ request, set, server }) => ({ root: service.root({ request, set, server }) }),
    })
}
