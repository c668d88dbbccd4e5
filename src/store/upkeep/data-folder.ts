import { existsSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { DataRefused } from "../refused.ts"

export function databasePath(dataDir: string): string {
  return join(dataDir, "trawl.db")
}

/** Returns the path of the key file that decrypts webhook secrets; a copy of the database lacks it. */
export function keyPath(dataDir: string): string {
  return join(dataDir, "trawl.key")
}

/** What is done to the file of a SQLite alone. @throws DataRefused where the data is in a PostgreSQL */
export function requireOwnDatabase(config: { databaseUrl?: string }, instead: string): void {
  if (!config.databaseUrl) return
  throw new DataRefused(`The data is in the PostgreSQL of TRAWL_DATABASE_URL, which ${instead}.`)
}

/** With less room, runs cannot be relied on to go on. */
export const minFreeBytes = 50 * 1024 ** 2

/** What others could read. */
const others = 0o077

/**
 * Creates the folder if it is missing. Other users of the machine cannot read the files that this
 * process creates from now on.
 */
export function makeDataFolder(dataDir: string): void {
  process.umask(others)
  mkdirSync(dataDir, { recursive: true })
}

/** What of a data folder other users of the machine can read, each with its mode. */
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
