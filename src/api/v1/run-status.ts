import { scopesOf } from "../../accounts/keys.ts"
import { BoundedMap } from "../../base/bounded-map.ts"
import { knownRun } from "../../store/runs/run-lists.ts"
import { bearerOf, keyIssue, limitHeaders } from "../http/guard.ts"
import { isOwnHost } from "../http/origin.ts"
import { tellOfCall } from "../log/call-facts.ts"
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
/** Milliseconds after which a stored response is read again: another program may change the database. */
const maxAgeMs = 1_000

interface StoredStatus {
  body: string
  /** State of the database: the number of changes that this process has made. */
  changes: number
  until: number
}

/**
 * Responds to the status requests of programs with a known key without waiting for anything, because they
 * are most of all calls. The route of the API responds to everything else, and looks the same to clients.
 */
export class RunStatus {
  private readonly stored = new BoundedMap<string, StoredStatus>(maxStored)

  constructor(private readonly service: CoreParts & ClientParts & AccessParts) {}

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
    tellOfCall(request, { caller: "key", account: owner.accountId, key: owner.keyId })
    return new Response(body, { headers: { ...responseHeaders, ...limited } })
  }

  private body(accountId: string, id: string, request: Request): string | undefined {
    const { store } = this.service
    const now = performance.now()
    const { changes } = store
    if (changes === undefined) return undefined
    const root = this.service.root({ request, set: { headers: {} }, server: null })
    const key = `${accountId} ${id} ${root}`
    const known = this.stored.get(key)
    if (known && known.changes === changes && known.until > now) return known.body
    const row = knownRun(store.db, { id, accountId })
    if (!row) return undefined
    const body = JSON.stringify(runResponse(row, root))
    this.stored.set(key, { body, changes, until: now + maxAgeMs })
    return body
  }

  /** Counts the call; returns undefined, and counts nothing, if the limit is reached. */
  private limitHeaders(owner: { accountId: string; keyId: string }) {
    const { limit, limits } = this.service
    const standing = limit.take(owner.keyId, undefined, limits.of(owner.accountId)?.callsPerMinute)
    if (!standing) return {}
    return standing.retryAfter > 0 ? undefined : limitHeaders(standing)
  }
}
