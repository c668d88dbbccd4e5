import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite"
import {
  type Compilable,
  type CompiledQuery,
  type Insertable,
  Kysely,
  type RawBuilder,
  type Selectable,
  SqliteDialect,
} from "kysely"
import type { Tables } from "../tables/schema.ts"
import {
  type Client,
  isPostgresUrl,
  kyselyOverPostgres,
  openPostgres,
  patient,
  runQuery,
} from "./postgres/client.ts"

/** The store for commands: typed queries without connection handling. */
export type Db = Kysely<Tables>

/** Gives bun:sqlite the interface of better-sqlite3, which Kysely's SQLite dialect requires. */
function adapt(sqlite: Database) {
  // bun:sqlite returns the same statement for the same text; its properties are costly to read.
  const known = new WeakMap<Statement, ReturnType<typeof adapted>>()
  return {
    close: () => sqlite.close(),
    prepare(sql: string) {
      const statement = sqlite.query(sql)
      const before = known.get(statement)
      if (before) return before
      const made = adapted(statement)
      known.set(statement, made)
      return made
    },
  }
}

function adapted(statement: Statement) {
  const bind = (parameters: readonly unknown[]) => parameters as SQLQueryBindings[]
  return {
    reader: statement.columnNames.length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...bind(parameters)),
    run: (parameters: readonly unknown[]) => statement.run(...bind(parameters)),
    iterate: (parameters: readonly unknown[]) =>
      statement.iterate(...bind(parameters)) as IterableIterator<unknown>,
  }
}

/** Opens a connection with the settings that every connection needs. */
export function openSqlite(path: string, mode: "write" | "read"): Database {
  const sqlite = new Database(path, mode === "write" ? { create: true } : { readonly: true })
  sqlite.run("PRAGMA busy_timeout = 5000")
  sqlite.run("PRAGMA foreign_keys = ON")
  if (mode === "write") {
    sqlite.run("PRAGMA journal_mode = WAL")
    // An acknowledged run must survive a power cut; group commit limits the cost.
    sqlite.run("PRAGMA synchronous = FULL")
  }
  return sqlite
}

const connections = new WeakMap<Db, Database | Client>()

export function kyselyOver(sqlite: Database): Db {
  const db: Db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapt(sqlite) }) })
  connections.set(db, sqlite)
  return db
}

export function kyselyOn(client: Client): Db {
  const db = kyselyOverPostgres(client)
  connections.set(db, client)
  return db
}

/** Maximum connections of a reading thread; each one is a process of PostgreSQL. */
const readingConnections = 3

/**
 * Opens a database for reading: the path of a SQLite database or the URL of a PostgreSQL database.
 * @param waits Whether queries wait while the server is not reachable.
 */
export function openReading(database: string, waits = false): Db {
  if (!isPostgresUrl(database)) return kyselyOver(openSqlite(database, "read"))
  const pool = openPostgres(database, readingConnections)
  return kyselyOn(waits ? patient(pool) : pool)
}

/** Whether the database is PostgreSQL, to which many processes write at a time. */
export function isPostgres(db: Db): boolean {
  return !(connections.get(db) instanceof Database)
}

/**
 * Returns a function for a query of the hottest paths. Kysely builds and compiles the query once,
 * with any values as its parameters. It runs directly on the connection, because Kysely's layers
 * cost more than the query.
 */
export function hotQuery<Row, P extends unknown[]>(
  build: (db: Db) => Compilable<Row> | RawBuilder<Row>,
): (db: Db, ...parameters: P) => Row[] | Promise<Row[]> {
  const compiled = new WeakMap<Db, CompiledQuery<Row>>()
  return (db, ...parameters) => {
    let query = compiled.get(db)
    if (!query) {
      const built = build(db)
      query = "isRawBuilder" in built ? built.compile(db) : built.compile()
      compiled.set(db, query)
    }
    const connection = connections.get(db)!
    if (connection instanceof Database) {
      return connection.query(query.sql).all(...(parameters as SQLQueryBindings[])) as Row[]
    }
    return runQuery<Row>(connection, query.sql, parameters).then(({ rows }) => rows)
  }
}

/**
 * Returns the same for inserting a row without undefined values; it returns the stored row. There
 * is one statement for each list of columns, and the code has few such lists.
 */
export function hotInsert<Table extends keyof Tables>(table: Table) {
  type Stored = Selectable<Tables[Table]>
  const forms = new Map<string, (db: Db, ...values: unknown[]) => Stored[] | Promise<Stored[]>>()
  return async (db: Db, row: Insertable<Tables[Table]>): Promise<Stored> => {
    const columns = Object.keys(row).join()
    let insert = forms.get(columns)
    if (!insert) {
      insert = hotQuery<Stored, unknown[]>(
        (on) => on.insertInto(table).values(row).returningAll() as unknown as Compilable<Stored>,
      )
      forms.set(columns, insert)
    }
    return (await insert(db, ...Object.values(row)))[0]!
  }
}
