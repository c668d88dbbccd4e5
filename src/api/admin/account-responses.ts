import { Type } from "@sinclair/typebox"
import { normalEmail } from "../../accounts/accounts.ts"
import type { Limits } from "../../accounts/limits.ts"
import { oneOf } from "../../catalogue/kit/index.ts"
import {
  type AccountRow,
  accountByEmail,
  accountById,
  firstOwner,
} from "../../store/accounts/accounts.ts"
import { type KeyState, keyStates } from "../../store/accounts/keys.ts"
import type { Db } from "../../store/db/database.ts"
import { roles } from "../../store/tables/account-tables.ts"
import { ApiError, notFound } from "../http/errors.ts"
import { maybe, responseObject, time } from "../schemas/common.ts"
import type { CoreParts } from "../service-parts.ts"

export const roleSchema = oneOf([...roles], {
  description: "An `owner` is an administrator of the service: accounts, settings, all runs.",
})

export const adminAccountSchema = responseObject(
  {
    id: Type.String({ description: "`acc_…`" }),
    email: maybe(Type.String()),
    role: roleSchema,
    credits: responseObject({ balance: Type.Integer(), unlimited: Type.Boolean() }),
    limits: responseObject(
      {
        callsPerMinute: maybe(
          Type.Integer({
            description: "Maximum calls per minute of each API key; 0 means no limit.",
          }),
        ),
        runsAtOnce: maybe(Type.Integer({ description: "Maximum runs at the same time." })),
      },
      { description: "Limits of this account; null for the limits in the settings." },
    ),
    keys: Type.Integer({ description: "Live keys." }),
    createdAt: time("Time of creation."),
    lastUsedAt: maybe(time("Last use of any of its keys, to the minute.")),
    lockedAt: maybe(time("Time since which the account is locked; null if it is not locked.")),
  },
  { $id: "AdminAccount" },
)

export async function adminAccounts(db: Db, rows: readonly AccountRow[]) {
  const standings = await keyStates(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => responseOf(row, standings.get(row.id)))
}

export async function adminAccount(db: Db, row: AccountRow) {
  return (await adminAccounts(db, [row]))[0]!
}

function responseOf(row: AccountRow, keys?: KeyState) {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    credits: { balance: row.balance, unlimited: row.unlimited === 1 },
    limits: {
      callsPerMinute: null,
      runsAtOnce: null,
      ...((row.limits === null ? {} : JSON.parse(row.limits)) as Limits),
    },
    keys: keys?.live ?? 0,
    createdAt: row.created_at,
    lastUsedAt: keys?.lastUsedAt ?? null,
    lockedAt: row.locked_at,
  }
}

export const accountParameter = Type.String({
  description: "Account ID (`acc_…`) or email address.",
})

/** Returns the account with this ID or email address. @throws ApiError 404 */
export async function namedAccount(db: Db, name: string): Promise<AccountRow> {
  const row = name.includes("@")
    ? await accountByEmail(db, normalEmail(name))
    : await accountById(db, name)
  if (!row) throw notFound("account", name)
  return row
}

/** The account of something new: the named one, or the first administrator's. @throws ApiError 404, 409 */
export async function owningAccount(
  { store: { db } }: CoreParts,
  name: string | undefined,
): Promise<string> {
  if (name !== undefined) return (await namedAccount(db, name)).id
  const owner = await firstOwner(db)
  if (owner) return owner
  throw new ApiError(
    409,
    "The service has no administrator account that could receive this. Create one with `trawl account owner-link`, or name an account.",
  )
}
