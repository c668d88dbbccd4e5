import type { Database } from "bun:sqlite"
import { existsSync, statfsSync, statSync } from "node:fs"
import { openSqlite } from "../db/database.ts"
import { databasePath } from "./data-folder.ts"

/** Disk use of one account, scraper or age. */
interface DiskShare {
  name: string
  runs: number
  items: number
  /** Includes files in any storage backend. */
  bytes: number
}

export interface DiskUse {
  /** Bytes of the database and its log. */
  databaseBytes: number
  /** Free space within the database, which new data uses first. */
  reusableBytes: number
  /** Bytes of files of runs in the data folder. */
  fileBytes: number
  freeBytes: number
  /** Average of the last seven days, for runs that still exist, with all their data. */
  bytesPerDay: number
  accounts: DiskShare[]
  scrapers: DiskShare[]
  ages: DiskShare[]
}

/** Maximum accounts, scrapers and ages that are returned. */
const max = 50
const recentDays = 7

/** Bytes of each run: items, targets and input. SQLite reads only the lengths, not the texts. */
const perRun = `
  CREATE TEMP TABLE disk_use AS
  SELECT account_id AS account, slug,
    CAST(julianday('now') - julianday(created_at) AS INTEGER) AS days, item_count + error_count AS items,
    octet_length(input)
    + (SELECT coalesce(sum(octet_length(body)), 0) FROM items WHERE run_n = n)
    + (SELECT coalesce(sum(octet_length(target) + octet_length(key)), 0) FROM targets WHERE run_n = n)
    AS bytes,
    (SELECT coalesce(sum(bytes), 0) FROM files WHERE run_n = n) AS files,
    (SELECT coalesce(sum(bytes), 0) FROM files WHERE run_n = n AND place = 'folder') AS here
  FROM runs`

const ages = `CASE WHEN days < 1 THEN 'last day' WHEN days < 7 THEN 'last 7 days'
  WHEN days < 30 THEN 'last 30 days' ELSE 'older' END`

/** Reads the whole database, which takes seconds if it is large. */
export function diskUse(dataDir: string): DiskUse {
  const path = databasePath(dataDir)
  const sqlite = openSqlite(path, "read")
  try {
    sqlite.run("PRAGMA temp_store = MEMORY")
    sqlite.run(perRun)
    const size = sizeOf(path) + sizeOf(`${path}-wal`)
    const reusable = pragma(sqlite, "freelist_count") * pragma(sqlite, "page_size")
    const { bavail, bsize } = statfsSync(dataDir)
    const sums = sqlite
      .query(
        `SELECT coalesce(sum(bytes), 0) AS bytes,
           coalesce(sum(bytes) FILTER (WHERE days < ${recentDays}), 0) AS recent,
           coalesce(sum(here) FILTER (WHERE days < ${recentDays}), 0) AS recentFiles FROM disk_use`,
      )
      .get() as { bytes: number; recent: number; recentFiles: number }
    const { fileBytes } = sqlite
      .query("SELECT coalesce(sum(bytes), 0) AS fileBytes FROM files WHERE place = 'folder'")
      .get() as { fileBytes: number }
    // Indexes and other overhead grow in proportion.
    const share = sums.bytes > 0 ? (size - reusable) / sums.bytes : 1
    return {
      databaseBytes: size,
      reusableBytes: reusable,
      fileBytes,
      freeBytes: bavail * bsize,
      bytesPerDay: Math.round((sums.recent * share + sums.recentFiles) / recentDays),
      accounts: shares(sqlite, "coalesce(account, 'keyless')"),
      scrapers: shares(sqlite, "slug"),
      ages: shares(sqlite, ages, "min(days)"),
    }
  } finally {
    sqlite.close()
  }
}

function shares(sqlite: Database, name: string, order = "bytes DESC"): DiskShare[] {
  return sqlite
    .query(
      `SELECT ${name} AS name, count(*) AS runs, sum(items) AS items, sum(bytes + files) AS bytes
       FROM disk_use GROUP BY 1 ORDER BY ${order} LIMIT ${max}`,
    )
    .all() as DiskShare[]
}

function pragma(sqlite: Database, name: string): number {
  return Object.values(sqlite.query(`PRAGMA ${name}`).get() as Record<string, number>)[0]!
}

const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0)

/**
 * Returns the days until the disk is full if use grows as in the last days; null if deletions free
 * as much space as new data needs.
 */
export function daysUntilFull(
  { databaseBytes, reusableBytes, fileBytes, freeBytes, bytesPerDay }: DiskUse,
  retentionDays: number,
): number | null {
  if (bytesPerDay === 0) return null
  const available = freeBytes + reusableBytes
  const used = databaseBytes - reusableBytes + fileBytes
  if (retentionDays > 0 && bytesPerDay * retentionDays - used < available) return null
  return Math.floor(available / bytesPerDay)
}
