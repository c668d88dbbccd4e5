import { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { DataRefused } from "./refused.ts"

/**
 * Keeps a second server out of a data folder. The lock is the operating system's, and ends with
 * the process, however that ends. @throws DataRefused when another process holds it.
 */
export function lockFolder(dataDir: string): () => void {
  const lock = new Database(join(dataDir, "serve.lock"), { create: true })
  try {
    lock.run("PRAGMA locking_mode = EXCLUSIVE")
    lock.run("BEGIN EXCLUSIVE")
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error
    throw new DataRefused(
      `Another Trawl serves from ${dataDir}; stop it, or set TRAWL_DATA_DIR to another folder.`,
    )
  }
  return () => lock.close()
}

/** Whether a server holds the folder. */
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
