import { afterAll, beforeAll, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { targetResponse } from "../../../src/api/schemas/target.ts"
import {
  defineScraper,
  inputObject,
  itemObject,
  NotFound,
} from "../../../src/catalogue/kit/index.ts"
import { TestApp } from "../app.ts"

/** Pages that return 404 until the test restores them. */
const gone = new Set<string>()
const requested: string[] = []
const flaky = defineScraper({
  slug: "flaky-scraper",
  name: "Flaky",
  tagline: "Fails now and then",
  category: "data",
  tier: "free",
  input: inputObject({ names: Type.Array(Type.String(), { description: "Names." }) }),
  item: itemObject({ name: Type.String() }),
  example: { names: ["a"] },
  targets: (input) => input.names,
  async *scrape(name) {
    requested.push(name)
    if (gone.has(name)) throw new NotFound(`There is no "${name}".`)
    yield { name }
    if (name === "half") throw new NotFound(`There is no more of "${name}".`)
    yield { name: `${name}2` }
  },
})

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open({}, [flaky])
  key = (await app.account()).key
})
afterAll(() => app.close())

const start = async (names: string[]) =>
  (
    await app.post("/api/v1/scrapers/flaky-scraper/runs?waitForFinish=300", {
      key,
      body: { names },
    })
  ).body
const itemsOf = async (dataset: string) =>
  (await app.get(`/api/v1/datasets/${dataset}/items`, { key })).body.items
const finished = async (id: string) =>
  (await app.get(`/api/v1/runs/${id}?waitForFinish=300`, { key })).body

test("a run's targets with state, fetch method and error, by state and page", async () => {
  gone.add("b").add("c")
  const run = await start(["a", "b", "half", "c", "d"])
  const path = `/api/v1/runs/${run.id}/targets`
  const all = await app.get(path, { key })
  expect(all.body).toMatchObject({ total: 5, nextCursor: null })
  const target = (position: number, target: string) => ({
    position,
    target,
    reason: null,
    fetchMethod: "http",
  })
  const done = { state: "done", code: null, message: null }
  expect(all.body.items[0]).toEqual({ ...target(0, "a"), ...done })
  const failed = (position: number, name: string) => ({
    ...target(position, name),
    state: "failed",
    code: "not_found",
    message: `There is no "${name}".`,
  })
  const first = await app.get(`${path}?state=failed&limit=1`, { key })
  expect(first.body).toMatchObject({ items: [failed(1, "b")], total: 2, nextCursor: "1" })
  const next = await app.get(`${path}?state=failed&limit=1&cursor=1`, { key })
  expect(next.body).toMatchObject({ items: [failed(3, "c")], total: 2, nextCursor: null })
  expect((await app.get(`${path}?state=queued`, { key })).body).toMatchObject({
    items: [],
    total: 0,
  })
  const odd = await app.get(`${path}?state=lost`, { key })
  expect([odd.status, odd.body.error.details[0].field]).toEqual([400, "state"])
  const anonymousCaller = await app.account()
  expect((await app.get(path, { key: anonymousCaller.key })).status).toBe(404)
  gone.clear()
})

test("a waiting target has its reason: its suspended host, or the run's", () => {
  const waits = {
    seq: 1,
    target: "https://a.example/x",
    state: "queued",
    fetchMethod: null,
    error: null,
  } as const
  const hosts = [{ host: "a.example", reason: "it refused", seconds: 30 }]
  expect(targetResponse(waits, { reason: "Waiting for room", hosts }).reason).toBe(
    "a.example gets no requests for 30 s more: it refused",
  )
  const other = { ...waits, target: "b" }
  expect(targetResponse(other, { reason: "Waiting for room", hosts }).reason).toBe(
    "Waiting for room",
  )
  const done = { ...waits, state: "done", fetchMethod: "http" } as const
  expect(targetResponse(done, { reason: "Waiting for room", hosts }).reason).toBeNull()
})

test("failed targets run again into the same dataset and positions; successful ones do not", async () => {
  gone.add("b").add("c")
  const run = await start(["a", "b", "half", "c", "d"])
  expect(run).toMatchObject({ status: "succeeded", itemCount: 5, errorCount: 3 })
  gone.delete("b")
  requested.length = 0
  const again = await app.post(`/api/v1/runs/${run.id}/retry`, { key })
  expect(again.status).toBe(202)
  expect(again.body).toMatchObject({ itemCount: 5, errorCount: 1, datasetId: run.datasetId })
  const end = await finished(run.id)
  expect(end).toMatchObject({ status: "succeeded", itemCount: 7, errorCount: 2 })
  expect(requested.sort()).toEqual(["b", "c"])
  const items = await itemsOf(run.datasetId)
  const seen = items.map((item: { name?: string; error?: unknown }) =>
    item.error ? "!" : item.name,
  )
  expect(seen).toEqual(["a", "a2", "b", "b2", "half", "!", "!", "d", "d2"])
})

test("a run whose targets all failed can continue too, and its counts are right", async () => {
  gone.add("x")
  const run = await start(["x"])
  expect(run).toMatchObject({ status: "failed", itemCount: 0, errorCount: 1 })
  gone.delete("x")
  await app.post(`/api/v1/runs/${run.id}/retry`, { key })
  expect(await finished(run.id)).toMatchObject({ status: "succeeded", itemCount: 2, errorCount: 0 })
})

test("a run without failures or of another account has nothing to run again", async () => {
  const run = await start(["fine"])
  const refused = await app.post(`/api/v1/runs/${run.id}/retry`, { key })
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    "No target of this run failed, so there is nothing to repeat.",
  ])
  const other = (await app.account()).key
  expect((await app.post(`/api/v1/runs/${run.id}/retry`, { key: other })).status).toBe(404)
})
