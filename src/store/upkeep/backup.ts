import { Database } from "bun:sqlite"
import { existsSync, renameSync, rmSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { messageOf } from "../../base/error-message.ts"
import { openSqlite } from "../db/database.ts"
import { DataRefused } from "../db/refused.ts"
import { databasePath } from "./data-folder.ts"

/**
 * Writes a snapshot of the database to a new file without blocking writers. The file appears once it
 * is complete and checked. @throws DataRefused
 */
export function backUp(dataDir: string, file: string): void {
  const part = `${file}.part`
  removePart(part)
  try {
    copy(databasePath(dataDir), part)
    check(part)
    renameSync(part, file)
  } catch (error) {
    throw new DataRefused(`The backup ${file} could not be written: ${reasonOf(error, file)}.`, {
      cause: error,
    })
  } finally {
    // A failed copy must not use space that may have been missing.
    removePart(part)
  }
}

function reasonOf(error: unknown, file: string): string {
  const isThere = existsSync(dirname(resolve(file)))
  return isThere ? messageOf(error) : "its folder does not exist; create it first"
}

function copy(path: string, part: string): void {
  const source = openSqlite(path, "read")
  try {
    source.run("VACUUM INTO ?", [part])
  } finally {
    source.close()
  }
}

function check(file: string): void {
  const sqlite = new Database(file, { readonly: true })
  try {
    const row = sqlite.query("PRAGMA integrity_check").get() as { integrity_check: string }
    if (row.integrity_check !== "ok") throw new Error(`the copy is damaged: ${row.integrity_check}`)
  } finally {
    sqlite.close()
  }
}

function removePart(part: string): void {
  for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(part + end, { force: true })
}
