import { afterAll, beforeAll, expect, test } from "bun:test"
import { TestApp } from "../app.ts"

const named = { scraper: "words-scraper" }

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open()
  key = (await app.account()).key
})
afterAll(() => app.close())

test("a run, its dataset and the usage have the same scraper name", async () => {
  const run = await app.run(key, ["a"])
  expect(run).toMatchObject(named)
  expect((await app.get(`/api/v1/datasets/${run.datasetId}`, { key })).body).toMatchObject(named)
  const { usage } = (await app.get("/api/v1/me", { key })).body
  expect(usage.byScraper).toMatchObject([named])
})

test("runs are filtered by scraper", async () => {
  await app.run(key, ["b"])
  await app.post("/api/v1/scrapers/premium-words-scraper/runs?waitForFinish=300", {
    key,
    body: { words: ["c"] },
  })
  const of = async (query: string) => {
    const { body } = await app.get(`/api/v1/runs?${query}`, { key })
    return [...new Set(body.items.map((run: { scraper: string }) => run.scraper))]
  }
  expect(await of("scraper=premium-words-scraper")).toEqual(["premium-words-scraper"])
  expect(await of("scraper=words-scraper")).toEqual(["words-scraper"])
  const misspelt = await app.get("/api/v1/runs?scrapr=words-scraper", { key })
  expect([misspelt.status, misspelt.body.error.message]).toEqual([
    400,
    'The query is not valid: There is no field "scrapr". Did you mean "scraper"?',
  ])
})
