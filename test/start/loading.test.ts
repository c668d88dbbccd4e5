import { Database } from "bun:sqlite"
import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openStore } from "../../src/store/store.ts"
import { workWaits } from "../../src/store/upkeep/waiting.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-loading-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the output of loaded.ts with these arguments, run as a separate process. */
async function started(name: string, words: string[], settings: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "loaded.ts"), ...words], {
    env: {
      PATH: process.env.PATH ?? "",
      TRAWL_PORT: "0",
      TRAWL_DATA_DIR: join(folder, name),
      TRAWL_LOG_LEVEL: "silent",
      ...settings,
    },
    stdout: "pipe",
    stderr: "inherit",
  })
  return JSON.parse(await new Response(child.stdout).text())
}

/** A data folder with rows, without checks of their references. */
async function folderWith(name: string, table: string, columns: Record<string, string>) {
  const path = join(folder, name)
  await openStore(path).close()
  if (table === "") return path
  const sqlite = new Database(join(path, "trawl.db"))
  sqlite.run("PRAGMA foreign_keys = OFF")
  const known = sqlite.query(`PRAGMA table_info(${table})`).all() as {
    name: string
    type: string
    notnull: number
    dflt_value: string | null
  }[]
  const needed = known.filter((column) => column.notnull && column.dflt_value === null)
  const row = {
    ...Object.fromEntries(needed.map(({ name, type }) => [name, type === "INTEGER" ? 1 : "1"])),
    ...columns,
  }
  const names = Object.keys(row)
  sqlite
    .query(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`)
    .run(...Object.values(row))
  sqlite.close()
  return path
}

test("/healthz is answered before the scrapers are loaded, and the same after", async () => {
  const report = await started("idle", [])
  expect(report).toMatchObject({ atStart: false, afterAlive: false, afterList: true })
  expect(report.scrapers).toBeGreaterThan(100)
  expect(report.alive).toMatchObject({ status: 200, body: { status: "ok" } })
  expect(report.alive).toEqual(report.aliveStill)
})

test("a waiting run starts without a request", async () => {
  await folderWith("waiting", "runs", { status: "queued", input: "{}" })
  expect(await started("waiting", ["start"])).toEqual({ atStart: true })
})

test("the operator's overrides of tables are checked at the start", async () => {
  const settings = { TRAWL_UPSTREAM_X: "{}" }
  expect(await started("overridden", ["start"], settings)).toEqual({ atStart: true })
})

const later = "2099-01-01T00:00:00.000Z"
const states: [what: string, waits: boolean, table: string, columns: Record<string, string>][] = [
  ["nothing", false, "", {}],
  ["a queued run", true, "runs", { status: "queued" }],
  ["a run that was running", true, "runs", { status: "running" }],
  ["a run that was being aborted", true, "runs", { status: "aborting" }],
  ["a run that has finished", false, "runs", { status: "succeeded" }],
  ["a run that waits for its time", true, "runs", { status: "queued", not_before: later }],
  ["a schedule", true, "schedules", { next_at: later, misfire_policy: "skip" }],
  ["a schedule that is off", false, "schedules", { misfire_policy: "skip" }],
  ["a webhook's delivery", true, "deliveries", { next_at: later }],
  ["a delivery that is done", false, "deliveries", {}],
]
test.each(states)("work waits with %s: %p", async (what, waits, table, columns) => {
  const store = openStore(await folderWith(`state ${what}`, table, columns))
  try {
    expect(await workWaits(store.db)).toBe(waits)
  } finally {
    await store.close()
  }
})
