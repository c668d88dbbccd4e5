import type { SQL } from "bun"
import { sql } from "kysely"
import { dayMs } from "../../base/time.ts"
import { type Db, kyselyOn } from "../database.ts"
import { openPostgres } from "./client.ts"
import { withCode } from "./errors.ts"

/**
 * Items of a PostgreSQL lie in parts of some days each, so that what is past its retention is dropped
 * with its part, and not deleted row by row. Every query names the number of a run, so the parts are
 * ranges of it: with each part, the numbers of new runs leap to its first day × 2^32.
 */
interface Part {
  name: string
  /** The first number; null for what was there before there were parts, which is never dropped. */
  from: number | null
  /** The first number behind it. */
  until: number
}

export interface Spinner {
  now: string
  /** How long runs are kept; 0 for ever. */
  runDays: number
}

type Transaction = Pick<SQL, "unsafe">

const runsOfDay = 2 ** 32
const firstOf = (day: number) => day * runsOfDay
const dayAt = (time: string) => Math.floor(Date.parse(time) / dayMs)

/** By so much is kept longer what is dropped at once: an eighth of its time, a month at most. */
const daysOfPart = (runDays: number) =>
  runDays === 0 ? 30 : Math.min(30, Math.max(1, Math.floor(runDays / 8)))

/** Creates the partition of today if it is missing, and drops partitions without stored items. */
export async function turnItemParts(db: Db, url: string, turning: Spinner): Promise<void> {
  const parts = await itemParts(db)
  const newest = parts.at(-1)!
  const today = dayAt(turning.now)
  const isOpen = newest.until > firstOf(today)
  const over = parts.slice(0, -1).filter((part) => part.from !== null && isOver(part, turning))
  if (isOpen && over.length === 0 && (await lastNumber(db)) >= (newest.from ?? 0)) return
  const client = openPostgres(url, 1)
  try {
    if (!isOpen) await openPart(client, today, today + daysOfPart(turning.runDays))
    await leap(kyselyOn(client))
    for (const part of over) await dropPart(client, part, turning)
  } catch (error) {
    // Who reads for long, as pg_dump does, is not waited for: the next time, then.
    if ((withCode(error) as { code?: unknown }).code !== "POSTGRES_55P03") throw error
  } finally {
    await client.close({ timeout: 1 })
  }
}

/** Runs from this number on are kept until their part is dropped, be they past their time or not. */
export async function firstOfParts(db: Db, turning: Spinner): Promise<number> {
  const stored = (await itemParts(db)).find((part) => part.from !== null && !isOver(part, turning))
  return stored?.from ?? Number.MAX_SAFE_INTEGER
}

/** As long as runs are kept, none has begun in it. */
const isOver = ({ until }: Part, { now, runDays }: Spinner) =>
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
async function dropPart(client: SQL, { name, from, until }: Part, turning: Spinner): Promise<void> {
  const before = new Date(Date.parse(turning.now) - turning.runDays * dayMs).toISOString()
  const ofPart = "n >= $1 AND n < $2 AND deleted_at IS NULL"
  await client.begin(async (transaction) => {
    if (!(await isMine(transaction)) || !(await isThere(transaction, name))) return
    await transaction.unsafe(
      `UPDATE runs SET deleted_at = $3 WHERE ${ofPart} AND finished_at < $4`,
      [from, until, turning.now, before],
    )
    const stored = `SELECT 1 FROM runs WHERE ${ofPart} LIMIT 1`
    if ((await transaction.unsafe(stored, [from, until])).length > 0) return
    await transaction.unsafe(`DROP TABLE ${name}`)
  })
}

/** Waits for no lock of the table for long; false where another process purges. */
async function isMine(transaction: Transaction): Promise<boolean> {
  await transaction.unsafe("SET LOCAL lock_timeout = 300")
  const duty = "SELECT 1 FROM duties WHERE name = 'purge' FOR UPDATE SKIP LOCKED"
  return (await transaction.unsafe(duty)).length > 0
}

async function isThere(transaction: Transaction, table: string): Promise<boolean> {
  const [row] = await transaction.unsafe("SELECT to_regclass($1) IS NOT NULL AS there", [table])
  return row.there
}

/** Makes room for runs with these numbers, of a database that another had before. */
export async function takeInNumbers(client: SQL, last: number): Promise<void> {
  const { until } = (await itemParts(kyselyOn(client))).at(-1)!
  if (last < until) return
  await openPart(client, until / runsOfDay, Math.floor(last / runsOfDay) + 1)
}
