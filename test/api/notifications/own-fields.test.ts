import { afterAll, beforeAll, expect, test } from "bun:test"
import { scraperFor } from "../../../src/api/recipes/own-scrapers.ts"
import { catalogue } from "../../../src/catalogue/index.ts"
import { MonitorWatcher } from "../../../src/engine/ops/monitors/watcher.ts"
import { ScheduleClock } from "../../../src/engine/runtime/schedules/clock.ts"
import { TestApp } from "../app.ts"

let price = "1.056,65 €"
let app: TestApp
let key: string
let accountId: string
beforeAll(async () => {
  app = await TestApp.open(
    {},
    catalogue.filter(({ slug }) => slug === "web-scraper"),
    undefined,
    {
      send: async ({ url }) => ({
        status: url.endsWith("robots.txt") ? 404 : 200,
        headers: new Headers({ "content-type": "text/html" }),
        bytes: new TextEncoder().encode(
          `<h1>Lamp</h1><p class=price>${price}</p><b>yes</b><p>${"Words of a page. ".repeat(20)}</p>`,
        ),
        via: "http",
        firstByte: null,
      }),
    },
  )
  ;({ id: accountId, key } = await app.account({ unlimited: true }))
  const input = { fields: ["title: h1", "price: .price", "cost: .price @number", "[]all: b"] }
  const recipe = { slug: "lamps", name: "Lamps", pattern: "shop.test/*", input }
  expect((await app.post("/api/v1/recipes", { key, body: recipe })).status).toBe(201)
})
afterAll(() => app.close())

const schedule = (conditions: object[]) =>
  app.post("/api/v1/schedules", {
    key,
    body: {
      scraper: "lamps",
      input: { urls: ["https://shop.test/1"] },
      cron: "0 9 * * *",
      conditions,
    },
  })

test.each([
  [{ when: "below", value: 5, field: "prise" }, 'Did you mean "price"?'],
  [{ when: "below", value: 5, field: "data.prise" }, 'Did you mean "price"?'],
  [
    { when: "back_in_stock", field: "title" },
    '"title" is text: "back_in_stock" never applies to it.',
  ],
  [{ when: "dropped", percent: 1, field: "all.x" }, "have no field"],
])("a condition that can never be true is refused: %j", async (condition, why) => {
  const { status, body } = await schedule([condition])
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(why)])
})

test("fields of a recipe are watched by name, and a price in text as a number", async () => {
  const { body: made, status } = await schedule([
    { when: "dropped", percent: 1, field: "price" },
    { when: "below", value: 1000, field: "cost" },
    { when: "changed", field: "data.title" },
  ])
  expect(status).toBe(201)
  const look = async (at: string) => {
    const { store, service } = app
    await store.write("schedules.change", { id: made.id, accountId, set: { next_at: at } })
    const now = () => new Date(at)
    const scraper = (slug: string) => scraperFor(service, accountId, slug)
    const onError = (message: string) => expect(message).toBe("")
    await new ScheduleClock({ store, runs: app.runs, scraper, now, onError }).poll()
    const { body } = await app.get(`/api/v1/schedules/${made.id}`, { key })
    await app.get(`/api/v1/runs/${body.recentRuns[0].runId}?waitForFinish=20`, { key })
    const watcher = new MonitorWatcher({ store, scraper: (slug) => service.scraper(slug), now })
    await watcher.poll()
    await watcher.poll()
    const { body: monitor } = await app.get(`/api/v1/monitors/${made.id}`, { key })
    return monitor
  }
  const first = await look("2031-03-01T09:00:00.000Z")
  expect(first.points[0]).toMatchObject({ name: "Lamp", value: 1056.65 })
  price = "951,00 €"
  const second = await look("2031-03-02T09:00:00.000Z")
  expect(second.points[0]).toMatchObject({ value: 951, holding: ["dropped", "below"] })
  expect(second.points[0].change).toContain("price of Lamp fell from 1056.65 to 951 (-10 %)")
})
