import { existsSync, mkdirSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { DataRefused } from "./refused.ts"

export function databasePath(dataDir: string): string {
  return join(dataDir, "trawl.db")
}

/** Opens the webhooks' secrets; beside the database, so that a copy of that alone does not. */
export function keyPath(dataDir: string): string {
  return join(dataDir, "trawl.key")
}

/** What others could read. */
const others = 0o077

/**
 * Makes the folder where it is not there. Whatever this process makes from now on, no other user
 * may read. @throws DataRefused
 */
export function makeDataFolder(dataDir: string): void {
  process.umask(others)
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch (error) {
    throw new DataRefused(
      `The data folder ${resolve(dataDir)} cannot be made (${(error as Error).message}); set TRAWL_DATA_DIR to another one.`,
    )
  }
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
