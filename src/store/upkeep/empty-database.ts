import { Database } from "bun:sqlite"
import { migrate } from "../db/migrate.ts"

/**
 * Returns the bytes of a database that has all migrations, but neither the time when they were applied nor
 * secrets. They are the same each time: in the executable, build.ts replaces this module by its result, because
 * the migrations take 35 ms and the result 3. `prepareDatabase` adds times and secrets.
 */
export function emptyDatabase(): Uint8Array {
  const memory = new Database(":memory:")
  migrate(memory)
  // Overwrites the old values, too.
  memory.run("PRAGMA secure_delete = ON")
  memory.run("UPDATE migrations SET applied_at = ''")
  memory.run("UPDATE secrets SET value = ''")
  const bytes = memory.serialize()
  memory.close()
  return bytes
}
