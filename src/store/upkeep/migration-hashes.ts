import { Database } from "bun:sqlite"
import { DataRefused } from "../refused.ts"

export interface Migration {
  id: string
  /** In SQLite's words; postgres/translate.ts makes PostgreSQL's of it. */
  sql: string
  /** What PostgreSQL alone needs beside it. */
  postgres?: string
  /** What SQLite alone needs. */
  sqlite?: string
}

/**
 * Migrations that were edited after databases had been made by them, before hashes were kept: the
 * hash of the earlier form, and what is found only where the present one was applied. 005 brings
 * both to the same.
 */
const edited: Record<string, { hash: string; mark: string }> = {
  "003-keyless": {
    hash: "cd818c0fe3857869071e91624b0030b1dd480c38a4b12380122dbb3c292829e9",
    mark: "SELECT 1 FROM secrets WHERE name = 'callers'",
  },
  "004-automation": {
    hash: "10078d94a551a1751c28c612e62a65b126e42f98ba2dd2875b9e19f4f2ff07a2",
    mark: "SELECT 1 FROM sqlite_schema WHERE name = 'deliveries_ended'",
  },
}

export function hashOf(sql: string): string {
  return new Bun.CryptoHasher("sha256").update(sql).digest("hex")
}

export function isKnownForm({ id, sql }: Migration, hash: string): boolean {
  return hash === hashOf(sql) || hash === edited[id]?.hash
}

/** Gives hashes to what was applied before hashes were kept; whether there was any such. */
export function adoptHashes(sqlite: Database, migrations: readonly Migration[]): boolean {
  const columns = sqlite.query("SELECT name FROM pragma_table_info('migrations')").all()
  if (!columns.some((column) => (column as { name: string }).name === "hash")) {
    sqlite.run("ALTER TABLE migrations ADD COLUMN hash TEXT")
  }
  const rows = sqlite.query("SELECT id FROM migrations WHERE hash IS NULL").all()
  for (const { id } of rows as { id: string }[]) {
    const form = edited[id]
    const isEarlier = form !== undefined && sqlite.query(form.mark).get() === null
    const { sql } = migrations.find((migration) => migration.id === id)!
    sqlite.run("UPDATE migrations SET hash = ? WHERE id = ?", [
      isEarlier ? form.hash : hashOf(sql),
      id,
    ])
  }
  return rows.length > 0
}

/**
 * An adopted hash says what was most likely applied; this makes sure. @throws DataRefused when the
 * database lacks a column, index or trigger that all migrations together make.
 */
export function requireSchema(sqlite: Database, migrations: readonly Migration[]): void {
  const fresh = new Database(":memory:")
  for (const { sql, sqlite: own = "" } of migrations) fresh.run(sql + own)
  const there = new Set(parts(sqlite))
  const missing = parts(fresh).find((part) => !there.has(part))
  fresh.close()
  if (missing === undefined) return
  throw new DataRefused(
    `The database was made by a build of Trawl from before its first version, and lacks ${missing}; move it away to begin with a new one.`,
  )
}

/** Every column with its type, every index and trigger, as one line each. */
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
