import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { Type } from "@sinclair/typebox"
import { sql } from "kysely"
import { Readings } from "../../../src/api/http/stream.ts"
import { LocalReader, type Reader } from "../../../src/api/reading/reader.ts"
import type { Requested } from "../../../src/api/reading/responses.ts"
import { ThreadReader } from "../../../src/api/reading/thread-reader.ts"
import { kyselyOver, openSqlite } from "../../../src/store/db/database.ts"
import { accountRuns, countRuns, type RunFilter } from "../../../src/store/runs/run-lists.ts"
import { runById } from "../../../src/store/runs/runs.ts"
import { isOnPostgres, type TestAccount, TestApp } from "../app.ts"

const items = 30_000
let app: TestApp
let account: TestAccount
let threaded: ThreadReader
let exported: Extract<Requested, { name: "items" }>["with"]
beforeAll(async () => {
  app = await TestApp.open()
  account = await app.account()
  const run = await app.run(account.key, ["seed"])
  const { n: runN } = (await runById(app.store.db, run.id))!
  await app.direct(async (db) => {
    await sql`
      INSERT INTO items (run_n, seq, idx, is_error, body)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.lit(items)})
      SELECT ${sql.lit(runN)}, 1, i, 0, '{"word":"w' || i || '","place":' || i || ',"list":["a","b"]}' FROM n`.execute(
      db,
    )
    await sql`
      INSERT INTO runs (id, dataset_id, slug, status, input, account_id, origin, timeout_seconds, created_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      SELECT 'run_' || i, 'ds_' || i, 'slug-' || (i % 3), CASE i % 2 WHEN 0 THEN 'failed' ELSE 'succeeded' END,
        '{"n":' || i || '}', ${sql.lit(account.id)}, 'api', 60,
        '2026-01-01T00:00:00.' || substr(CAST(1000 + i % 1000 AS TEXT), 2) || 'Z' FROM n`.execute(
      db,
    )
  })
  threaded = new ThreadReader(app.store.database)
  const schema = Type.Object({ word: Type.String(), place: Type.Integer() })
  exported = {
    runs: [{ n: runN, items: items + 1 }],
    format: "csv",
    limit: Number.POSITIVE_INFINITY,
    offset: 0,
    clean: false,
    errors: false,
    schema: JSON.parse(JSON.stringify(schema)),
  }
})
afterAll(() => {
  threaded.stop()
  return app.close()
})

async function textOf(
  reader: Reader,
  requested: Requested,
): Promise<{ text: string; chunks: number }> {
  const reading = reader.read(requested)
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let text = ""
  let chunks = 0
  for (let chunk = await reading.next(); chunk; chunk = await reading.next()) {
    text += decoder.decode(chunk, { stream: true })
    chunks++
  }
  return { text, chunks }
}

describe("responses made by a separate thread", () => {
  const page = { limit: 120, offset: 7 }
  const cases: (() => Requested)[] = [
    () => ({ name: "items", with: exported }),
    () => ({ name: "items", with: { ...exported, format: "jsonl" } }),
    () => ({ name: "items", with: { ...exported, format: "json", limit: 1000 } }),
    () => ({ name: "runs", with: { accountId: account.id, filter: {}, page, root: "http://x" } }),
    () => ({
      name: "runs",
      with: { accountId: account.id, filter: { slug: "slug-1" }, page, root: "" },
    }),
    () => ({ name: "datasets", with: { accountId: account.id, page, root: "http://x" } }),
    () => ({ name: "ledger", with: { accountId: account.id, page } }),
    () => ({ name: "log", with: { runN: exported.runs[0]!.n, page } }),
    () => ({ name: "batches", with: { accountId: account.id, page, root: "" } }),
    () => ({
      name: "usage",
      with: { days: { from: "2026-01-01", to: "2026-01-02" }, filter: {}, by: ["day"] },
    }),
    () => ({ name: "deliveries", with: { webhookId: "whk_none", page } }),
  ]
  for (const requested of cases) {
    test(`${requested.toString().replace(/\s+/g, " ").slice(6, 70)} …`, async () => {
      const { text } = await textOf(threaded, requested())
      expect(text).toBe((await textOf(new LocalReader(app.store.db), requested())).text)
      expect(text.length).toBeGreaterThan(30)
    })
  }

  test("a page is the newest items in order, with the total of the list", async () => {
    const filter = { status: "failed" as const }
    const requested = { accountId: account.id, filter, page, root: "" }
    const { text } = await textOf(threaded, { name: "runs", with: requested })
    const { items: runs, total } = JSON.parse(text)
    expect(runs.map((run: { id: string }) => run.id)).toEqual(
      Array.from({ length: 120 }, (_, index) => `run_${3000 - 2 * (7 + index)}`),
    )
    expect(total).toBe(1500)
  })

  test("a failure in the thread is an error here, and the next response is made", async () => {
    const lost = new ThreadReader("/nonexistent/trawl.db")
    await expect(lost.read({ name: "items", with: exported }).next()).rejects.toThrow()
    lost.stop()
    const broken = { ...exported, fields: 5 as never }
    await expect(threaded.read({ name: "items", with: broken }).next()).rejects.toThrow()
    expect((await textOf(threaded, { name: "items", with: exported })).text).toContain("w30000")
  })

  test.skipIf(process.platform !== "linux")(
    "the thread has a lower priority if processors are short",
    async () => {
      await textOf(threaded, { name: "items", with: { ...exported, limit: 1 } })
      const nice = readdirSync("/proc/self/task").map((task) => {
        const fields = readFileSync(`/proc/self/task/${task}/stat`, "utf8").replace(/^.*\) /, "")
        return { task: Number(task), nice: Number(fields.split(" ")[16]) }
      })
      const own = nice.find(({ task }) => task === process.pid)!.nice
      expect(nice.some((one) => one.nice > own)).toBe(true)
    },
  )

  // The process's main thread has the process's ID.
  const stat = `/proc/self/task/${process.pid}/stat`
  test.skipIf(!existsSync(stat))(
    "the main thread does almost none of the work",
    async () => {
      const scheduledRuns = (file: string) => {
        const fields = readFileSync(file, "utf8")
          .replace(/^.*\) /, "")
          .split(" ")
        return Number(fields[11]) + Number(fields[12])
      }
      const before = { own: scheduledRuns(stat), all: scheduledRuns("/proc/self/stat") }
      await Promise.all(
        Array.from({ length: 4 }, () => textOf(threaded, { name: "items", with: exported })),
      )
      const own = scheduledRuns(stat) - before.own
      const all = scheduledRuns("/proc/self/stat") - before.all
      expect(all).toBeGreaterThan(20)
      expect(own).toBeLessThan(all / 3)
    },
    240_000,
  )
})

test("without a thread, other work still runs between chunks", async () => {
  let turns = 0
  let counting = true
  const count = () => {
    turns++
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  const { chunks } = await textOf(new LocalReader(app.store.db), { name: "items", with: exported })
  counting = false
  expect(chunks).toBeGreaterThan(10)
  expect(turns).toBeGreaterThanOrEqual(chunks)
})

// PostgreSQL chooses by its own statistics.
describe.skipIf(isOnPostgres)("lists are read from indices", () => {
  const after = { createdAfter: "2026-01-01T00:00:00.500Z" }
  // All rows of an account can be counted in either of its two indices.
  const either = "USING COVERING INDEX runs_by_account(?:_status|_slug)? "
  const stored = "SEARCH list_counts USING PRIMARY KEY "
  const cases: [filter: RunFilter, index: string, counted?: string][] = [
    [{}, "runs_by_account", stored],
    [{ status: "failed" }, "runs_by_account_status"],
    [{ slug: "slug-1" }, "runs_by_account_slug"],
    [{ slug: "slug-1", status: "failed" }, "runs_by_account_s(?:lug|tatus)"],
    [after, "runs_by_account", either],
    [{ ...after, status: "failed" }, "runs_by_account_status"],
    [{ hasDataset: true }, "runs_with_dataset", stored],
  ]
  for (const [filter, index, counted = `USING COVERING INDEX ${index} `] of cases) {
    test(Object.keys(filter).join(" and ") || "all", async () => {
      const sqlite = openSqlite(app.store.database, "read")
      const requested: string[] = []
      const query = sqlite.query.bind(sqlite)
      sqlite.query = ((sql: string) => {
        requested.push(sql)
        return query(sql)
      }) as typeof sqlite.query
      const db = kyselyOver(sqlite)
      expect(await countRuns(db, account.id, filter)).toBeGreaterThan(0)
      for await (const _ of accountRuns(db, account.id, filter, { limit: 1, offset: 0 })) break
      const [counting, listing] = requested.map((sql) => {
        const rows = query(`EXPLAIN QUERY PLAN ${sql}`).all(
          ...sql.matchAll(/\?/g).map(() => null),
        ) as { detail: string }[]
        return rows.map((row) => row.detail).join("; ")
      })
      expect(counting).toMatch(new RegExp(counted))
      expect(listing).toMatch(new RegExp(`INDEX ${index} `))
      expect(listing).not.toContain("TEMP B-TREE")
      sqlite.close()
    })
  }
})

describe("no one can keep responses open for long", () => {
  /** A response that never ends, and counts how many are open. */
  class Endless implements Reader {
    open = 0
    read() {
      this.open++
      return {
        next: async () => new Uint8Array(1024),
        cancel: () => void this.open--,
      }
    }
    stop() {}
  }
  const requested: Requested = { name: "log", with: { runN: 1, page: { limit: 1, offset: 0 } } }

  test("an account has a hundred at once, and others their own", async () => {
    const reader = new Endless()
    const answers = new Readings(reader)
    const open = []
    for (let count = 0; count < 100; count++)
      open.push(await answers.send({ url: "" }, "acc_a", requested))
    await expect(answers.send({ url: "" }, "acc_a", requested)).rejects.toMatchObject({
      status: 429,
    })
    await (await answers.send({ url: "" }, "acc_b", requested)).body!.cancel()
    await open[0]!.body!.cancel()
    open.push(await answers.send({ url: "" }, "acc_a", requested))
    for (const one of open.slice(1)) await one.body!.cancel()
    expect(reader.open).toBe(0)
  })

  test("a reader that consumes nothing loses its slot", async () => {
    const reader = new Endless()
    const answers = new Readings(reader, { idleMs: 20 })
    const stream = (await answers.send({ url: "" }, "acc_a", requested)).body!.getReader()
    await stream.read()
    while (reader.open > 0) await Bun.sleep(5)
    await expect(
      (async () => {
        while (!(await stream.read()).done);
      })(),
    ).rejects.toThrow("too long")
  })
})
