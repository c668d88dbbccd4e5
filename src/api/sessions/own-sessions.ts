import { endOf } from "../../engine/net/sessions/state.ts"
import {
  type SiteSessionChange,
  type SiteSessionRow,
  siteSession,
  siteSessionById,
  siteSessionByName,
} from "../../store/accounts/site-sessions.ts"
import { newId } from "../../store/db/ids.ts"
import { issue } from "../http/body.ts"
import { ApiError, invalid, notFound, requireBelowLimit } from "../http/errors.ts"
import { type NewSession, type SessionChange, sessionResponse } from "../schemas/session.ts"
import type { CoreParts, SessionParts } from "../service-parts.ts"
import { checkedHosts, checkedLogin, sitesOf } from "./check.ts"
import { importedState } from "./import.ts"

/** Maximum sessions per account. */
export const maxSessions = 100

const unreadable = {
  expired: 1,
  expired_reason: "Its key is not in the server's key file (trawl.key). Import it again.",
}

type Parts = CoreParts & SessionParts

/** Returns a session without its cookies and secrets. */
export function visibleSession({ sessions }: SessionParts, row: SiteSessionRow) {
  return sessions.isReadable(row)
    ? sessionResponse(row, sessions.loginOf(row))
    : sessionResponse({ ...row, ...unreadable }, null)
}

/** @throws ApiError 400, 409 */
export async function createSession(
  { store, sessions }: Parts,
  accountId: string,
  { name, import: provided, login, hosts }: NewSession,
): Promise<SiteSessionRow> {
  requireContent({ import: provided, login })
  const id = newId("ses")
  const recipe = login ? checkedLogin(login) : null
  const own = hosts && checkedHosts(hosts)
  const found = provided === undefined ? null : importedState(provided, own)
  const now = new Date().toISOString()
  const stored = await store.write("siteSessions.create", {
    id,
    account_id: accountId,
    name,
    hosts: JSON.stringify(own ?? found?.hosts ?? sitesOf(recipe!)),
    state: found && sessions.encrypted(id, found.state),
    login: recipe && sessions.encryptedLogin(id, recipe),
    expires_at: found && endOf(found.state),
    created_at: now,
    updated_at: now,
    maximum: maxSessions,
  })
  requireStored(stored, name)
  return (await siteSession(store.db, id))!
}

/** @throws ApiError 400 */
function requireContent(body: Pick<NewSession, "import" | "login">): void {
  if (body.import !== undefined || body.login !== undefined) return
  const message = 'A session needs "import" with cookies, or a "login" recipe.'
  throw invalid([issue("import", message, "import or login")], "body")
}

/** Maximum attempts, if others create and delete the session at the same time. */
const tries = 3

/**
 * Creates a session, or replaces the cookies or the recipe of the one with this name. Its other parts
 * stay, and so do schedules and recipes that name it. @throws ApiError 400, 409
 */
export async function putSession(
  service: Parts,
  accountId: string,
  body: NewSession,
): Promise<{ row: SiteSessionRow; isNew: boolean }> {
  const { store } = service
  requireContent(body)
  for (let attempt = 1; ; attempt++) {
    const known = await siteSessionByName(store.db, accountId, body.name)
    try {
      if (!known) return { row: await createSession(service, accountId, body), isNew: true }
      const { name: _, ...change } = body
      return { row: await changeSession(service, known, change), isNew: false }
    } catch (error) {
      const isRace = error instanceof ApiError && error.status === (known ? 404 : 409)
      if (!isRace || attempt === tries) throw error
    }
  }
}

/** @throws ApiError 400, 404, 409 */
export async function changeSession(
  { store, sessions }: Parts,
  row: SiteSessionRow,
  { name, import: provided, login, hosts: requested }: SessionChange,
): Promise<SiteSessionRow> {
  const hosts = requested && checkedHosts(requested)
  const set: SiteSessionChange = {}
  if (name !== undefined) set.name = name
  if (hosts) set.hosts = JSON.stringify(hosts)
  if (login !== undefined) {
    const recipe =
      login && checkedLogin(login, sessions.isReadable(row) ? sessions.loginOf(row) : null)
    set.login = recipe && sessions.encryptedLogin(row.id, recipe)
  }
  if (provided !== undefined) {
    const found = importedState(provided, hosts ?? JSON.parse(row.hosts))
    set.state = sessions.encrypted(row.id, found.state)
    set.expires_at = endOf(found.state)
  } else if (hosts) {
    Object.assign(set, sessions.narrowed(row, hosts))
  }
  const { account_id: accountId } = row
  const change = { id: row.id, accountId, at: new Date().toISOString(), set }
  requireStored(await store.write("siteSessions.change", change), name ?? row.name)
  return ownSession({ store }, accountId, row.id)
}

/** Logs in with the recipe of a session. @throws ApiError 409 if it has none */
export async function logInSession(
  { store, sessions }: Parts,
  row: SiteSessionRow,
  signal: AbortSignal,
): Promise<SiteSessionRow> {
  if (row.login === null) {
    throw new ApiError(
      409,
      `The session "${row.name}" has no log-in recipe. Import it again, or add "login".`,
    )
  }
  await sessions.logInAgain(row.id, signal)
  return ownSession({ store }, row.account_id, row.id)
}

/** Finds a session by its ID or its name. @throws ApiError 404 */
export async function ownSession(
  { store: { db } }: Pick<CoreParts, "store">,
  accountId: string,
  text: string,
): Promise<SiteSessionRow> {
  const row = text.startsWith("ses_")
    ? await siteSessionById(db, { id: text, accountId })
    : await siteSessionByName(db, accountId, text)
  if (!row) throw notFound("session", text)
  return row
}

/** @throws ApiError 404, 409 */
export function requireStored(stored: string, name: string): void {
  if (stored === "full") requireBelowLimit(maxSessions, maxSessions, "sessions")
  if (stored === "gone") throw notFound("session", name)
  if (stored === "taken") {
    throw new ApiError(
      409,
      `The session name "${name}" is already in use. To replace its cookies, send PUT /api/v1/sessions/${name} (MCP: pass "replace": true). Otherwise, choose another name.`,
    )
  }
}
