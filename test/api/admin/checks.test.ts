import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { sql } from "kysely"
import {
  type AnyScraper,
  defineScraper,
  inputObject,
  inputs,
  itemObject,
} from "../../../src/catalogue/kit/index.ts"
import { TestApp } from "../app.ts"

const operatorToken = "trawl_fortheoperatoralone"
const operator = { key: operatorToken }
const base = "/api/admin/v1"

let title: string | null = "page"
const ran: string[] = []
/** A scraper that returns what the test sets. */
const scraperNamed = (slug: string, category: "web" | "data"): AnyScraper =>
  defineScraper({
    slug,
    name: slug,
    tagline: "Returns what the test sets.",
    category,
    tier: "free",
    input: inputObject({ ids: inputs.texts("Ids.", { max: 10 }) }),
    item: itemObject({ id: Type.String(), title: Type.Union([Type.String(), Type.Null()]) }),
    example: { ids: ["1"] },
    probe: { input: { ids: ["1"] }, expect: ['items[0].title equals "page"'] },
    rateLimit: { "site.test": {} },
    targets: (input) => input.ids,
    async *scrape(id) {
      ran.push(slug)
      yield { id, title }
    },
  })

let app: TestApp
beforeAll(async () => {
  const scrapers = [scraperNamed("one-scraper", "data"), scraperNamed("two-scraper", "web")]
  app = await TestApp.open({}, scrapers, operatorToken)
})
afterAll(() => app.close())

const check = async (body: Record<string, unknown>) => {
  const requested = await app.post(`${base}/checks`, { ...operator, body })
  while ((await app.get(`${base}/checks`, operator)).body.pending.length > 0) await Bun.sleep(5)
  return requested
}
const health = async (slug: string) =>
  (await app.get(`${base}/scrapers/${slug}/health`, operator)).body.health

describe("checks that an administrator starts", () => {
  test("check the named scrapers one at a time, and return the results", async () => {
    const { status, body } = await check({ scrapers: ["one-scraper"] })
    expect(status).toBe(202)
    expect(body.pending).toEqual([{ scraper: "one-scraper", fetchMethod: null, unlocker: false }])
    expect(await health("one-scraper")).toMatchObject({ state: "works", source: "probe" })
    expect(await health("two-scraper")).toMatchObject({ state: "unknown" })
  })

  test("cost no credits, and leave no run", async () => {
    const { rows } = await sql`
      SELECT (SELECT count(*) FROM runs) + (SELECT count(*) FROM memory) AS total`.execute(
      app.store.db,
    )
    expect(rows).toEqual([{ total: 0 }])
  })

  test("two failures mark the scraper broken and name the field, one success clears it", async () => {
    title = null
    await check({ scrapers: ["one-scraper"] })
    expect((await health("one-scraper")).state).toBe("works")
    await check({ scrapers: ["one-scraper"] })
    expect(await health("one-scraper")).toMatchObject({ state: "broken", fields: ["title"] })
    title = "page"
    await check({ scrapers: ["one-scraper"] })
    expect((await health("one-scraper")).state).toBe("works")
  })

  test("check a category, and do not repeat a running check", async () => {
    ran.length = 0
    await Promise.all([check({ category: "web" }), check({ category: "web" })])
    expect(ran).toEqual(["two-scraper"])
  })

  test("a check of one fetch method is listed next to the scraper's", async () => {
    await check({ scrapers: ["one-scraper"], fetchMethod: "http" })
    expect((await health("one-scraper")).methods).toMatchObject([
      { fetchMethod: "http", state: "works" },
    ])
  })

  for (const [body, status, message] of [
    [{ scrapers: ["one-scrapper"] }, 404, "Did you mean one-scraper"],
    [{ category: "travel" }, 400, 'No scraper has the category \\"travel\\"'],
    [
      { scrapers: ["one-scraper"], fetchMethod: "browser" },
      400,
      'None of these scrapers has the fetch method \\"browser\\"',
    ],
    [{ methods: "http" }, 400, "methods"],
  ] as const) {
    test(`refused: ${JSON.stringify(body)}`, async () => {
      const response = await app.post(`${base}/checks`, { ...operator, body })
      expect(response.status).toBe(status)
      expect(JSON.stringify(response.body)).toContain(message)
    })
  }

  test("are for administrators only", async () => {
    const { key } = await app.account()
    expect((await app.post(`${base}/checks`, { key, body: {} })).status).toBe(403)
    expect((await app.post(`${base}/checks`, { body: {} })).status).toBe(401)
  })
})
