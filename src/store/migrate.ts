import type { Database } from "bun:sqlite"
import { sql as runs } from "./migrations/001-runs.ts"
import { sql as accounts } from "./migrations/002-accounts.ts"
import { sql as keyless } from "./migrations/003-keyless.ts"
import { sql as automation } from "./migrations/004-automation.ts"
import { DataRefused } from "./refused.ts"

/** Forward only, in this order; an applied one is never edited, a change is a new one. */
const migrations: readonly { id: string; sql: string }[] = [
  { id: "001-runs", sql: runs },
  { id: "002-accounts", sql: accounts },
  { id: "003-keyless", sql: keyless },
  { id: "004-automation", sql: automation },
]

/**
 * The migrations that a database still lacks, in order.
 * @throws when a newer version has written it.
 */
export function pendingMigrations(sqlite: Database): string[] {
  const rows = sqlite.query("SELECT id FROM migrations").all() as { id: string }[]
  const applied = new Set(rows.map((row) => row.id))
  const known = new Set(migrations.map((migration) => migration.id))
  const foreign = [...applied].filter((id) => !known.has(id))
  if (foreign.length > 0) {
    throw new DataRefused(
      `The database was written by a newer version of Trawl (${foreign.join(", ")}); start that version or restore a backup.`,
    )
  }
  return [...known].filter((id) => !applied.has(id))
}

/** Brings a database to this version's schema. @throws when a newer version has written it. */
export function migrate(sqlite: Database): void {
  sqlite.run(
    "CREATE TABLE IF NOT EXISTS migrations (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL)",
  )
  const pending = new Set(pendingMigrations(sqlite))
  for (const { id, sql } of migrations) {
    if (!pending.has(id)) continue
    sqlite.transaction(() => {
      sqlite.run(sql)
      sqlite.run("INSERT INTO migrations (id, applied_at) VALUES (?, ?)", [
        id,
        new Date().toISOString(),
      ])
    })()
  }
}
