import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { tokensOf } from "../../../src/api/items/tokens.ts"
import {
  type AnyScraper,
  defineScraper,
  inputObject,
  itemObject,
} from "../../../src/catalogue/kit/index.ts"
import { type Answered, TestApp } from "../app.ts"

/** Returns the requested number of texts, each with the requested number of words. */
const texts = defineScraper({
  slug: "texts-scraper",
  name: "Texts",
  tagline: "Gives texts",
  category: "data",
  tier: "free",
  input: inputObject({
    count: Type.Integer({ minimum: 1, maximum: 100 }),
    words: Type.Integer({ minimum: 1, maximum: 200_000 }),
  }),
  item: itemObject({ place: Type.Integer(), rating: Type.Integer(), markdown: Type.String() }),
  example: { count: 1, words: 1 },
  targets: (input) => [`${input.count}`],
  async *scrape(_target, ctx) {
    for (let place = 0; place < ctx.input.count; place++) {
      yield { place, rating: 5, markdown: "word, ".repeat(ctx.input.words) }
    }
  },
}) as AnyScraper

const records = defineScraper({
  ...texts,
  slug: "records-scraper",
  item: itemObject({ place: Type.Integer(), rating: Type.Integer() }),
  async *scrape() {
    yield { place: 0, rating: 5 }
    yield { place: 1, rating: 4 }
  },
} as never) as AnyScraper

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 10_000 }, [texts, records])
})
afterAll(() => app.close())

const url = "/api/scrape/texts-scraper"
const path = (address: string) => address.slice(new URL(address).origin.length)

describe("a response without maxTokens", () => {
  test("has at most 20,000 tokens, and names where the rest is", async () => {
    const places: number[] = []
    let next: string | undefined = `${url}?count=30&words=1000`
    while (next) {
      const { body, text }: Answered = await app.get(next)
      expect(body).toMatchObject({ status: "SUCCEEDED", itemCount: body.items.length })
      expect(tokensOf(text)).toBeLessThanOrEqual(20_500)
      places.push(...body.items.map(({ place }: { place: number }) => place))
      if (body.next) expect(body.total).toBe(30)
      next = body.next && path(body.next)
    }
    expect(places).toEqual(Array.from({ length: 30 }, (_, position) => position))
  })

  test("is whole if it fits, without a next page", async () => {
    const { body } = await app.get(`${url}?count=3&words=10`)
    expect([body.itemCount, body.next, body.total, body.notice]).toEqual([
      3,
      undefined,
      undefined,
      undefined,
    ])
  })

  test("shortens an item that is larger, and explains how to get all of it", async () => {
    const { body, text } = await app.get(`${url}?count=2&words=100000`)
    expect(tokensOf(text)).toBeLessThanOrEqual(20_500)
    const whole = /maxTokens=(\d+)/.exec(body.notice)![1]
    const again = await app.get(
      `${path(body.next).replace("cursor=1", "cursor=0")}&maxTokens=${whole}`,
    )
    expect(again.body.items[0].markdown.length).toBe(600_000)
    expect((await app.get(path(body.next))).body.items[0].place).toBe(1)
  })
})

describe("pick", () => {
  test("returns the named fields in their order", async () => {
    const { body } = await app.get(`${url}?count=2&words=10&pick=rating, place`)
    expect(body.items.map(JSON.stringify)).toEqual([
      '{"rating":5,"place":0}',
      '{"rating":5,"place":1}',
    ])
    const { body: agent } = await app.post("/api/agent/scrape", {
      body: {
        scraper: "texts-scraper",
        input: { count: 1, words: 10 },
        pick: "rating",
        maxTokens: 200,
      },
    })
    expect(agent.items).toEqual([{ rating: 5 }])
  })

  test("suggests the nearest name for an unknown field", async () => {
    const { body } = await app.get(`${url}?count=2&words=10&pick=ratng`)
    expect(body).toMatchObject({
      status: "INVALID_INPUT",
      error: { details: [{ field: "pick", expected: "rating" }] },
    })
  })
})

describe("only the items", () => {
  const rows: [query: string, accept: string, type: string, text: string][] = [
    ["&format=csv&pick=place,rating", "", "text/csv", "place,rating\r\n0,5\r\n1,5\r\n"],
    ["&format=jsonl&pick=place", "", "application/jsonl", '{"place":0}\n{"place":1}\n'],
    ["&format=md", "", "text/markdown", "word, \n\n---\n\nword, "],
    ["&pick=rating", "text/csv", "text/csv", "rating\r\n5\r\n5\r\n"],
    ["", "text/markdown, text/html;q=0.9, */*;q=0.8", "text/markdown", "word, \n\n---\n\nword, "],
    ["&pick=place", "application/x-ndjson", "application/jsonl", '{"place":0}\n{"place":1}\n'],
  ]
  for (const [query, accept, type, text] of rows) {
    test(`by ${query || accept}`, async () => {
      const headers = { accept: accept || "*/*", "x-trawl-agent": "form" }
      const response = await app.get(`${url}?count=2&words=1${query}`, { headers })
      expect(response.headers.get("content-type")).toBe(`${type};charset=utf-8`)
      expect(response.headers.get("x-trawl-agent")).toBe("form")
      expect(response.text).toBe(text)
    })
  }

  test("link to the next page", async () => {
    const response = await app.get(`${url}?count=30&words=1000&format=csv`)
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link")!)!
    const rest = await app.get(`${path(next!)}&format=csv&pick=place`)
    expect(rest.text).toStartWith("place\r\n")
  })

  test("come as JSON if they have no such format, or the call asks for it", async () => {
    for (const accept of ["*/*", "application/json, text/csv", "text/html"]) {
      const { body } = await app.get(`${url}?count=2&words=1`, { headers: { accept } })
      expect(body.status).toBe("SUCCEEDED")
    }
    const of = (query: string, accept = "*/*") =>
      app.get(`/api/scrape/records-scraper?count=1&words=1${query}`, { headers: { accept } })
    expect((await of("", "text/markdown")).body.itemCount).toBe(2)
    expect((await of("&format=md")).body).toMatchObject({
      status: "INVALID_INPUT",
      error: { details: [{ field: "format", expected: "json, jsonl or csv" }] },
    })
    expect((await of("&format=xml")).body.error.details[0].field).toBe("format")
  })
})

test("links come with cards and errors, not with items", async () => {
  const links = async (query: string) => (await app.get(`${url}?${query}`)).body.links
  expect(await links("count=1&words=1")).toEqual({})
  expect(Object.keys(await links(""))).toContain("docs")
  expect(Object.keys(await links("count=0"))).toContain("docs")
})
