import { afterAll, beforeAll, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import {
  type AnyScraper,
  Blocked,
  defineScraper,
  inputObject,
  itemObject,
  NotFound,
} from "../../../src/catalogue/kit/index.ts"
import { TestApp } from "../app.ts"

const common = {
  tagline: "Details of a hotel",
  category: "travel",
  tier: "free",
  item: itemObject({ name: Type.String() }),
  targets: (input: { hotels: string[] }) => input.hotels,
} as const
const hotels = Type.Array(Type.String(), { minItems: 1, maxItems: 5 })

const challenged = defineScraper({
  ...common,
  slug: "blocked-hotel-scraper",
  name: "Walled",
  input: inputObject({ hotels, useUnlocker: Type.Optional(Type.Boolean()) }),
  example: { hotels: ["one"] as string[] },
  async *scrape(target) {
    if (target !== "open")
      throw new Blocked("hotels.test answered with a bot challenge.", "DataDome")
    yield { name: target }
  },
}) as AnyScraper

const open = defineScraper({
  ...common,
  slug: "open-hotel-scraper",
  name: "Open",
  input: inputObject({ hotels }),
  example: { hotels: ["one"] as string[] },
  async *scrape(name) {
    yield { name }
  },
}) as AnyScraper

const lost = defineScraper({
  ...common,
  slug: "lost-hotel-scraper",
  name: "Lost",
  input: inputObject({ hotels }),
  example: { hotels: ["one"] as string[] },
  async *scrape(name) {
    if (name !== "one") throw new NotFound(`No such hotel: ${name}`)
    yield { name }
  },
}) as AnyScraper

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 1000 }, [challenged, open, lost])
})
afterAll(() => app.close())

test("an error of a site that lets nothing through names what helps and what does not", async () => {
  const { body } = await app.get("/api/scrape/blocked-hotel-scraper?hotels=a|b")
  expect(body).toMatchObject({ status: "ERROR", itemCount: 2 })
  expect(body.notice).toStartWith("Repeating the call will not help: send useUnlocker=true")
  expect(body.notice).toContain("use another source: open-hotel-scraper")
})

test("one of a site that lets something through does not", async () => {
  const { body } = await app.get("/api/scrape/blocked-hotel-scraper?hotels=a|open")
  expect([body.status, body.notice]).toEqual(["SUCCEEDED", undefined])
})

test("MCP returns the same", async () => {
  const params = { name: "blocked-hotel-scraper", arguments: { hotels: ["c"] } }
  const { body } = await app.post("/api/mcp", {
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
  })
  expect(body.result.content[0].text).toContain("Repeating the call will not help")
})

test("values joined by commas that find nothing get the separator of lists", async () => {
  const notice = async (hotels: string) =>
    (await app.get(`/api/scrape/lost-hotel-scraper?hotels=${hotels}`)).body.notice
  expect(await notice("one,two")).toContain('"one,two" is one value. Separate several with |')
  expect(await notice("two")).toBeUndefined()
  expect(await notice("two, or three")).toBeUndefined()
  expect(await notice("one|a,b")).toBeUndefined()
})
