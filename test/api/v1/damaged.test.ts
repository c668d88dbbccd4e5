import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { closeSync, openSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Installation } from "../process.ts"

const installation = new Installation({ TRAWL_RETENTION_DAYS: "0" })
const path = join(installation.folder, "data/trawl.db")
const items = 20_000
let key = ""

/** Creates a dataset of 10 MB, with random bytes in the middle of the file. */
beforeAll(async () => {
  key = (await installation.run("account", "create", "a@example.com")).stdout.trim().split("\n")[1]!
  const sqlite = new Database(path)
  sqlite.run(`
    INSERT INTO runs (n, id, dataset_id, slug, status, input, account_id, origin, item_count,
                      timeout_seconds, created_at, finished_at)
    SELECT 1, 'run_1', 'ds_1', 'pypi-package-scraper', 'succeeded', '{}', id, 'api', ${items},
           60, created_at, created_at FROM accounts`)
  sqlite.run(`
    WITH RECURSIVE places (seq) AS (SELECT 0 UNION ALL SELECT seq + 1 FROM places LIMIT ${items})
    INSERT INTO items SELECT 1, seq, 0, 0, '{"name":"' || hex(randomblob(200)) || '"}' FROM places`)
  sqlite.close()
  const file = openSync(path, "r+")
  const noise = crypto.getRandomValues(new Uint8Array(20 * 4096))
  writeSync(file, noise, 0, noise.length, Math.floor(statSync(path).size / 8192) * 4096)
  closeSync(file)
}, 120_000)
afterAll(() => installation.remove())

test("a damaged database is found by doctor, and no backup copies it", async () => {
  const doctor = await installation.run("doctor")
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toMatch(/fail +database +The database .* is damaged \(/)
  const backup = await installation.run("backup", join(installation.folder, "copy.db"))
  expect(backup.code).not.toBe(0)
  expect(backup.stderr).toContain("could not be written: database disk image is malformed")
}, 120_000)

test("an export that meets the damage is refused or cut off, with one log line", async () => {
  const service = await installation.serve()
  for (const format of ["jsonl", "csv"]) {
    const read = async () => {
      const response = await fetch(`${service.root}/api/v1/datasets/ds_1/items?format=${format}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      return response.text()
    }
    // Items of a table are read before its header is sent.
    const wanted = format === "csv" ? expect.stringContaining('"status":500') : "ECONNRESET"
    expect(await read().catch((error) => error.code)).toEqual(wanted)
  }
  expect((await fetch(`${service.root}/healthz`)).status).toBe(200)
  expect(await service.end()).toBe(0)
  const reported = service.lines.filter(({ level }) => level === "error")
  expect(reported.length).toBe(2)
  for (const { msg, err } of reported) {
    expect(msg).toMatch(/^The database is damaged .* restore a backup\.$/)
    expect(err).toBeUndefined()
  }
  expect(service.noise).toEqual([])
}, 120_000)
