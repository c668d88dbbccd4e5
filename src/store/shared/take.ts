import { sql } from "kysely"
import type { Db } from "../database.ts"
import { priorities } from "../runs/priority.ts"
import type { RunRow } from "../tables/schema.ts"

/** A lane of the shared queue: an account, or "" for all callers without one. */
export type Lane = string

export interface Taking {
  /** The process that takes. */
  id: string
  /** Runs at most; of callers without an account, at most so many. */
  most: number
  mostKeyless: number
  /** Runs of one account that are executed at once, by all processes together. */
  perAccount: number
  /** Where that is other for an account. */
  limits: Record<string, number>
  /** Of each lane the oldest runs are taken, whatever their priority. */
  byAge?: boolean
  /** Lanes behind this one have their turn. */
  after: Lane
  at: string
}

export interface Taken {
  runs: RunRow[]
  /** The last lane that was looked at; "" when there are no more behind it. */
  after: Lane
  /** Some were found to wait, whether or not they could be taken. */
  isMore: boolean
}

/** Lanes that one taking looks at. */
const lanesAtOnce = 100

/**
 * Takes runs up for a process, those of lanes that have least in hand first. What another process takes
 * at the same moment is left to it, and so is a whole account whose runs it counts. A process that was
 * taken for dead takes nothing until it has joined again: nobody would put its runs back.
 */
export async function takeRuns(db: Db, taking: Taking): Promise<Taken> {
  if (!(await isMember(db, taking.id))) return { runs: [], after: "", isMore: false }
  const found = await waitingLanes(db, taking.after, lanesAtOnce)
  const after = found.length === lanesAtOnce ? found.at(-1)! : ""
  const running = await runningOf(db, await heldLanes(db, found))
  const runs: RunRow[] = []
  for (const { most, lanes } of portions(running, taking)) {
    runs.push(...(await takeOf(db, lanes, most, taking)))
  }
  return { runs, after, isMore: found.length > 0 }
}

/** Whether nobody has buried the process; nobody does before this transaction has ended. */
async function isMember(db: Db, id: string): Promise<boolean> {
  const member = await db
    .selectFrom("processes")
    .select("id")
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirst()
  return member !== undefined
}

/** Lanes in which runs wait, behind one; by index, however many wait in each. */
export async function waitingLanes(db: Db, after: Lane, most: number): Promise<Lane[]> {
  // Callers without an account are the lane "", before all others.
  const first = after === "" ? sql`true` : sql`coalesce(account_id, '') > ${after}`
  const { rows } = await sql<{ lane: Lane }>`
    WITH RECURSIVE lanes (lane) AS (
      (SELECT coalesce(account_id, '') FROM runs WHERE status = 'queued' AND not_before IS NULL AND ${first}
        ORDER BY coalesce(account_id, '') LIMIT 1)
      UNION ALL
      SELECT (SELECT coalesce(account_id, '') FROM runs
        WHERE status = 'queued' AND not_before IS NULL AND coalesce(account_id, '') > lanes.lane
        ORDER BY coalesce(account_id, '') LIMIT 1)
      FROM lanes WHERE lanes.lane IS NOT NULL
    )
    SELECT lane FROM lanes WHERE lane IS NOT NULL LIMIT ${most}`.execute(db)
  return rows.map(({ lane }) => lane)
}

/** Names the locks of lanes among others of the database: "lane". */
const lockClass = 0x6c61_6e65

/** Those whose runs no other process counts and takes until the verb is over. */
async function heldLanes(db: Db, lanes: readonly Lane[]): Promise<Lane[]> {
  const { rows } = await sql<{ lane: Lane; isHeld: boolean }>`
    SELECT lane, lane = '' OR pg_try_advisory_xact_lock(${lockClass}::int, hashtext(lane)) AS "isHeld"
    FROM unnest(${lanes}::text[]) AS lane`.execute(db)
  return rows.filter(({ isHeld }) => isHeld).map(({ lane }) => lane)
}

interface Load {
  lane: Lane
  running: number
}

async function runningOf(db: Db, lanes: readonly Lane[]): Promise<Load[]> {
  const { rows } = await sql<Load>`
    SELECT lane, (SELECT count(*) FROM runs
      WHERE account_id = lane AND status IN ('running', 'aborting') AND deleted_at IS NULL) AS running
    FROM unnest(${lanes}::text[]) AS lane`.execute(db)
  return rows
}

/** How many runs are taken of which lanes: the same number of each, as far as its limit lets. */
function portions(loads: readonly Load[], taking: Taking): { most: number; lanes: Lane[] }[] {
  const byNumber = new Map<number, Lane[]>()
  let left = taking.most
  const inTurn = [...loads].sort((one, other) => one.running - other.running)
  for (const [place, { lane, running }] of inTurn.entries()) {
    const room =
      lane === "" ? taking.mostKeyless : (taking.limits[lane] ?? taking.perAccount) - running
    const most = Math.min(left, room, Math.ceil(left / (inTurn.length - place)))
    if (most <= 0) continue
    left -= most
    byNumber.set(most, [...(byNumber.get(most) ?? []), lane])
  }
  return [...byNumber].map(([most, lanes]) => ({ most, lanes }))
}

const allPriorities: readonly number[] = Object.values(priorities)

/** The first runs of each lane: the first of each of its priorities, by index, and of these the first. */
async function takeOf(
  db: Db,
  lanes: Lane[],
  most: number,
  { id, at, byAge = false }: Taking,
): Promise<RunRow[]> {
  const order = byAge ? sql`own.n` : sql`priority, own.n`
  const { rows } = await sql<RunRow>`
    WITH heads AS MATERIALIZED (
      SELECT lane, priority, own.n FROM unnest(${lanes}::text[]) AS lane,
        unnest(${allPriorities}::bigint[]) AS priority, LATERAL (
          SELECT n FROM runs WHERE status = 'queued' AND not_before IS NULL
            AND coalesce(account_id, '') = lane AND runs.priority = priority.priority
          ORDER BY n LIMIT ${most} FOR UPDATE SKIP LOCKED
        ) AS own
    ), first AS (
      SELECT n FROM (
        SELECT own.n, row_number() OVER (PARTITION BY lane ORDER BY ${order}) AS place FROM heads AS own
      ) AS placed WHERE place <= ${most}
    )
    UPDATE runs SET status = 'running', process_id = ${id}, attempt = attempt + 1,
      done_before = targets_done, started_at = coalesce(started_at, ${at}), status_message = NULL
    FROM first WHERE runs.n = first.n RETURNING runs.*`.execute(db)
  return rows.sort((one, other) => one.n - other.n)
}
