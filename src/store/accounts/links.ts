import type { Selectable } from "kysely"
import type { Db } from "../db/database.ts"
import type { AccountLinksTable, Role } from "../tables/account-tables.ts"
import { type AccountRow, createAccount, type NewAccount, setPassword } from "./accounts.ts"

export type LinkRow = Selectable<AccountLinksTable>

export interface NewLink {
  hash: string
  kind: LinkRow["kind"]
  accountId?: string
  email?: string
  role?: Role
  credits?: number
  createdAt: string
  expiresAt: string
}

/**
 * Stores a link. Only the newest link to the first administrator's account, or to an account's
 * password, is valid.
 */
export async function createLink(db: Db, link: NewLink): Promise<void> {
  const { kind, accountId = null, email = null, role = "member", credits = null } = link
  if (kind !== "invitation") {
    const earlier = db.deleteFrom("account_links").where("kind", "=", kind)
    await (kind === "password" ? earlier.where("account_id", "=", accountId) : earlier).execute()
  }
  await db
    .insertInto("account_links")
    .values({
      hash: link.hash,
      kind,
      account_id: accountId,
      email,
      role,
      credits,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
      used_at: null,
    })
    .execute()
}

/** Returns a link that can still be used. */
export async function openLink(db: Db, hash: string, now: string): Promise<LinkRow | undefined> {
  return db
    .selectFrom("account_links")
    .selectAll()
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst()
}

/** Redeems a link, once; returns undefined if it has expired, is used or unknown. */
async function useLink(
  db: Db,
  { hash, at }: { hash: string; at: string },
): Promise<LinkRow | undefined> {
  return db
    .updateTable("account_links")
    .set({ used_at: at })
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .where("expires_at", ">", at)
    .returningAll()
    .executeTakeFirst()
}

async function putBack(db: Db, hash: string): Promise<void> {
  await db.updateTable("account_links").set({ used_at: null }).where("hash", "=", hash).execute()
}

/** Creates the account that a link invites to. */
export async function joinByLink(
  db: Db,
  { hash, account }: { hash: string; account: NewAccount },
): Promise<AccountRow | "over" | "known"> {
  const link = await useLink(db, { hash, at: account.createdAt })
  if (!link || link.kind === "password") return "over"
  const { role, credits } = link
  const row = await createAccount(db, {
    ...account,
    role,
    // Administrators are not charged.
    unlimited: role === "owner",
    credits: role === "owner" ? 0 : (credits ?? account.credits),
  })
  if (row) return row
  await putBack(db, hash)
  return "known"
}

/** Makes an existing account an administrator by a link; returns false if the link has expired. */
export async function ownByLink(
  db: Db,
  { hash, accountId, at }: { hash: string; accountId: string; at: string },
): Promise<boolean> {
  const link = await useLink(db, { hash, at })
  if (link?.kind !== "owner") return false
  await db.updateTable("accounts").set({ role: "owner" }).where("id", "=", accountId).execute()
  return true
}

/** Sets the password of a link's account; returns undefined if the link has expired. */
export async function setPasswordByLink(
  db: Db,
  { hash, passwordHash, at }: { hash: string; passwordHash: string; at: string },
): Promise<AccountRow | undefined> {
  const link = await useLink(db, { hash, at })
  if (link?.kind !== "password" || link.account_id === null) return undefined
  return setPassword(db, { accountId: link.account_id, passwordHash })
}
