import type { Database } from "bun:sqlite"
import { sql as accounts } from "../migrations/001-accounts.ts"
import { sqlite as counts, postgres as shared } from "../migrations/001-databases.ts"
import { sql as runs } from "../migrations/001-runs.ts"
import {
  sqlite as ownQueue,
  sql as queue,
  postgres as sharedQueue,
} from "../migrations/002-queue.ts"
import { sql as monitorChanges } from "../migrations/003-monitor-changes.ts"
import { sql as traces } from "../migrations/004-traces.ts"
import { sql as names, postgres as sharedNames } from "../migrations/005-names.ts"
import { sql as sessions } from "../migrations/006-sessions.ts"
import { sql as destinations } from "../migrations/007-destinations.ts"
import { sql as watches } from "../migrations/008-watches.ts"
import { postgres as partitions, sql as requeueMessages } from "../migrations/009-partitions.ts"
import { hashOf, type Migration, requireSchema } from "./migration-hashes.ts"
import { DataRefused } from "./refused.ts"
import { adopted, replacedIn } from "./replaced-migrations.ts"

/**
 * Migrations in their order, forward only. A committed migration is never edited: each change is a
 * new one.
 */
export const migrations: readonly Migration[] = [
  { id: "001-schema", sql: runs + accounts, sqlite: counts, postgres: shared },
  { id: "002-queue", sql: queue, sqlite: ownQueue, postgres: sharedQueue },
  { id: "003-monitor-changes", sql: monitorChanges },
  { id: "004-traces", sql: traces },
  { id: "005-names", sql: names, postgres: sharedNames },
  { id: "006-sessions", sql: sessions },
  { id: "007-destinations", sql: destinations },
  { id: "008-watches", sql: watches },
  { id: "009-partitions", sql: requeueMessages, postgres: partitions },
]

export interface Applied {
  id: string
  /** Hash of the migration's text when it was applied. */
  hash?: string | null
}

/**
 * Returns the migrations that a database still needs, in order.
 * @throws DataRefused if a newer version wrote the database, or a build with different migrations
 */
export function pendingMigrations(sqlite: Database): string[] {
  return pendingAfter(appliedTo(sqlite))
}

/** @throws DataRefused */
export function pendingAfter(stored: readonly Applied[]): string[] {
  const applied = adopted(stored)
  const known = new Map(migrations.map((migration) => [migration.id, migration]))
  const foreign = applied.filter(({ id }) => !known.has(id))
  if (foreign.length > 0) {
    const ids = foreign.map(({ id }) => id).join(", ")
    throw new DataRefused(
      `The database was written by a newer version of Trawl (${ids}); start that version or restore a backup.`,
    )
  }
  for (const { id, hash } of applied) {
    if (!hash || hash === hashOf(known.get(id)!.sql)) continue
    throw new DataRefused(
      `The database was made by another build of Trawl, whose ${id} differs from this one's; start the build that made it or restore a backup.`,
    )
  }
  const done = new Set(applied.map(({ id }) => id))
  return [...known.keys()].filter((id) => !done.has(id))
}

function appliedTo(sqlite: Database): Applied[] {
  const tables = sqlite.query("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  if (tables.some((table) => (table as { name: string }).name === "migrations")) {
    return sqlite.query("SELECT * FROM migrations").all() as Applied[]
  }
  if (tables.length === 0) return []
  throw new DataRefused(
    `${sqlite.filename} is the database of another program. Set TRAWL_DATA_DIR to another folder.`,
  )
}

/** Migrates a database to this version's schema, or leaves it unchanged. @throws DataRefused */
export function migrate(sqlite: Database): void {
  if (pendingMigrations(sqlite).length === 0) return
  sqlite
    .transaction(() => {
      sqlite.run(
        "CREATE TABLE IF NOT EXISTS migrations (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL, hash TEXT)",
      )
      // Read again: another process may have migrated meanwhile.
      const applied = appliedTo(sqlite)
      const pending = new Set(pendingAfter(applied))
      const replaced = replacedIn(applied)
      for (const { old } of replaced) {
        for (const id of old) sqlite.run("DELETE FROM migrations WHERE id = ?", [id])
      }
      for (const { id, sql, sqlite: own = "" } of migrations) {
        const isReplaced = replaced.some((one) => one.id === id)
        if (!pending.has(id) && !isReplaced) continue
        if (!isReplaced) sqlite.run(sql + own)
        sqlite.run("INSERT INTO migrations (id, applied_at, hash) VALUES (?, ?, ?)", [
          id,
          new Date().toISOString(),
          hashOf(sql),
        ])
      }
      if (replaced.length > 0) requireSchema(sqlite, migrations)
    })
    .immediate()
}
