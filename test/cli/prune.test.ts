import { Database } from "bun:sqlite"
import { afterAll, expect, test } from "bun:test"
import { join } from "node:path"
import { databasePath } from "../../src/store/store.ts"
import { Installation } from "../api/process.ts"

const installation = new Installation()
const dataDir = join(installation.folder, "data")
afterAll(() => installation.remove())

test("--compact erases the runs that are marked as deleted before it shrinks the file", async () => {
  await installation.run("account", "create", "op@example.com")
  const sqlite = new Database(databasePath(dataDir))
  const at = "2026-01-02T03:04:05.000Z"
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
  // More than one step of a purge erases; the last run is not deleted.
  sqlite.run(
    `INSERT INTO runs (id, dataset_id, slug, status, input, origin, timeout_seconds, created_at, finished_at, deleted_at)
     ${numbers} SELECT 'run_' || i, 'ds_' || i, 'web-scraper', 'succeeded', '{}', 'api', 60, ?1, ?1,
       CASE WHEN i < 2000 THEN ?1 END FROM n`,
    [at],
  )
  sqlite.run("UPDATE runs SET account_id = (SELECT id FROM accounts)")
  sqlite.run(`INSERT INTO items (run_n, seq, idx, body) SELECT n, 0, 0, '{"a":1}' FROM runs`)
  sqlite.close()

  const { code, stdout, stderr } = await installation.run("prune", "--compact")
  expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining("before")])

  const after = new Database(databasePath(dataDir), { readonly: true })
  expect(after.query("SELECT id FROM runs").all()).toEqual([{ id: "run_2000" }])
  expect(after.query("SELECT count(*) AS items FROM items").get()).toEqual({ items: 1 })
  expect(after.query("PRAGMA freelist_count").get()).toEqual({ freelist_count: 0 })
  after.close()
}, 180_000)
