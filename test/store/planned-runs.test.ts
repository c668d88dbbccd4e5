import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrations } from "../../src/store/migrate.ts"
import { openPostgres } from "../../src/store/postgres/client.ts"
import { asPostgres } from "../../src/store/postgres/translate.ts"
import { openStoreAt } from "../../src/store/store.ts"
import { hashOf } from "../../src/store/upkeep/migration-hashes.ts"
import { TestApp } from "../api/app.ts"
import { freshDatabase, hasPostgres } from "../postgres.ts"

const at = "2026-05-01T10:00:00.000Z"
const before = migrations.slice(
  0,
  migrations.findIndex(({ id }) => id === "031-queue"),
)

/** What the version before left: runs that were planned and not started yet. */
const rows = [
  `INSERT INTO accounts (id, email, created_at, balance, unlimited) VALUES ('acc_a', 'a@example.com', '${at}', 100, 0)`,
  `INSERT INTO batches (id, account_id, size, created_at) VALUES ('bat_a', 'acc_a', 2, '${at}')`,
  `INSERT INTO batch_runs (batch_id, position, run_id) VALUES ('bat_a', 0, 'run_batch'), ('bat_a', 1, 'run_begun')`,
  `INSERT INTO schedules (id, account_id, slug, input, cron, time_zone, missed, enabled, created_at)
    VALUES ('sch_a', 'acc_a', 'words-scraper', '{"words":["tick"]}', '0 9 * * *', 'UTC', 'skip', 1, '${at}')`,
  `INSERT INTO schedule_ticks (schedule_id, due_at, fired_at, outcome, missed, run_id)
    VALUES ('sch_a', '${at}', '${at}', 'started', 0, 'run_tick')`,
  `INSERT INTO recipes (id, account_id, slug, name, pattern, input, created_at, updated_at)
    VALUES ('rcp_a', 'acc_a', 'my-recipe', 'Mine', 'https://a.example/*',
      '{"fields":["title: h1"],"urls":["https://a.example/old"]}', '${at}', '${at}')`,
  `INSERT INTO runs (id, dataset_id, slug, status, input, account_id, origin, timeout_seconds, created_at, finished_at)
    VALUES ('run_begun', 'ds_begun', 'words-scraper', 'succeeded', '{}', 'acc_a', 'batch', 60, '${at}', '${at}')`,
  `INSERT INTO planned_runs (run_id, account_id, slug, input, origin, key_id) VALUES
    ('run_batch', 'acc_a', 'words-scraper', '{"words":["late"]}', 'batch', 'key_a'),
    ('run_begun', 'acc_a', 'words-scraper', '{"words":["late"]}', 'batch', NULL),
    ('run_bad', 'acc_a', 'words-scraper', '{"words":7}', 'schedule', NULL),
    ('run_tick', 'acc_a', 'words-scraper', '{"words":["tick"]}', 'schedule', NULL),
    ('run_recipe', 'acc_a', 'my-recipe', '{"urls":["https://a.example/new"]}', 'schedule', NULL)`,
]

async function onSqlite(dataDir: string): Promise<{ dataDir: string }> {
  const sqlite = new Database(join(dataDir, "trawl.db"), { create: true })
  sqlite.run("CREATE TABLE migrations (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL, hash TEXT)")
  for (const { id, sql, sqlite: own = "" } of before) {
    sqlite.run(sql + own)
    sqlite.run("INSERT INTO migrations VALUES (?, ?, ?)", [id, at, hashOf(sql)])
  }
  for (const row of rows) sqlite.run(row)
  sqlite.close()
  return { dataDir }
}

async function onPostgres(dataDir: string): Promise<{ dataDir: string; databaseUrl: string }> {
  const databaseUrl = await freshDatabase()
  const client = openPostgres(databaseUrl, 1)
  await client.unsafe(
    asPostgres(
      "CREATE TABLE migrations (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL, hash TEXT)",
    ),
  )
  for (const { id, sql, postgres = "" } of before) {
    await client.unsafe(asPostgres(sql) + postgres)
    await client`INSERT INTO migrations (id, applied_at, hash) VALUES (${id}, ${at}, ${hashOf(sql)})`
  }
  for (const row of rows) await client.unsafe(row)
  await client.close()
  return { dataDir, databaseUrl }
}

const stores = [
  ["SQLite", onSqlite, true],
  ["PostgreSQL", onPostgres, hasPostgres],
] as const

for (const [name, prepared, isThere] of stores) {
  describe.skipIf(!isThere)(`runs that the version before planned, on ${name}`, () => {
    test("are queued, and run; one that cannot begin fails alone", async () => {
      const dataDir = mkdtempSync(join(tmpdir(), "trawl-planned-"))
      try {
        const place = await prepared(dataDir)
        const store = await openStoreAt(place)
        const stored = await store.db.selectFrom("runs").selectAll().orderBy("id").execute()
        await store.close()
        const shown = stored.map((run) => [
          run.id,
          run.status,
          run.origin,
          run.key_id,
          run.created_at,
        ])
        expect(shown).toEqual([
          ["run_bad", "queued", "schedule", null, at],
          ["run_batch", "queued", "batch", "key_a", at],
          ["run_begun", "succeeded", "batch", null, at],
          ["run_recipe", "queued", "schedule", null, at],
          ["run_tick", "queued", "schedule", null, at],
        ])
        const recipe = stored.find(({ id }) => id === "run_recipe")!
        expect([recipe.slug, recipe.recipe, JSON.parse(recipe.input)]).toEqual([
          "web-scraper",
          "my-recipe",
          { fields: ["title: h1"], urls: ["https://a.example/new"] },
        ])
        const app = await TestApp.open(place)
        await app.runs.ready
        const ended = async (id: string) => (await app.runs.wait(id, 30_000))!
        expect(await ended("run_batch")).toMatchObject({ status: "succeeded", item_count: 1 })
        expect(await ended("run_tick")).toMatchObject({ status: "succeeded", targets_total: 1 })
        const bad = await ended("run_bad")
        expect([bad.status, bad.error_message]).toEqual([
          "failed",
          expect.stringContaining('"words" must be'),
        ])
        await app.close()
      } finally {
        rmSync(dataDir, { recursive: true, force: true })
      }
    }, 60_000)
  })
}
