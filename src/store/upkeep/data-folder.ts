import { existsSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { DataRefused } from "../db/refused.ts"

export function databasePath(dataDir: string): string {
  return join(dataDir, "trawl.db")
}

/** Returns the path of the key file that decrypts webhook secrets; a copy of the database lacks it. */
export function keyPath(dataDir: string): string {
  return join(dataDir, "trawl.key")
}

/**
 * Checks that a command which works on the SQLite file is used with SQLite. @throws DataRefused if
 * the data is in PostgreSQL
 */
export function requireOwnDatabase(config: { databaseUrl?: string }, instead: string): void {
  if (!config.databaseUrl) return
  throw new DataRefused(
    `The data is in the PostgreSQL database of TRAWL_DATABASE_URL, which ${instead}.`,
  )
}

/** Minimum free disk space; with less, runs may fail to continue. */
export const minFreeBytes = 50 * 1024 ** 2

/** Mode bits that let other users read or write a file. */
const others = 0o077

/**
 * Creates the folder if it is missing. Other users of the machine cannot read the files that this
 * process creates from now on.
 */
export function makeDataFolder(dataDir: string): void {
  process.umask(others)
  mkdirSync(dataDir, { recursive: true })
}

/**
 * Returns the files of a data folder that other users of the machine can read, each with its mode.
 */
export function readableByOthers(dataDir: string): string[] {
  if (process.platform === "win32" || isClosed(dataDir)) return []
  const database = databasePath(dataDir)
  return [dataDir, database, `${database}-wal`, keyPath(dataDir)]
    .filter((path) => existsSync(path) && !isClosed(path))
    .map((path) => `${path} (${(statSync(path).mode & 0o777).toString(8)})`)
}

function isClosed(path: string): boolean {
  return !existsSync(path) || (statSync(path).mode & others) === 0
}
