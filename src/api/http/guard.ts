import type { AccountRow } from "../../store/accounts/accounts.ts"
import type { Call, Service } from "../service.ts"
import { ApiError, tooMany } from "./errors.ts"
import type { RateLimit, Standing } from "./rate-limit.ts"

export const sessionCookie = "trawl_session"

/** Counts the call against a limit, and says in the headers what is left. @throws ApiError 429 */
export function limitCalls(call: Call, limit: RateLimit, caller: string): void {
  const standing = limit.take(caller)
  if (!standing) return
  tellLimit(call, standing)
  if (standing.retryAfter > 0) throw tooMany(standing.retryAfter)
}

function tellLimit({ set }: Call, standing: Standing): void {
  set.headers["ratelimit-limit"] = String(standing.limit)
  set.headers["ratelimit-remaining"] = String(standing.remaining)
  set.headers["ratelimit-reset"] = String(standing.resetSeconds)
}

const accounts = new WeakMap<Request, string>()

/** The account of a call that was told apart before. */
export function accountOf(request: Request): string {
  return accounts.get(request)!
}

/**
 * Tells whose key, or whose browser, it is. Asked again of a call, it counts none.
 * @throws ApiError 401, 403, 429
 */
export async function authenticate(service: Service, call: Call): Promise<void> {
  const { request } = call
  if (accounts.has(request)) return
  const bearer = bearerOf(request)
  if (bearer !== undefined) {
    const owner = await service.keys.owner(bearer)
    if (owner) return admit(service, call, owner.accountId, owner.keyId)
  } else {
    const account = await signedIn(service, call)
    if (account) return admit(service, call, account.id, account.id)
  }
  limitCalls(call, service.limit, service.callerKey(call))
  throw new ApiError(
    401,
    bearer === undefined
      ? "An API key is needed: send the header Authorization: Bearer <API_KEY>."
      : "The API key is not valid.",
    undefined,
    { "www-authenticate": 'Bearer realm="Trawl"' },
  )
}

/** @param counted By whom the call is counted. */
function admit(service: Service, call: Call, accountId: string, counted: string): void {
  service.underWay.leave(call.request)
  limitCalls(call, service.limit, counted)
  accounts.set(call.request, accountId)
}

/** Whether a call shows a good key or session; nothing is counted, nothing refused. */
export async function isOfAccount(service: Service, { request }: Call): Promise<boolean> {
  const key = bearerOf(request)
  if (key !== undefined) return (await service.keys.owner(key)) !== undefined
  const token = sessionToken(request)
  return token !== undefined && (await service.accounts.bySession(token)) !== undefined
}

export function bearerOf(request: Request): string | undefined {
  const header = request.headers.get("authorization")
  if (header === null) return undefined
  const [, token] = /^Bearer +(\S+) *$/i.exec(header) ?? []
  return token ?? ""
}

/** The account of a browser's session; a page of another site cannot act with it. */
export async function signedIn(service: Service, call: Call): Promise<AccountRow | undefined> {
  const token = sessionToken(call.request)
  if (token === undefined) return undefined
  if (!isSafe(call.request.method)) requireSameOrigin(service, call)
  return service.accounts.bySession(token)
}

export function sessionToken(request: Request): string | undefined {
  return cookieOf(request, sessionCookie)
}

export function cookieOf(request: Request, name: string): string | undefined {
  const header = request.headers.get("cookie")
  return header === null ? undefined : (new Bun.CookieMap(header).get(name) ?? undefined)
}

const isSafe = (method: string) => method === "GET" || method === "HEAD"

/** @throws ApiError 403 when a browser says that the call comes from another site's page. */
export function requireSameOrigin(service: Service, call: Call): void {
  if (!isOtherSite(service, call)) return
  throw new ApiError(
    403,
    "The call comes from a page of another site. Where a reverse proxy stands in front, its operator sets TRAWL_BASE_URL to the public address.",
  )
}

/**
 * A browser's own word comes first: no page can write Sec-Fetch-Site, while the Origin of a form may
 * be "null" by the page's policy, and a proxy may have changed the host that it would be compared to.
 */
function isOtherSite(service: Service, call: Call): boolean {
  const { headers } = call.request
  const site = headers.get("sec-fetch-site")
  if (site === "same-origin") return false
  if (site !== null && site !== "none") return true
  const origin = headers.get("origin")
  if (origin === null) return site !== null
  return origin !== new URL(service.root(call)).origin
}
