import type { Selectable } from "kysely"
import type { Db } from "../database.ts"
import type { AccountsTable } from "../tables/account-tables.ts"
import { addCredits } from "./credits.ts"

export type AccountRow = Selectable<AccountsTable>

export interface NewAccount {
  id: string
  email: string | null
  passwordHash: string | null
  unlimited: boolean
  /** Credits to begin with. */
  credits: number
  createdAt: string
}

/** Undefined when the address has an account already. */
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

export async function accountById(db: Db, id: string): Promise<AccountRow | undefined> {
  return db.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst()
}

export async function accountByEmail(db: Db, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom("accounts").selectAll().where("email", "=", email).executeTakeFirst()
}

export async function listAccounts(db: Db): Promise<AccountRow[]> {
  return db.selectFrom("accounts").selectAll().orderBy("created_at").execute()
}
