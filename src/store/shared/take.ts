import { sql } from "kysely"
import type { Db } from "../database.ts"
import { priorities } from "../runs/priority.ts"
import type { RunRow } from "../tables/schema.ts"

/** A tenant of the shared queue: an account, or "" for all callers without one. */
export type Tenant = string

export interface Taking {
  /** ID of the process that claims runs. */
  id: string
  /** Maximum runs, and maximum runs of anonymous callers. */
  most: number
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

export interface Taken {
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
export async function takeRuns(db: Db, taking: Taking): Promise<Taken> {
  if (!(await isMember(db, taking.id))) return { runs: [], after: "", isMore: false }
  const found = await waitingTenants(db, taking.after, tenantsAtOnce)
  const after = found.length === tenantsAtOnce ? found.at(-1)! : ""
  const running = await runningOf(db, await heldTenants(db, found))
  const runs: RunRow[] = []
  for (const { most, tenants } of portions(running, taking)) {
    runs.push(...(await takeOf(db, tenants, most, taking)))
  }
  return { runs, after, isMore: found.length > 0 }
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
export async function waitingTenants(db: Db, after: Tenant, most: number): Promise<Tenant[]> {
  // Callers without an account are the tenant "", before all others.
  const first = after === "" ? sql`true` : sql`coalesce(account_id, '') > ${after}`
  const { rows } = await sql<{ tenant: Tenant }>`
    WITH RECURSIVE tenants (tenant) AS (
      (SELECT coalesce(account_id, '') FROM runs WHERE status = 'queued' AND not_before IS NULL AND ${first}
        ORDER BY coalesce(account_id, '') LIMIT 1)
      UNION ALL
      SELECT (SELECT coalesce(account_id, '') FROM runs
        WHERE status = 'queued' AND not_before IS NULL AND coalesce(account_id, '') > tenants.tenant
        ORDER BY coalesce(account_id, '') LIMIT 1)
      FROM tenants WHERE tenants.tenant IS NOT NULL
    )
    SELECT tenant FROM tenants WHERE tenant IS NOT NULL LIMIT ${most}`.execute(db)
  return rows.map(({ tenant }) => tenant)
}

/** Names the locks of tenants among others of the database: "tenant". */
const lockClass = 0x6c61_6e65

/** Locks tenants, so that no other process counts or claims their runs until the command has finished. */
async function heldTenants(db: Db, tenants: readonly Tenant[]): Promise<Tenant[]> {
  const { rows } = await sql<{ tenant: Tenant; isHeld: boolean }>`
    SELECT tenant, tenant = '' OR pg_try_advisory_xact_lock(${lockClass}::int, hashtext(tenant)) AS "isHeld"
    FROM unnest(${tenants}::text[]) AS tenant`.execute(db)
  return rows.filter(({ isHeld }) => isHeld).map(({ tenant }) => tenant)
}

interface Load {
  tenant: Tenant
  running: number
}

async function runningOf(db: Db, tenants: readonly Tenant[]): Promise<Load[]> {
  const { rows } = await sql<Load>`
    SELECT tenant, (SELECT count(*) FROM runs
      WHERE account_id = tenant AND status IN ('running', 'aborting') AND deleted_at IS NULL) AS running
    FROM unnest(${tenants}::text[]) AS tenant`.execute(db)
  return rows
}

/**
 * Returns how many runs are claimed for each tenant: equally many, as far as their limits allow.
 */
function portions(loads: readonly Load[], taking: Taking): { most: number; tenants: Tenant[] }[] {
  const byNumber = new Map<number, Tenant[]>()
  let left = taking.most
  const inTurn = [...loads].sort((one, other) => one.running - other.running)
  for (const [place, { tenant, running }] of inTurn.entries()) {
    const room =
      tenant === "" ? taking.maxKeyless : (taking.limits[tenant] ?? taking.perAccount) - running
    const most = Math.min(left, room, Math.ceil(left / (inTurn.length - place)))
    if (most <= 0) continue
    left -= most
    byNumber.set(most, [...(byNumber.get(most) ?? []), tenant])
  }
  return [...byNumber].map(([most, tenants]) => ({ most, tenants }))
}

const allPriorities: readonly number[] = Object.values(priorities)

/** Claims the first runs of each tenant. They are read by an index, priority by priority. */
async function takeOf(
  db: Db,
  tenants: Tenant[],
  most: number,
  { id, at, byAge = false }: Taking,
): Promise<RunRow[]> {
  const order = byAge ? sql`own.n` : sql`priority, own.n`
  const { rows } = await sql<RunRow>`
    WITH heads AS MATERIALIZED (
      SELECT tenant, priority, own.n FROM unnest(${tenants}::text[]) AS tenant,
        unnest(${allPriorities}::bigint[]) AS priority, LATERAL (
          SELECT n FROM runs WHERE status = 'queued' AND not_before IS NULL
            AND coalesce(account_id, '') = tenant AND runs.priority = priority.priority
          ORDER BY n LIMIT ${most} FOR UPDATE SKIP LOCKED
        ) AS own
    ), first AS (
      SELECT n FROM (
        SELECT own.n, row_number() OVER (PARTITION BY tenant ORDER BY ${order}) AS place FROM heads AS own
      ) AS placed WHERE place <= ${most}
    )
    UPDATE runs SET status = 'running', process_id = ${id}, attempt = attempt + 1,
      done_before = targets_done, started_at = coalesce(started_at, ${at}), status_message = NULL
    FROM first WHERE runs.n = first.n RETURNING runs.*`.execute(db)
  return rows.sort((one, other) => one.n - other.n)
}
