import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { parse } from "csv-parse/sync"
import { unzipSync } from "fflate"
import { parquetReadObjects } from "hyparquet"
import { sql } from "kysely"
import { streamed } from "../../../src/api/http/stream.ts"
import { inChunks } from "../../../src/api/reading/chunks.ts"
import { csv } from "../../../src/export/csv.ts"
import { runById } from "../../../src/store/runs/runs.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
let id: string
beforeAll(async () => {
  app = await TestApp.open()
  key = (await app.account()).key
  id = (await app.run(key, ["one", "missing", "three", '=1+"1"'], { times: 2 })).datasetId
})
afterAll(() => app.close())

const items = (query = "") => app.get(`/api/v1/datasets/${id}/items${query}`, { key })
const item = (word: string, index: number) => ({
  word,
  place: index,
  detail: { length: word.length, letters: [...word].slice(0, 2) },
})
const failed = {
  input: "missing",
  statusCode: null,
  error: { code: "not_found", message: 'There is no "missing".' },
}
const all = [
  item("one", 0),
  item("one", 1),
  failed,
  item("three", 0),
  item("three", 1),
  item('=1+"1"', 0),
  item('=1+"1"', 1),
]

describe("items as JSON", () => {
  test("the envelope", async () => {
    const { body, headers } = await items()
    expect(body).toEqual({ items: all, total: 7, limit: 100, offset: 0, nextCursor: null })
    expect(headers.get("content-type")).toBe("application/json;charset=utf-8")
  })

  const cases: [query: string, items: unknown[], total: number][] = [
    ["?limit=2", all.slice(0, 2), 7],
    ["?limit=2&offset=1", all.slice(1, 3), 7],
    ["?offset=6", all.slice(6), 7],
    ["?offset=7", [], 7],
    ["?clean=true", all.filter((one) => one !== failed), 6],
    ["?clean=true&offset=2&limit=1", [item("three", 0)], 6],
    ["?fields=place,word&limit=1", [{ place: 0, word: "one" }], 7],
    [
      "?fields=word&fields=error&limit=3",
      [{ word: "one" }, { word: "one" }, { error: failed.error }],
      7,
    ],
    ["?omit=detail,place&limit=1", [{ word: "one" }], 7],
  ]
  for (const [query, expected, total] of cases) {
    test(query, async () => {
      const { body } = await items(query)
      expect(body.items).toEqual(expected)
      expect(body.total).toBe(total)
    })
  }

  test("field order is that of the call", async () => {
    const { text } = await items("?fields=place,word&limit=1")
    expect(text).toContain('{"place":0,"word":"one"}')
  })
})

describe("items as JSON Lines and CSV", () => {
  test("jsonl has every item on a line", async () => {
    const { text, headers } = await items("?format=jsonl")
    expect(headers.get("content-type")).toStartWith("application/jsonl")
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(all)
    const two = await items("?format=jsonl&limit=2&offset=5&fields=word")
    expect(two.text).toBe('{"word":"=1+\\"1\\""}\n{"word":"=1+\\"1\\""}\n')
  })

  test("csv: BOM, CRLF, flattened, safe for spreadsheets", async () => {
    const { text, headers } = await items("?format=csv")
    expect(headers.get("content-type")).toStartWith("text/csv")
    expect(headers.get("content-disposition")).toMatch(
      /^attachment; filename="words-scraper-\w+\.csv"$/,
    )
    expect(text.startsWith("\ufeff")).toBe(true)
    expect(text.endsWith("\r\n")).toBe(true)
    const rows: string[][] = parse(text, { bom: true })
    expect(rows[0]).toEqual([
      "word",
      "place",
      "detail.length",
      "detail.letters.0",
      "detail.letters.1",
      "input",
      "error.code",
      "error.message",
    ])
    expect(rows).toHaveLength(8)
    expect(rows[1]!.slice(0, 5)).toEqual(["one", "0", "3", "o", "n"])
    expect(rows[3]!.slice(5)).toEqual(["missing", "not_found", 'There is no "missing".'])
    expect(rows[6]![0]).toBe(`'=1+"1"`)
  })

  test("xlsx: the same cells as a workbook; md is refused for items that are not pages", async () => {
    const response = await app.raw("GET", `/api/v1/datasets/${id}/items?format=xlsx`, { key })
    expect(response.headers.get("content-type")).toContain("spreadsheetml.sheet")
    expect(response.headers.get("content-disposition")).toEndWith('.xlsx"')
    const files = unzipSync(await response.bytes())
    const sheet = new TextDecoder().decode(files["xl/worksheets/sheet1.xml"])
    const names = (await items("?format=csv")).text.slice(1).split("\r\n")[0]!.split(",")
    const heads = [...sheet.matchAll(/ s="1" t="inlineStr"><is><t [^>]*>(.*?)</g)]
    expect(heads.map(([, name]) => name)).toEqual(names)
    const refused = await items("?format=md")
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toContain("have no Markdown")
  })

  test("parquet: the items with their types", async () => {
    const path = `/api/v1/datasets/${id}/items?format=parquet&fields=word,place,error`
    const response = await app.raw("GET", path, { key })
    expect(response.headers.get("content-type")).toBe("application/vnd.apache.parquet")
    expect(response.headers.get("content-disposition")).toEndWith('.parquet"')
    const rows = await parquetReadObjects({ file: await response.arrayBuffer() })
    expect(rows[0]).toMatchObject({ word: "one", place: 0n })
    expect(rows[2]).toMatchObject({ error: { code: "not_found" } })
  })

  test("csv: chosen fields, without errors", async () => {
    const { text } = await items("?format=csv&clean=true&fields=place,word&limit=1")
    expect(text).toBe("\ufeffplace,word\r\n0,one\r\n")
    const { text: omitted } = await items("?format=csv&clean=true&omit=detail&limit=1")
    expect(omitted).toBe("\ufeffword,place\r\none,0\r\n")
  })
})

describe("datasets", () => {
  test("one, and the list", async () => {
    const { body } = await app.get(`/api/v1/datasets/${id}`, { key })
    expect(body).toMatchObject({ id, scraper: "words-scraper", itemCount: 6, errorCount: 1 })
    const list = await app.get("/api/v1/datasets?limit=1", { key })
    expect(list.body).toEqual({ items: [body], total: 1, limit: 1, offset: 0, nextCursor: null })
  })

  test("deleting one keeps its run", async () => {
    const run = await app.run(key, ["a"])
    const path = `/api/v1/datasets/${run.datasetId}`
    expect((await app.call("DELETE", path, { key })).status).toBe(204)
    expect((await app.get(path, { key })).status).toBe(404)
    expect((await app.get(`${path}/items`, { key })).status).toBe(404)
    expect((await app.get(`/api/v1/runs/${run.id}`, { key })).body.itemCount).toBe(1)
    expect((await app.get("/api/v1/datasets", { key })).body.total).toBe(1)
    await app.purge()
    const left = await app.store.db
      .selectFrom("items")
      .innerJoin("runs", "runs.n", "items.run_n")
      .where("runs.id", "=", run.id)
      .select("seq")
      .execute()
    expect(left).toEqual([])
    expect((await items()).body.items).toEqual(all)
  })

  test("an empty dataset in each format", async () => {
    const run = await app.run(key, ["none"], { times: 0 })
    const read = async (query: string) =>
      (await app.get(`/api/v1/datasets/${run.datasetId}/items${query}`, { key })).text
    expect(await read("")).toBe('{"items":[],"total":0,"limit":100,"offset":0,"nextCursor":null}')
    expect(await read("?format=jsonl")).toBe("")
    expect(await read("?format=csv")).toBe("\ufeffword,place,detail.length\r\n")
  })
})

describe("large exports", () => {
  /** Inserts items into a run's dataset; `body` is an SQL expression of the number `i`. */
  async function filled(count: number, body: string): Promise<string> {
    const run = await app.run(key, ["seed"])
    const { n } = (await runById(app.store.db, run.id))!
    await app.direct(async (db) => {
      await sql`DELETE FROM items WHERE run_n = ${n}`.execute(db)
      await sql`
        INSERT INTO items (run_n, seq, idx, is_error, body)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.lit(count)})
        SELECT ${sql.lit(n)}, 0, i, 0, ${sql.raw(body)} FROM n`.execute(db)
    })
    return `/api/v1/datasets/${run.datasetId}/items`
  }

  test("all items arrive, and the first at once", async () => {
    const count = 100_000
    const path = await filled(
      count,
      `'{"word":"w' || i || '","place":' || i || ',"detail":{"letters":["a"]}}'`,
    )
    for (const format of ["csv", "jsonl"]) {
      const started = performance.now()
      const response = await app.raw("GET", `${path}?format=${format}`, { key })
      let first = 0
      let lines = 0
      for await (const chunk of response.body as ReadableStream<Uint8Array>) {
        first ||= performance.now() - started
        for (const byte of chunk) if (byte === 10) lines++
      }
      expect(lines).toBe(count + (format === "csv" ? 1 : 0))
      // The first chunk is sent while the rest is read.
      expect(first).toBeLessThan((performance.now() - started) / 2)
    }
  }, 120_000)

  test("nothing is read before its reader can accept it", async () => {
    let read = 0
    async function* items() {
      for (; read < 1_000_000; read++) yield { place: read, text: "x".repeat(100) }
    }
    async function* lines() {
      for await (const item of items()) yield `${JSON.stringify(item)}\n`
    }
    const schema = Type.Object({ place: Type.Integer(), text: Type.String() })
    for (const texts of [lines(), csv(items(), { schema })]) {
      read = 0
      const reader = streamed(inChunks(texts), {}).body!.getReader()
      await reader.read()
      await Bun.sleep(20)
      const atFirst = read
      // The look-ahead of CSV, and one or two chunks.
      expect(atFirst).toBeLessThan(5000)
      await reader.read()
      await Bun.sleep(20)
      expect(read - atFirst).toBeLessThan(2000)
      await reader.cancel()
      const atEnd = read
      await Bun.sleep(20)
      expect(read).toBe(atEnd)
    }
  })
})
