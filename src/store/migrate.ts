import type { Database } from "bun:sqlite"
import { sql as runs } from "./migrations/001-runs.ts"
import { sql as accounts } from "./migrations/002-accounts.ts"
import { sql as keyless } from "./migrations/003-keyless.ts"
import { sql as automation } from "./migrations/004-automation.ts"
import { sql as repair } from "./migrations/005-repair.ts"
import { sql as lists } from "./migrations/006-lists.ts"
import { sql as upstreams } from "./migrations/007-upstreams.ts"
import { sql as cookies } from "./migrations/008-cookies.ts"
import { sql as owner } from "./migrations/009-owner.ts"
import { sql as notes } from "./migrations/010-notes.ts"
import { sql as usage } from "./migrations/011-usage.ts"
import { sql as settings } from "./migrations/012-settings.ts"
import { sql as health } from "./migrations/013-health.ts"
import { sql as processes, postgres as shared } from "./migrations/014-processes.ts"
import { sql as notifications } from "./migrations/015-notifications.ts"
import { sql as files } from "./migrations/016-files.ts"
import { sql as datasetLinks } from "./migrations/017-dataset-links.ts"
import { sql as healthDays } from "./migrations/018-health-days.ts"
import { sql as recipes } from "./migrations/019-recipes.ts"
import { sql as targetWays } from "./migrations/020-target-ways.ts"
import { sql as appended } from "./migrations/021-appended.ts"
import { sql as runSources } from "./migrations/022-run-sources.ts"
import { sql as shapedDatasets } from "./migrations/023-shaped-datasets.ts"
import { sql as jobHooks } from "./migrations/024-job-hooks.ts"
import { sql as itemParts, postgres as itemsInParts } from "./migrations/025-item-parts.ts"
import { sql as hostMemory, postgres as sharedMemory } from "./migrations/026-host-memory.ts"
import { sqlite as keptCounts, sql as listCounts } from "./migrations/027-list-counts.ts"
import { postgres as commitMarks, sql as commits } from "./migrations/028-commits.ts"
import { sql as hostParts, postgres as sharedParts } from "./migrations/029-host-parts.ts"
import { sql as agents } from "./migrations/030-agents.ts"
import {
  sqlite as ownQueue,
  sql as queue,
  postgres as sharedQueue,
} from "./migrations/031-queue.ts"
import { sql as exclusiveSchedules } from "./migrations/032-exclusive-schedules.ts"
import { sql as runTitles } from "./migrations/033-run-titles.ts"
import { sql as maxCredits } from "./migrations/034-max-credits.ts"
import { DataRefused } from "./refused.ts"
import {
  adoptHashes,
  hashOf,
  isKnownForm,
  type Migration,
  requireSchema,
} from "./upkeep/migration-hashes.ts"

/** Forward only, in this order; an applied one is never edited, a change is a new one. */
export const migrations: readonly Migration[] = [
  { id: "001-runs", sql: runs },
  { id: "002-accounts", sql: accounts },
  { id: "003-keyless", sql: keyless },
  { id: "004-automation", sql: automation },
  { id: "005-repair", sql: repair },
  { id: "006-lists", sql: lists },
  { id: "007-upstreams", sql: upstreams },
  { id: "008-cookies", sql: cookies },
  { id: "009-owner", sql: owner },
  { id: "010-notes", sql: notes },
  { id: "011-usage", sql: usage },
  { id: "012-settings", sql: settings },
  { id: "013-health", sql: health },
  { id: "014-processes", sql: processes, postgres: shared },
  { id: "015-notifications", sql: notifications },
  { id: "016-files", sql: files },
  { id: "017-dataset-links", sql: datasetLinks },
  { id: "018-health-days", sql: healthDays },
  { id: "019-recipes", sql: recipes },
  { id: "020-target-ways", sql: targetWays },
  { id: "021-appended", sql: appended },
  { id: "022-run-sources", sql: runSources },
  { id: "023-shaped-datasets", sql: shapedDatasets },
  { id: "024-job-hooks", sql: jobHooks },
  { id: "025-item-parts", sql: itemParts, postgres: itemsInParts },
  { id: "026-host-memory", sql: hostMemory, postgres: sharedMemory },
  { id: "027-list-counts", sql: listCounts, sqlite: keptCounts },
  { id: "028-commits", sql: commits, postgres: commitMarks },
  { id: "029-host-parts", sql: hostParts, postgres: sharedParts },
  { id: "030-agents", sql: agents },
  { id: "031-queue", sql: queue, sqlite: ownQueue, postgres: sharedQueue },
  { id: "032-exclusive-schedules", sql: exclusiveSchedules },
  { id: "033-run-titles", sql: runTitles },
  { id: "034-max-credits", sql: maxCredits },
]

export interface Applied {
  id: string
  /** Of the migration's text as it was applied; databases of before 005 have none. */
  hash?: string | null
}

/**
 * The migrations that a database still lacks, in order.
 * @throws DataRefused when a newer version has written it, or one whose migrations were others.
 */
export function pendingMigrations(sqlite: Database): string[] {
  return pendingAfter(appliedTo(sqlite))
}

/** @throws DataRefused */
export function pendingAfter(applied: readonly Applied[]): string[] {
  const known = new Map(migrations.map((migration) => [migration.id, migration]))
  const foreign = applied.filter(({ id }) => !known.has(id))
  if (foreign.length > 0) {
    const ids = foreign.map(({ id }) => id).join(", ")
    throw new DataRefused(
      `The database was written by a newer version of Trawl (${ids}); start that version or restore a backup.`,
    )
  }
  for (const { id, hash } of applied) {
    if (!hash || isKnownForm(known.get(id)!, hash)) continue
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
    `${sqlite.filename} is the database of another program; set TRAWL_DATA_DIR to another folder.`,
  )
}

/** Brings a database to this version's schema, or leaves it as it is. @throws DataRefused */
export function migrate(sqlite: Database): void {
  if (pendingMigrations(sqlite).length === 0) return
  sqlite
    .transaction(() => {
      sqlite.run(
        "CREATE TABLE IF NOT EXISTS migrations (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL, hash TEXT)",
      )
      const adopted = adoptHashes(sqlite, migrations)
      // Looked at again: another process may have been here meanwhile.
      const pending = new Set(pendingMigrations(sqlite))
      for (const { id, sql, sqlite: own = "" } of migrations) {
        if (!pending.has(id)) continue
        sqlite.run(sql + own)
        sqlite.run("INSERT INTO migrations (id, applied_at, hash) VALUES (?, ?, ?)", [
          id,
          new Date().toISOString(),
          hashOf(sql),
        ])
      }
      if (adopted) requireSchema(sqlite, migrations)
    })
    .immediate()
}
