import { sql } from "kysely"
import type { Db } from "../db/database.ts"
import { priorities } from "../runs/priority.ts"
import type { RunRow } from "../tables/schema.ts"

/** A tenant of the shared queue: an account, or "" for all callers without one. */
export type Tenant = string

export interface Taking {
  /** ID of the process that claims runs. */
  id: string
  /** Maximum runs, and maximum runs of anonymous callers. */
  max: number
  maxKeyless: number
  /** Maximum concurrent runs of one account, over all processes. */
  perAccount: number
  /** Different limits of single accounts, by account ID. */
  limits: Record<string, number>
  /** Whether the oldest runs of each tenant are claimed, whatever their priority. */
  byAge?: boolean
  /** Tenant after which the search continues. */
  after: Tenant
  at: string
}

export interface ClaimedRuns {
  runs: RunRow[]
  /** The last tenant that was considered; "" if there are no more. */
  after: Tenant
  /** Whether waiting runs were found, including runs that could not be claimed. */
  isMore: boolean
}

/** Maximum tenants that one claim considers. */
const tenantsAtOnce = 100

/**
 * Claims runs for a process, first those of tenants with the fewest running. Runs that another process
 * claims at the same moment are skipped, and so is an account that it counts. A process that was declared
 * dead claims nothing until it has joined again, because its runs would not be requeued.
 */
export async function claimRuns(db: Db, taking: Taking): Promise<ClaimedRuns> {
  const tenants = await lockTenants(db, taking)
  const after = tenants.length === tenantsAtOnce ? tenants.at(-1)!.tenant : ""
  const held = tenants.filter(({ isHeld }) => isHeld).map(({ tenant }) => tenant)
  const runs = held.length > 0 ? await claimOf(db, held, taking) : []
  return { runs, after, isMore: tenants.length > 0 }
}

/** Returns whether the process is a member; it stays one until this transaction has ended. */
export async function isMember(db: Db, id: string): Promise<boolean> {
  const member = await db
    .selectFrom("processes")
    .select("id")
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirst()
  return member !== undefined
}

/**
 * Returns tenants with waiting runs, after a tenant. An index keeps this fast for any number of
 * runs.
 */
export async function waitingTenants(db: Db, after: Tenant, max: number): Promise<Tenant[]> {
  const { rows } = await waiting(after, max).execute(db)
  return rows.map(({ tenant }) => tenant)
}

function waiting(after: Tenant, max: number) {
  // Callers without an account are the tenant "", before all others.
  const first = after === "" ? sql`true` : sql`coalesce(account_id, '') > ${after}`
  return sql<{ tenant: Tenant }>`
    WITH RECURSIVE tenants (tenant) AS (
      (SELECT coalesce(account_id, '') FROM runs WHERE status = 'queued' AND not_before IS NULL AND ${first}
        ORDER BY coalesce(account_id, '') LIMIT 1)
      UNION ALL
      SELECT (SELECT coalesce(account_id, '') FROM runs
        WHERE status = 'queued' AND not_before IS NULL AND coalesce(account_id, '') > tenants.tenant
        ORDER BY coalesce(account_id, '') LIMIT 1)
      FROM tenants WHERE tenants.tenant IS NOT NULL
    )
    SELECT tenant FROM tenants WHERE tenant IS NOT NULL LIMIT ${max}`
}

/** Names the locks of tenants among others of the database: "tenant". */
const lockClass = 0x6c61_6e65

/**
 * Returns tenants with waiting runs, and locks them: no other process counts or claims their runs until
 * the command has finished. Returns none if the process is not a member.
 */
async function lockTenants(db: Db, { id, after }: Taking) {
  const { rows } = await sql<{ tenant: Tenant; isHeld: boolean }>`
    WITH member AS MATERIALIZED (SELECT id FROM processes WHERE id = ${id} FOR KEY SHARE),
      waiting AS MATERIALIZED (${waiting(after, tenantsAtOnce)})
    SELECT tenant, tenant = '' OR pg_try_advisory_xact_lock(${lockClass}::int, hashtext(tenant)) AS "isHeld"
    FROM waiting WHERE EXISTS (SELECT FROM member)`.execute(db)
  return rows
}

const allPriorities: readonly number[] = Object.values(priorities)

/**
 * Claims the first runs of each tenant: equally many, as far as their limits allow. They are read by an
 * index, priority by priority. Active runs are few, unlike the runs of an account. The tenants were locked by an earlier statement, because this one counts
 * what was committed before it began.
 */
async function claimOf(db: Db, tenants: Tenant[], taking: Taking): Promise<RunRow[]> {
  const { id, at, max: maximum, maxKeyless, perAccount, limits, byAge = false } = taking
  const order = byAge ? sql`own.n` : sql`priority, own.n`
  const { rows } = await sql<RunRow>`
    WITH RECURSIVE active AS MATERIALIZED (
      SELECT account_id, count(*) AS running FROM runs
      WHERE process_id IS NOT NULL AND status IN ('running', 'aborting') AND deleted_at IS NULL
      GROUP BY account_id
    ), counted AS (
      SELECT tenant, coalesce(running, 0) AS running
      FROM unnest(${tenants}::text[]) AS tenant LEFT JOIN active ON account_id = tenant
    ), loads AS MATERIALIZED (
      SELECT tenant, row_number() OVER (ORDER BY running, tenant COLLATE "C") AS place, count(*) OVER () AS tenants,
        CASE WHEN tenant = '' THEN ${maxKeyless}::bigint
          ELSE coalesce(((${JSON.stringify(limits)}::text)::json ->> tenant)::bigint, ${perAccount}::bigint) - running
        END AS room
      FROM counted
    ), portions (place, tenant, portion, rest) AS (
      SELECT 0::bigint, ''::text, 0::bigint, ${maximum}::bigint
      UNION ALL
      SELECT loads.place, loads.tenant, own.portion, rest - own.portion
      FROM portions JOIN loads ON loads.place = portions.place + 1, LATERAL (
        SELECT greatest(0, least(rest, room, ceil(rest::float / (tenants - loads.place + 1))))::bigint AS portion
      ) AS own
    ), heads AS MATERIALIZED (
      SELECT tenant, portion, priority, own.n FROM portions,
        unnest(${allPriorities}::bigint[]) AS priority, LATERAL (
          SELECT n FROM runs WHERE status = 'queued' AND not_before IS NULL
            AND coalesce(account_id, '') = tenant AND runs.priority = priority.priority
          ORDER BY n LIMIT portion FOR UPDATE SKIP LOCKED
        ) AS own
      WHERE portion > 0
    ), first AS (
      SELECT n FROM (
        SELECT own.n, portion, row_number() OVER (PARTITION BY tenant ORDER BY ${order}) AS place
        FROM heads AS own
      ) AS placed WHERE place <= portion
    )
    UPDATE runs SET status = 'running', process_id = ${id}, attempt = attempt + 1,
      done_before = targets_done, started_at = coalesce(started_at, ${at}), status_message = NULL
    WHERE n = ANY (ARRAY(SELECT n FROM first)) RETURNING runs.*`.execute(db)
  return rows.sort((one, other) => one.n - other.n)
}
