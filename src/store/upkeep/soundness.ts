import { Database } from "bun:sqlite"
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs"
import { messageOf } from "../../base/error-message.ts"
import { DataRefused } from "../db/refused.ts"

/** Bytes up to which a database is read completely at a start; this takes about two seconds. */
const wholeUpTo = 512 * 1024 ** 2
/**
 * In a larger database, tables are read for this many milliseconds, and these tables are skipped.
 */
const tablesForMs = 2000
const bulky = new Set(["items", "staged_items", "targets", "run_log", "run_notes"])

export function damaged(path: string, detail: string): DataRefused {
  return new DataRefused(
    `The database ${path} is damaged (${detail}); restore a backup, or move it to another folder to start with a new one.`,
  )
}

/** Returns whether an error of SQLite means that the database file is damaged. */
export function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown })?.code
  return typeof code === "string" && /^SQLITE_(?:CORRUPT|NOTADB)/.test(code)
}

/** Returns whether the process that last wrote the database did not close it. */
export function endedUncleanly(path: string): boolean {
  return existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0
}

/**
 * Checks the file's size and header, which is fast: they show whether the file was cut off.
 * @throws DataRefused
 */
export function requireWhole(path: string): void {
  const { size } = statSync(path)
  if (size === 0) throw damaged(path, "it is empty")
  // Pages after the end of the file may still be in the log.
  if (endedUncleanly(path)) return
  const header = Buffer.alloc(100)
  const file = openSync(path, "r")
  const length = readSync(file, header)
  closeSync(file)
  if (length < 100 || header.toString("latin1", 0, 15) !== "SQLite format 3") {
    throw damaged(path, "it does not start like a SQLite database")
  }
  // The page count is only valid if the last program that wrote the file updated it.
  if (header.readUInt32BE(24) !== header.readUInt32BE(92)) return
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const wanted = header.readUInt32BE(28) * pageSize
  if (size < wanted) throw damaged(path, `it has ${size} bytes of ${wanted}`)
}

/**
 * Reads the database, larger ones only in part. Returns the tables that were skipped.
 * @throws DataRefused
 */
export function checkAtStart(path: string): string[] {
  const sqlite = new Database(path, { readonly: true })
  try {
    if (statSync(path).size <= wholeUpTo) {
      requireOk(sqlite)
      return []
    }
    const until = performance.now() + tablesForMs
    const tables = sqlite.query("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    return (tables as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => {
        if (bulky.has(name) || performance.now() > until) return true
        requireOk(sqlite, name)
        return false
      })
  } finally {
    sqlite.close()
  }
}

/** Reads a whole database or table. @throws DataRefused if it is damaged */
export function requireOk(sqlite: Database, table?: string): void {
  const results = check(sqlite, table)
  if (results !== "ok") throw damaged(sqlite.filename, results)
}

function check(sqlite: Database, table?: string): string {
  try {
    const row = sqlite.query(`PRAGMA quick_check(${table ? `'${table}'` : 1})`).get()
    return (row as { quick_check: string }).quick_check.replaceAll("\n", " ")
  } catch (error) {
    if (!isDamage(error)) throw error
    return messageOf(error)
  }
}
