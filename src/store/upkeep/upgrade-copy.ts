import type { Database } from "bun:sqlite"
import { existsSync, rmSync } from "node:fs"
import { messageOf } from "../../base/error-message.ts"
import { pendingMigrations } from "../db/migrate.ts"
import { DataRefused } from "../db/refused.ts"
import { backUp } from "./backup.ts"
import { databasePath } from "./data-folder.ts"

/** Returns where the database is copied before an upgrade; the copy stays until the next backup. */
const upgradeCopyPath = (dataDir: string) => `${databasePath(dataDir)}.before-upgrade`

/**
 * Copies a database before its migration, so that the previous version can be restored.
 * @throws DataRefused if it cannot be copied; nothing was changed then
 */
export function copyBeforeUpgrade(dataDir: string, sqlite: Database): void {
  if (pendingMigrations(sqlite).length === 0) return
  try {
    backUp(dataDir, upgradeCopyPath(dataDir))
  } catch (error) {
    throw new DataRefused(
      `The database was not upgraded, because it could not be copied first: ${messageOf(error)} Free enough space for a second copy of it in ${dataDir}.`,
      { cause: error },
    )
  }
}

/** Deletes the copy of the last upgrade; a newer backup replaces it. */
export function dropUpgradeCopy(dataDir: string): void {
  rmSync(upgradeCopyPath(dataDir), { force: true })
}

/** Returns the copy of the last upgrade. @throws DataRefused if there is none */
export function upgradeCopy(dataDir: string): string {
  const path = upgradeCopyPath(dataDir)
  if (existsSync(path)) return path
  throw new DataRefused(
    `There is no copy of the database before an upgrade in ${dataDir}: it was never upgraded there, or a backup was made since then. Restore a backup instead.`,
  )
}
