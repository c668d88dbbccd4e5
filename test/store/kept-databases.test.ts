import { Database } from "bun:sqlite"
import { afterEach, describe, expect, test } from "bun:test"
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dump, fill, schemaOf } from "../../scripts/keep-database.ts"
import { scraperFor } from "../../src/api/recipes/own-scrapers.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import { ScheduleClock } from "../../src/engine/runtime/schedules/clock.ts"
import { lastRunOf } from "../../src/store/automation/schedules.ts"
import { webhookById } from "../../src/store/automation/webhooks.ts"
import { migrate, migrations, pendingMigrations } from "../../src/store/db/migrate.ts"
import { openPostgres } from "../../src/store/db/postgres/client.ts"
import { DataRefused } from "../../src/store/db/refused.ts"
import { requeueCauseOf } from "../../src/store/runs/requeue.ts"
import { openStore, type StoreLocation } from "../../src/store/store.ts"
import type { RunRow } from "../../src/store/tables/schema.ts"
import { TestApp } from "../api/app.ts"
import { stored } from "../fixtures/databases/kept.ts"
import { freshDatabase, hasPostgres } from "../postgres.ts"
import { everyNth } from "../samples.ts"

const fixtures = join(import.meta.dir, "../fixtures/databases")
const names = [...new Bun.Glob("schema-*.sql").scanSync(fixtures)]
const schemas = names
  .filter((name) => !name.endsWith(".postgres.sql"))
  .map((name) => name.slice(0, -4))
const text = (name: string) => readFileSync(join(fixtures, `${name}.sql`), "utf8")

const folders: string[] = []
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
})

function freshFolder(): string {
  const made = mkdtempSync(join(tmpdir(), "trawl-kept-"))
  folders.push(made)
  copyFileSync(join(fixtures, "trawl.key"), join(made, "trawl.key"))
  return made
}

function onSqlite(schema: string): StoreLocation {
  const dataDir = freshFolder()
  const sqlite = new Database(join(dataDir, "trawl.db"), { create: true })
  sqlite.run(text(schema))
  sqlite.close()
  return { dataDir }
}

async function onPostgres(schema: string): Promise<StoreLocation> {
  const databaseUrl = await freshDatabase()
  const client = openPostgres(databaseUrl, 1)
  await client.unsafe(text(`${schema}.postgres`))
  await client.close()
  return { dataDir: freshFolder(), databaseUrl }
}

const page = (title: string) =>
  `<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${"Words of a product. ".repeat(30)}</p></body></html>`

/** Serves the shop that the stored runs read. */
const shop = {
  send: async ({ url }: { url: string }) => ({
    status: url.endsWith("robots.txt") ? 404 : 200,
    headers: new Headers({ "content-type": "text/html" }),
    bytes: new TextEncoder().encode(page(new URL(url).pathname.split("/").at(-1)!)),
    via: "http" as const,
    firstByte: null,
  }),
}

for (const [database, place, isThere] of [
  ["SQLite", onSqlite, true],
  ["PostgreSQL", onPostgres, hasPostgres],
] as const) {
  describe.skipIf(!isThere)(`a database of an earlier version on ${database}`, () => {
    for (const schema of everyNth(schemas, schemas.length - 1)) {
      test(`${schema}: rows can be read, and stored runs, batches, recipes and schedules run`, async () => {
        const app = await TestApp.open(
          await place(schema),
          catalogue.filter(({ slug }) => /^(?:web|pypi-package)-scraper$/.test(slug)),
          undefined,
          shop,
        )
        try {
          expect(app.store.warnings).toEqual([])
          await app.runs.ready
          const get = async (path: string) => (await app.get(path, { key: stored.key })).body
          const ended = (id: string) => get(`/api/v1/runs/${id}?waitForFinish=30`)
          const [finished, , waiting] = stored.runs
          const itemsOf = async (id: string) => (await get(`/api/v1/datasets/${id}/items`)).items
          expect(await itemsOf(finished!.datasetId)).toEqual(finished!.items)
          const { id, secret } = stored.webhook
          const hook = await webhookById(app.store.db, { id, accountId: stored.accountId })
          expect(app.store.secrets.open(hook!.secret, id)).toBe(secret)

          // Queued runs.
          expect(await ended(waiting!.id)).toMatchObject({ status: "succeeded", itemCount: 1 })
          expect(await itemsOf(waiting!.datasetId)).toMatchObject([{ data: { title: "lamp" } }])
          expect((await ended("run_queued")).status).toBe("failed")

          // Runs of a batch: the second has an invalid input, and is the only one that fails.
          expect(await ended("run_batch_1")).toMatchObject({ status: "succeeded", itemCount: 1 })
          const bad = await ended("run_batch_2")
          expect(bad.status).toBe("failed")
          expect(JSON.stringify(bad.error)).toContain('\\"fields\\" must be')
          const batch = await get(`/api/v1/batches/${stored.batch.id}`)
          expect(batch).toMatchObject({ status: "finished" })

          // A run of a schedule that runs a recipe.
          await new ScheduleClock({
            store: app.store,
            runs: app.runs,
            onError: (message) => expect(message).toBeUndefined(),
            scraper: (slug, accountId) => scraperFor(app.service, accountId, slug),
          }).poll()
          const fired = await ended((await lastRunOf(app.store.db, stored.schedule.id))!)
          expect(fired).toMatchObject({ status: "succeeded", recipe: stored.recipe.slug })
          expect(await itemsOf(fired.datasetId)).toMatchObject([{ data: { title: "chair" } }])
        } finally {
          await app.close()
        }
      }, 120_000)
    }
  })
}

test("a database of this version can be dumped", async () => {
  const dataDir = freshFolder()
  const store = openStore(dataDir)
  await fill(store)
  await store.close()
  expect(schemaOf(dump(join(dataDir, "trawl.db")))).toEqual(migrations.map(({ id }) => id))
})

describe("a run that an earlier version requeued", () => {
  // Rows as the version with schema 005 wrote them.
  for (const [message, cause] of [
    ["Waiting to go on after a restart.", "stop"],
    ["Waiting to go on: others have their turn.", "room"],
    ["Waiting to go on after a crash of its worker.", "worker"],
    ["Waiting to go on: the database has lost some of it.", "lost"],
    ["Waiting to go on after an unexpected end of the service.", "process"],
  ] as const) {
    test(`has its cause before a worker takes it: ${cause}`, () => {
      const sqlite = new Database(":memory:")
      sqlite.run(text("schema-005"))
      const set = "UPDATE runs SET status_message = ? WHERE id = 'run_queued' RETURNING status"
      expect(sqlite.query(set).get(message)).toEqual({ status: "queued" })
      migrate(sqlite)
      const run = sqlite.query("SELECT * FROM runs WHERE id = 'run_queued'").get() as RunRow
      expect(requeueCauseOf(run)).toBe(cause)
    })
  }
})

describe("migrations of builds before the first release", () => {
  const opened = () => {
    const sqlite = new Database(":memory:")
    sqlite.run(text("schema-001"))
    return sqlite
  }
  const idsOf = (sqlite: Database) =>
    sqlite.query("SELECT id FROM migrations ORDER BY id").values().flat()

  test("count as the one that has replaced them", () => {
    const sqlite = opened()
    expect(pendingMigrations(sqlite)).toEqual(migrations.slice(1).map(({ id }) => id))
    migrate(sqlite)
    expect(idsOf(sqlite)).toEqual(migrations.map(({ id }) => id))
    expect(pendingMigrations(sqlite)).toEqual([])
    const fresh = new Database(":memory:")
    migrate(fresh)
    const objects = "SELECT type, name FROM sqlite_schema ORDER BY 1, 2"
    expect(sqlite.query(objects).values()).toEqual(fresh.query(objects).values())
    const columns =
      "SELECT t.name, c.* FROM sqlite_schema AS t, pragma_table_info(t.name) AS c ORDER BY t.name, c.cid"
    expect(sqlite.query(columns).values()).toEqual(fresh.query(columns).values())
  })

  test("of which some were not applied are refused, and nothing changes", () => {
    const sqlite = opened()
    sqlite.run("DELETE FROM migrations WHERE id = '029-host-parts'")
    expect(() => migrate(sqlite)).toThrow(/before its first version, and lacks 029-host-parts/)
    expect(idsOf(sqlite)).toHaveLength(28)
  })

  test("are refused when the database lacks an index or a column; nothing changes", () => {
    const sqlite = opened()
    sqlite.run("DROP INDEX runs_by_end")
    expect(() => migrate(sqlite)).toThrow(/lacks the index runs_by_end/)
    expect(idsOf(sqlite)).toContain("001-runs")
  })
})

describe("a database", () => {
  test("whose migration was another one is refused", () => {
    const sqlite = new Database(":memory:")
    migrate(sqlite)
    sqlite.run("UPDATE migrations SET hash = ? WHERE id = '002-queue'", ["0".repeat(64)])
    expect(() => pendingMigrations(sqlite)).toThrow(/another build of Trawl, whose 002-queue/)
    expect(() => migrate(sqlite)).toThrow(DataRefused)
  })

  test("of a newer version or of another program is refused", () => {
    const sqlite = new Database(":memory:")
    migrate(sqlite)
    sqlite.run("INSERT INTO migrations (id, applied_at) VALUES ('999-later', '2030')")
    expect(() => migrate(sqlite)).toThrow(/newer version of Trawl \(999-later\)/)
    const other = new Database(":memory:")
    other.run("CREATE TABLE notes (text TEXT)")
    expect(() => migrate(other)).toThrow(/database of another program/)
  })
})
