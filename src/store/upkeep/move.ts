import type { Database, SQLQueryBindings } from "bun:sqlite"
import type { SQL } from "bun"
import { DataRefused } from "../db/refused.ts"
import { createPartsFor } from "./partitions.ts"

type Row = Record<string, string | number | null>
type Transaction = Pick<SQL, "unsafe">

/** Rows of one table that were moved. */
export interface MovedTable {
  table: string
  rows: number
}

/** Tables whose rows belong to one database and are not moved. */
const ownTables = new Set(["migrations", "processes", "list_counts"])
/**
 * Name of the secret that identifies the encryption key; it belongs to the processes and is not
 * moved.
 */
const keyName = "key"
const rowsAtOnce = 2_000
/** Characters that are sent to PostgreSQL at once. */
const chunk = 1_000_000

/**
 * Moves all rows from a SQLite database to a PostgreSQL database with empty tables. @throws
 * DataRefused
 */
export async function moveToPostgres(sqlite: Database, client: SQL): Promise<MovedTable[]> {
  const { last } = sqlite.query("SELECT coalesce(max(n), 0) AS last FROM runs").get() as {
    last: number
  }
  await createPartsFor(client, last)
  return client.begin(async (transaction) => {
    await requireEmpty((table) => countIn(transaction, table))
    await transaction.unsafe("DELETE FROM secrets WHERE name <> $1", [keyName])
    const moved: MovedTable[] = []
    for (const { table, columns } of tablesOf(sqlite)) {
      const source = new Sum(columns)
      const rows = counted(fromSqlite(sqlite, table, columns), source)
      await copyIn(transaction, table, columns, rows)
      const there = new Sum(columns)
      for await (const _ of counted(fromPostgres(transaction, table, columns), there));
      moved.push({ table, rows: source.sameAs(there, table) })
    }
    for (const [table, column] of counters) {
      await transaction.unsafe(
        `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), greatest(1, (SELECT max(${column}) FROM ${table})))`,
      )
    }
    return moved
  })
}

/**
 * Moves all rows from PostgreSQL to SQLite. No process may use the PostgreSQL database meanwhile.
 * @throws DataRefused
 */
export async function moveToSqlite(client: SQL, sqlite: Database): Promise<MovedTable[]> {
  return client.begin("isolation level repeatable read read only", async (transaction) => {
    sqlite.run("BEGIN IMMEDIATE")
    try {
      await requireEmpty(async (table) => countOf(sqlite, table))
      sqlite.run("DELETE FROM secrets")
      const moved: MovedTable[] = []
      for (const { table, columns } of tablesOf(sqlite)) {
        const source = new Sum(columns)
        const places = columns.map(() => "?").join(", ")
        const insert = sqlite.prepare(
          `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`,
        )
        for await (const row of counted(fromPostgres(transaction, table, columns), source)) {
          insert.run(...(columns.map((column) => row[column]) as SQLQueryBindings[]))
        }
        const there = new Sum(columns)
        for await (const _ of counted(fromSqlite(sqlite, table, columns), there));
        moved.push({ table, rows: source.sameAs(there, table) })
      }
      sqlite.run("COMMIT")
      return moved
    } catch (error) {
      sqlite.run("ROLLBACK")
      throw error
    }
  })
}

/** Columns that the database numbers automatically. */
const counters = [
  ["runs", "n"],
  ["run_log", "id"],
  ["run_notes", "id"],
  ["ledger", "n"],
] as const

async function requireEmpty(count: (table: string) => Promise<number>): Promise<void> {
  for (const table of ["accounts", "runs", "allowance"]) {
    if ((await count(table)) === 0) continue
    throw new DataRefused(
      `The target database already has ${table}. Move to a database that no service has used.`,
    )
  }
}

async function countIn(transaction: Transaction, table: string): Promise<number> {
  const [row] = await transaction.unsafe(`SELECT count(*) AS rows FROM ${table}`)
  return Number(row.rows)
}

function countOf(sqlite: Database, table: string): number {
  return (sqlite.query(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }).rows
}

/** Returns the tables in an order in which referenced tables come first. */
function tablesOf(sqlite: Database): { table: string; columns: string[] }[] {
  const names = sqlite.query("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const left = new Set(
    (names as { name: string }[]).map(({ name }) => name).filter((name) => !ownTables.has(name)),
  )
  const sorted: string[] = []
  while (left.size > 0) {
    for (const table of left) {
      const refersTo = sqlite.query(`PRAGMA foreign_key_list(${table})`).all()
      if ((refersTo as { table: string }[]).some((other) => left.has(other.table))) continue
      left.delete(table)
      sorted.push(table)
    }
  }
  return sorted.map((table) => {
    const columns = sqlite.query(`PRAGMA table_info(${table})`).all() as { name: string }[]
    return { table, columns: columns.map(({ name }) => name) }
  })
}

async function* fromSqlite(
  sqlite: Database,
  table: string,
  columns: string[],
): AsyncGenerator<Row> {
  for (const row of sqlite.query(`SELECT ${columns.join(", ")} FROM ${table}`).iterate()) {
    yield row as Row
  }
}

async function* fromPostgres(
  transaction: Transaction,
  table: string,
  columns: string[],
): AsyncGenerator<Row> {
  const but = table === "secrets" ? ` WHERE name <> '${keyName}'` : ""
  await transaction.unsafe(
    `DECLARE moved CURSOR FOR SELECT ${columns.join(", ")} FROM ${table}${but}`,
  )
  for (;;) {
    const rows = await transaction.unsafe(`FETCH ${rowsAtOnce} FROM moved`)
    for (const row of rows) yield row
    if (rows.length < rowsAtOnce) break
  }
  await transaction.unsafe("CLOSE moved")
}

async function copyIn(
  transaction: Transaction,
  table: string,
  columns: string[],
  rows: AsyncIterable<Row>,
): Promise<void> {
  const copy = transaction.unsafe(`COPY ${table} (${columns.join(", ")}) FROM STDIN`)
  const writer = copy.writable().getWriter()
  let text = ""
  for await (const row of rows) {
    text += `${columns.map((column) => copied(row[column])).join("\t")}\n`
    if (text.length < chunk) continue
    await writer.write(text)
    text = ""
  }
  if (text !== "") await writer.write(text)
  await writer.close()
  await copy
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }

/** Returns a value in the format of PostgreSQL's COPY, without NUL characters. */
function copied(value: Row[string] | undefined): string {
  if (value === null || value === undefined) return "\\N"
  return String(value)
    .replaceAll("\0", "\uFFFD")
    .replace(/[\\\t\n\r]/g, (char) => escapes[char]!)
}

async function* counted(rows: AsyncIterable<Row>, sum: Sum): AsyncGenerator<Row> {
  for await (const row of rows) {
    sum.add(row)
    yield row
  }
}

/** Row count and order-independent checksum of a table. */
class Sum {
  private rows = 0
  private hash = 0n

  constructor(private readonly columns: readonly string[]) {}

  add(row: Row): void {
    this.rows++
    const text = this.columns.map((column) => copied(row[column])).join("\t")
    this.hash = BigInt.asUintN(64, this.hash + BigInt(Bun.hash(text)))
  }

  /** Returns the number of rows. @throws DataRefused if the sums differ */
  sameAs(other: Sum, table: string): number {
    if (this.rows === other.rows && this.hash === other.hash) return this.rows
    throw new DataRefused(
      `Nothing was moved: ${table} would have ${other.rows} rows of ${this.rows}, or others.`,
    )
  }
}
