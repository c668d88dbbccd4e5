import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrations } from "../../../src/store/db/migrate.ts"
import { databasePath } from "../../../src/store/upkeep/data-folder.ts"
import { emptyDatabase } from "../../../src/store/upkeep/empty-database.ts"
import { prepareDatabase } from "../../../src/store/upkeep/prepare.ts"

const bytesAt = (path: string) => new Uint8Array(readFileSync(path))

test("a new database has a WAL and the time at which it was created", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-new-database-"))
  const before = new Date().toISOString()
  prepareDatabase(dataDir)
  const path = databasePath(dataDir)
  // Format versions for writers and readers, https://sqlite.org/fileformat.html.
  expect([...bytesAt(path).subarray(18, 20)]).toEqual([2, 2])
  const sqlite = new Database(path, { readonly: true })
  const applied = sqlite.query("SELECT id, applied_at FROM migrations ORDER BY id").all() as {
    id: string
    applied_at: string
  }[]
  expect(applied.map(({ id }) => id)).toEqual(migrations.map(({ id }) => id))
  for (const { applied_at } of applied) expect(applied_at >= before).toBe(true)
  expect(sqlite.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" })
  expect(sqlite.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" })
  sqlite.close()
  rmSync(dataDir, { recursive: true })
})

test("each new database has its own secrets", () => {
  const secretsOf = () => {
    const dataDir = mkdtempSync(join(tmpdir(), "trawl-new-database-"))
    prepareDatabase(dataDir)
    const sqlite = new Database(databasePath(dataDir), { readonly: true })
    const rows = sqlite.query("SELECT value FROM secrets").all() as { value: string }[]
    sqlite.close()
    rmSync(dataDir, { recursive: true })
    return rows.map(({ value }) => value)
  }
  const all = [...secretsOf(), ...secretsOf()]
  expect(all.length).toBeGreaterThanOrEqual(4)
  for (const value of all) expect(value).toMatch(/^[0-9a-f]{40}$/)
  expect(new Set(all).size).toBe(all.length)
})

// Random values of a migration would be the same in all databases of one build.
test("the empty database of an executable is the same at each build", () => {
  expect(emptyDatabase()).toEqual(emptyDatabase())
})
