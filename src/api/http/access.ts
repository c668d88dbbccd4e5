import { type Scope, scopesOf } from "../../accounts/keys.ts"
import type { AccountRow } from "../../store/accounts/accounts.ts"
import type { KeyOwner } from "../../store/accounts/keys.ts"
import type { Role } from "../../store/tables/account-tables.ts"
import { addCallFacts } from "../log/call-facts.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts } from "../service-parts.ts"
import { ApiError, tooMany } from "./errors.ts"
import type { RateLimit, RateLimitState } from "./rate-limit.ts"

export const sessionCookie = "trawl_session"

/**
 * Counts the request against a limit, and sets the RateLimit headers. `own`: the caller's own limit,
 * instead of the default. @throws ApiError 429
 */
export function limitCalls(call: Call, limit: RateLimit, caller: string, own?: number): void {
  const state = limit.take(caller, undefined, own)
  if (!state) return
  Object.assign(call.set.headers, limitHeaders(state))
  if (state.retryAfter > 0) throw tooMany(state.retryAfter)
}

/** Requests that were counted, because routes and their building blocks may both count. */
const counted = new WeakSet<Request>()

/**
 * Counts a request once: by its API key, with the account's limit, or by its IP address.
 *
 * @param token API key outside the header.
 * @throws ApiError 429
 */
export async function countCall(
  service: ClientParts & AccessParts,
  call: Call,
  token?: string,
): Promise<void> {
  const { request } = call
  if (counted.has(request)) return
  counted.add(request)
  const bearer = token ?? bearerOf(request)
  const owner = bearer === undefined ? undefined : await service.keys.owner(bearer)
  if (owner && !keyIssue(owner)) {
    const own = service.limits.of(owner.accountId)?.callsPerMinute
    return limitCalls(call, service.limit, owner.keyId, own)
  }
  limitCalls(call, service.limit, service.callerKey(call))
}

/** Returns the headers that report a limit. */
export const limitHeaders = ({ limit, remaining, resetSeconds }: RateLimitState) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(resetSeconds),
})

/** The account of a request, authenticated by its key or by a signed-in browser. */
export interface Caller {
  accountId: string
  role: Role
  /** The API key; null for a browser. */
  key: KeyOwner | null
}

const callers = new WeakMap<Request, Caller>()

/** Returns the caller of an authenticated request. */
export function callerOf(request: Request): Caller {
  return callers.get(request)!
}

/**
 * Authenticates a request by its API key or browser session. Repeated calls for a request are not
 * counted again.
 * @throws ApiError 401, 403, 429
 */
async function authenticate(service: ClientParts & AccessParts, call: Call): Promise<void> {
  const { request } = call
  if (callers.has(request)) return
  const bearer = bearerOf(request)
  if (bearer !== undefined) {
    const key = await service.keys.owner(bearer)
    if (key) {
      const { accountId, role } = key
      admit(service, call, { accountId, role, key }, key.keyId)
      return requireUsable(key)
    }
  } else {
    const account = await signedIn(service, call)
    if (account) {
      const { id, role } = account
      return admit(service, call, { accountId: id, role, key: null }, id)
    }
  }
  limitCalls(call, service.limit, service.callerKey(call))
  throw new ApiError(
    401,
    bearer === undefined
      ? "An API key is required: send the header Authorization: Bearer <API_KEY>."
      : "The API key is not valid: it is incomplete, revoked or from another server. Create a new key in the console or with POST /api/v1/keys.",
    undefined,
    { "www-authenticate": 'Bearer realm="Trawl"' },
  )
}

/** @param countedBy ID of the key, or of the browser's account. */
function admit(service: AccessParts, call: Call, caller: Caller, countedBy: string): void {
  service.running.leave(call.request)
  if (!counted.has(call.request)) {
    counted.add(call.request)
    const own = service.limits.of(caller.accountId)?.callsPerMinute
    limitCalls(call, service.limit, countedBy, own)
  }
  callers.set(call.request, caller)
  const { accountId, key } = caller
  addCallFacts(
    call.request,
    key
      ? { caller: "key", account: accountId, key: key.keyId }
      : { caller: "browser", account: accountId },
  )
}

/**
 * Authenticates the request, and checks the scope of its key.
 * @throws ApiError 401, 403, 429
 */
export async function requireAccount(
  service: ClientParts & AccessParts,
  call: Call,
): Promise<void> {
  await authenticate(service, call)
  const { key } = callerOf(call.request)
  const needed: Scope = isSafe(call.request.method) ? "read" : "run"
  if (key && !scopesOf(key).includes(needed)) throw lacksScope(needed)
}

/**
 * Checks a call with an effect, whatever its method: a key needs the scope `run`, and a signed-in
 * browser must send it from a page of this service or from its address bar. @throws ApiError 403
 */
export function requireRunner(service: ClientParts, call: Call): void {
  const { key } = callerOf(call.request)
  if (key && !scopesOf(key).includes("run")) throw lacksScope("run")
  if (!key && !isOwnVisit(service, call)) {
    throw new ApiError(403, "Pages of other sites must not start runs. Send an API key.")
  }
}

/**
 * Browsers send Sec-Fetch-Site to HTTPS and loopback only. Elsewhere, the Origin or the Referer must
 * name this service.
 */
function isOwnVisit(service: ClientParts, call: Call): boolean {
  const { headers } = call.request
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin" || site === "none"
  const from = headers.get("origin") ?? refererOrigin(headers)
  return from === new URL(service.root(call)).origin
}

function refererOrigin(headers: Headers): string | null {
  const referer = headers.get("referer")
  return referer === null ? null : (URL.parse(referer)?.origin ?? "null")
}

function lacksScope(scope: Scope): ApiError {
  return new ApiError(403, `This API key lacks the scope "${scope}". Create a key that has it.`)
}

/**
 * Refuses API keys with fewer rights than their account for routes that create keys or things that
 * run without the key, because these would exceed the key's limits. @throws ApiError 403
 */
export function requireFullKey(request: Request): void {
  const { key } = callerOf(request)
  const limits = key ? limitsOf(key) : []
  if (limits.length === 0) return
  throw new ApiError(
    403,
    `This key ${limits.join(" and ")}; schedules, webhooks, channels and keys would outlive that limit. Sign in, or use a key with the scopes "read" and "run" that never expires and has no credit limit.`,
  )
}

/**
 * Returns the ID of a key that expires or has a credit limit; null for other callers. Runs that it
 * plans keep within these limits. @throws ApiError 403 if the key lacks the scope read
 */
export function limitedKeyOf(request: Request): string | null {
  const { key } = callerOf(request)
  if (!key) return null
  if (!scopesOf(key).includes("read")) throw lacksScope("read")
  return key.expiresAt === null && key.creditLimit === null ? null : key.keyId
}

/** Returns the limits of a key that its account does not have. */
function limitsOf({ scopes, expiresAt, creditLimit }: KeyOwner): string[] {
  const has = scopesOf({ scopes })
  const missing = (["read", "run"] as const).filter((scope) => !has.includes(scope))
  return [
    ...(expiresAt === null ? [] : [`expires on ${expiresAt.slice(0, 10)}`]),
    ...(creditLimit === null ? [] : [`may spend only ${creditLimit} credits`]),
    ...missing.map((scope) => `lacks the scope "${scope}"`),
  ]
}

/** Refuses known keys that cannot be used. @throws ApiError 401, 403 */
function requireUsable(key: KeyOwner): void {
  const issue = keyIssue(key)
  if (issue) throw new ApiError(key.lockedAt === null ? 401 : 403, issue)
}

/** Returns why a known key is not usable; undefined if it is. */
export function keyIssue({ lockedAt, expiresAt }: KeyOwner): string | undefined {
  if (lockedAt !== null) return "The account is locked; ask the operator of this service."
  if (expiresAt !== null && expiresAt <= new Date().toISOString()) {
    return `The API key expired on ${expiresAt.slice(0, 10)}; create a new one.`
  }
  return undefined
}

/**
 * Admits administrators: their browser, a key with the scope admin, and the command line on this
 * machine, which can read the data folder.
 * @throws ApiError 401, 403, 429
 */
export async function requireOwner(service: ClientParts & AccessParts, call: Call): Promise<void> {
  const bearer = bearerOf(call.request)
  if (bearer !== undefined && service.isOperator(bearer)) {
    service.running.leave(call.request)
    addCallFacts(call.request, { caller: "operator" })
    return
  }
  await authenticate(service, call)
  const { role, key } = callerOf(call.request)
  if (role !== "owner")
    throw new ApiError(
      403,
      'Only administrators of this server may do this. Sign in as one, or use a key of theirs with the scope "admin".',
    )
  if (key && !scopesOf(key).includes("admin")) {
    throw new ApiError(
      403,
      'This API key may not administer the server: sign in, or create a key with the scope "admin".',
    )
  }
}

/** Whether a request has a valid key or session, without counting or refusing it. */
export async function isOfAccount(service: AccessParts, { request }: Call): Promise<boolean> {
  const key = bearerOf(request)
  if (key !== undefined) {
    return service.isOperator(key) || (await service.keys.owner(key)) !== undefined
  }
  const token = sessionToken(request)
  return token !== undefined && (await service.accounts.bySession(token)) !== undefined
}

export function bearerOf(request: Request): string | undefined {
  const header = request.headers.get("authorization")
  // A proxy with its own password may pass on its Authorization header.
  if (header === null || /^(?:Basic|Digest) /i.test(header)) return undefined
  // Firecrawl's clients may add their own prefix to a key.
  const [, token] = /^Bearer +(?:fc-(?=trawl_))?(\S+) *$/i.exec(header) ?? []
  return token ?? ""
}

/**
 * Returns the account of a browser whose call has an effect, whatever its method. Undefined for calls
 * with a key, and for those from pages of other sites.
 */
export async function signedInAccount(
  service: ClientParts & AccessParts,
  call: Call,
): Promise<AccountRow | undefined> {
  if (bearerOf(call.request) !== undefined || !isOwnVisit(service, call)) return undefined
  return signedIn(service, call)
}

/** The account of a browser's session, unless the request comes from another site's page. */
export async function signedIn(
  service: ClientParts & AccessParts,
  call: Call,
): Promise<AccountRow | undefined> {
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

/** Refuses requests from other sites' pages. @throws ApiError 403 */
export function requireSameOrigin(service: ClientParts, call: Call): void {
  if (!isOtherSite(service, call)) return
  throw new ApiError(
    403,
    "The request comes from a page of another site. If Trawl runs behind a reverse proxy, the operator must set TRAWL_BASE_URL to the public URL.",
  )
}

/**
 * Whether a request comes from another site. Sec-Fetch-Site is checked first, because no page can
 * set it. The Origin of a form may be "null", and a proxy may have changed the host that it is
 * compared with.
 */
function isOtherSite(service: ClientParts, call: Call): boolean {
  const { headers } = call.request
  const site = headers.get("sec-fetch-site")
  if (site === "same-origin") return false
  if (site !== null && site !== "none") return true
  const origin = headers.get("origin") ?? refererOrigin(headers)
  if (origin === null) return site !== null
  return origin !== new URL(service.root(call)).origin
}
