import { type Scope, scopesOf } from "../../accounts/keys.ts"
import type { AccountRow } from "../../store/accounts/accounts.ts"
import type { KeyOwner } from "../../store/accounts/keys.ts"
import type { Role } from "../../store/tables/account-tables.ts"
import { tellOfCall } from "../log/call-facts.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts } from "../service-parts.ts"
import { ApiError, tooMany } from "./errors.ts"
import type { RateLimit, Standing } from "./rate-limit.ts"

export const sessionCookie = "trawl_session"

/**
 * Counts the request against a limit, and sets the RateLimit headers. `own`: the caller's own limit,
 * instead of the default. @throws ApiError 429
 */
export function limitCalls(call: Call, limit: RateLimit, caller: string, own?: number): void {
  const standing = limit.take(caller, undefined, own)
  if (!standing) return
  tellLimit(call, standing)
  if (standing.retryAfter > 0) throw tooMany(standing.retryAfter)
}

/** Calls that were counted: routes and what they are built on may both ask for it. */
const counted = new WeakSet<Request>()

/**
 * Counts a call once: by its key, with the limit of its account, or else by its IP address.
 *
 * @param token A key that the call has elsewhere than in its header.
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

function tellLimit({ set }: Call, standing: Standing): void {
  set.headers["ratelimit-limit"] = String(standing.limit)
  set.headers["ratelimit-remaining"] = String(standing.remaining)
  set.headers["ratelimit-reset"] = String(standing.resetSeconds)
}

/** Who calls: an account by its key, or by a browser that is signed in. */
export interface Caller {
  accountId: string
  role: Role
  /** Null for a browser. */
  key: KeyOwner | null
}

const callers = new WeakMap<Request, Caller>()

/** Returns the caller of a request that was authenticated before. */
export function callerOf(request: Request): Caller {
  return callers.get(request)!
}

/**
 * Authenticates a request by its key or its browser session. A second call counts no request.
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
      ? "An API key is needed: send the header Authorization: Bearer <API_KEY>."
      : "The API key is not valid: it is incomplete, revoked or of another server. Create a new key in the console or by POST /api/v1/keys.",
    undefined,
    { "www-authenticate": 'Bearer realm="Trawl"' },
  )
}

/** @param countedBy The key, or the account of a browser. */
function admit(service: AccessParts, call: Call, caller: Caller, countedBy: string): void {
  service.running.leave(call.request)
  if (!counted.has(call.request)) {
    counted.add(call.request)
    const own = service.limits.of(caller.accountId)?.callsPerMinute
    limitCalls(call, service.limit, countedBy, own)
  }
  callers.set(call.request, caller)
  const { accountId, key } = caller
  tellOfCall(
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
    throw new ApiError(403, "Pages of other sites may not start runs; call with an API key.")
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
  return new ApiError(403, `This key lacks the scope ${scope}; make one that has it.`)
}

/**
 * Refuses keys that have fewer rights than their account for what creates keys or continues without
 * them: it would exceed their limits. @throws ApiError 403
 */
export function requireFullKey(request: Request): void {
  const { key } = callerOf(request)
  const limits = key ? limitsOf(key) : []
  if (limits.length === 0) return
  throw new ApiError(
    403,
    `This key ${limits.join(" and ")}; schedules, webhooks, channels and keys would outlive that limit. Sign in, or use a key with the scopes read and run that never expires and has no credit limit.`,
  )
}

/** Returns what a key has less of than its account. */
function limitsOf({ scopes, expiresAt, creditLimit }: KeyOwner): string[] {
  const has = scopesOf({ scopes })
  const missing = (["read", "run"] as const).filter((scope) => !has.includes(scope))
  return [
    ...(expiresAt === null ? [] : [`expires on ${expiresAt.slice(0, 10)}`]),
    ...(creditLimit === null ? [] : [`may spend only ${creditLimit} credits`]),
    ...missing.map((scope) => `lacks the scope ${scope}`),
  ]
}

/** @throws ApiError 401, 403 for a key that is known and does nothing (any more). */
function requireUsable(key: KeyOwner): void {
  const issue = keyIssue(key)
  if (issue) throw new ApiError(key.lockedAt === null ? 401 : 403, issue)
}

/** Returns why a known key is not usable; undefined if it is. */
export function keyIssue({ lockedAt, expiresAt }: KeyOwner): string | undefined {
  if (lockedAt !== null) return "The account is locked; ask the operator of this service."
  if (expiresAt !== null && expiresAt <= new Date().toISOString()) {
    return `The API key expired on ${expiresAt.slice(0, 10)}; make a new one.`
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
    tellOfCall(call.request, { caller: "operator" })
    return
  }
  await authenticate(service, call)
  const { role, key } = callerOf(call.request)
  if (role !== "owner") throw new ApiError(403, "Only an owner of this service may do this.")
  if (key && !scopesOf(key).includes("admin")) {
    throw new ApiError(
      403,
      "This key may not administer the service: sign in, or make a key with the scope admin.",
    )
  }
}

/** Whether a call shows a good key or session; nothing is counted, nothing refused. */
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
  // A proxy in front that asks for a password of its own passes on what it was given.
  if (header === null || /^(?:Basic|Digest) /i.test(header)) return undefined
  // Clients of Firecrawl may set their own prefix before a key.
  const [, token] = /^Bearer +(?:fc-(?=trawl_))?(\S+) *$/i.exec(header) ?? []
  return token ?? ""
}

/** The account of a browser's session; a page of another site cannot act with it. */
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

/** @throws ApiError 403 when a browser says that the call comes from another site's page. */
export function requireSameOrigin(service: ClientParts, call: Call): void {
  if (!isOtherSite(service, call)) return
  throw new ApiError(
    403,
    "The request comes from a page of another site. If Trawl runs behind a reverse proxy, its operator sets TRAWL_BASE_URL to the public URL.",
  )
}

/**
 * A browser's own word comes first: no page can write Sec-Fetch-Site, while the Origin of a form may
 * be "null" by the page's policy, and a proxy may have changed the host that it would be compared to.
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
