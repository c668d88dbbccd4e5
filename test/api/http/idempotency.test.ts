import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { sql } from "kysely"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
let accountId: string
beforeAll(async () => {
  app = await TestApp.open()
  const account = await app.account({ credits: 100_000 })
  key = account.key
  accountId = account.id
})
afterAll(() => app.close())

const runs = "/api/v1/scrapers/words-scraper/runs"
const with_ = (name: string) => ({ "idempotency-key": name })
const countRuns = async () => (await app.get("/api/v1/runs?limit=1", { key })).body.total

describe("Idempotency-Key", () => {
  test("100 parallel POSTs with one key create one run", async () => {
    const before = await countRuns()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        app.post(runs, { key, body: { words: ["once"] }, headers: with_("parallel") }),
      ),
    )
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const replayed = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true")
    expect(replayed).toHaveLength(99)
    expect(await countRuns()).toBe(before + 1)
  })

  test("later calls get the first response, even if the run has continued", async () => {
    const call = () => app.post(runs, { key, body: { words: ["later"] }, headers: with_("later") })
    const first = await call()
    await app.get(`/api/v1/runs/${first.body.id}?waitForFinish=300`, { key })
    const again = await call()
    expect(again.text).toBe(first.text)
    expect(again.headers.get("idempotent-replayed")).toBe("true")
  })

  test("with a wait, all callers wait for the one run", async () => {
    const call = () =>
      app.post(`${runs}?waitForFinish=300`, {
        key,
        body: { words: ["waited"] },
        headers: with_("waited"),
      })
    const answers = await Promise.all([call(), call(), call()])
    expect(answers.map(({ body }) => body.status)).toEqual(["succeeded", "succeeded", "succeeded"])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  const others: [name: string, path: string, body: unknown][] = [
    ["another body", runs, { words: ["other"] }],
    ["another query", `${runs}?waitForFinish=1`, { words: ["mine"] }],
    ["another route", "/api/v1/scrapers/premium-words-scraper/runs", { words: ["mine"] }],
  ]
  for (const [name, path, body] of others) {
    test(`the same key with ${name} is 422`, async () => {
      const header = with_(`conflict ${name}`)
      const mine = () => app.post(runs, { key, body: { words: ["mine"] }, headers: header })
      expect((await mine()).status).toBe(201)
      const other = await app.post(path, { key, body, headers: header })
      expect(other.status).toBe(422)
      expect(other.body.error.status).toBe(422)
      // Concurrent requests, too.
      const racing = with_(`race ${name}`)
      const both = await Promise.all([
        app.post(runs, { key, body: { words: ["mine"] }, headers: racing }),
        app.post(path, { key, body, headers: racing }),
      ])
      expect(both.map(({ status }) => status).sort()).toEqual([201, 422])
    })
  }

  test("keys belong to one account", async () => {
    const other = await app.account()
    const call = (as: string) =>
      app.post(runs, { key: as, body: { words: ["own"] }, headers: with_("own") })
    const [mine, theirs] = await Promise.all([call(key), call(other.key)])
    expect(mine.body.id).not.toBe(theirs.body.id)
  })

  test("refused calls are not stored, so the call can be corrected", async () => {
    const header = with_("mended")
    const bad = await app.post(runs, { key, body: { wrods: [] }, headers: header })
    expect(bad.status).toBe(400)
    const good = await app.post(runs, { key, body: { words: ["mended"] }, headers: header })
    expect(good.status).toBe(201)
    const poor = await app.account({ credits: 0 })
    const call = () =>
      app.post(runs, { key: poor.key, body: { words: ["a"] }, headers: with_("poor") })
    expect((await call()).status).toBe(402)
    await app.store.write("credits.add", {
      accountId: poor.id,
      amount: 5,
      reason: "grant",
      note: null,
      at: new Date().toISOString(),
    })
    expect((await call()).status).toBe(201)
  })

  test("after a crash between creating and answering, the same run is returned", async () => {
    const call = () => app.post(runs, { key, body: { words: ["crash"] }, headers: with_("crash") })
    const first = await call()
    // The state after a crash: key reserved, run started, no response stored.
    const forget = sql`UPDATE idempotency SET status = NULL, body = NULL`
    await app.direct((db) => sql`${forget} WHERE key = 'crash'`.execute(db))
    const before = await countRuns()
    const second = await call()
    expect([second.status, second.body.id]).toEqual([201, first.body.id])
    expect(await countRuns()).toBe(before)
    // The state after a crash before the start: the reserved ID is used.
    await app.direct((db) =>
      sql`${forget}, resource_id = 'run_reserved' WHERE key = 'crash'`.execute(db),
    )
    expect((await call()).body.id).toBe("run_reserved")
  })

  test("keys are forgotten after 24 hours", async () => {
    const reserve = (at: string, storedSince: string) =>
      app.store.write("idempotency.reserve", {
        accountId,
        key: "old",
        fingerprint: at,
        resourceId: `run_${at}`,
        at,
        storedSince,
      })
    await reserve("2026-01-01T00:00:00.000Z", "2025-12-31T00:00:00.000Z")
    const within = await reserve("2026-01-01T23:59:59.000Z", "2025-12-31T23:59:59.000Z")
    expect(within).toMatchObject({
      created: false,
      row: { fingerprint: "2026-01-01T00:00:00.000Z" },
    })
    const after = await reserve("2026-01-02T00:00:01.000Z", "2026-01-01T00:00:01.000Z")
    expect(after).toMatchObject({ created: true, row: { fingerprint: "2026-01-02T00:00:01.000Z" } })
  })

  test("a new key's secret is in the first response only", async () => {
    const call = () =>
      app.post("/api/v1/keys", { key, body: { name: "Once" }, headers: with_("key") })
    const first = await call()
    const again = await call()
    expect(first.body.apiKey).toStartWith("trawl_live_")
    expect(again.body).toEqual({ ...first.body, apiKey: undefined })
    const stored = await app.store.db.selectFrom("idempotency").selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(first.body.apiKey)
  })

  const creating: [path: string, body: unknown][] = [
    ["/api/v1/batches", { scraper: "words-scraper", inputs: [{ words: ["a"] }] }],
    ["/api/v1/schedules", { scraper: "words-scraper", input: { words: ["a"] }, cron: "@daily" }],
    ["/api/v1/webhooks", { url: "https://example.com/hook" }],
  ]
  for (const [path, body] of creating) {
    test(`POST ${path} creates once`, async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => app.post(path, { key, body, headers: with_(path) })),
      )
      expect(new Set(answers.map((response) => response.body.id)).size).toBe(1)
      expect((await app.get(path, { key })).body.total).toBe(1)
    })
  }
})
