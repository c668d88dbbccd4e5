import { afterAll, beforeAll, expect, test } from "bun:test"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open()
  key = (await app.account()).key
})
afterAll(() => app.close())

const start = (words: string[], query = "", as = key) =>
  app.post(`/api/v1/scrapers/words-scraper/runs?waitForFinish=60&${query}`, {
    key: as,
    body: { words },
  })
const wordsOf = async (dataset: string, query = "") => {
  const { body } = await app.get(`/api/v1/datasets/${dataset}/items?${query}`, { key })
  return [body.total, ...body.items.map(({ word }: { word: string }) => word)]
}

test("runs continue in one dataset, which is read as a whole, by page and in every format", async () => {
  const first = (await start(["a", "b"])).body
  const second = (await start(["b", "c"], `appendTo=${first.datasetId}`)).body
  expect(second.appendedTo).toBe(first.datasetId)
  // A run appended to an appended one uses the same dataset.
  const third = (await start(["a", "missing"], `appendTo=${second.datasetId}`)).body
  expect(third.appendedTo).toBe(first.datasetId)
  expect(await wordsOf(first.datasetId, "clean=true")).toEqual([5, "a", "b", "b", "c", "a"])
  expect(await wordsOf(second.datasetId)).toEqual([2, "b", "c"])
  const { body: dataset } = await app.get(`/api/v1/datasets/${first.datasetId}`, { key })
  expect(dataset).toMatchObject({ itemCount: 5, errorCount: 1, appendedTo: null })
  const page = (await app.get(`/api/v1/datasets/${first.datasetId}/items?limit=3`, { key })).body
  const rest = await wordsOf(first.datasetId, `limit=3&clean=true&cursor=${page.nextCursor}`)
  expect(rest.slice(1)).toEqual(["c", "a"])
  const csv = await app.get(
    `/api/v1/datasets/${first.datasetId}/items?format=csv&clean=true&fields=word`,
    { key },
  )
  expect(csv.text.trim().split("\r\n").slice(1)).toEqual(["a", "b", "b", "c", "a"])
})

test("each item once by the last run's unique fields; a reader may ask for all", async () => {
  const first = (await start(["a", "a2", "a"], "uniqueBy=word")).body
  await start(["b", "a"], `appendTo=${first.datasetId}`)
  expect(await wordsOf(first.datasetId)).toEqual([3, "a", "a2", "b"])
  expect(await wordsOf(first.datasetId, "unique=")).toEqual([4, "a", "a2", "b", "a"])
  await start(["c"], `appendTo=${first.datasetId}&uniqueBy=detail.length`)
  expect(await wordsOf(first.datasetId)).toEqual([2, "a", "a2"])
})

test("a deleted run leaves its dataset, and errors are named", async () => {
  const first = (await start(["a"])).body
  const second = (await start(["b"], `appendTo=${first.datasetId}`)).body
  await app.call("DELETE", `/api/v1/datasets/${second.datasetId}`, { key })
  expect(await wordsOf(first.datasetId)).toEqual([1, "a"])
  const other = (await app.account()).key
  const refusals: [query: string, as: string, field: string][] = [
    [`appendTo=${first.datasetId}`, other, "appendTo"],
    [`appendTo=${second.datasetId}`, key, "appendTo"],
    ["appendTo=ds_mine", key, "appendTo"],
    ["appendTo=Mine", key, "appendTo"],
    ["uniqueBy=wrod", key, "uniqueBy"],
    ["uniqueBy=word,place,detail,error", key, "uniqueBy"],
  ]
  for (const [query, as, field] of refusals) {
    const { status, body } = await start(["x"], query, as)
    expect([query, status, body.error?.details?.[0]?.field]).toEqual([query, 400, field])
  }
})

test("a named dataset is created by its first run, also by one of two at once", async () => {
  const [one, two] = await Promise.all([
    start(["a"], "appendTo=fruit"),
    start(["b"], "appendTo=fruit"),
  ])
  const creator = [one.body, two.body].find((run) => run.appendedTo === null)
  const other = one.body === creator ? two.body : one.body
  expect(other.appendedTo).toBe(creator.datasetId)
  expect((await start(["c"], "appendTo=fruit")).body.appendedTo).toBe(creator.datasetId)
  const words = (await wordsOf(creator.datasetId)).slice(1)
  expect([...words.slice(0, 2).sort(), words[2]]).toEqual(["a", "b", "c"])
  const { body: list } = await app.get("/api/v1/datasets?name=fruit", { key })
  expect(list).toMatchObject({ total: 1, items: [{ id: creator.datasetId, name: "fruit" }] })
  // Another account can use the same name; the name of a deleted dataset is free again.
  const anonymousCaller = (await app.account()).key
  expect((await start(["x"], "appendTo=fruit", anonymousCaller)).body.appendedTo).toBeNull()
  await app.call("DELETE", `/api/v1/datasets/${creator.datasetId}`, { key })
  expect((await start(["d"], "appendTo=fruit")).body.appendedTo).toBeNull()
})
