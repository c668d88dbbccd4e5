import { scopesOf } from "../../accounts/keys.ts"
import { knownRun } from "../../store/runs/run-lists.ts"
import { UnchangedReads } from "../../store/unchanged-reads.ts"
import { bearerOf, keyIssue, limitHeaders } from "../http/access.ts"
import { isOwnHost } from "../http/origin.ts"
import { addCallFacts } from "../log/call-facts.ts"
import { runResponse } from "../schemas/run.ts"
import type { AccessParts, ClientParts, CoreParts } from "../service-parts.ts"

/** A run's status without parameters: the request that clients repeat until a run has finished. */
const statusUrl =
  /^https?:\/\/((?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?)\/api\/v1\/runs\/(run_[0-9a-f]{32})$/

/** Browsers send one of the first two, reverse proxies the others. */
const unusual = ["origin", "sec-fetch-site", "x-forwarded-host", "x-forwarded-proto"] as const
const maxStored = 2_000
/** Larger responses are compressed, by the route. */
const maxBody = 1_000
const responseHeaders = {
  "content-type": "application/json;charset=utf-8",
  vary: "accept-encoding",
} as const
/**
 * Responds to the status requests of programs with a known key without waiting for anything, because they
 * are most of all calls. The route of the API responds to everything else, and looks the same to clients.
 */
export class RunStatus {
  private readonly stored: UnchangedReads<string>

  constructor(private readonly service: CoreParts & ClientParts & AccessParts) {
    this.stored = new UnchangedReads(service.store, maxStored)
  }

  /** Returns undefined if the route has to respond. */
  response(request: Request): Response | undefined {
    if (request.method !== "GET") return undefined
    const [, host, id] = statusUrl.exec(request.url) ?? []
    if (host === undefined || id === undefined) return undefined
    const { headers } = request
    if (!isOwnHost(this.service, host) || unusual.some((name) => headers.has(name)))
      return undefined
    if (request.body) return undefined
    const bearer = bearerOf(request)
    const owner = bearer ? this.service.keys.fresh(bearer) : undefined
    if (!owner || keyIssue(owner) || !scopesOf(owner).includes("read")) return undefined
    const body = this.body(owner.accountId, id, request)
    if (body === undefined || body.length > maxBody) return undefined
    const limited = this.limitHeaders(owner)
    if (!limited) return undefined
    addCallFacts(request, { caller: "key", account: owner.accountId, key: owner.keyId })
    return new Response(body, { headers: { ...responseHeaders, ...limited } })
  }

  private body(accountId: string, id: string, request: Request): string | undefined {
    const root = this.service.root({ request, set: { headers: {} }, server: null })
    return this.stored.now(`${accountId} ${id} ${root}`, () => {
      const row = knownRun(this.service.store.db, { id, accountId })
      return row && JSON.stringify(runResponse(row, root))
    })
  }

  /** Counts the call; returns undefined, and counts nothing, if the limit is reached. */
  private limitHeaders(owner: { accountId: string; keyId: string }) {
    const { limit, limits } = this.service
    const existing = limit.take(owner.keyId, undefined, limits.of(owner.accountId)?.callsPerMinute)
    if (!existing) return {}
    return existing.retryAfter > 0 ? undefined : limitHeaders(existing)
  }
}
