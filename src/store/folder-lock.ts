import { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { DataRefused } from "./db/refused.ts"

/**
 * Locks a data folder against a second server. The operating system releases the lock when the
 * process ends, however it ends, but that can take a moment after a kill: it waits up to `waitMs`.
 * @throws DataRefused if another process has the lock
 */
export function lockFolder(dataDir: string, waitMs = 0): () => void {
  const lock = new Database(join(dataDir, "serve.lock"), { create: true })
  try {
    lock.run(`PRAGMA busy_timeout = ${waitMs}`)
    lock.run("PRAGMA locking_mode = EXCLUSIVE")
    lock.run("BEGIN EXCLUSIVE")
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error
    throw new DataRefused(
      `Another Trawl process serves from ${dataDir}; stop it, or set TRAWL_DATA_DIR to another folder.`,
    )
  }
  return () => lock.close()
}

/** Returns whether a server has locked the folder. */
export function isLocked(dataDir: string): boolean {
  if (!existsSync(join(dataDir, "serve.lock"))) return false
  try {
    lockFolder(dataDir)()
    return false
  } catch (error) {
    if (error instanceof DataRefused) return true
    throw error
  }
}
