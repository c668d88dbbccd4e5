import type { Selectable } from "kysely"
import { type Db, hotQuery } from "../db/database.ts"
import { held } from "../db/dialect.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import type { KeysTable, Role } from "../tables/account-tables.ts"

export type KeyRow = Selectable<KeysTable>

export interface NewKey {
  id: string
  accountId: string
  hash: string
  hint: string
  name: string
  createdAt: string
  /** Scopes, separated by spaces. Default: run and read. */
  scopes?: string
  expiresAt?: string | null
  creditLimit?: number | null
}

export async function createKey(db: Db, key: NewKey): Promise<KeyRow> {
  return db
    .insertInto("keys")
    .values({
      id: key.id,
      account_id: key.accountId,
      hash: key.hash,
      hint: key.hint,
      name: key.name,
      created_at: key.createdAt,
      expires_at: key.expiresAt ?? null,
      credit_limit: key.creditLimit ?? null,
      ...(key.scopes !== undefined && { scopes: key.scopes }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the revoked key; undefined if the account has no such active key. */
export async function revokeKey(
  db: Db,
  key: { id: string; accountId?: string; at: string },
): Promise<KeyRow | undefined> {
  const revoked = db
    .updateTable("keys")
    .set({ revoked_at: key.at })
    .where("id", "=", key.id)
    .where("revoked_at", "is", null)
  const { accountId } = key
  return (accountId === undefined ? revoked : revoked.where("account_id", "=", accountId))
    .returningAll()
    .executeTakeFirst()
}

export async function markKeyUsed(db: Db, key: { id: string; at: string }): Promise<void> {
  await db.updateTable("keys").set({ last_used_at: key.at }).where("id", "=", key.id).execute()
}

export interface KeyOwner {
  keyId: string
  hash: string
  accountId: string
  /** Scopes, separated by spaces. */
  scopes: string
  expiresAt: string | null
  creditLimit: number | null
  /** Role of the account. */
  role: Role
  lockedAt: string | null
}

/** Returns the account and the permissions of a key, unless it was revoked. */
export async function keyByHash(db: Db, hash: string): Promise<KeyOwner | undefined> {
  return db
    .selectFrom("keys")
    .innerJoin("accounts", "accounts.id", "keys.account_id")
    .select([
      "keys.id as keyId",
      "hash",
      "account_id as accountId",
      "scopes",
      "expires_at as expiresAt",
      "credit_limit as creditLimit",
      "role",
      "locked_at as lockedAt",
    ])
    .where("hash", "=", hash)
    .where("revoked_at", "is", null)
    .executeTakeFirst()
}

export async function keyById(
  db: Db,
  key: { id: string; accountId: string },
): Promise<KeyRow | undefined> {
  return db
    .selectFrom("keys")
    .selectAll()
    .where("id", "=", key.id)
    .where("account_id", "=", key.accountId)
    .executeTakeFirst()
}

/** Returns the account's active keys, newest first. */
export async function listKeys(db: Db, accountId: string, page: Page): Promise<Listed<KeyRow>> {
  const query = db
    .selectFrom("keys")
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .selectAll()
  return listed(query, page, "id")
}

type Spending = Pick<KeyRow, "credit_limit" | "credits_used">

/** Locks the key if it has a limit, so that the commits of other processes do not wait for the rest. */
const spendingOf = hotQuery<Spending, [id: string]>((db) =>
  held(
    db,
    db
      .selectFrom("keys")
      .select(["credit_limit", "credits_used"])
      .where("id", "=", "")
      .where("credit_limit", "is not", null),
  ),
)

/** Returns the credits that a key may still spend by its own limit. */
export async function leftOfKey(db: Db, id: string): Promise<number> {
  const [key] = await spendingOf(db, id)
  if (!key || key.credit_limit === null) return Number.POSITIVE_INFINITY
  return Math.max(0, key.credit_limit - key.credits_used)
}

export async function spendOfKey(db: Db, id: string, credits: number): Promise<void> {
  await db
    .updateTable("keys")
    .set((row) => ({ credits_used: row("credits_used", "+", credits) }))
    .where("id", "=", id)
    .execute()
}

export interface KeyState {
  live: number
  lastUsedAt: string | null
}

/** Returns the number of active keys of each account, and the time of their last use. */
export async function keyStates(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, KeyState>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("keys")
    .select((row) => [
      "account_id",
      row.fn.countAll<number>().as("live"),
      row.fn.max("last_used_at").as("lastUsedAt"),
    ])
    .where("account_id", "in", accountIds)
    .where("revoked_at", "is", null)
    .groupBy("account_id")
    .execute()
  return new Map(rows.map(({ account_id, ...state }) => [account_id, state]))
}
