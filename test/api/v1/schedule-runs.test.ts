import { afterAll, beforeAll, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { defineScraper, inputObject, itemObject } from "../../../src/catalogue/kit/index.ts"
import { MonitorWatcher } from "../../../src/engine/ops/monitors/watcher.ts"
import { TestApp } from "../app.ts"

let price = 20
const registry = defineScraper({
  slug: "shelf-scraper",
  name: "Shelf",
  tagline: "Says a price",
  category: "ecommerce",
  tier: "free",
  input: inputObject({ shelves: Type.Array(Type.String(), { minItems: 1 }) }),
  item: itemObject({ url: Type.String(), name: Type.String(), price: Type.Number() }),
  example: { shelves: ["a"] },
  watch: { key: ["url"], name: ["name"], value: "price", conditions: [{ when: "changed" }] },
  targets: ({ shelves }) => shelves,
  async *scrape(name) {
    yield { url: `https://shop.test/${name}`, name, price }
  },
})
const { watch: _, ...plain } = { ...registry, slug: "plain-scraper" }

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open({}, [registry, plain])
  key = (await app.account()).key
})
afterAll(() => app.close())

const make = (scraper: string, more = {}, as = key) =>
  app.post("/api/v1/schedules", {
    key: as,
    body: { scraper, input: { shelves: ["a"] }, cron: "0 9 1 1 *", ...more },
  })
const ended = (runId: string, as = key) =>
  app.get(`/api/v1/runs/${runId}?waitForFinish=20`, { key: as })
const judged = async (id: string) => {
  const { store, service } = app
  await new MonitorWatcher({ store, scraper: (slug) => service.scraper(slug) }).poll()
  return (await app.get(`/api/v1/monitors/${id}`, { key })).body
}

test("a monitor runs at once when it is created; Run now is one of its runs", async () => {
  const { body: made } = await make("shelf-scraper")
  expect(made.recentRuns).toMatchObject([{ outcome: "started", missed: 0 }])
  await ended(made.recentRuns[0].runId)
  const first = await judged(made.id)
  expect(first).toMatchObject({ watched: 1, points: [{ value: 20, change: null }] })

  price = 15
  const { status, body: run } = await app.post(`/api/v1/schedules/${made.id}/run`, { key })
  expect([status, run.scraper]).toEqual([201, "shelf-scraper"])
  await ended(run.id)
  const second = await judged(made.id)
  expect(second).toMatchObject({
    lastRun: { runId: run.id, outcome: "started" },
    points: [{ value: 15, change: "price of a fell from 20 to 15 (-25 %).", changeRunId: run.id }],
  })
  const { body: after } = await app.get(`/api/v1/schedules/${made.id}`, { key })
  expect(after.nextFireTimes).toEqual(made.nextFireTimes)
  expect(after.recentRuns.map(({ runId }: { runId: string }) => runId)[0]).toBe(run.id)
})

test("a schedule without a watch, or a disabled one, runs on request", async () => {
  expect((await make("plain-scraper")).body.recentRuns).toEqual([])
  const { body: off } = await make("shelf-scraper", { enabled: false })
  expect(off.recentRuns).toEqual([])
  expect((await app.post(`/api/v1/schedules/${off.id}/run`, { key })).status).toBe(201)
})

test("repeated with its idempotency key it starts one run; without credit none, and nothing is recorded", async () => {
  const { body: made } = await make("plain-scraper")
  const twice = { key, headers: { "idempotency-key": "once" } }
  const runs = [0, 1].map(() => app.post(`/api/v1/schedules/${made.id}/run`, twice))
  const [one, other] = await Promise.all(runs)
  expect(one!.body.id).toBe(other!.body.id)
  const poor = await app.account({ credits: 0 })
  const { body: theirs, status } = await make("shelf-scraper", {}, poor.key)
  expect([status, theirs.recentRuns]).toEqual([201, []])
  expect((await app.post(`/api/v1/schedules/${theirs.id}/run`, { key: poor.key })).status).toBe(402)
  const { body: after } = await app.get(`/api/v1/schedules/${theirs.id}`, { key: poor.key })
  expect(after.recentRuns).toEqual([])
  expect((await app.post(`/api/v1/schedules/${made.id}/run`, { key: poor.key })).status).toBe(404)
})
