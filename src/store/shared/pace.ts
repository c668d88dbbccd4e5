import { sql } from "kysely"
import type { Db } from "../database.ts"

/** By the database's clock: those of the machines differ. */
const now = sql<number>`extract(epoch FROM clock_timestamp()) * 1000`

/** Who has asked for nothing in this time does not use the host any more. */
const usedForMs = 3_000
/** Where a host takes fewer requests at once than processes use it, they take turns of this time. */
const turnMs = 2_000
/** Hosts that nobody has asked for so long are forgotten. */
const keptMs = 3_600_000

export interface SlotsAsked {
  /** The host. */
  id: string
  processId: string
  intervalMs: number
  count: number
  /** Requests that the host takes at once. */
  concurrency: number
}

export interface Slots {
  /** Milliseconds from now until the first; the others follow at the interval. */
  inMs: number
  count: number
  /** Of the requests at once, this process's part for now. */
  concurrency: number
  /** Milliseconds for which nobody asks the host. */
  suspendedMs: number
  suspendedFor: "refused" | "slow-down" | null
}

/** Times at which this process alone may ask a host, behind those that others have. */
export async function leaseSlots(db: Db, asked: SlotsAsked): Promise<Slots> {
  const concurrency = await partOf(db, asked)
  const count = concurrency > 0 ? asked.count : 0
  const span = count * asked.intervalMs
  const { rows } = await sql<Omit<Slots, "count" | "concurrency">>`
    INSERT INTO host_pace AS host (host, next_at) VALUES (${asked.id}, ${now} + ${span}::float)
    ON CONFLICT (host) DO UPDATE SET next_at = greatest(host.next_at, ${now}) + ${span}::float
    RETURNING greatest(0, next_at - ${span}::float - ${now}) AS "inMs",
      greatest(0, suspended_until - ${now}) AS "suspendedMs", suspended_for AS "suspendedFor"`.execute(
    db,
  )
  return { ...rows[0]!, count, concurrency }
}

/** The processes that use a host share what it takes at once; where that is less than one each, in turns. */
async function partOf(db: Db, { id, processId, concurrency }: SlotsAsked): Promise<number> {
  await sql`
    INSERT INTO host_users (host, process_id, seen_at) VALUES (${id}, ${processId}, ${now})
    ON CONFLICT (host, process_id) DO UPDATE SET seen_at = excluded.seen_at`.execute(db)
  const { rows } = await sql<{ users: number; place: number }>`
    WITH users AS (
      SELECT process_id, row_number() OVER (ORDER BY process_id) - 1 AS own, count(*) OVER () AS users
      FROM host_users WHERE host = ${id} AND seen_at > ${now} - ${usedForMs}::float
    )
    SELECT users, (own + floor(${now} / ${turnMs}::float))::bigint % users AS place
    FROM users WHERE process_id = ${processId}`.execute(db)
  const { users, place } = rows[0] ?? { users: 1, place: 0 }
  return Math.floor(concurrency / users) + (place < concurrency % users ? 1 : 0)
}

/** Nobody asks the host for so long. */
export async function suspendHost(
  db: Db,
  { id, forMs, cause }: { id: string; forMs: number; cause: "refused" | "slow-down" },
): Promise<void> {
  await sql`
    INSERT INTO host_pace AS host (host, suspended_until, suspended_for)
    VALUES (${id}, ${now} + ${forMs}::float, ${cause})
    ON CONFLICT (host) DO UPDATE SET suspended_for = excluded.suspended_for,
      suspended_until = greatest(host.suspended_until, excluded.suspended_until)`.execute(db)
}

/** Counts a request of a host's quota; what is left of it then, below zero where it was spent before. */
export async function spendQuota(
  db: Db,
  { id, requests, forMs }: { id: string; requests: number; forMs: number },
): Promise<{ left: number; endsInMs: number }> {
  const { rows } = await sql<{ spent: number; endsInMs: number }>`
    INSERT INTO host_pace AS host (host, spent, quota_ends_at) VALUES (${id}, 1, ${now} + ${forMs}::float)
    ON CONFLICT (host) DO UPDATE SET
      spent = CASE WHEN host.quota_ends_at <= ${now} THEN 1
        ELSE least(host.spent + 1, ${requests}::bigint + 1) END,
      quota_ends_at = CASE WHEN host.quota_ends_at <= ${now} THEN ${now} + ${forMs}::float
        ELSE host.quota_ends_at END
    RETURNING spent, quota_ends_at - ${now} AS "endsInMs"`.execute(db)
  const { spent, endsInMs } = rows[0]!
  return { left: requests - spent, endsInMs }
}

/** Forgets hosts that nobody has asked for a while, and that nothing is known of. */
export async function forgetHosts(db: Db): Promise<void> {
  const ago = sql`${now} - ${keptMs}::float`
  await sql`DELETE FROM host_users WHERE seen_at < ${ago}`.execute(db)
  await sql`
    DELETE FROM host_pace
    WHERE next_at < ${ago} AND suspended_until < ${now} AND quota_ends_at < ${now}`.execute(db)
}
