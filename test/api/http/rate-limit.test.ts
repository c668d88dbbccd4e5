import { describe, expect, test } from "bun:test"
import { RateLimit } from "../../../src/api/http/rate-limit.ts"
import { type Answered, TestApp } from "../app.ts"

describe("the bucket", () => {
  test("allows its limit at once, and as much again per minute", () => {
    const limit = new RateLimit(60)
    const start = 1_000_000
    for (let call = 59; call >= 0; call--) {
      expect(limit.take("a", start)).toMatchObject({ remaining: call, retryAfter: 0 })
    }
    expect(limit.take("a", start)).toEqual({
      limit: 60,
      remaining: 0,
      resetSeconds: 60,
      retryAfter: 1,
    })
    expect(limit.take("a", start + 999)!.retryAfter).toBeGreaterThan(0)
    expect(limit.take("a", start + 1000)!.retryAfter).toBe(0)
    expect(limit.take("a", start + 61_000)!.remaining).toBe(59)
    expect(limit.take("b", start)!.remaining).toBe(59)
  })

  test("0 means unlimited", () => expect(new RateLimit(0).take("a")).toBeUndefined())

  test("many callers do not fill the memory", () => {
    const limit = new RateLimit(10)
    for (let caller = 0; caller < 120_000; caller++) limit.take(String(caller), caller)
    expect(limit.take("last", 120_000)!.remaining).toBe(9)
  })

  test("many callers do not give an active one a new bucket", () => {
    const limit = new RateLimit(5)
    for (let caller = 0; caller < 120_000; caller++) {
      if (caller % 20_000 === 0) limit.take("a", 0)
      limit.take(String(caller), 0)
    }
    expect(limit.take("a", 0)!.retryAfter).toBeGreaterThan(0)
  })
})

describe("calls", () => {
  test("are limited per key, with the rest in the headers, and 429 with the usual body", async () => {
    const app = await TestApp.open({ rateLimit: 3 })
    const [one, other] = [await app.account(), await app.account()]
    const seen = []
    for (let call = 0; call < 4; call++) seen.push(await app.get("/api/v1/me", { key: one.key }))
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(seen.map(({ headers }) => headers.get("ratelimit-remaining"))).toEqual([
      "2",
      "1",
      "0",
      "0",
    ])
    expect(seen[0]!.headers.get("ratelimit-limit")).toBe("3")
    const refused = seen[3]!
    const seconds = Number(refused.headers.get("retry-after"))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(20)
    expect(refused.body.error).toMatchObject({ status: 429, message: expect.any(String) })
    expect((await app.get("/api/v1/me", { key: other.key })).status).toBe(200)
    await app.close()
  })

  test("key guessing is limited by IP address", async () => {
    const app = await TestApp.open({ rateLimit: 3 })
    const statuses = []
    for (let call = 0; call < 5; call++) {
      statuses.push((await app.get("/api/v1/me", { key: `trawl_live_${call}` })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    await app.close()
  })

  test("keyless calls are limited by IP address: 200 with ERROR by GET, 429 by POST", async () => {
    const app = await TestApp.open({ rateLimit: 2 })
    const path = "/api/scrape/words-scraper?words=a"
    await app.get(path)
    await app.get(path)
    const third = await app.get(path)
    expect([third.status, third.body.status]).toEqual([200, "ERROR"])
    expect(third.body.error.message).toContain("Too many calls")
    // Two a minute: the next one after at most 30 s, less the time that these requests took.
    expect(Number(third.headers.get("retry-after"))).toBeWithin(1, 31)
    const post = await app.post("/api/agent/scrape", {
      body: { scraper: "words-scraper", input: { words: ["a"] } },
    })
    expect([post.status, post.body.status]).toEqual([429, "ERROR"])
    // Neither a rejected request nor a cached result costs a free call.
    expect(post.body.free.used).toBe(1)
    await app.close()
  })

  test("an account's own limit holds on every surface, and its calls do not count by IP address", async () => {
    const app = await TestApp.open({ rateLimit: 1000, freeDaily: 1000 })
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }
    const accept = "application/json, text/event-stream"
    const surfaces: [name: string, call: (key: string) => Promise<Answered>][] = [
      ["v1", (key) => app.get("/api/v1/me", { key })],
      ["keyless", (key) => app.get("/api/scrape/words-scraper?words=a", { key })],
      ["by token", (key) => app.get(`/api/scrape/words-scraper?words=a&token=${key}`)],
      ["agent", (key) => app.post("/api/agent/scrape", { key, body: { scraper: "nope" } })],
      ["Firecrawl", (key) => app.post("/v2/scrape", { key, body: { url: "http://127.0.0.1:1/" } })],
      ["Jina", (key) => app.get("/r/http://127.0.0.1:1/", { key })],
      ["Apify", (key) => app.get("/v2/users/me", { key })],
      ["MCP", (key) => app.post("/api/mcp", { key, body: list, headers: { accept } })],
    ]
    for (const [name, call] of surfaces) {
      const { id, key } = await app.account({ unlimited: true })
      app.service.limits.changed(id, JSON.stringify({ callsPerMinute: 2 }))
      const left: (string | null)[] = []
      for (let made = 0; made < 3; made++) {
        left.push((await call(key)).headers.get("ratelimit-remaining"))
      }
      const last = await call(key)
      expect([name, ...left, last.headers.has("retry-after")]).toEqual([name, "1", "0", "0", true])
    }
    const { headers } = await app.get("/api/scrape/words-scraper?words=a")
    expect(headers.get("ratelimit-remaining")).toBe("999")
    await app.close()
  })
})
