import type { SQL } from "bun"
import { sql } from "kysely"
import { dayMs } from "../../base/time.ts"
import { type Db, kyselyOn } from "../database.ts"
import { openPostgres } from "./client.ts"
import { withCode } from "./errors.ts"

/**
 * In PostgreSQL, items are stored in partitions of some days each. Expired items are dropped with
 * their partition instead of row by row. Each query names the number of a run, so that partitions
 * are ranges of these numbers. With each partition, the numbers of new runs jump to its first day ×
 * 2^32.
 */
interface Part {
  name: string
  /**
   * First run number; null for items from before there were partitions, which are never dropped.
   */
  from: number | null
  /** First run number after the partition. */
  until: number
}

export interface Retention {
  now: string
  /** Days for which runs are stored; 0 means forever. */
  runDays: number
}

type Transaction = Pick<SQL, "unsafe">

const runsOfDay = 2 ** 32
const firstOf = (day: number) => day * runsOfDay
const dayAt = (time: string) => Math.floor(Date.parse(time) / dayMs)

/**
 * Returns the days of a partition, by which its first items are stored longer: an eighth of the
 * retention, at most a month.
 */
const daysOfPart = (runDays: number) =>
  runDays === 0 ? 30 : Math.min(30, Math.max(1, Math.floor(runDays / 8)))

/** Creates the partition of today if it is missing, and drops partitions without stored items. */
export async function turnItemParts(db: Db, url: string, retention: Retention): Promise<void> {
  const parts = await itemParts(db)
  const newest = parts.at(-1)!
  const today = dayAt(retention.now)
  const isOpen = newest.until > firstOf(today)
  const over = parts.slice(0, -1).filter((part) => part.from !== null && isOver(part, retention))
  if (isOpen && over.length === 0 && (await lastNumber(db)) >= (newest.from ?? 0)) return
  const client = openPostgres(url, 1)
  try {
    if (!isOpen) await openPart(client, today, today + daysOfPart(retention.runDays))
    await leap(kyselyOn(client))
    for (const part of over) await dropPart(client, part, retention)
  } catch (error) {
    // Long readers, for example pg_dump, are not waited for: the next call tries again.
    if ((withCode(error) as { code?: unknown }).code !== "POSTGRES_55P03") throw error
  } finally {
    await client.close({ timeout: 1 })
  }
}

/**
 * Returns the run number from which items stay until their partition is dropped, even if they have
 * expired.
 */
export async function firstOfParts(db: Db, retention: Retention): Promise<number> {
  const stored = (await itemParts(db)).find(
    (part) => part.from !== null && !isOver(part, retention),
  )
  return stored?.from ?? Number.MAX_SAFE_INTEGER
}

/** Returns whether no run of the partition has started within the retention. */
const isOver = ({ until }: Part, { now, runDays }: Retention) =>
  runDays > 0 && until <= firstOf(dayAt(now) - runDays)

async function itemParts(db: Db): Promise<Part[]> {
  const { rows } = await sql<{ name: string; bounds: string }>`
    SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bounds
    FROM pg_class JOIN pg_inherits ON inhrelid = oid
    WHERE inhparent = 'items'::regclass`.execute(db)
  return rows
    .map(({ name, bounds }) => {
      const [, from, until] = /FROM \('?(\w+)'?\) TO \('?(\d+)'?\)/.exec(bounds)!
      return { name, from: from === "MINVALUE" ? null : Number(from), until: Number(until) }
    })
    .sort((one, other) => one.until - other.until)
}

const numbers = sql.raw("pg_get_serial_sequence('runs', 'n')::regclass")

async function lastNumber(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    SELECT pg_sequence_last_value(${numbers}) AS last`.execute(db)
  return rows[0]?.last ?? 0
}

/** Gives new runs numbers of the last partition from now on; this is not reversed. */
async function leap(db: Db): Promise<void> {
  const from = (await itemParts(db)).at(-1)!.from ?? 0
  if ((await lastNumber(db)) < from) {
    await sql`SELECT setval(${numbers}, ${from}::bigint, false)`.execute(db)
  }
}

/** Creates a partition as a separate table and then attaches it, so that readers and writers do not wait. */
async function openPart(client: SQL, from: number, until: number): Promise<void> {
  const name = `items_${new Date(from * dayMs).toISOString().slice(0, 10).replaceAll("-", "")}`
  await client.begin(async (transaction) => {
    if (!(await isMine(transaction)) || (await isThere(transaction, name))) return
    await transaction.unsafe(`CREATE TABLE ${name} (LIKE items INCLUDING ALL)`)
    await transaction.unsafe(
      `ALTER TABLE items ATTACH PARTITION ${name} FOR VALUES FROM (${firstOf(from)}) TO (${firstOf(until)})`,
    )
  })
}

/** Hides the expired runs of a partition; if no other run is left, drops all their items at once. */
async function dropPart(
  client: SQL,
  { name, from, until }: Part,
  retention: Retention,
): Promise<void> {
  const before = new Date(Date.parse(retention.now) - retention.runDays * dayMs).toISOString()
  const ofPart = "n >= $1 AND n < $2 AND deleted_at IS NULL"
  await client.begin(async (transaction) => {
    if (!(await isMine(transaction)) || !(await isThere(transaction, name))) return
    await transaction.unsafe(
      `UPDATE runs SET deleted_at = $3 WHERE ${ofPart} AND finished_at < $4`,
      [from, until, retention.now, before],
    )
    const stored = `SELECT 1 FROM runs WHERE ${ofPart} LIMIT 1`
    if ((await transaction.unsafe(stored, [from, until])).length > 0) return
    await transaction.unsafe(`DROP TABLE ${name}`)
  })
}

/** Waits only briefly for locks of the table; returns false if another process purges. */
async function isMine(transaction: Transaction): Promise<boolean> {
  await transaction.unsafe("SET LOCAL lock_timeout = 300")
  const duty = "SELECT 1 FROM duties WHERE name = 'purge' FOR UPDATE SKIP LOCKED"
  return (await transaction.unsafe(duty)).length > 0
}

async function isThere(transaction: Transaction, table: string): Promise<boolean> {
  const [row] = await transaction.unsafe("SELECT to_regclass($1) IS NOT NULL AS there", [table])
  return row.there
}

/**
 * Creates partitions for runs with these numbers, when a SQLite database is moved to PostgreSQL.
 */
export async function createPartsFor(client: SQL, last: number): Promise<void> {
  const { until } = (await itemParts(kyselyOn(client))).at(-1)!
  if (last < until) return
  await openPart(client, until / runsOfDay, Math.floor(last / runsOfDay) + 1)
}
