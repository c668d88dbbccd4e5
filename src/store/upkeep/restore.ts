import { Database } from "bun:sqlite"
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs"
import { dirname } from "node:path"
import { messageOf } from "../../base/error-message.ts"
import { openSqlite } from "../db/database.ts"
import { pendingMigrations } from "../db/migrate.ts"
import { DataRefused } from "../db/refused.ts"
import { databasePath, keyPath, makeDataFolder } from "./data-folder.ts"
import { lostSentence } from "./prepare.ts"
import { encryptedSecrets, lostSecrets, SecretBox } from "./secret-box.ts"
import { requireWhole } from "./soundness.ts"

export interface Restored {
  /** Path of the previous database. */
  before?: string
  /** Warnings for the operator. */
  warnings: string[]
}

/**
 * Replaces the database with a copy of a backup. The copy is checked first, and the old database is
 * renamed and stays. If the process is killed, one of the two is complete. The caller has locked
 * the folder. @throws DataRefused
 */
export function restore(dataDir: string, backup: string, now = new Date()): Restored {
  makeDataFolder(dataDir)
  const path = databasePath(dataDir)
  const part = `${path}.restore`
  remove(part)
  try {
    copyFileSync(backup, part)
    const lost = check(part, backup, dataDir)
    onDisk(part)
    const before = setAside(path, `${path}.before-${now.toISOString().replace(/[-:]|\.\d+/g, "")}`)
    renameSync(part, path)
    onDisk(dirname(path))
    return { ...(before && { before }), warnings: lost > 0 ? [lostSentence(dataDir, lost)] : [] }
  } catch (error) {
    if (error instanceof DataRefused) throw error
    throw new DataRefused(`Nothing was restored: ${messageOf(error)}.`, { cause: error })
  } finally {
    remove(part)
  }
}

/**
 * Returns the number of secrets in the backup that the key file cannot decrypt. @throws DataRefused
 */
function check(part: string, backup: string, dataDir: string): number {
  requireSound(part, backup)
  const sqlite = new Database(part, { readonly: true })
  try {
    pendingMigrations(sqlite)
    const key = keyPath(dataDir)
    return existsSync(key) ? lostSecrets(sqlite, SecretBox.at(key)) : encryptedSecrets(sqlite)
  } finally {
    sqlite.close()
  }
}

function requireSound(part: string, backup: string): void {
  try {
    requireWhole(part)
    const sqlite = new Database(part, { readonly: true })
    const row = sqlite.query("PRAGMA integrity_check").get() as { integrity_check: string }
    sqlite.close()
    if (row.integrity_check !== "ok") throw new Error(row.integrity_check)
  } catch (error) {
    throw new DataRefused(`${backup} is not a valid backup of a database: ${messageOf(error)}`)
  }
}

/**
 * Links a database to a second name, after its log is written to it. A log that remained would be
 * applied to the new database.
 */
function setAside(path: string, name: string): string | undefined {
  if (!existsSync(path)) {
    remove(path)
    return undefined
  }
  try {
    openSqlite(path, "write").close()
  } catch {
    // It is damaged, perhaps for that it is replaced.
  }
  for (const end of ["-wal", "-shm"]) {
    if (existsSync(path + end)) renameSync(path + end, name + end)
  }
  try {
    linkSync(path, name)
  } catch {
    // The file system does not support hard links.
    copyFileSync(path, name)
  }
  return name
}

function onDisk(path: string): void {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } catch {
    // Not of folders, on some systems.
  } finally {
    closeSync(file)
  }
}

function remove(path: string): void {
  for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(path + end, { force: true })
}
