import { Database } from "bun:sqlite"
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { messageOf } from "../../base/error-message.ts"
import { openSqlite } from "../db/database.ts"
import { migrate } from "../db/migrate.ts"
import { databasePath, keyPath, makeDataFolder, readableByOthers } from "./data-folder.ts"
import { emptyDatabase } from "./empty-database.ts"
import { encryptSecrets, lostSecrets, SecretBox } from "./secret-box.ts"
import { checkAtStart, damaged, endedUncleanly, isDamage, requireWhole } from "./soundness.ts"
import { copyBeforeUpgrade } from "./upgrade-copy.ts"

/** The database of a data folder, ready to be opened. */
export interface Prepared {
  secrets: SecretBox
  /** Warnings for the operator. */
  warnings: string[]
}

/**
 * Creates or upgrades the database of a data folder, and refuses a damaged one. `check` reads all
 * of it if it was not closed. @throws DataRefused
 */
export function prepareDatabase(dataDir: string, check = false): Prepared {
  makeDataFolder(dataDir)
  const path = databasePath(dataDir)
  try {
    if (!existsSync(path)) createDatabase(path)
    requireWhole(path)
    const unread = check && endedUncleanly(path) ? checkAtStart(path) : []
    const secrets = SecretBox.at(keyPath(dataDir))
    const sqlite = openSqlite(path, "write")
    try {
      copyBeforeUpgrade(dataDir, sqlite)
      migrate(sqlite)
      encryptSecrets(sqlite, secrets)
      const lost = lostSecrets(sqlite, secrets)
      return { secrets, warnings: warningsOf(dataDir, unread, lost) }
    } finally {
      sqlite.close()
    }
  } catch (error) {
    throw isDamage(error) ? damaged(path, messageOf(error)) : error
  }
}

function warningsOf(dataDir: string, unread: string[], lost: number): string[] {
  const open = readableByOthers(dataDir)
  return [
    open.length > 0 && openSentence(open),
    unread.length > 0 &&
      `Trawl ended without closing the database. The database is so large that ${unread.join(", ")} were not checked. Run \`trawl doctor\` to check all of it.`,
    lost > 0 && lostSentence(dataDir, lost),
  ].filter((warning) => warning !== false)
}

export function openSentence(open: string[]): string {
  return `Other users of this machine can read ${open.join(", ")}. Restrict the permissions: chmod 700 for the folder, 600 for files.`
}

export function lostSentence(dataDir: string, count: number): string {
  return `The secrets of ${count} webhooks are encrypted with a key that is not in ${keyPath(dataDir)}, so that they cannot be used to sign. Add the line of the lost key file to that file, or rotate the secrets.`
}

/**
 * Format version of a database with a WAL, for readers and for writers. A new database already has it,
 * so that its first opening does not write and sync it.
 */
const walVersion = 2

/**
 * Creates the database under a temporary name, so that its final name never contains an incomplete
 * database.
 */
function createDatabase(path: string): void {
  const memory = Database.deserialize(emptyDatabase())
  memory.run("UPDATE migrations SET applied_at = ?", [new Date().toISOString()])
  memory.run("UPDATE secrets SET value = lower(hex(randomblob(20)))")
  const bytes = memory.serialize()
  memory.close()
  bytes.fill(walVersion, 18, 20)
  const part = `${path}.${process.pid}.new`
  try {
    const file = openSync(part, "w", 0o600)
    writeFileSync(file, bytes)
    fsyncSync(file)
    closeSync(file)
    provide(part, path)
  } finally {
    rmSync(part, { force: true })
  }
}

/** Renames a file, unless another process was first. */
function provide(part: string, path: string): void {
  try {
    linkSync(part, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return
    // The file system does not support hard links.
    renameSync(part, path)
  }
}
