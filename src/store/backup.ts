import { Database } from "bun:sqlite"
import { renameSync, rmSync } from "node:fs"
import { openSqlite } from "./database.ts"
import { databasePath } from "./store.ts"

/**
 * Writes the database as it stands at this moment to a new file; writers are not held up. The file
 * appears when it is whole and checked. @throws when the copy is not sound.
 */
export function backUp(dataDir: string, file: string): void {
  const part = `${file}.part`
  rmSync(part, { force: true })
  const source = openSqlite(databasePath(dataDir), "read")
  try {
    source.run("VACUUM INTO ?", [part])
  } finally {
    source.close()
  }
  check(part)
  renameSync(part, file)
}

function check(file: string): void {
  const copy = new Database(file, { readonly: true })
  const { integrity_check: result } = copy.query("PRAGMA integrity_check").get() as {
    integrity_check: string
  }
  copy.close()
  if (result !== "ok") throw new Error(`The copy is not sound: ${result}`)
}
