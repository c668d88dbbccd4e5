import { afterAll, beforeAll, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import {
  defineScraper,
  inputObject,
  itemObject,
  items,
  NotFound,
} from "../../../src/catalogue/kit/index.ts"
import { MonitorWatcher } from "../../../src/engine/ops/monitors/watcher.ts"
import { ScheduleClock } from "../../../src/engine/runtime/schedules/clock.ts"
import { TestApp } from "../app.ts"

/** The shelf's price at the next check; undefined removes the shelf. */
const prices: Record<string, number | undefined> = {}
const registry = defineScraper({
  slug: "shelf-scraper",
  name: "Shelf",
  tagline: "Says a price",
  category: "ecommerce",
  tier: "free",
  input: inputObject({ shelves: Type.Array(Type.String(), { minItems: 1 }) }),
  item: itemObject({ url: Type.String(), name: items.text("Name."), price: Type.Number() }),
  example: { shelves: ["a"] },
  watch: {
    key: ["url"],
    name: ["name"],
    value: "price",
    label: "Price",
    conditions: [{ when: "changed" }],
  },
  targets: ({ shelves }) => shelves,
  async *scrape(name) {
    const price = prices[name]
    if (price === undefined) throw new NotFound("There is no such shelf.")
    yield { url: `https://shop.test/${name}`, name, price }
  },
})
const { watch: _, ...plain } = { ...registry, slug: "plain-scraper" }

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({}, [registry, plain])
})
afterAll(() => app.close())

interface Made {
  id: string
  key: string
  accountId: string
  channel: string
}

async function made(body: object): Promise<Made> {
  const { id: accountId, key } = await app.account()
  // Enabled only after its creation, so that its first check is the test's.
  const provided = { scraper: "shelf-scraper", cron: "0 9 * * *", enabled: false, ...body }
  const { body: schedule, status } = await app.post("/api/v1/schedules", { key, body: provided })
  expect(status).toBe(201)
  const path = `/api/v1/schedules/${schedule.id}`
  await app.call("PATCH", path, { key, body: { enabled: true } })
  const slack = { kind: "slack", url: "https://s.test/k" }
  const { body: channel } = await app.post("/api/v1/notifications", { key, body: slack })
  return { id: schedule.id, key, accountId, channel: channel.id }
}

const onError = (message: string) => expect(message).toBeUndefined()

/** Runs the schedule at a time, and compares the results of its run. */
async function look({ id, key, accountId }: Made, at: string): Promise<void> {
  const { store, service } = app
  await store.write("schedules.change", { id, accountId, set: { next_at: at } })
  const now = () => new Date(at)
  const scraper = (slug: string) => service.scraper(slug)
  await new ScheduleClock({ store, runs: app.runs, scraper, now, onError }).poll()
  const { body } = await app.get(`/api/v1/schedules/${id}`, { key })
  const { runId } = body.recentRuns[0]
  await app.get(`/api/v1/runs/${runId}?waitForFinish=20`, { key })
  const watcher = new MonitorWatcher({ store, scraper, now })
  await watcher.poll()
  await watcher.poll()
}

interface Delivered {
  event: string
  payload: { data: { changes: { sentence: string }[] } }
}

/** Returns the monitor notifications of the account's channel, newest first. */
async function reported({ key, channel }: Made): Promise<string[]> {
  const { body } = await app.get(`/api/v1/notifications/${channel}/deliveries`, { key })
  return (body.items as Delivered[])
    .filter(({ event }) => event === "monitor.changed")
    .flatMap(({ payload }) => payload.data.changes.map(({ sentence }) => sentence))
}

const day = (n: number) => `2031-03-0${n}T09:00:00.000Z`

test("the watched fields of a schedule's scraper are compared from run to run, and reported once", async () => {
  const own = await made({ name: "Shelves", input: { shelves: ["a", "b"] } })
  prices.a = 20
  prices.b = 5
  await look(own, day(1))
  expect(await reported(own)).toEqual([])
  prices.a = 15
  await look(own, day(2))
  expect(await reported(own)).toEqual(["Price of a fell from 20 to 15 (-25 %)."])
  const schedule = await app.get(`/api/v1/schedules/${own.id}`, { key: own.key })
  const changeRunId = schedule.body.recentRuns[0].runId
  // An item that is missing this time is compared with its last known values.
  delete prices.a
  await look(own, day(3))
  prices.a = 15
  await look(own, day(4))
  expect(await reported(own)).toHaveLength(1)
  const { body } = await app.get("/api/v1/monitors", { key: own.key })
  expect(body.items).toHaveLength(1)
  expect(body.items[0]).toMatchObject({
    id: own.id,
    name: "Shelves",
    scraper: "shelf-scraper",
    enabled: true,
    mutedUntil: null,
    lastRun: { at: day(4), outcome: "started" },
    conditions: [{ when: "changed" }],
    watched: 2,
  })
  expect(body.items[0].points[0]).toMatchObject({
    key: "https://shop.test/a",
    name: "a",
    url: "https://shop.test/a",
    value: 15,
    checkedAt: day(4),
    changedAt: day(2),
    change: "Price of a fell from 20 to 15 (-25 %).",
    changeRunId,
    history: [
      { at: day(1), value: 20 },
      { at: day(2), value: 15 },
      { at: day(4), value: 15 },
    ],
  })
  const one = await app.get(`/api/v1/monitors/${own.id}?limit=1`, { key: own.key })
  expect([one.body.watched, one.body.points.length]).toEqual([2, 1])
  const other = await app.account()
  expect((await app.get(`/api/v1/monitors/${own.id}`, { key: other.key })).status).toBe(404)
})

test("a schedule's own conditions replace its scraper's, also if that has none", async () => {
  const conditions = [{ when: "below", value: 10, field: "price" }]
  const own = await made({ scraper: "plain-scraper", input: { shelves: ["c"] }, conditions })
  prices.c = 12
  await look(own, day(1))
  prices.c = 11
  await look(own, day(2))
  expect(await reported(own)).toEqual([])
  prices.c = 9
  await look(own, day(3))
  expect(await reported(own)).toEqual(["price of c fell from 11 to 9 (-18.2 %), below 10."])
  const { body } = await app.get(`/api/v1/monitors/${own.id}`, { key: own.key })
  expect(body.points[0].holding).toEqual(["below"])
})

test("a muted monitor notifies of nothing, including its runs; changes are kept", async () => {
  const own = await made({ input: { shelves: ["d"] } })
  prices.d = 20
  await look(own, day(1))
  const path = `/api/v1/schedules/${own.id}`
  const { body } = await app.call("PATCH", path, {
    key: own.key,
    body: { mutedUntil: "2031-03-03T00:00:00+00:00" },
  })
  expect(body.mutedUntil).toBe("2031-03-03T00:00:00.000Z")
  prices.d = 10
  await look(own, day(2))
  expect(await reported(own)).toEqual([])
  const { body: monitor } = await app.get(`/api/v1/monitors/${own.id}`, { key: own.key })
  expect(monitor.points[0].change).toBe("Price of d fell from 20 to 10 (-50 %).")
  delete prices.d
  await look(own, day(2))
  const deliveries = `/api/v1/notifications/${own.channel}/deliveries`
  expect((await app.get(deliveries, { key: own.key })).body.items).toEqual([])
  prices.d = 12
  const unmuted = await app.call("PATCH", path, { key: own.key, body: { mutedUntil: null } })
  expect([unmuted.status, unmuted.body.mutedUntil]).toEqual([200, null])
  await look(own, day(4))
  expect(await reported(own)).toEqual(["Price of d rose from 10 to 12 (+20 %)."])
})

test("conditions that can never be true are refused by name", async () => {
  const { key } = await app.account()
  const refused = async (scraper: string, condition: object) => {
    const body = { scraper, input: { shelves: ["a"] }, cron: "@daily", conditions: [condition] }
    const response = await app.post("/api/v1/schedules", { key, body })
    return [response.status, response.body.error.details[0].field]
  }
  expect(await refused("shelf-scraper", { when: "below" })).toEqual([400, "conditions[0].value"])
  expect(await refused("shelf-scraper", { when: "expires", days: 3 })).toEqual([
    400,
    "conditions[0].field",
  ])
  expect(await refused("plain-scraper", { when: "changed" })).toEqual([400, "conditions[0].field"])
  expect(await refused("plain-scraper", { when: "changed", field: "prise" })).toEqual([
    400,
    "conditions[0].field",
  ])
})

test("a schedule whose scraper was removed is disabled, and its owner is notified", async () => {
  const own = await made({ input: { shelves: ["e"] } })
  const { store } = app
  await store.write("schedules.change", {
    id: own.id,
    accountId: own.accountId,
    set: { next_at: day(5) },
  })
  const now = () => new Date(day(5))
  await new ScheduleClock({ store, runs: app.runs, scraper: () => undefined, now, onError }).poll()
  const { body } = await app.get(`/api/v1/schedules/${own.id}`, { key: own.key })
  expect(body).toMatchObject({
    enabled: false,
    nextFireTimes: [],
    disabledReason: 'The scraper "shelf-scraper" no longer exists.',
  })
  const path = `/api/v1/notifications/${own.channel}/deliveries`
  const { body: list } = await app.get(path, { key: own.key })
  expect(list.items[0]).toMatchObject({ event: "schedule.disabled", runId: null })
})
