import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readNow } from "../../../src/api/metrics/readings.ts"
import { dayMs } from "../../../src/base/time.ts"
import { Changed } from "../../../src/catalogue/kit/index.ts"
import { CallCounters } from "../../../src/engine/ops/health/counters.ts"
import { HealthService } from "../../../src/engine/ops/health/health-service.ts"
import type { NewFinding } from "../../../src/store/health/health.ts"
import { type Finding, finding } from "../../../src/store/health/verdicts.ts"
import { type TestAccount, TestApp } from "../app.ts"

let app: TestApp
let account: TestAccount
beforeAll(async () => {
  app = await TestApp.open()
  account = await app.account()
})
afterAll(() => app.close())

const slug = "words-scraper"
let minute = 0
const note = (found: Finding, more: Partial<NewFinding> = {}) => {
  const at = new Date(Date.UTC(2026, 10, 22, 12, ++minute)).toISOString()
  return app.service.health.note([
    { slug, fetchMethod: "all", finding: found, source: "probe", at, ...more },
  ])
}
const challenge = finding("blocked", {
  vendor: "Cloudflare",
  fetchMethod: "http",
  reason: "A challenge.",
})

const indexed = async () => {
  const { body } = await app.get("/api/scrape")
  return body.scrapers.find((one: { slug: string }) => one.slug === slug).health
}
const toolText = async () => {
  const { body } = await app.post("/api/mcp?tools=words-scraper", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    headers: { accept: "application/json, text/event-stream" },
  })
  return body.result.tools[0].description
}
const llmsLine = async () =>
  (await app.get("/llms.txt")).text.split("\n").find((line) => line.startsWith(`- ${slug}:`))!

describe("health is shown with the scraper", () => {
  test("unknown at first, and not mentioned in short texts", async () => {
    expect(await indexed()).toEqual({ state: "unknown", since: null, reason: null })
    expect(await toolText()).not.toContain("here now")
    expect(await llmsLine()).not.toContain("Blocked.")
  })

  test("after two failures everywhere, with the challenge's vendor", async () => {
    await note(challenge)
    expect(await indexed()).toMatchObject({ state: "unknown" })
    await note(challenge)
    const blocked = {
      state: "blocked",
      vendor: "Cloudflare",
      fetchMethod: "http",
      reason: "A challenge.",
      since: "2026-11-22T12:02:00.000Z",
      checkedAt: "2026-11-22T12:02:00.000Z",
    }
    const { state, since, reason } = blocked
    expect(await indexed()).toEqual({ state, since, reason })
    const card = await app.get(`/api/scrape/${slug}`)
    expect(card.body.health).toMatchObject(blocked)
    const key = account.key
    const { body: list } = await app.get("/api/v1/scrapers?search=words", { key })
    expect(list.items[0].health).toMatchObject(blocked)
    expect(await toolText()).toContain("Blocked on this server now (Cloudflare).")
    expect(await llmsLine()).toEndWith(" Blocked.")
  })

  test("in full for one scraper: the last check, and each fetch method", async () => {
    await note(finding("works", { fetchMethod: "browser" }), { fetchMethod: "browser" })
    await note(finding("unknown", { reason: "The host does not respond." }))
    const { body } = await app.get(`/api/v1/scrapers/${slug}`, { key: account.key })
    expect(body.health).toMatchObject({
      state: "blocked",
      latest: { verdict: "unknown", reason: "The host does not respond." },
      methods: [{ fetchMethod: "browser", state: "works" }],
    })
  })

  test("one success clears it, in tools that were listed before, too", async () => {
    await note(finding("works"))
    expect(await indexed()).toMatchObject({ state: "works", reason: null })
    expect(await toolText()).not.toContain("here now")
    expect(await llmsLine()).not.toContain("Blocked.")
  })

  test("find_scrapers has it, too", async () => {
    await note(finding("needs", { needs: ["X_AUTH_TOKEN"], reason: "It needs X_AUTH_TOKEN." }))
    const { body } = await app.post("/api/mcp?set=meta&outputSchema=true", {
      body: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "find_scrapers", arguments: { query: "words" } },
      },
      headers: { accept: "application/json, text/event-stream" },
    })
    const [first] = body.result.structuredContent.scrapers
    expect(first.health.needs).toEqual(["X_AUTH_TOKEN"])
    const { scrapers } = body.result.structuredContent
    const found = scrapers.find((one: { slug: string }) => one.slug === slug)
    expect(found.health.state).toBe("needs")
    await note(finding("works"))
  })
})

describe("the last seven days", () => {
  const noon = (daysAgo: number) => {
    const at = new Date(Date.now() - daysAgo * dayMs)
    return `${at.toISOString().slice(0, 10)}T12:00:00.000Z`
  }

  test("show the worst state of each, and expire", async () => {
    const own = "news-scraper"
    const seen = (daysAgo: number, found: Finding, fetchMethod = "all") =>
      note(found, { slug: own, fetchMethod, at: noon(daysAgo) })
    for (const found of [challenge, challenge, finding("works")]) await seen(8.5, found)
    for (const found of [finding("works"), challenge, challenge, finding("works")])
      await seen(3, found)
    await seen(2, challenge)
    await seen(1, finding("unknown"))
    await seen(1, finding("works", { fetchMethod: "http" }), "http")
    const visible = async () => {
      const { body } = await app.get("/api/v1/health", { key: account.key })
      return body.items.find((one: { scraper: string }) => one.scraper === own)
    }
    const { state, days } = await visible()
    expect(state).toBe("works")
    expect(days.map((one: { state: string | null }) => one.state)).toEqual([
      ...[null, null, null],
      ...["blocked", "works", null, null],
    ])
    expect(days.at(-1).day).toBe(noon(0).slice(0, 10))
    for (const path of [`/api/v1/scrapers/${own}`, `/console/scrapers/${own}`]) {
      const { body } = await app.get(path, { key: account.key })
      expect(body.days ?? body.health.days).toEqual(days)
    }
    const stored = () =>
      app.store.db.selectFrom("health_days").select("day").where("slug", "=", own)
    expect(await stored().execute()).toHaveLength(3)
    await app.purge(new Date(Date.now() + 5 * dayMs))
    expect(await stored().execute()).toEqual([{ day: noon(2).slice(0, 10) }])
  })
})

describe("the webhook for health", () => {
  test("is sent for changes only, with the states before and after", async () => {
    const { key } = account
    const events = ["scraper.health"]
    const { body: hook } = await app.post("/api/v1/webhooks", {
      key,
      body: { url: "https://hooks.example.com/health", events },
    })
    await app.post("/api/v1/webhooks", { key, body: { url: "https://hooks.example.com/runs" } })
    const reported = async () => {
      const { body } = await app.get(`/api/v1/webhooks/${hook.id}/deliveries`, { key })
      return body.items
    }
    const broken = finding("broken", { fields: ["title"], reason: "No title." })
    for (const one of [finding("works"), broken, finding("works"), broken]) await note(one)
    expect(await reported()).toEqual([])
    await note(broken)
    await note(broken)
    await note(finding("works"), { fetchMethod: "http" })
    const [change, ...more] = await reported()
    expect(more).toEqual([])
    expect(change).toMatchObject({
      event: "scraper.health",
      runId: null,
      payload: {
        type: "scraper.health",
        data: {
          scraper: slug,
          before: { state: "works", fields: [] },
          after: { state: "broken", fields: ["title"], reason: "No title." },
        },
      },
    })
    await note(finding("works"))
    expect((await reported()).map((one: typeof change) => one.payload.data.after.state)).toEqual([
      "works",
      "broken",
    ])
  })
})

describe("counts of callers' runs", () => {
  const scraper = () => app.service.scraper(slug)!
  const open = (now: () => number) =>
    new HealthService({
      store: app.store,
      scraper: () => ({ ...scraper(), rateLimit: { "a.test": {} } }),
      now,
    })

  test("become a state, and survive the process", async () => {
    const midnight = Math.floor(Date.now() / dayMs) * dayMs
    const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
    let now = midnight
    const board = open(() => now)
    await board.start()
    const counts = new CallCounters()
    const failure = new Changed("The answer has no title.", { field: "title" })
    const sample = async () => {
      for (let count = 0; count < 5; count++) {
        const end = {
          fetchMethod: "http" as const,
          challenges: new Map(),
          errors: [],
          milliseconds: 5,
        }
        counts.of(scraper()).target({ ...end, failure, good: 0 })
      }
      board.count(counts.take())
      now += 60_000
      await board.look()
    }
    await sample()
    expect(board.of(slug).state).toBe("works")
    await sample()
    expect(board.of(slug)).toMatchObject({ state: "broken", source: "traffic", fields: ["title"] })
    await board.stop()
    const next = open(() => now)
    await next.start()
    expect(next.of(slug).state).toBe("broken")
    const [, , , , , yesterday, today] = next.days(slug)
    expect(yesterday).toEqual({ day: dayOf(midnight - 1), state: null, goodShare: null })
    expect(today).toEqual({ day: dayOf(midnight), state: "broken", goodShare: 0 })
    const [{ fetchMethod, hour, week } = {} as never] = next.traffics(slug)
    expect({ fetchMethod, targets: hour.targets }).toEqual({ fetchMethod: "http", targets: 10 })
    expect(week).toMatchObject({ good: 0, errors: { ours: 10 } })
    expect(next.figures().up).toContainEqual({ slug, fetchMethod: "all", state: "broken" })
    const reported = await readNow({
      store: app.store,
      config: { ...app.service.config, backupTo: "s3" },
      runs: () => ({ queued: 0, running: 0, workers: 0, heaps: [] }),
      hosts: () => ({
        suspended: [],
        waiting: 0,
        inFlight: 0,
        quotas: [{ host: "api.test", requests: 60, left: 9, endsAt: "", without: "A_KEY" }],
      }),
      chrome: async () => undefined,
      lastBackup: () => 5000,
      health: () => next.figures(),
    })
    expect(reported).toContainEqual(
      expect.objectContaining({ name: "trawl_backup_timestamp_seconds", value: 5 }),
    )
    expect(reported).toContainEqual(
      expect.objectContaining({ labels: { host: "api.test" }, value: 9 }),
    )
    expect(
      reported.find(({ labels }) => labels?.fetch_method === "all" && labels.scraper === slug),
    ).toMatchObject({
      name: "trawl_scraper_up",
      labels: { scraper: slug, state: "broken" },
      value: 0,
    })
    await next.stop()
  })
})
