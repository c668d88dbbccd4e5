import { endOf } from "../../engine/net/sessions/state.ts"
import {
  type SiteSessionRow,
  siteSession,
  siteSessionById,
  siteSessionByName,
} from "../../store/accounts/site-sessions.ts"
import { newId } from "../../store/ids.ts"
import { issue } from "../http/body.ts"
import { ApiError, invalid, notFound, requireBelowLimit } from "../http/errors.ts"
import { type NewSession, sessionResponse } from "../schemas/session.ts"
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
  if (provided === undefined && login === undefined) {
    const message = 'A session needs "import" with cookies, or a "login" recipe.'
    throw invalid([issue("import", message, "import or login")], "body")
  }
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
      `The session name "${name}" is already in use. Change that session, or choose another name.`,
    )
  }
}
