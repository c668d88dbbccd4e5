import { Database } from "bun:sqlite"
import { expect, spyOn, test } from "bun:test"
import { databasePath } from "../../../src/store/store.ts"
import { freshStore } from "../harness.ts"

/** Tables with millions of rows in a store that has grown. */
const large = /^(?:SCAN|SEARCH) (?:runs|items|targets|run_log|ledger|deliveries)\b/
/** Queries by expiry, by owner, or for the oldest rows. */
const narrow =
  /\b(?:rowid|n|id|run_n)=\?|\b(?:ended_at|finished_at)<\?|INDEX runs_(?:deleted|dataset_deleted)\b|^SCAN run_log$/

test("rows to delete each minute are found without reading all stored ones", async () => {
  const { store, dataDir, close } = freshStore()
  const requested = new Set<string>()
  const spy = spyOn(Database.prototype, "query")
  await store.write("store.purge", { now: new Date().toISOString(), runDays: 30, logDays: 7 })
  for (const [sql] of spy.mock.calls) requested.add(sql)
  spy.mockRestore()
  const database = new Database(databasePath(dataDir), { readonly: true })
  const wide: string[] = []
  for (const sql of requested) {
    if (!/^\s*(?:select|delete|update)/i.test(sql)) continue
    const steps = database.query(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]
    for (const { detail } of steps)
      if (large.test(detail) && !narrow.test(detail)) wide.push(`${detail}: ${sql}`)
  }
  expect(requested.size).toBeGreaterThan(10)
  expect(wide).toEqual([])
  database.close()
  await close()
})
