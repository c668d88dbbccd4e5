import { type Selectable, sql } from "kysely"
import { type Db, hotQuery } from "../db/database.ts"
import { held } from "../db/dialect.ts"
import { storedCount } from "../db/list-counts.ts"
import { type Listed, listed, newestFirst, type Page } from "../db/page.ts"
import { pipelined } from "../db/postgres/pipelined.ts"
import { announceLowCredits } from "../notifications/events.ts"
import type { LedgerTable } from "../tables/account-tables.ts"
import { leftOfKey, spendOfKey } from "./keys.ts"

export interface Credit {
  accountId: string
  amount: number
  reason: "sign_up" | "grant"
  note: string | null
  at: string
}

/**
 * Adds credits to an account; returns its new balance, or undefined if the account does not exist.
 */
export async function addCredits(db: Db, credit: Credit): Promise<number | undefined> {
  const account = await db
    .updateTable("accounts")
    .set((row) => ({ balance: row("balance", "+", credit.amount) }))
    .where("id", "=", credit.accountId)
    .returning("balance")
    .executeTakeFirst()
  if (!account) return undefined
  await db
    .insertInto("ledger")
    .values({
      account_id: credit.accountId,
      at: credit.at,
      amount: credit.amount,
      reason: credit.reason,
      run_id: null,
      note: credit.note,
    })
    .execute()
  return account.balance
}

/** Credits that one fetched page costs. */
export const pageCost = { free: 1, premium: 2 } as const
/** Additional cost of a page that came through the unlocker. */
export const unlockerCost = 5
/** Additional cost of a page that the operator's model read. */
export const modelCost = 5

export function targetCost(target: {
  tier: "free" | "premium"
  pages: number
  unlockerPages: number
  modelAnswers?: number
}): number {
  const { tier, pages, unlockerPages, modelAnswers = 0 } = target
  return pages * pageCost[tier] + unlockerPages * unlockerCost + modelAnswers * modelCost
}

export interface Charge {
  accountId: string
  /** Null if no key started the run. */
  keyId: string | null
  runId: string
  tier: "free" | "premium"
  pages: number
  unlockerPages: number
  modelAnswers?: number
  at: string
}

export interface Charged {
  /** Credits that were charged. */
  credits: number
  /** False if the account has no credits left: the target's items must not be stored. */
  paid: boolean
  /** Whether the balance was less than the price: the run ends with `out_of_credit`. */
  outOfCredit: boolean
}

/** Executed for each target. */
const heldMeans = hotQuery<{ balance: number; unlimited: number }, [accountId: string]>((db) =>
  held(db, db.selectFrom("accounts").select(["balance", "unlimited"]).where("id", "=", "")),
)

/**
 * Charges a finished target, in the transaction that stores its items. An account with too few
 * credits pays what it has, and the target is stored. An account without credits gets nothing.
 */
export async function chargeTarget(db: Db, charge: Charge): Promise<Charged> {
  const cost = targetCost(charge)
  if (cost === 0) return { credits: 0, paid: true, outOfCredit: false }
  const [account] = await heldMeans(db, charge.accountId)
  const unlimited = account?.unlimited === 1
  const ofAccount = unlimited ? Number.POSITIVE_INFINITY : (account?.balance ?? 0)
  const ofKey = charge.keyId === null ? Number.POSITIVE_INFINITY : await leftOfKey(db, charge.keyId)
  const covered = Math.min(ofAccount, ofKey, cost)
  if (covered === 0) return { credits: 0, paid: false, outOfCredit: true }
  if (Number.isFinite(ofKey)) await spendOfKey(db, charge.keyId!, covered)
  if (!unlimited) await take(db, charge, covered)
  return { credits: unlimited ? 0 : covered, paid: true, outOfCredit: covered < cost }
}

/** An account's means, which cover the targets that they were asked for. */
export interface Cover {
  unlimited: boolean
  /** Keys with a limit of their own. */
  limitedKeys: ReadonlySet<string>
}

const accountOf = hotQuery<{ id: string }, [accountId: string]>((db) =>
  db.selectFrom("accounts").select("id").where("id", "=", ""),
)
const heldBalance = hotQuery<{ balance: number }, [accountId: string]>((db) =>
  held(
    db,
    db
      .selectFrom("accounts")
      .select("balance")
      .where("id", "=", "")
      .where(sql<boolean>`unlimited = 0`),
  ),
)

/**
 * Returns an account's means if they cover all these targets in full. Locks it, unless it has unlimited credits:
 * the commits of all processes would wait for each other.
 */
export async function coverOf(
  db: Db,
  accountId: string,
  charges: readonly Charge[],
): Promise<Cover | undefined> {
  const keys = byKey(charges)
  const [[account], [limited], ...left] = await pipelined([
    accountOf(db, accountId),
    heldBalance(db, accountId),
    ...keys.map(([key]) => leftOfKey(db, key)),
  ])
  if (!account || (limited && limited.balance < costOf(charges))) return undefined
  if (keys.some(([, ofKey], place) => costOf(ofKey) > left[place]!)) return undefined
  const limitedKeys = keys.filter((_, place) => Number.isFinite(left[place]!))
  return { unlimited: !limited, limitedKeys: new Set(limitedKeys.map(([key]) => key)) }
}

/** Returns the credits of a target that is covered. */
export const coveredCost = ({ unlimited }: Cover, charge: Charge): number =>
  unlimited ? 0 : targetCost(charge)

/** Charges targets that are covered, like `chargeTarget` for each. */
export async function chargeCovered(
  db: Db,
  { accountId, at }: { accountId: string; at: string },
  { unlimited, limitedKeys }: Cover,
  charges: readonly Charge[],
): Promise<void> {
  for (const [key, ofKey] of byKey(charges)) {
    if (limitedKeys.has(key)) await spendOfKey(db, key, costOf(ofKey))
  }
  if (unlimited) return
  const entries = charges
    .map((charge) => ({ runId: charge.runId, credits: targetCost(charge) }))
    .filter(({ credits }) => credits > 0)
  if (entries.length > 0) await takeAll(db, { accountId, at }, entries)
}

const costOf = (charges: readonly Charge[]) =>
  charges.reduce((sum, charge) => sum + targetCost(charge), 0)

/** Returns the targets of each key, in the order of the keys' IDs. */
function byKey(charges: readonly Charge[]): [string, Charge[]][] {
  const groups = Map.groupBy(charges, ({ keyId }) => keyId)
  return [...groups].filter((group): group is [string, Charge[]] => group[0] !== null).sort()
}

function take(db: Db, charge: Charge, credits: number): Promise<void> {
  return takeAll(db, charge, [{ runId: charge.runId, credits }])
}

async function takeAll(
  db: Db,
  { accountId, at }: { accountId: string; at: string },
  entries: readonly { runId: string; credits: number }[],
): Promise<void> {
  const credits = entries.reduce((sum, entry) => sum + entry.credits, 0)

  // The table's CHECK prevents a balance below zero, whatever ran meanwhile.
  const taken = db
    .updateTable("accounts")
    .set((row) => ({ balance: row("balance", "-", credits) }))
    .where("id", "=", accountId)
    .execute()
  const noted = db
    .insertInto("ledger")
    .values(
      entries.map((entry) => ({
        account_id: accountId,
        at,
        amount: -entry.credits,
        reason: "run" as const,
        run_id: entry.runId,
        note: null,
      })),
    )
    .execute()
  await pipelined([taken, noted, announceLowCredits(db, { accountId, charged: credits, at })])
}

export async function ledgerPage(
  db: Db,
  accountId: string,
  page: Page,
): Promise<Listed<Selectable<LedgerTable>>> {
  const query = db.selectFrom("ledger").where("account_id", "=", accountId).selectAll()
  return listed(query, page, "n", newestFirst, await storedCount(db, accountId, "ledger"))
}
