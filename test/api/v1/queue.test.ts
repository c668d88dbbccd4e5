import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { defineScraper, inputObject, itemObject } from "../../../src/catalogue/kit/index.ts"
import { queuedRuns } from "../../../src/store/runs/runs.ts"
import { freshDatabase, hasPostgres } from "../../postgres.ts"
import { type TestAccount, TestApp } from "../app.ts"
import { Gate, testScrapers } from "../scrapers.ts"

const gate = new Gate()
const operatorToken = "trawl_the-operators-token"
/** A scraper whose targets cannot be created. */
const broken = defineScraper({
  slug: "broken-scraper",
  name: "Broken",
  tagline: "Breaks",
  category: "data",
  tier: "free",
  input: inputObject({ words: Type.Array(Type.String()) }),
  item: itemObject({}),
  example: { words: [] },
  targets(): string[] {
    throw new TypeError("undefined is not an object")
  },
  async *scrape() {},
})

const stores = [
  ["SQLite", true, async () => ({})],
  ["PostgreSQL", hasPostgres, async () => ({ databaseUrl: await freshDatabase() })],
] as const

for (const [name, isThere, place] of stores) {
  describe.skipIf(!isThere)(`queued runs on ${name}`, () => {
    let app: TestApp
    beforeAll(async () => {
      const scrapers = [...testScrapers(gate), broken]
      app = await TestApp.open({ runsPerAccount: 1, ...(await place()) }, scrapers, operatorToken)
    }, 60_000)
    afterAll(async () => {
      gate.release()
      await app.close()
    }, 60_000)

    const start = async (account: TestAccount, words: string[], query = "") => {
      const path = `/api/v1/scrapers/words-scraper/runs${query}`
      return (await app.post(path, { key: account.key, body: { words } })).body
    }
    const read = async (id: string) => (await app.runs.wait(id, 0))!
    const ended = async (id: string) => (await app.runs.wait(id, 30_000))!

    test("one that no worker claims in time expires", async () => {
      gate.reset()
      const account = await app.account()
      const first = await start(account, ["slow"])
      const late = await start(account, ["late"], "?expiresAfter=1")
      const run = await ended(late.id)
      expect(run).toMatchObject({
        status: "timed_out",
        error_code: "expired",
        error_message: "No worker started the run within 1 s (expiresAfter).",
        started_at: null,
      })
      gate.release()
      expect((await ended(first.id)).status).toBe("succeeded")
      const bad = await app.post("/api/v1/scrapers/words-scraper/runs?expiresAfter=0", {
        key: account.key,
        body: { words: ["a"] },
      })
      expect(bad.status).toBe(400)
    })

    test("within an account, waiting calls come before others, and these before batches", async () => {
      gate.reset()
      const account = await app.account()
      const first = await start(account, ["slow"])
      while ((await read(first.id)).status !== "running") await Bun.sleep(10)
      const { body: batch } = await app.post("/api/v1/batches", {
        key: account.key,
        body: {
          scraper: "words-scraper",
          inputs: [{ words: ["batch"] }, { words: ["batch"] }],
        },
      })
      const call = await start(account, ["call"])
      const waiting = start(account, ["waiting"], "?waitForFinish=60")
      while ((await queuedRuns(app.store.db)).length < 4) await Bun.sleep(10)
      gate.release()
      const waited = await waiting
      await ended(call.id)
      const { body: runs } = await app.get(`/api/v1/batches/${batch.id}/runs`, { key: account.key })
      const batched = await Promise.all(runs.items.map(({ id }: { id: string }) => ended(id)))
      const startedRuns = [...batched, await read(call.id), await read(waited.id)]
        .sort((one, other) => (one.started_at! < other.started_at! ? -1 : 1))
        .map(({ input }) => JSON.parse(input).words[0])
      // Every fourth claim takes the oldest run of any kind.
      expect(startedRuns.at(-1)).toBe("batch")
      expect(startedRuns.filter((word) => word !== "batch")).toEqual(["waiting", "call"])
    })

    test("one that a user starts in the console comes before calls with a key", async () => {
      const body = {
        email: `${crypto.randomUUID()}@example.com`,
        password: "correct horse battery",
      }
      const { headers } = await app.post("/api/account", { body })
      const cookie = /trawl_session=[^;]*/.exec(headers.get("set-cookie") ?? "")![0]
      const own = { headers: { cookie, "sec-fetch-site": "same-origin" } }
      const { key } = await app.account()
      const path = "/api/v1/scrapers/words-scraper/runs"
      const input = { words: ["a"] }
      const byKey = await app.post(path, { key, body: input })
      const byConsole = await app.post(path, { ...own, body: input })
      const priorityOf = async ({ body }: { body: { id: string } }) =>
        (await read(body.id)).priority
      expect([await priorityOf(byConsole), await priorityOf(byKey)]).toEqual([0, 1])
    })

    test("one that cannot start delays no other, and fails with its reason", async () => {
      const account = await app.account()
      const { queued } = await app.store.write("batches.create", {
        id: `bat_${account.id}`,
        accountId: account.id,
        keyId: null,
        name: null,
        createdAt: new Date().toISOString(),
        runs: ["broken-scraper", "words-scraper"].map((slug) => ({
          runId: `run_${slug}${account.id}`,
          slug,
          recipe: null,
          input: '{"words":["a"]}',
        })),
      })
      app.runs.queued(queued)
      const [bad, good] = queued.map(({ id }) => id)
      expect((await ended(good!)).status).toBe("succeeded")
      while ((await read(bad!)).not_before === null) await Bun.sleep(20)
      expect(await read(bad!)).toMatchObject({
        status: "queued",
        start_failures: 1,
        status_message: "Waiting to be started again: undefined is not an object",
      })
      // The last attempt is due now.
      await app.direct((db) =>
        db
          .updateTable("runs")
          .set({ start_failures: 4, not_before: "2026-01-01T00:00:00.000Z" })
          .where("id", "=", bad!)
          .execute(),
      )
      const error = "The run could not be started in 5 attempts: undefined is not an object"
      expect(await ended(bad!)).toMatchObject({
        status: "failed",
        error_code: "not_started",
        error_message: error,
      })
      const { body: now } = await app.get("/api/admin/v1/now", { key: operatorToken })
      expect(now.deadLetters).toMatchObject([
        { id: bad!, scraper: "broken-scraper", error: { code: "not_started", message: error } },
      ])
      const again = await app.post(`/api/v1/runs/${bad}/resume`, { key: account.key })
      expect(again.body).toMatchObject({ status: "queued", error: null })
      await app.post(`/api/v1/runs/${bad}/abort`, { key: account.key })
    })

    test.skipIf(name !== "SQLite")("one that cannot be claimed delays no other", async () => {
      const { store } = app
      const account = await app.account()
      const write = store.write.bind(store)
      let bad = ""
      store.write = (async (command: never, args: { id?: string }) => {
        if (command === "runs.claim" && args.id === bad) throw new Error("its row is damaged")
        return write(command, args as never)
      }) as typeof store.write
      const id = "run_unclaimed"
      bad = id
      const scraper = app.service.scraper("words-scraper")!
      const input = { words: ["a"], times: 1 }
      await app.runs.start({ id, scraper, input, accountId: account.id, origin: "api" })
      while ((await read(id)).start_failures === 0) await Bun.sleep(10)
      const other = await start(account, ["b"], "?waitForFinish=30")
      expect(other.status).toBe("succeeded")
      expect(await read(id)).toMatchObject({ status: "queued", attempt: 0 })
      store.write = write
      expect((await ended(id)).status).toBe("succeeded")
    })
  })
}
