import { afterAll, beforeAll, expect, test } from "bun:test"
import { catalogue } from "../../../src/catalogue/index.ts"
import { ScheduleClock } from "../../../src/engine/runtime/schedules/clock.ts"
import { announce } from "../../../src/store/notifications/events.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open({}, catalogue)
  key = (await app.account()).key
})
afterAll(() => app.close())

const scraper = "npm-package-scraper"

async function watch(as: string | undefined) {
  const { body } = await app.post("/api/mcp", {
    ...(as && { key: as }),
    headers: { accept: "application/json, text/event-stream" },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "watch",
        arguments: { scraper, input: { packages: ["left-pad"] }, every: "day" },
      },
    },
  })
  const { isError = false, content } = body.result as {
    isError?: boolean
    content: { text: string }[]
  }
  return { isError, text: content[0]!.text }
}

test("a key without limits creates a schedule", async () => {
  expect((await watch(key)).isError).toBe(false)
  expect((await app.get("/api/v1/schedules", { key })).body.total).toBe(1)
})

interface LimitedKey {
  apiKey: string
  id: string
}

async function limitedKey(terms: object): Promise<LimitedKey> {
  return (await app.post("/api/v1/keys", { key, body: { name: "agent", ...terms } })).body
}

/** Returns the schedule that a text names, after the clock has started what is due. */
async function polled(text: string, at: Date) {
  const scheduleId = /sch_\w+/.exec(text)![0]
  const clock = new ScheduleClock({
    store: app.store,
    runs: { queued() {} },
    scraper: (slug) => app.service.scraper(slug),
    onError: (message) => {
      throw new Error(message)
    },
    now: () => at,
  })
  await clock.poll()
  return (await app.get(`/api/v1/schedules/${scheduleId}`, { key })).body
}

/** Returns the schedule that a key creates, and its next run. */
async function firstRunOf(apiKey: string, at: Date) {
  const { isError, text } = await watch(apiKey)
  expect([isError, text]).toEqual([false, text])
  const schedule = await polled(text, at)
  const { db } = app.store
  const runs = await db.selectFrom("runs").select(["id", "key_id"]).execute()
  const runId = schedule.recentRuns[0]?.runId
  await app.post(`/api/v1/runs/${runId}/abort`, { key })
  return { schedule, run: runs.find(({ id }) => id === runId) }
}

const tomorrow = () => {
  const midnight = new Date(Date.now() + 86_400_000)
  midnight.setUTCHours(0, 0, 1, 0)
  return midnight
}

test.each([
  ["expires", { expiresAt: "2099-01-31T00:00:00.000Z" }],
  ["has a credit limit", { creditLimit: 7 }],
])("a key that %s watches within its limit", async (_, terms) => {
  const { apiKey, id } = await limitedKey(terms)
  const { schedule, run } = await firstRunOf(apiKey, tomorrow())
  expect(schedule).toMatchObject({ keyId: id, enabled: true })
  expect(run!.key_id).toBe(id)
})

test("runs stop when the key has expired, and the schedule names the reason", async () => {
  const { apiKey } = await limitedKey({ expiresAt: new Date(Date.now() + 60_000).toISOString() })
  const { schedule, run } = await firstRunOf(apiKey, tomorrow())
  expect(run).toBeUndefined()
  expect(schedule).toMatchObject({
    enabled: false,
    disabledReason: "The API key that created it has expired.",
  })
})

test("runs wait when the key's credits are used up, and end when it is revoked", async () => {
  const { apiKey, id } = await limitedKey({ creditLimit: 7 })
  await app.direct((db) =>
    db.updateTable("keys").set({ credits_used: 7 }).where("id", "=", id).execute(),
  )
  const { schedule } = await firstRunOf(apiKey, tomorrow())
  expect(schedule.recentRuns[0]).toMatchObject({ outcome: "out_of_credit", runId: null })
  const other = await limitedKey({ creditLimit: 7 })
  const watched = await watch(other.apiKey)
  await app.call("DELETE", `/api/v1/keys/${other.id}`, { key })
  const later = await polled(watched.text, tomorrow())
  expect(later).toMatchObject({
    enabled: false,
    disabledReason: "The API key that created it was revoked.",
  })
})

test("a key without the scope read is refused", async () => {
  const { apiKey } = await limitedKey({ scopes: ["run"] })
  const { isError, text } = await watch(apiKey)
  expect(isError).toBe(true)
  expect(text).toContain("read")
})

test("the webhook of a watch receives events of its schedule only, and is deleted with it", async () => {
  const { body } = await app.post("/api/mcp", {
    key,
    headers: { accept: "application/json, text/event-stream" },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "watch",
        arguments: {
          scraper,
          input: { packages: ["left-pad"] },
          every: "week",
          webhook: "https://hooks.example.com/changes",
        },
      },
    },
  })
  const scheduleId = /sch_\w+/.exec(body.result.content[0].text)![0]
  const hooks = async () => (await app.get("/api/v1/webhooks", { key })).body.items
  expect(await hooks()).toMatchObject([{ scheduleId, url: "https://hooks.example.com/changes" }])
  const at = new Date().toISOString()
  const delivered = (runId?: string) =>
    app.direct(async (db) => {
      const { account_id } = await db
        .selectFrom("keys")
        .select("account_id")
        .executeTakeFirstOrThrow()
      const to = { accountId: account_id }
      await announce(db, { event: "run.failed", data: {}, to, at, ...(runId && { runId }) })
      return (await db.selectFrom("deliveries").select("id").execute()).length
    })
  expect(await delivered()).toBe(0)
  expect(await delivered("run_of_another")).toBe(0)
  await app.direct((db) =>
    db
      .insertInto("scheduled_runs")
      .values({
        ...{ schedule_id: scheduleId, due_at: at, fired_at: at, outcome: "started", missed: 0 },
        run_id: "run_of_it",
      })
      .execute(),
  )
  expect(await delivered("run_of_it")).toBe(1)
  await app.call("DELETE", `/api/v1/schedules/${scheduleId}`, { key })
  expect(await hooks()).toEqual([])
})

test("without a key, the error names the sign-up", async () => {
  const { isError, text } = await watch(undefined)
  expect(isError).toBe(true)
  expect(text).toContain("/signup")
})
