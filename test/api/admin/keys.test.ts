import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { sql } from "kysely"
import { TestApp } from "../app.ts"

const operator = { key: "trawl_fortheoperatoralone" }
let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({}, undefined, operator.key)
})
afterAll(() => app.close())

const runs = "/api/v1/scrapers/words-scraper/runs"
const run = { words: ["a"] }

/** Creates a key with terms, in a new account. */
async function keyWith(terms: object, options: { credits?: number; unlimited?: boolean } = {}) {
  const account = await app.account(options)
  const made = await app.post("/api/v1/keys", { key: account.key, body: terms })
  expect(made.status).toBe(201)
  return { ...made.body, account } as {
    id: string
    apiKey: string
    account: { id: string; key: string }
  }
}
const statuses = async (calls: [method: string, path: string, body?: object][], key: string) => {
  const found: number[] = []
  for (const [method, path, body] of calls) {
    found.push((await app.call(method, path, { key, ...(body && { body }) })).status)
  }
  return found
}

describe("a key's scopes", () => {
  test("the scope read reads, the scope run runs", async () => {
    const reads = await keyWith({ scopes: ["read"] })
    const calls: Parameters<typeof statuses>[0] = [
      ["GET", "/api/v1/runs"],
      ["POST", runs, run],
      ["DELETE", "/api/v1/runs/run_x"],
    ]
    expect(await statuses(calls, reads.apiKey)).toEqual([200, 403, 403])
    const starts = await keyWith({ scopes: ["run"] })
    expect(await statuses(calls, starts.apiKey)).toEqual([403, 201, 404])
    const keyless = await app.get(`/api/scrape/words-scraper?words=a&token=${reads.apiKey}`)
    expect([keyless.body.status, keyless.body.error.message]).toEqual([
      "ERROR",
      'This API key lacks the scope "run".',
    ])
  })

  test("the scope admin is for administrators, and does nothing else", async () => {
    const { key } = await app.account()
    const requested = { key, body: { scopes: ["run", "admin"] } }
    expect((await app.post("/api/v1/keys", requested)).status).toBe(403)
    const owner = await app.post("/api/admin/v1/accounts", {
      ...operator,
      body: { email: "owner@example.com", role: "owner" },
    })
    const made = await app.post("/api/v1/keys", {
      key: owner.body.apiKey,
      body: { scopes: ["admin"] },
    })
    const calls: Parameters<typeof statuses>[0] = [
      ["GET", "/api/admin/v1/accounts"],
      ["GET", "/api/v1/runs"],
    ]
    expect(await statuses(calls, made.body.apiKey)).toEqual([200, 403])
  })

  const bad: [name: string, body: object, field: string][] = [
    ["no scope", { scopes: [] }, "scopes"],
    ["an unknown scope", { scopes: ["write"] }, "scopes[0]"],
    ["an end that is past", { expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
    ["an invalid expiry", { expiresAt: "soon" }, "expiresAt"],
    ["no credits", { creditLimit: 0 }, "creditLimit"],
  ]
  for (const [name, body, field] of bad) {
    test(`refused: ${name}`, async () => {
      const { key } = await app.account()
      const response = await app.post("/api/v1/keys", { key, body })
      expect([response.status, response.body.error.details[0].field]).toEqual([400, field])
    })
  }
})

test("a key expires at its time", async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const { apiKey, id } = await keyWith({ expiresAt })
  expect((await app.get("/api/v1/me", { key: apiKey })).status).toBe(200)
  await app.direct((db) =>
    sql`UPDATE keys SET expires_at = '2026-01-01T00:00:00.000Z' WHERE id = ${id}`.execute(db),
  )
  app.service.keys.forget()
  const after = await app.get("/api/v1/me", { key: apiKey })
  expect([after.status, after.body.error.message]).toEqual([
    401,
    "The API key expired on 2026-01-01; create a new one.",
  ])
})

describe("a key's credit limit", () => {
  for (const unlimited of [false, true]) {
    test(`ends its runs, and not its account's (${unlimited ? "un" : ""}limited)`, async () => {
      const { apiKey, account, id } = await keyWith({ creditLimit: 3 }, { unlimited })
      const first = await app.run(apiKey, ["a", "b"])
      expect(first.status).toBe("succeeded")
      const second = await app.run(apiKey, ["a", "b", "c"])
      expect(second).toMatchObject({ status: "failed", error: { code: "out_of_credit" } })
      expect(second.itemCount).toBe(1)
      const third = await app.post(runs, { key: apiKey, body: run })
      expect([third.status, third.body.error.message]).toEqual([
        402,
        "This API key has reached its credit limit, so the run was not started. Use another key, or create one with a higher limit.",
      ])
      const batch = { scraper: "words-scraper", inputs: [run] }
      expect((await app.post("/api/v1/batches", { key: apiKey, body: batch })).status).toBe(402)
      const visible = await app.get("/api/v1/keys", { key: account.key })
      expect(visible.body.items.find((one: { id: string }) => one.id === id)).toMatchObject({
        creditLimit: 3,
        creditsUsed: 3,
      })
      expect((await app.run(account.key, ["a"])).status).toBe("succeeded")
    })
  }

  test("counts the runs of its batches", async () => {
    const { apiKey, account, id } = await keyWith({ creditLimit: 5 })
    const inputs = [{ words: ["a"] }, { words: ["b"] }]
    const body = { scraper: "words-scraper", inputs }
    const { body: batch } = await app.post("/api/v1/batches", { key: apiKey, body })
    const of = `/api/v1/batches/${batch.id}`
    while ((await app.get(of, { key: apiKey })).body.status !== "finished") await Bun.sleep(10)
    const { items } = (await app.get("/api/v1/keys", { key: account.key })).body
    expect(items.find((one: { id: string }) => one.id === id).creditsUsed).toBe(2)
  })
})

test("a limited key cannot create anything that outlives it or can do more", async () => {
  const limits = [{ scopes: ["run"] }, { creditLimit: 5 }, { expiresAt: "2099-01-01T00:00:00Z" }]
  for (const terms of limits) {
    const { apiKey, id } = await keyWith(terms)
    const calls: Parameters<typeof statuses>[0] = [
      ["POST", "/api/v1/keys", {}],
      ["DELETE", `/api/v1/keys/${id}`],
      ["POST", "/api/v1/schedules", { scraper: "words-scraper", input: run, cron: "0 0 * * *" }],
      ["POST", "/api/v1/webhooks", { url: "https://example.com/", events: ["run.succeeded"] }],
    ]
    expect(await statuses(calls, apiKey)).toEqual([403, 403, 403, 403])
  }
})

describe("the operator and keys of others", () => {
  test("lists, creates and revokes them", async () => {
    const { id: accountId } = await app.account()
    const of = `/api/admin/v1/accounts/${accountId}/keys`
    const made = await app.post(of, { ...operator, body: { name: "Nightly", creditLimit: 7 } })
    expect(made.body).toMatchObject({ name: "Nightly", creditLimit: 7, scopes: ["run", "read"] })
    const key = made.body.apiKey
    expect((await app.get("/api/v1/me", { key })).body.id).toBe(accountId)
    const list = await app.get(of, operator)
    expect(list.body.items).toHaveLength(2)
    expect(list.text).not.toContain(key)
    const path = `/api/admin/v1/keys/${made.body.id}`
    expect((await app.call("DELETE", path, operator)).status).toBe(204)
    expect((await app.call("DELETE", path, operator)).status).toBe(404)
    expect((await app.get("/api/v1/me", { key })).status).toBe(401)
  })
})

describe("an account's own limits", () => {
  test("on requests apply at once, and can be removed", async () => {
    const { id, key } = await app.account()
    const change = (limits: object) =>
      app.call("PATCH", `/api/admin/v1/accounts/${id}`, { ...operator, body: { limits } })
    const calls = async (count: number) => {
      const found: number[] = []
      for (let made = 0; made < count; made++) {
        found.push((await app.get("/api/v1/me", { key })).status)
      }
      return found
    }
    const limited = await change({ callsPerMinute: 2 })
    expect(limited.body.limits).toEqual({ callsPerMinute: 2, runsAtOnce: null })
    expect(await calls(3)).toEqual([200, 200, 429])
    const both = await change({ callsPerMinute: null, runsAtOnce: 3 })
    expect(both.body.limits).toEqual({ callsPerMinute: null, runsAtOnce: 3 })
    expect(await calls(3)).toEqual([200, 200, 200])
    expect((await change({ runsAtOnce: 0 })).status).toBe(400)
    expect((await change({ runs: 1 })).status).toBe(400)
    const { body } = await change({ runsAtOnce: null })
    expect(body.limits).toEqual({ callsPerMinute: null, runsAtOnce: null })
  })
})
