import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqlite } from "../src/store/db/database.ts"
import { migrate } from "../src/store/db/migrate.ts"

let template: Buffer | undefined

/** An empty database with all its tables, without the secrets that a store makes when it is opened. */
function migratedDatabase(): Buffer {
  if (template) return template
  const folder = mkdtempSync(join(tmpdir(), "trawl-migrated-"))
  const path = join(folder, "trawl.db")
  const sqlite = openSqlite(path, "write")
  migrate(sqlite)
  sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)")
  sqlite.close()
  template = readFileSync(path)
  rmSync(folder, { recursive: true })
  return template
}

/**
 * Copies the empty database into a data folder that has none: migrating takes five times the
 * processor time.
 */
export function providedDatabase(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, "trawl.db")
  if (!existsSync(path)) writeFileSync(path, migratedDatabase())
  return dataDir
}
