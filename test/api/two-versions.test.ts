import { describe, expect, test } from "bun:test"
import { cpSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Type } from "@sinclair/typebox"
import { type AnyScraper, defineScraper } from "../../src/catalogue/kit/index.ts"
import { ScheduleClock } from "../../src/engine/runtime/schedules/clock.ts"
import { openPostgres } from "../../src/store/db/postgres/client.ts"
import { itemBodies } from "../../src/store/runs/items.ts"
import { openStoreAt } from "../../src/store/store.ts"
import { freshDatabase, hasPostgres } from "../postgres.ts"
import { type TestAccount, TestApp } from "./app.ts"

/** A scraper in two versions: the later one has one more option. */
function version(options: Record<string, ReturnType<typeof Type.Integer>>): AnyScraper {
  return defineScraper({
    slug: "grown-scraper",
    name: "Grown",
    tagline: "For the tests of two versions",
    category: "web",
    tier: "free",
    input: Type.Object(
      { words: Type.Array(Type.String()), limit: Type.Integer({ default: 3 }), ...options },
      { additionalProperties: false },
    ),
    item: Type.Object({}),
    example: { words: ["a"], limit: 3 },
    targets: ({ words }) => words,
    async *scrape(word, ctx) {
      const { depth, limit } = ctx.input as { depth?: number; limit: number }
      yield { word, limit: limit.toFixed(), ...(depth !== undefined && { depth: depth.toFixed() }) }
    },
  }) as AnyScraper
}

const versions = {
  before: version({}),
  after: version({ depth: Type.Integer({ default: 2 }) }),
}

describe.skipIf(!hasPostgres)("two versions on one database", () => {
  const methods = [
    ["before", "after", { word: "a", limit: "3", depth: "2" }],
    ["after", "before", { word: "a", limit: "3" }],
  ] as const
  for (const [accepts, executes, item] of methods) {
    test(`the version ${executes} runs inputs that the version ${accepts} accepts`, async () => {
      const databaseUrl = await freshDatabase()
      const folders = ["one", "other"].map((name) =>
        mkdtempSync(join(tmpdir(), `trawl-versions-${name}-`)),
      ) as [string, string]
      const open = (name: keyof typeof versions, dataDir: string, runsPerAccount: number) =>
        TestApp.open({ databaseUrl, dataDir, runsPerAccount }, [versions[name]])
      // It executes no runs itself.
      const one = await open(accepts, folders[0], 0)
      const account = await one.account()
      const ids = await accepted(one, account)
      cpSync(join(folders[0], "trawl.key"), join(folders[1], "trawl.key"))
      await one.close()
      const other = await open(executes, folders[1], 5)
      for (const id of ids) {
        const run = (await other.runs.wait(id, 30_000))!
        expect([run.status, run.error_message]).toEqual(["succeeded", null])
        const items = await Array.fromAsync(itemBodies(other.store.db, run.n))
        expect(items.map((body) => JSON.parse(body))).toEqual([item])
      }
      await other.close()
    }, 60_000)
  }

  /** Starts a run, a batch and a scheduled run. Returns the IDs of their runs. */
  async function accepted(app: TestApp, { id: accountId, key }: TestAccount): Promise<string[]> {
    const input = { words: ["a"] }
    const run = await app.post("/api/v1/scrapers/grown-scraper/runs", { key, body: input })
    const body = { scraper: "grown-scraper", inputs: [input] }
    const batch = await app.post("/api/v1/batches", { key, body })
    const runs = await app.get(`/api/v1/batches/${batch.body.id}/runs`, { key })
    const schedule = await app.post("/api/v1/schedules", {
      key,
      body: { scraper: "grown-scraper", input, cron: "* * * * *" },
    })
    const { id } = schedule.body
    const set = { next_at: new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString() }
    await app.store.write("schedules.change", { id, accountId, set })
    const onError = (message: string) => expect(message).toBeUndefined()
    const { store, service } = app
    const scraper = (slug: string) => service.scraper(slug)
    await new ScheduleClock({ store, runs: app.runs, scraper, onError }).poll()
    const fired = await app.get(`/api/v1/schedules/${id}`, { key })
    return [run.body.id, runs.body.items[0].id, fired.body.recentRuns[0].runId]
  }

  test("a process continues after a later version migrated the database, and cannot start again", async () => {
    const databaseUrl = await freshDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), "trawl-versions-"))
    const app = await TestApp.open({ databaseUrl, dataDir }, [versions.before])
    const { key } = await app.account()
    const client = openPostgres(databaseUrl, 1)
    await client.unsafe("ALTER TABLE runs ADD COLUMN later TEXT")
    await client.unsafe("ALTER TABLE runs ADD COLUMN later_count BIGINT NOT NULL DEFAULT 0")
    await client.unsafe("INSERT INTO migrations (id, applied_at) VALUES ('999-later', '2030')")
    const run = await app.post("/api/v1/scrapers/grown-scraper/runs?waitForFinish=30", {
      key,
      body: { words: ["a"] },
    })
    expect(run.body.status).toBe("succeeded")
    const again = openStoreAt({ databaseUrl, dataDir })
    await expect(again).rejects.toThrow(/newer version of Trawl \(999-later\)/)
    await client.close()
    await app.close()
  }, 60_000)
})
