import { Database } from "bun:sqlite"
import { afterEach, expect, test } from "bun:test"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { migrations } from "../../src/store/db/migrate.ts"
import { Installation } from "../api/process.ts"

const fixtures = join(import.meta.dir, "../fixtures/databases")
const made: Installation[] = []
afterEach(async () => {
  for (const installation of made.splice(0)) await installation.remove()
})

/** A data folder of an earlier version. */
async function released() {
  const installation = new Installation({ TRAWL_RETENTION_DAYS: "0" })
  made.push(installation)
  const dataDir = join(installation.folder, "data")
  mkdirSync(dataDir, { mode: 0o700 })
  const path = join(dataDir, "trawl.db")
  const sqlite = new Database(path, { create: true })
  sqlite.run(await Bun.file(join(fixtures, "schema-001.sql")).text())
  sqlite.close()
  return { installation, path, copy: `${path}.before-upgrade` }
}

function applied(path: string): number {
  const sqlite = new Database(path, { readonly: true })
  const row = sqlite.query("SELECT count(*) AS count FROM migrations").get()
  sqlite.close()
  return (row as { count: number }).count
}

test("the database is copied before it is migrated, and can be put back", async () => {
  const { installation, path, copy } = await released()
  const before = applied(path)
  const service = await installation.serve()
  expect(applied(path)).toBe(migrations.length)
  const refused = await installation.run("restore", "--before-upgrade")
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("serves from")])

  // A second service is refused, and migrates nothing.
  const bytes = readFileSync(copy)
  const sqlite = new Database(path)
  // The service writes as it starts.
  sqlite.run("PRAGMA busy_timeout = 10000")
  sqlite.run("DELETE FROM migrations WHERE id = ?", [migrations.at(-1)!.id])
  sqlite.close()
  const second = await installation.run("serve")
  expect([second.code, second.stderr]).toEqual([2, expect.stringContaining("serves from")])
  expect(applied(path)).toBe(migrations.length - 1)
  expect(readFileSync(copy).equals(bytes)).toBe(true)

  expect(await service.end()).toBe(0)
  expect(applied(copy)).toBe(before)

  const restored = await installation.run("restore", "--before-upgrade")
  expect([restored.code, restored.stdout]).toEqual([0, `${copy} was restored.\n`])
  expect(applied(path)).toBe(before)

  // A second start copies it again; a backup replaces the copy.
  const again = await installation.serve()
  expect(await again.end()).toBe(0)
  expect(existsSync(copy)).toBe(true)
  const backup = join(installation.folder, "backup.db")
  expect((await installation.run("backup", backup)).code).toBe(0)
  expect(existsSync(copy)).toBe(false)
  const none = await installation.run("restore", "--before-upgrade")
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("Restore a backup instead")])
  for (const args of [["restore"], ["restore", backup, "--before-upgrade"]]) {
    expect((await installation.run(...args)).code).toBe(2)
  }
}, 120_000)

test("doctor reports the stored inputs that this version does not accept", async () => {
  const { installation, path } = await released()
  const inputs = async () => {
    const { stdout } = await installation.run("doctor")
    return /^(ok|note) +inputs +(.*)$/m.exec(stdout)!.slice(1)
  }
  expect(await inputs()).toEqual(["ok", expect.stringContaining("accepts")])
  const sqlite = new Database(path)
  const columns =
    "id, account_id, slug, input, cron, time_zone, missed, enabled, next_at, created_at"
  const rest =
    "'0 9 * * *', 'UTC', 'skip', 1, '2030-01-01T09:00:00.000Z', '2026-01-01T00:00:00.000Z'"
  for (const [id, input] of [
    ["sch_good", '{"urls":["https://a.example/"]}'],
    ["sch_bad", '{"urls":7}'],
  ]) {
    sqlite.run(
      `INSERT INTO schedules (${columns}) VALUES (?, 'acc_kept', 'url-to-markdown-scraper', ?, ${rest})`,
      [id!, input!],
    )
  }
  sqlite.close()
  const [state, text] = await inputs()
  expect(state).toBe("note")
  expect(text).toStartWith("schedule sch_bad: ")
  expect(text).toContain('"urls" must be')
}, 120_000)
