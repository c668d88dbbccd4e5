import type { SQL } from "bun"
import { sql } from "kysely"
import { dayMs, daysFrom } from "../../base/time.ts"
import { type Db, kyselyOn } from "../db/database.ts"
import { openPostgres } from "../db/postgres/client.ts"
import { withCode } from "../db/postgres/errors.ts"

/**
 * In PostgreSQL, items, targets and log lines are stored in partitions of some days each. Expired rows are
 * dropped with their partition instead of row by row. Each query names the number of a run, so that
 * partitions are ranges of these numbers. With each partition, the numbers of new runs jump to its first
 * day × 2^32.
 */
interface Part {
  name: string
  /**
   * First run number; null for rows from before there were partitions, which are never dropped.
   */
  from: number | null
  /** First run number after the partition. */
  until: number
}

/** Tables with partitions, in the order in which they are opened and dropped. */
const tables = ["items", "targets", "run_log"] as const
type Table = (typeof tables)[number]

export interface Retention {
  now: string
  /** Days for which runs are stored; 0 means forever. */
  runDays: number
  /** Days for which log lines are stored; 0 means as long as their run. */
  logDays: number
}

type Transaction = Pick<SQL, "unsafe">

const runsOfDay = 2 ** 32
const firstOf = (day: number) => day * runsOfDay
const dayAt = (time: string) => Math.floor(Date.parse(time) / dayMs)

/**
 * Returns the days of a partition, by which its first rows are stored longer: an eighth of the
 * retention, at most a month.
 */
const daysOfPart = (days: number) =>
  days === 0 ? 30 : Math.min(30, Math.max(1, Math.floor(days / 8)))

/** Returns the days for which the rows of a table are stored; 0 means forever. */
function daysOf(table: Table, { runDays, logDays }: Retention): number {
  if (table !== "run_log" || logDays === 0) return runDays
  return runDays === 0 ? logDays : Math.min(runDays, logDays)
}

/** Creates the partitions of today that are missing, and drops partitions without stored rows. */
export async function rotatePartitions(db: Db, url: string, retention: Retention): Promise<void> {
  const today = dayAt(retention.now)
  const missing: Table[] = []
  const over: [Table, Part][] = []
  let from = 0
  for (const table of tables) {
    const parts = await partsOf(db, table)
    const newest = parts.at(-1)!
    if (newest.until <= firstOf(today)) missing.push(table)
    from = Math.max(from, newest.from ?? 0)
    for (const part of parts.slice(0, -1)) {
      if (part.from !== null && isOver(part, table, retention)) over.push([table, part])
    }
  }
  if (missing.length === 0 && over.length === 0 && (await lastNumber(db)) >= from) return
  const client = openPostgres(url, 1)
  try {
    for (const table of missing) {
      await openPart(client, table, today, today + daysOfPart(daysOf(table, retention)))
    }
    await leap(kyselyOn(client))
    for (const [table, part] of over) await dropPart(client, table, part, retention)
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
  const stored = (await partsOf(db, "items")).find(
    (part) => part.from !== null && !isOver(part, "items", retention),
  )
  return stored?.from ?? Number.MAX_SAFE_INTEGER
}

/** Returns whether no run of the partition has started within the retention. */
function isOver({ until }: Part, table: Table, retention: Retention): boolean {
  const days = daysOf(table, retention)
  return days > 0 && until <= firstOf(dayAt(retention.now) - days)
}

async function partsOf(db: Db, table: Table): Promise<Part[]> {
  const { rows } = await sql<{ name: string; bounds: string }>`
    SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bounds
    FROM pg_class JOIN pg_inherits ON inhrelid = oid
    WHERE inhparent = ${table}::regclass`.execute(db)
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

/**
 * Gives new runs numbers of the last partition from now on, if all tables have one for them; this is not
 * reversed.
 */
async function leap(db: Db): Promise<void> {
  const newest = await Promise.all(tables.map(async (table) => (await partsOf(db, table)).at(-1)!))
  const from = Math.max(...newest.map((part) => part.from ?? 0))
  if (newest.some(({ until }) => until <= from) || (await lastNumber(db)) >= from) return
  await sql`SELECT setval(${numbers}, ${from}::bigint, false)`.execute(db)
}

/** Storage of a partition, which it does not take over from its table. */
const storage: Partial<Record<Table, string>> = { targets: "WITH (fillfactor = 80)" }

/** Creates a partition as a separate table and then attaches it, so that readers and writers do not wait. */
async function openPart(client: SQL, table: Table, from: number, until: number): Promise<void> {
  const day = new Date(from * dayMs).toISOString().slice(0, 10).replaceAll("-", "")
  const name = `${table}_${day}`
  await client.begin(async (transaction) => {
    if (!(await isMine(transaction)) || (await isThere(transaction, name))) return
    await transaction.unsafe(
      `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL) ${storage[table] ?? ""}`,
    )
    await transaction.unsafe(
      `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${firstOf(from)}) TO (${firstOf(until)})`,
    )
  })
}

/**
 * Drops a partition with all its rows, if no run needs them. The expired runs of a partition are hidden
 * first.
 */
async function dropPart(
  client: SQL,
  table: Table,
  part: Part,
  retention: Retention,
): Promise<void> {
  const before = daysFrom(Date.parse(retention.now), -daysOf(table, retention))
  await client.begin(async (transaction) => {
    if (!(await isMine(transaction)) || !(await isThere(transaction, part.name))) return
    if (table !== "run_log") await hideRuns(transaction, part, before, retention.now)
    const isNeeded = table === "run_log" ? hasLines : hasRuns
    if (await isNeeded(transaction, part, before)) return
    await transaction.unsafe(`DROP TABLE ${part.name}`)
  })
}

const ofPart = "n >= $1 AND n < $2 AND deleted_at IS NULL"

async function hideRuns(
  transaction: Transaction,
  { from, until }: Part,
  before: string,
  now: string,
): Promise<void> {
  await transaction.unsafe(`UPDATE runs SET deleted_at = $3 WHERE ${ofPart} AND finished_at < $4`, [
    from,
    until,
    now,
    before,
  ])
}

async function hasRuns(transaction: Transaction, { from, until }: Part): Promise<boolean> {
  const stored = `SELECT 1 FROM runs WHERE ${ofPart} LIMIT 1`
  return (await transaction.unsafe(stored, [from, until])).length > 0
}

/** Returns whether a run of the partition continues, or a line has not expired. */
async function hasLines(
  transaction: Transaction,
  { name, from, until }: Part,
  before: string,
): Promise<boolean> {
  const active = `SELECT 1 FROM runs
    WHERE status IN ('queued', 'running', 'aborting') AND ${ofPart} LIMIT 1`
  if ((await transaction.unsafe(active, [from, until])).length > 0) return true
  const line = `SELECT 1 FROM ${name} WHERE at >= $1 LIMIT 1`
  return (await transaction.unsafe(line, [before])).length > 0
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
  for (const table of tables) {
    const { until } = (await partsOf(kyselyOn(client), table)).at(-1)!
    if (last < until) continue
    await openPart(client, table, until / runsOfDay, Math.floor(last / runsOfDay) + 1)
  }
}
