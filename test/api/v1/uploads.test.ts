import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { maxListBytes, maxValues } from "../../../src/api/v1/list-body.ts"
import { defineScraper, inputObject, itemObject } from "../../../src/catalogue/kit/index.ts"
import { xlsx } from "../../../src/export/xlsx.ts"
import { TestApp } from "../app.ts"
import { Gate, testScrapers } from "../scrapers.ts"

/** A scraper with one target per run. */
const single = defineScraper({
  slug: "single-scraper",
  name: "Single",
  tagline: "One thing",
  category: "data",
  tier: "free",
  input: inputObject({
    thing: Type.String({ minLength: 2 }),
    other: Type.Optional(Type.Array(Type.Integer())),
  }),
  item: itemObject({ thing: Type.String() }),
  example: { thing: "one" },
  targets: ({ thing }) => [thing],
  async *scrape(thing) {
    yield { thing }
  },
})

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open({}, [...testScrapers(new Gate()), single])
  key = (await app.account({ unlimited: true })).key
})
afterAll(() => app.close())

async function upload(
  body: string | Uint8Array<ArrayBuffer>,
  query: Record<string, string> = {},
  type = "text/csv",
  more = {},
) {
  const parameters = new URLSearchParams({ scraper: "words-scraper", ...query })
  const response = await app.app.handle(
    new Request(`http://trawl.test/api/v1/batches/upload?${parameters}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": type, ...more },
      body,
    }),
  )
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
  return { status: response.status, body: (await response.json()) as any }
}

/** Returns the inputs of a batch's runs, in its order. */
async function inputsOf(batch: { id: string }) {
  const { body } = await app.get(`/api/v1/batches/${batch.id}/runs?view=full`, { key })
  return body.items.map(({ input }: { input: { words: string[] } }) => input)
}

describe("a list is processed by a batch", () => {
  const forms: [
    what: string,
    body: string,
    query: Record<string, string>,
    type: string,
    words: string[],
  ][] = [
    ["lines", "one\r\n\r\n two \n", {}, "text/plain; charset=utf-8", ["one", "two"]],
    [
      "a column by name",
      'city,word\nBonn,"a, b"\nKiel,\nUlm,c',
      { column: "word" },
      "text/csv",
      ["a, b", "c"],
    ],
    [
      "semicolons, as Excel writes them",
      "\ufeffcity;name\nBonn;x\nUlm;y\n",
      {},
      "text/csv",
      ["x", "y"],
    ],
    ["the column called like the input", "url,word\nhttps://a.test/,x", {}, "text/csv", ["x"]],
    [
      "the only column of URLs",
      "Nr;Adresse\n1;https://a.test/\n2;https://b.test/\n",
      {},
      "text/csv",
      ["https://a.test/", "https://b.test/"],
    ],
    ["rows without names", "1;https://a.test/\n", {}, "text/csv", ["https://a.test/"]],
    ["tabs", "city\tquery\nBonn\tx", {}, "text/tab-separated-values", ["x"]],
    [
      "one column without a name",
      "https://a.test/\nhttps://b.test/",
      {},
      "text/csv",
      ["https://a.test/", "https://b.test/"],
    ],
  ]
  for (const [what, body, query, type, words] of forms) {
    test(what, async () => {
      const { status, body: batch } = await upload(body, { input: '{"times":2}', ...query }, type)
      expect([status, batch.error?.message]).toEqual([201, undefined])
      expect(await inputsOf(batch)).toEqual([{ words, times: 2, loud: false }])
    })
  }

  test("a workbook", async () => {
    async function* items() {
      yield { city: "Bonn", word: "a < b & c" }
      yield { city: "Kiel", word: "é" }
    }
    const bytes = await Array.fromAsync(xlsx(items(), { schema: { properties: {} } as never }))
    const type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    const { status, body } = await upload(Buffer.concat(bytes), { column: "word" }, type)
    expect([status, body.error?.message]).toEqual([201, undefined])
    expect((await inputsOf(body))[0].words).toEqual(["a < b & c", "é"])
    const wrong = await upload("no workbook", {}, type)
    expect(wrong.status).toBe(400)
    expect(wrong.body.error.message).toContain("workbook cannot be read")
  })

  test("has as many runs as the scraper's list needs, and all items as one list", async () => {
    const words = Array.from({ length: 2500 }, (_, position) => `w${position}`)
    const { body: batch } = await upload(`word\n${words.join("\n")}`, { name: "many" })
    expect(batch).toMatchObject({ size: 3, name: "many" })
    const inputs = await inputsOf(batch)
    expect(inputs.flatMap(({ words }: { words: string[] }) => words)).toEqual(words)
    const singles = await upload("aa\nbb", { scraper: "single-scraper" }, "text/plain")
    expect(singles.body.size).toBe(2)
  })

  test("repeated with the same key and list, is created once", async () => {
    const headers = { "idempotency-key": "one-list" }
    const first = await upload("a\nb", {}, "text/plain", headers)
    const again = await upload("a\nb", {}, "text/plain", headers)
    expect(again.body.id).toBe(first.body.id)
    expect((await upload("a\nc", {}, "text/plain", headers)).status).toBe(422)
  })
})

describe("what cannot be accepted is named, and nothing starts", () => {
  const long = `${"x".repeat(20_001)}`
  const cases: [
    what: string,
    body: string,
    query: Record<string, string>,
    field: string,
    says: string,
  ][] = [
    ["no column that is clear", "a,b\n1,2", {}, "column", "a, b"],
    ["a column that there is not", "a,b\n1,2", { column: "c" }, "column", '"c"'],
    ["a value that does not fit, by its line", `word\nok\n\n${long}`, {}, "words", "Line 4: "],
    ["a value that the scraper refuses", "word\nok\nrefused", {}, "words", "Line "],
    ["no value", "word\n", {}, "", "no value"],
    ["a broken quote", 'word\n"a', {}, "", "not a table"],
    ["a row without end", `word\n"${"y".repeat(100_001)}`, {}, "", "not a table"],
    ["too many values", `word\n${"a\n".repeat(maxValues + 1)}`, {}, "", String(maxValues)],
    ["an input that is not JSON", "a", { input: "{" }, "input", "JSON"],
    ["an input that there is not", "word\na", { input: '{"tims":2}' }, "tims", '"times"'],
    ["a field that there is not", "word\na", { field: "word" }, "field", "word"],
    [
      "a field that takes no text",
      "word\na",
      { scraper: "single-scraper", field: "other" },
      "field",
      "other",
    ],
    [
      "more runs than a batch has",
      `word\n${"ab\n".repeat(1001)}`,
      { scraper: "single-scraper" },
      "",
      "1001",
    ],
  ]
  for (const [what, body, query, field, expected] of cases) {
    test(what, async () => {
      const before = (await app.get("/api/v1/runs", { key })).body.total
      const reply = await upload(body, query)
      expect(reply.status).toBe(400)
      expect(reply.body.error.details[0].field).toBe(field)
      expect(reply.body.error.details[0].message).toContain(expected)
      expect((await app.get("/api/v1/runs", { key })).body.total).toBe(before)
    })
  }

  test("another type, more than 16 MB, another text encoding, an unknown scraper, no key", async () => {
    expect((await upload("a", {}, "application/pdf")).status).toBe(415)
    expect((await upload("a".repeat(maxListBytes + 1))).status).toBe(413)
    expect(
      (await upload(new Uint8Array([0x66, 0xfc, 0x72]), {}, "text/plain")).body.error.message,
    ).toContain("UTF-8")
    expect((await upload("a", { scraper: "none" })).status).toBe(404)
    const { status } = await app.call("POST", "/api/v1/batches/upload?scraper=words-scraper", {
      body: "a",
      headers: { "content-type": "text/plain" },
    })
    expect(status).toBe(401)
  })
})
