import { sql } from "kysely"
import { type Db, hotQuery, isPostgres } from "../db/database.ts"

export interface Caller {
  /**
   * Counters of a call: the hashed IP address, the hashed agent ID and, if the ID is not known to
   * belong to the IP address, a hash of both.
   */
  subjects: readonly string[]
  /**
   * Whether the agent ID was created for this IP address, so that its use elsewhere does not count
   * against it.
   */
  isHome?: boolean
  day: string
}

/** A caller's daily free quota: `limit` calls. */
export interface Quota extends Caller {
  limit: number
}

/**
 * Returns the subjects whose use counts against the caller. An agent has one daily free quota on all
 * its IP addresses, but use of its ID by others does not count against its own IP address.
 */
async function limiting(db: Db, { subjects, isHome, day }: Caller): Promise<readonly string[]> {
  const [address, , both] = subjects
  const own = subjects.slice(0, 1)
  if (isHome || address === undefined) return own
  if (both === undefined) return subjects
  const used = await usedBy(db, day, [both])
  return used > 0 ? own : subjects.slice(0, 2)
}

/** Returns the uses of two subjects; a single one is passed twice. SQLite makes a table for each IN. */
const usedByBoth = hotQuery<
  { used: number },
  [day: string, one: string, sameDay: string, other: string]
>((db) => {
  const ofOne = db.selectFrom("allowance").select("used").where("day", "=", "")
  return ofOne.where("subject", "=", "").unionAll(ofOne.where("subject", "=", ""))
})

async function usedBy(db: Db, day: string, subjects: readonly string[]): Promise<number> {
  const [one = "", other = one] = subjects
  const rows = await usedByBoth(db, day, one, day, other)
  return Math.max(0, ...rows.map(({ used }) => used))
}

export async function freeQuotaUsed(db: Db, caller: Caller): Promise<number> {
  return usedBy(db, caller.day, await limiting(db, caller))
}

/** Counts one call against the daily free quota; returns the calls used, or null if it is exhausted. */
export async function spendFreeQuota(db: Db, caller: Quota): Promise<number | null> {
  await holdUse(db, caller.day, caller.subjects)
  const used = await freeQuotaUsed(db, caller)
  if (used >= caller.limit) return null
  await addUse(db, caller.day, caller.subjects, 1)
  return used + 1
}

/**
 * Refunds a failed call. `held` is the server time of the caller's failed calls; above `maxMs`
 * milliseconds a day, nothing is refunded.
 */
export async function refundFailedCall(
  db: Db,
  { subjects, day, held }: Caller & { held: { subject: string; ms: number; maxMs: number } },
): Promise<boolean> {
  await holdUse(db, day, [held.subject])
  const before = await usedBy(db, day, [held.subject])
  if (before + held.ms > held.maxMs) return false
  await addUse(db, day, [held.subject], Math.round(held.ms))
  await refundCall(db, { subjects: subjects.slice(0, 2), day })
  return true
}

/** Refunds one call. */
export async function refundCall(
  db: Db,
  { subjects, day }: Pick<Caller, "subjects" | "day">,
): Promise<void> {
  await db
    .updateTable("allowance")
    .set((row) => ({ used: row("used", "-", 1) }))
    .where("day", "=", day)
    .where("subject", "in", subjects)
    .where("used", ">", 0)
    .execute()
}

/** In PostgreSQL, keeps other transactions from counting until the command has finished. */
async function holdUse(db: Db, day: string, subjects: readonly string[]): Promise<void> {
  if (isPostgres(db)) await addUse(db, day, subjects, 0)
}

async function addUse(
  db: Db,
  day: string,
  subjects: readonly string[],
  used: number,
): Promise<void> {
  const rows = sql.join(
    subjects.map((subject) => sql`(${subject}, ${day}, CAST(${used} AS BIGINT))`),
    sql`, `,
  )
  await sql`
    INSERT INTO allowance (subject, day, used) VALUES ${rows}
    ON CONFLICT (subject, day) DO UPDATE SET used = allowance.used + excluded.used
  `.execute(db)
}
