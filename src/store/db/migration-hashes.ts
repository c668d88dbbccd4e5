import { Database } from "bun:sqlite"
import { DataRefused } from "./refused.ts"

export interface Migration {
  id: string
  /** In SQLite's dialect; postgres/translate.ts translates it for PostgreSQL. */
  sql: string
  /** Only for PostgreSQL, after `sql`. */
  postgres?: string
  /** Only for SQLite, after `sql`. */
  sqlite?: string
}

/** A row of the table `migrations`. */
export interface Applied {
  id: string
  /** Hash of the migration's text when it was applied. */
  hash?: string | null
}

export function hashOf(sql: string): string {
  return new Bun.CryptoHasher("sha256").update(sql).digest("hex")
}

/**
 * Checks a database whose migrations were replaced by those of this version.
 * @throws DataRefused if it lacks a column, index or trigger that all migrations together create
 */
export function requireSchema(sqlite: Database, migrations: readonly Migration[]): void {
  const fresh = new Database(":memory:")
  for (const { sql, sqlite: own = "" } of migrations) fresh.run(sql + own)
  const there = new Set(parts(sqlite))
  const missing = parts(fresh).find((part) => !there.has(part))
  fresh.close()
  if (missing === undefined) return
  throw new DataRefused(
    `The database was created by a build of Trawl from before its first version, and lacks ${missing}. Move it to another folder to start with a new one.`,
  )
}

/** Returns a line for every column with its type, every index and every trigger. */
function parts(sqlite: Database): string[] {
  const rows = sqlite
    .query(
      `SELECT s.type, s.name, s.tbl_name, c.name AS column, c.type AS kind, c."notnull", c.dflt_value, c.pk
       FROM sqlite_schema AS s LEFT JOIN pragma_table_info(s.name) AS c ON s.type = 'table'`,
    )
    .all() as Record<string, unknown>[]
  return rows.map(({ type, name, tbl_name, column, ...rest }) =>
    type === "table"
      ? `the column ${name}.${column} (${Object.values(rest).join(" ")})`
      : `the ${type} ${name} of ${tbl_name}`,
  )
}
