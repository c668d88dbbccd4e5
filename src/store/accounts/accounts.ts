import { type Selectable, sql } from "kysely"
import { type Db, hotQuery, isPostgres } from "../db/database.ts"
import { held } from "../db/dialect.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import type { AccountsTable, Role } from "../tables/account-tables.ts"
import { addCredits } from "./credits.ts"
import { endSessions } from "./sessions.ts"

export type AccountRow = Selectable<AccountsTable>

export interface NewAccount {
  id: string
  email: string | null
  passwordHash: string | null
  unlimited: boolean
  /** Initial credits. */
  credits: number
  createdAt: string
  /** Default: member. */
  role?: Role
}

/** Returns undefined if the email address already has an account. */
export async function createAccount(db: Db, account: NewAccount): Promise<AccountRow | undefined> {
  const row = await db
    .insertInto("accounts")
    .values({
      id: account.id,
      email: account.email,
      password_hash: account.passwordHash,
      unlimited: account.unlimited ? 1 : 0,
      balance: 0,
      created_at: account.createdAt,
      role: account.role ?? "member",
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row || account.credits === 0) return row
  const balance = await addCredits(db, {
    accountId: account.id,
    amount: account.credits,
    reason: "sign_up",
    note: null,
    at: account.createdAt,
  })
  return { ...row, balance: balance! }
}

const byId = hotQuery<AccountRow, [id: string]>((db) =>
  db
    .selectFrom("accounts")
    .selectAll()
    .where("id", "=", "")
    .where("deleted_at", "is", sql.lit(null)),
)

export async function accountById(db: Db, id: string): Promise<AccountRow | undefined> {
  return (await byId(db, id))[0]
}

export async function accountByEmail(db: Db, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom("accounts").selectAll().where("email", "=", email).executeTakeFirst()
}

export interface AccountFilter {
  role?: Role
  /** Part of the email address. */
  search?: string
}

/** Returns all accounts, newest first. */
export async function listAccounts(
  db: Db,
  page: Page,
  { role, search }: AccountFilter = {},
): Promise<Listed<AccountRow>> {
  let query = db.selectFrom("accounts").selectAll().where("deleted_at", "is", null)
  if (role) query = query.where("role", "=", role)
  if (search) query = query.where("email", "like", `%${search.toLowerCase().replace(/[%_]/g, "")}%`)
  return listed(query, page, "id")
}

/** Returns the accounts with their own limits. */
export async function limitedAccounts(db: Db): Promise<{ id: string; limits: string | null }[]> {
  return db
    .selectFrom("accounts")
    .select(["id", "limits"])
    .where("limits", "is not", null)
    .where("deleted_at", "is", null)
    .execute()
}

/** Returns the ID of the oldest administrator's account. */
export async function firstOwner(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom("accounts")
    .select("id")
    .where("role", "=", "owner")
    .where("deleted_at", "is", null)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Finds the administrators of the service. */
const owners = hotQuery<{ id: string }, []>((db) =>
  db
    .selectFrom("accounts")
    .select("id")
    .where("role", "=", sql.lit("owner"))
    .where("deleted_at", "is", sql.lit(null))
    .limit(sql.lit(1)),
)

export function hasOwner(db: Db): boolean {
  if (!isPostgres(db)) return (owners(db) as unknown[]).length > 0
  // A service never loses its last administrator.
  if (owned.get(db)) return true
  learnOwner(db).catch(() => {})
  return false
}

/** Whether an asynchronous database had an administrator at the last query. */
const owned = new WeakMap<Db, boolean>()

/** Stores for `hasOwner` whether there is an administrator. */
export async function learnOwner(db: Db): Promise<void> {
  owned.set(db, (await owners(db)).length > 0)
}

/** Returns whether this account is the only administrator. */
async function isLastOwner(db: Db, id: string): Promise<boolean> {
  const query = db
    .selectFrom("accounts")
    .select("id")
    .where("role", "=", "owner")
    .where("deleted_at", "is", null)
    .where("locked_at", "is", null)
    .orderBy("id")
  const owners = await held(db, query).execute()
  return owners.length === 1 && owners[0]!.id === id
}

export interface AccountChange {
  id: string
  role?: Role
  /** Time of locking; null unlocks the account. */
  lockedAt?: string | null
  unlimited?: boolean
  limits?: string | null
}

/**
 * Returns the changed account; undefined if it does not exist. Locking also ends its browser
 * sessions.
 */
export async function changeAccount(
  db: Db,
  { id, role, lockedAt, unlimited, limits }: AccountChange,
): Promise<AccountRow | undefined | "last_owner"> {
  const leaves = role === "member" || typeof lockedAt === "string"
  if (leaves && (await isLastOwner(db, id))) return "last_owner"
  if (typeof lockedAt === "string") await endSessions(db, { accountId: id })
  return db
    .updateTable("accounts")
    .set({
      // SQL has no update without columns.
      id,
      ...(role !== undefined && { role }),
      ...(lockedAt !== undefined && { locked_at: lockedAt }),
      ...(unlimited !== undefined && { unlimited: unlimited ? 1 : 0 }),
      ...(limits !== undefined && { limits }),
    })
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .returningAll()
    .executeTakeFirst()
}

/** Sets an account's password and ends all other sessions of the account. */
export async function setPassword(
  db: Db,
  change: { accountId: string; passwordHash: string | null; but?: string | undefined },
): Promise<AccountRow | undefined> {
  await endSessions(db, change)
  return db
    .updateTable("accounts")
    .set({ password_hash: change.passwordHash })
    .where("id", "=", change.accountId)
    .where("deleted_at", "is", null)
    .returningAll()
    .executeTakeFirst()
}

/** The tables with rows of an account, except its runs, which the purge erases. */
const ofAccount = [
  "schedules",
  "webhooks",
  "batches",
  "idempotency",
  "sessions",
  "account_links",
  "dataset_links",
  "monitor_links",
  "recipes",
  "destinations",
  "site_sessions",
] as const

/**
 * Deletes an account with all its data. Its ID, ledger and usage remain: they show the use of the
 * service without the person.
 */
export async function deleteAccount(db: Db, { id, at }: { id: string; at: string }): Promise<void> {
  for (const table of ofAccount) await db.deleteFrom(table).where("account_id", "=", id).execute()
  await db.deleteFrom("memory").where("owner", "=", id).execute()
  await db
    .updateTable("keys")
    .set({ revoked_at: at, name: "" })
    .where("account_id", "=", id)
    .execute()
  const runs = db.updateTable("runs").where("account_id", "=", id)
  // Targets that are still running get `AttemptGivenUp`.
  await runs
    .set({ status: "aborted", finished_at: at })
    .where("status", "in", ["queued", "running", "aborting"])
    .execute()
  await runs.set({ deleted_at: at }).where("deleted_at", "is", null).execute()
  await db
    .updateTable("accounts")
    .set({ email: null, password_hash: null, role: "member", limits: null, deleted_at: at })
    .where("id", "=", id)
    .execute()
}
