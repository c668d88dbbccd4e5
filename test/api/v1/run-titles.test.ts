import { afterAll, beforeAll, expect, test } from "bun:test"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open()
  key = (await app.account({ unlimited: true })).key
})
afterAll(() => app.close())

const start = async (words: string[]) =>
  (await app.post("/api/v1/scrapers/words-scraper/runs?waitForFinish=30", { key, body: { words } }))
    .body
const titles = async (query: string, list = "runs") =>
  (await app.get(`/api/v1/${list}?${query}`, { key })).body.items.map(
    ({ title }: { title: string }) => title,
  )

test("a run is named after its first target, can be renamed, and is found by its name", async () => {
  const first = await start(["https://www.shop.test/p/1", "b", "c"])
  expect(first.title).toBe("shop.test/p/1 and 2 more")
  await start(["50%_off"])
  const path = `/api/v1/runs/${first.id}`
  const renamed = await app.call("PATCH", path, { key, body: { title: "Lamps in März" } })
  expect([renamed.status, renamed.body.title]).toEqual([200, "Lamps in März"])
  expect(await titles("search=lamps")).toEqual(["Lamps in März"])
  expect(await titles("search=%25_", "datasets")).toEqual(["50%_off"])
  expect(await titles("search=words")).toHaveLength(2)
  expect((await app.get("/api/v1/runs?search=nothing", { key })).body.total).toBe(0)
  for (const body of [{ title: " " }, { title: "" }, { name: "x" }]) {
    expect((await app.call("PATCH", path, { key, body })).status).toBe(400)
  }
  const other = (await app.account()).key
  const theirs = await app.call("PATCH", path, { key: other, body: { title: "x" } })
  expect(theirs.status).toBe(404)
})

test("a schedule's run has its name", async () => {
  const body = {
    scraper: "words-scraper",
    input: { words: ["a"] },
    cron: "@daily",
    name: "Shelves",
  }
  const { body: schedule } = await app.post("/api/v1/schedules", { key, body })
  const { body: run } = await app.post(`/api/v1/schedules/${schedule.id}/run`, { key })
  expect(run.title).toBe("Shelves")
})
