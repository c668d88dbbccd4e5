import { sql } from "kysely"
import type { Db } from "../db/database.ts"

/** Time by the database's clock, because the clocks of the machines differ. */
const now = sql<number>`extract(epoch FROM clock_timestamp()) * 1000`

/** A process without requests for this many milliseconds no longer uses the host. */
const usedForMs = 3_000
/**
 * If a host allows fewer concurrent requests than there are processes, these use it in time slices
 * of this duration.
 */
const rotationMs = 2_000
/** Hosts without requests for this many milliseconds are forgotten. */
const retentionMs = 3_600_000

/** A series of refusals expires after this many milliseconds. */
const strikesStoredMs = 3_600_000

export interface SlotsRequest {
  /** The host. */
  id: string
  processId: string
  intervalMs: number
  /** Number of request times wanted. */
  count: number
  /** Maximum concurrent requests to the host; null for no limit. */
  concurrency: number | null
  /** Requests of this process in progress. */
  inFlight: number
  wanted: number
}

export interface Slots {
  /** Milliseconds from now until the first; the others follow at the interval. */
  inMs: number
  count: number
  /** Concurrent requests that this process may have now; null means no limit. */
  part: number | null
  /** Concurrent requests that this process may have once others release theirs. */
  share: number
  /** Milliseconds until that share changes. */
  turnMs: number
  /** Milliseconds for which no request goes to the host. */
  suspendedMs: number
  suspendedFor: "refused" | "slow-down" | null
  /** Consecutive refusals, counted over all processes. */
  strikes: number
}

/**
 * Reserves times at which only this process may send requests to a host, after the times of others.
 */
export async function leaseSlots(db: Db, requested: SlotsRequest): Promise<Slots> {
  const { id, intervalMs, concurrency } = requested
  // The host's row stays locked until the command has ended.
  const { rows } = await sql<HostState>`
    INSERT INTO host_rate_limits AS host (host, next_at) VALUES (${id}, ${now})
    ON CONFLICT (host) DO UPDATE SET next_at = greatest(host.next_at, ${now})
    RETURNING greatest(0, next_at - ${now}) AS "inMs",
      greatest(0, suspended_until - ${now}) AS "suspendedMs", suspended_for AS "suspendedFor",
      ${rotationMs}::float - (${now})::numeric % ${rotationMs}::numeric AS "turnMs",
      CASE WHEN struck_at > ${now} - ${strikesStoredMs}::float THEN strikes ELSE 0 END AS strikes`.execute(
    db,
  )
  const host = rows[0]!
  const parted =
    concurrency === null
      ? { part: null, share: 0, count: requested.count }
      : await partOf(db, requested, concurrency, timesOf(host, intervalMs))
  const span = parted.count * intervalMs
  if (span > 0) {
    await sql`UPDATE host_rate_limits SET next_at = next_at + ${span}::float WHERE host = ${id}`.execute(
      db,
    )
  }
  return { ...host, ...parted }
}

type HostState = Pick<Slots, "inMs" | "suspendedMs" | "suspendedFor" | "turnMs" | "strikes">

/** Returns how many requests may start before the time slice ends. */
function timesOf({ inMs, turnMs: left }: HostState, intervalMs: number): number {
  if (inMs >= left) return 0
  return intervalMs > 0 ? Math.ceil((left - inMs) / intervalMs) : 1_000_000
}

/**
 * Divides the concurrent requests of a host among the processes that use it. If there are fewer
 * than one for each, the processes alternate in time slices, and none reserves times beyond its
 * own. A process gets at most its share and at most the rest that others have left. Others release
 * the excess as their requests end.
 */
async function partOf(
  db: Db,
  { id, processId, inFlight, wanted, count }: SlotsRequest,
  limit: number,
  times: number,
): Promise<Pick<Slots, "share" | "count"> & { part: number }> {
  const { rows } = await sql<{ part: number; share: number; isInTurns: boolean }>`
    WITH others AS (
      SELECT count(*) + 1 AS users, count(*) FILTER (WHERE process_id < ${processId}) AS own,
        coalesce(sum(part), 0)::bigint AS held
      FROM host_users
      WHERE host = ${id} AND seen_at > ${now} - ${usedForMs}::float AND process_id <> ${processId}
    ), parts AS (
      SELECT held, ${limit}::bigint < users AS in_turns, ${limit}::bigint / users + CASE
        WHEN (own + floor(${now} / ${rotationMs}::float)::bigint) % users < ${limit}::bigint % users THEN 1
        ELSE 0 END AS share
      FROM others
    )
    INSERT INTO host_users (host, process_id, seen_at, part)
    SELECT ${id}, ${processId}, ${now}, greatest(${inFlight}::bigint,
      least(share, ${limit}::bigint - held, ${wanted}::bigint,
        CASE WHEN in_turns THEN ${inFlight + times}::bigint END))
    FROM parts
    ON CONFLICT (host, process_id) DO UPDATE SET seen_at = excluded.seen_at, part = excluded.part
    RETURNING part, (SELECT share FROM parts) AS share,
      (SELECT in_turns FROM parts) AS "isInTurns"`.execute(db)
  const { part, share, isInTurns } = rows[0]!
  const max = part === 0 || part > share ? 0 : isInTurns ? times : count
  return { part, share, count: Math.min(count, max) }
}

/** Records that a process no longer needs a host. */
export async function leaveHost(
  db: Db,
  { id, processId }: Pick<SlotsRequest, "id" | "processId">,
): Promise<void> {
  await db
    .deleteFrom("host_users")
    .where("host", "=", id)
    .where("process_id", "=", processId)
    .execute()
}

/** Counts a refusal; returns the number of consecutive refusals of all processes. */
export async function strikeHost(
  db: Db,
  { id, weight }: { id: string; weight: number },
): Promise<number> {
  const { rows } = await sql<{ strikes: number }>`
    INSERT INTO host_rate_limits AS host (host, strikes, struck_at) VALUES (${id}, ${weight}::float, ${now})
    ON CONFLICT (host) DO UPDATE SET struck_at = excluded.struck_at, strikes = excluded.strikes
      + CASE WHEN host.struck_at > ${now} - ${strikesStoredMs}::float THEN host.strikes ELSE 0 END
    RETURNING strikes`.execute(db)
  return rows[0]!.strikes
}

/** Records a successful response of a host. */
export async function clearStrikes(db: Db, { id }: { id: string }): Promise<void> {
  await db.updateTable("host_rate_limits").set({ strikes: 0 }).where("host", "=", id).execute()
}

/** Suspends all requests to a host for a number of milliseconds. */
export async function suspendHost(
  db: Db,
  { id, forMs, cause }: { id: string; forMs: number; cause: "refused" | "slow-down" },
): Promise<void> {
  await sql`
    INSERT INTO host_rate_limits AS host (host, suspended_until, suspended_for)
    VALUES (${id}, ${now} + ${forMs}::float, ${cause})
    ON CONFLICT (host) DO UPDATE SET suspended_for = excluded.suspended_for,
      suspended_until = greatest(host.suspended_until, excluded.suspended_until)`.execute(db)
}

/** Counts a request of a host's quota; returns the rest, below zero if the quota was exhausted. */
export async function spendQuota(
  db: Db,
  { id, requests, forMs }: { id: string; requests: number; forMs: number },
): Promise<{ left: number; endsInMs: number }> {
  const { rows } = await sql<{ spent: number; endsInMs: number }>`
    INSERT INTO host_rate_limits AS host (host, spent, quota_ends_at) VALUES (${id}, 1, ${now} + ${forMs}::float)
    ON CONFLICT (host) DO UPDATE SET
      spent = CASE WHEN host.quota_ends_at <= ${now} THEN 1
        ELSE least(host.spent + 1, ${requests}::bigint + 1) END,
      quota_ends_at = CASE WHEN host.quota_ends_at <= ${now} THEN ${now} + ${forMs}::float
        ELSE host.quota_ends_at END
    RETURNING spent, quota_ends_at - ${now} AS "endsInMs"`.execute(db)
  const { spent, endsInMs } = rows[0]!
  return { left: requests - spent, endsInMs }
}

/** Forgets hosts without recent requests and without stored state. */
export async function forgetHosts(db: Db): Promise<void> {
  const ago = sql`${now} - ${retentionMs}::float`
  await sql`DELETE FROM host_users WHERE seen_at < ${ago}`.execute(db)
  await sql`
    DELETE FROM host_rate_limits
    WHERE next_at < ${ago} AND suspended_until < ${now} AND quota_ends_at < ${now}`.execute(db)
}
