import type { Insertable, Selectable } from "kysely"
import type { Db } from "../db/database.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import { announce } from "../notifications/events.ts"
import type { SiteSessionsTable } from "../tables/automation-tables.ts"

export type SiteSessionRow = Selectable<SiteSessionsTable>

/**
 * `full`: the account has the maximum number of sessions; `taken`: another session has this name.
 */
export type Stored = "stored" | "full" | "taken"

interface Owned {
  id: string
  accountId: string
}

export async function createSiteSession(
  db: Db,
  { maximum: max, ...session }: Insertable<SiteSessionsTable> & { maximum: number },
): Promise<Stored> {
  const { total } = await listSiteSessions(db, session.account_id, { limit: 1, offset: 0 })
  if (total >= max) return "full"
  const made = await db
    .insertInto("site_sessions")
    .values(session)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst()
  return made ? "stored" : "taken"
}

/** Changes a session. Schedules, recipes and queued runs follow its new name. */
export async function changeSiteSession(
  db: Db,
  { id, accountId, at, set }: Owned & { at: string; set: SiteSessionChange },
): Promise<Stored | "gone"> {
  const row = await siteSessionById(db, { id, accountId })
  if (!row) return "gone"
  const { name, state, ...others } = set
  if (name !== undefined && name !== row.name) {
    if (await siteSessionByName(db, accountId, name)) return "taken"
    for (const table of ["schedules", "recipes"] as const) {
      await db
        .updateTable(table)
        .set({ session: name })
        .where("account_id", "=", accountId)
        .where("session", "=", row.name)
        .execute()
    }
    await db
      .updateTable("runs")
      .set({ session: name })
      .where("account_id", "=", accountId)
      .where("session", "=", row.name)
      .where("status", "in", ["queued", "running"])
      .execute()
  }
  // After a new state, runs with the earlier one no longer change the session.
  const again = state !== undefined && { state, revision: row.revision + 1, ...signedIn }
  await db
    .updateTable("site_sessions")
    .set({ ...others, ...(name !== undefined && { name }), ...again, updated_at: at })
    .where("id", "=", id)
    .execute()
  return "stored"
}

export type SiteSessionChange = Partial<
  Pick<SiteSessionRow, "name" | "hosts" | "state" | "login" | "expires_at">
>

const signedIn = { expired: 0, expired_reason: null, login_owner: null, login_until: null }

/** Returns whether the session existed. */
export async function deleteSiteSession(db: Db, { id, accountId }: Owned): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("site_sessions")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function useSiteSession(db: Db, { id, at }: { id: string; at: string }) {
  await db.updateTable("site_sessions").set({ last_used_at: at }).where("id", "=", id).execute()
}

/** Stores a state that a site has changed, if no other change was stored since it was read. */
export async function updateSiteSession(
  db: Db,
  change: {
    id: string
    before: string | null
    state: string
    expiresAt: string | null
    at: string
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("site_sessions")
    .set({ state: change.state, expires_at: change.expiresAt, updated_at: change.at })
    .where("id", "=", change.id)
    .where("state", "=", change.before)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

interface LoginOwner {
  id: string
  /** ID of the log-in. */
  owner: string
}

/** Reserves a session's log-in: only one process at a time logs in. */
export async function claimLogin(
  db: Db,
  { id, owner, now, until }: LoginOwner & { now: string; until: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("site_sessions")
    .set({ login_owner: owner, login_until: until })
    .where("id", "=", id)
    .where((row) => row.or([row("login_until", "is", null), row("login_until", "<", now)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Ends a log-in, with the new state or the reason for its failure. */
export async function endLogin(
  db: Db,
  {
    id,
    owner,
    at,
    ...result
  }: LoginOwner & { at: string } & (
      | { state: string; expiresAt: string | null }
      | { failure: string }
    ),
): Promise<void> {
  const row = await db
    .selectFrom("site_sessions")
    .selectAll()
    .where("id", "=", id)
    .where("login_owner", "=", owner)
    .executeTakeFirst()
  if (!row) return
  if ("failure" in result) return expire(db, row, { reason: result.failure, at })
  const { state, expiresAt } = result
  await db
    .updateTable("site_sessions")
    .set({ state, expires_at: expiresAt, revision: row.revision + 1, ...signedIn })
    .set({ updated_at: at })
    .where("id", "=", id)
    .execute()
}

/** Marks a session as expired, unless it was logged in again since this revision. */
export async function expireSiteSession(
  db: Db,
  { id, revision, ...why }: { id: string; revision: number; reason: string; at: string },
): Promise<void> {
  const row = await db
    .selectFrom("site_sessions")
    .selectAll()
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst()
  if (row) await expire(db, row, why)
}

/** Marks a session as expired and notifies its account once. */
async function expire(
  db: Db,
  row: SiteSessionRow,
  { reason, at }: { reason: string; at: string },
): Promise<void> {
  await db
    .updateTable("site_sessions")
    .set({ ...signedIn, expired: 1, expired_reason: reason })
    .where("id", "=", row.id)
    .execute()
  if (row.expired === 1) return
  const data = {
    sessionId: row.id,
    name: row.name,
    hosts: JSON.parse(row.hosts) as string[],
    reason,
  }
  await announce(db, { event: "session.expired", to: { accountId: row.account_id }, data, at })
}

export async function siteSession(db: Db, id: string): Promise<SiteSessionRow | undefined> {
  return db.selectFrom("site_sessions").selectAll().where("id", "=", id).executeTakeFirst()
}

export async function siteSessionById(
  db: Db,
  { id, accountId }: Owned,
): Promise<SiteSessionRow | undefined> {
  return db
    .selectFrom("site_sessions")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst()
}

export async function siteSessionByName(
  db: Db,
  accountId: string,
  name: string,
): Promise<SiteSessionRow | undefined> {
  return db
    .selectFrom("site_sessions")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("name", "=", name)
    .executeTakeFirst()
}

/** Returns the account's sessions, newest first. */
export async function listSiteSessions(
  db: Db,
  accountId: string,
  page: Page,
): Promise<Listed<SiteSessionRow>> {
  const query = db.selectFrom("site_sessions").where("account_id", "=", accountId).selectAll()
  return listed(query, page, "id")
}
