import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { sql } from "kysely"
import { maxItemsRead } from "../../../src/export/choose.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
let id: string
let again: string
const stated = ["banana", "fig", "missing", "apple", "kiwi", "fig|leaf"]
beforeAll(async () => {
  app = await TestApp.open()
  key = (await app.account()).key
  id = (await app.run(key, stated, { times: 2 })).datasetId
  again = (await app.run(key, ["fig", "plum"], { times: 1 })).datasetId
})
afterAll(() => app.close())

type Query = Record<string, string | string[] | number | boolean | undefined>

function pathOf(query: Query, path = `/api/v1/datasets/${id}/items`) {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) parameters.append(name, String(one))
  }
  return `${path}?${parameters}`
}

/** Items in short form: `fig0` is the first item of "fig". */
async function visible(query: Query, path?: string) {
  const { body } = await app.get(pathOf(query, path), { key })
  const items = body.items ?? body
  return { ...body, items: items.map?.((item: Item) => (item.error ? "failed" : short(item))) }
}

type Item = { word: string; place: number; error?: unknown }
const short = ({ word, place }: Item) => `${word}${place}`
const all = ["banana0", "banana1", "fig0", "fig1", "failed", "apple0", "apple1", "kiwi0", "kiwi1"]
all.push("fig|leaf0", "fig|leaf1")

describe("filter", () => {
  const cases: [filter: string | string[], items: string[]][] = [
    ["word=fig", ["fig0", "fig1"]],
    ["word!=fig", all.filter((one) => !/^fig\d|failed/.test(one))],
    ["word~AN", ["banana0", "banana1"]],
    ["word~leaf FIG", ["fig|leaf0", "fig|leaf1"]],
    ["detail.length<5", ["fig0", "fig1", "kiwi0", "kiwi1"]],
    ["detail.length >= 6", ["banana0", "banana1", "fig|leaf0", "fig|leaf1"]],
    ["detail.letters=i", ["fig0", "fig1", "kiwi0", "kiwi1", "fig|leaf0", "fig|leaf1"]],
    [["place=1", "word<b"], ["apple1"]],
    ["error", ["failed"]],
    ["error.code=not_found", ["failed"]],
    ["!error", all.filter((one) => one !== "failed")],
  ]
  for (const [filter, items] of cases) {
    test(String(filter), async () => {
      expect(await visible({ filter })).toMatchObject({
        items,
        total: items.length,
        nextCursor: null,
      })
    })
  }

  const refusals: [query: Query, words: string][] = [
    [{ filter: "wrod=fig" }, 'There is no field "wrod" in these items. Did you mean "word"?'],
    [{ filter: "detail.lenght>1" }, 'Did you mean "length"?'],
    [{ filter: "detail.length>many" }, '"detail.length" is a number, not "many".'],
    [{ filter: "place~1" }, "applies only to text"],
    [{ filter: "<3" }, '"<3" is not a valid filter.'],
    [{ filter: "!word=fig" }, "is not a valid filter"],
    [{ filter: Array(21).fill("word") }, "takes at most 20"],
    [{ sort: "wrod" }, 'Did you mean "word"?'],
    [{ unique: "wrod" }, 'Did you mean "word"?'],
    [{ since: "previous" }, '"since" requires "unique"'],
    [{ since: "yesterday", unique: "word" }, "since"],
  ]
  for (const [query, words] of refusals) {
    test(`refused: ${JSON.stringify(query).slice(0, 60)}`, async () => {
      const { status, body } = await app.get(pathOf(query), { key })
      expect(status).toBe(400)
      expect(body.error.message).toContain(words)
    })
  }
})

describe("sort", () => {
  const cases: [sort: string, items: string[]][] = [
    ["word", ["apple0", "apple1", "banana0", "banana1", "fig0", "fig1"]],
    ["-place,word", ["apple1", "banana1", "fig1", "fig|leaf1", "kiwi1", "apple0"]],
    ["-detail.length", ["fig|leaf0", "fig|leaf1", "banana0", "banana1", "apple0", "apple1"]],
  ]
  for (const [sort, first] of cases) {
    test(sort, async () => {
      const { items, total } = await visible({ sort })
      expect(items.slice(0, first.length)).toEqual(first)
      expect(total).toBe(all.length)
      expect(items.at(-1)).toBe("failed")
    })
  }

  test("works with every format", async () => {
    const query = { sort: "-word", filter: "place=0", fields: "word" }
    const lines = await app.get(pathOf({ ...query, format: "jsonl", limit: 2 }), { key })
    expect(lines.text).toBe('{"word":"kiwi"}\n{"word":"fig|leaf"}\n')
    const csv = await app.get(pathOf({ ...query, format: "csv", clean: true }), { key })
    const words = csv.text.replace("\ufeff", "").trim().split("\r\n")
    expect(words).toEqual(["word", "kiwi", "fig|leaf", "fig", "banana", "apple"])
  })
})

for (const query of [{ filter: "place>=0" }, { sort: "-word" }, { unique: "word,place" }]) {
  test(`page by page: ${JSON.stringify(query)}`, async () => {
    const whole = await visible(query)
    const read: string[] = []
    let cursor: string | undefined
    do {
      const page: Query = { ...query, limit: 3, ...(cursor && { cursor }) }
      const { items, total, nextCursor } = await visible(page)
      expect(total).toBe(whole.total)
      read.push(...items)
      cursor = nextCursor
    } while (cursor)
    expect(read).toEqual(whole.items)
    const part = await visible({ ...query, limit: 2, offset: 3 })
    expect(part.items).toEqual(whole.items.slice(3, 5))
  })
}

describe("a filter continues from a cursor", () => {
  const many = maxItemsRead + 10
  let big: string
  beforeAll(async () => {
    const run = await app.run(key, ["many"])
    big = run.datasetId
    await app.direct(async (db) => {
      await sql`
        INSERT INTO items (run_n, seq, idx, is_error, body)
        WITH RECURSIVE place(idx) AS (SELECT 1 UNION ALL SELECT idx + 1 FROM place WHERE idx < ${sql.lit(many)})
        SELECT n, 0, idx, 0, '{"word":"w","place":' || idx || '}' FROM place, runs WHERE id = ${run.id}`.execute(
        db,
      )
      await sql`UPDATE runs SET item_count = ${many + 1} WHERE id = ${run.id}`.execute(db)
    })
  })
  const path = () => `/api/v1/datasets/${big}/items`
  const rewrite = (body: string) =>
    app.direct((db) =>
      sql`UPDATE items SET body = ${body}
        WHERE idx = 1 AND run_n = (SELECT n FROM runs WHERE dataset_id = ${big})`.execute(db),
    )

  test("nothing before it is read again, and its count is kept", async () => {
    const first = await visible({ filter: "place>0", limit: 2 }, path())
    expect(first).toMatchObject({ items: ["w1", "w2"], total: many })
    // Reading the first item again would fail.
    await rewrite("none")
    const next = await visible({ filter: "place>0", limit: 2, cursor: first.nextCursor }, path())
    expect(next).toMatchObject({ items: ["w3", "w4"], total: many })
    await rewrite('{"place":1}')
  })

  test("one call reads a limited number of items, and returns where the next continues", async () => {
    const rare = { filter: `place=${many}`, limit: 2 }
    const first = await visible({ ...rare, cursor: "0.0.0.1" }, path())
    expect(first).toMatchObject({ items: [], total: 1 })
    expect(first.nextCursor).toBe(`0.0.${maxItemsRead}.1`)
    const rest = await visible({ ...rare, cursor: first.nextCursor }, path())
    expect(rest).toMatchObject({ items: [`w${many}`], total: 1, nextCursor: null })
  })
})

describe("unique and since", () => {
  test("the first of each, in order; items without a key stay", async () => {
    const firsts = ["banana0", "fig0", "failed", "apple0", "kiwi0", "fig|leaf0"]
    expect(await visible({ unique: "word" })).toMatchObject({ items: firsts, total: 6 })
    const { items } = await visible({ unique: "word", sort: "-place", clean: true })
    expect(items).toEqual(["banana1", "fig1", "apple1", "kiwi1", "fig|leaf1"])
  })

  test("items of another dataset are left out", async () => {
    const path = `/api/v1/datasets/${again}/items`
    expect((await visible({ unique: "word", since: id }, path)).items).toEqual(["plum0"])
    const other = (await app.account()).key
    const refused = await app.get(pathOf({ unique: "word", since: id }, path), { key: other })
    expect(refused.status).toBe(404)
  })

  test("previous: the last run of the same scraper and input", async () => {
    const first = (await app.run(key, ["one", "two"], { times: 1 })).datasetId
    const second = (await app.run(key, ["one", "two"], { times: 1 })).datasetId
    const since = (of: string) =>
      visible({ unique: "word", since: "previous" }, `/api/v1/datasets/${of}/items`)
    expect((await since(first)).items).toEqual(["one0", "two0"])
    expect(await since(second)).toMatchObject({ items: [], total: 0 })
  })
})

test("several datasets are read as one", async () => {
  const query = { datasets: `${id},${again}`, unique: "word", clean: true }
  const { items } = await visible(query, "/api/v1/items")
  expect(items).toEqual(["banana0", "fig0", "apple0", "kiwi0", "fig|leaf0", "plum0"])
  const none = await app.get(pathOf({ datasets: "," }, "/api/v1/items"), { key })
  expect(none.body.error.message).toContain('"datasets" takes 1 to 100 dataset IDs, not 0.')
  const other = (await app.account()).key
  const foreign = await app.get(pathOf(query, "/api/v1/items"), { key: other })
  expect(foreign.status).toBe(404)
})

describe("transform", () => {
  const transformed = async (transform: string, query: Query = {}) => {
    const { body, status } = await app.get(pathOf({ ...query, transform }), { key })
    return { status, ...body }
  }

  test("each good item is transformed after filter, order and limit", async () => {
    const made = await transformed("{'w': $uppercase(word), 'n': place}", {
      sort: "-word",
      limit: 3,
      filter: "!error",
    })
    expect(made).toMatchObject({ status: 200, total: 10, limit: 3 })
    expect(made.items.map(({ w, n }: { w: string; n: number }) => w + n)).toEqual([
      "KIWI0",
      "KIWI1",
      "FIG|LEAF0",
    ])
    const few = await transformed("place = 1 ? word : null", { unique: "", fields: "value,error" })
    expect(few.items.map((one: { value?: string }) => one.value ?? "failed")).toEqual([
      ...["banana", "fig", "failed", "apple", "kiwi", "fig|leaf"],
    ])
    const csv = await app.get(
      pathOf({ transform: "{'letters': detail.letters[0], 'place': place}", format: "csv" }),
      { key },
    )
    expect(csv.text.split("\r\n").slice(0, 2)).toEqual([
      "\ufeffletters,place,input,statusCode,error.code,error.message,url",
      "b,0,,,,,",
    ])
  })

  test("a run can set how its dataset is read, and a reader can override it", async () => {
    const path = `/api/v1/scrapers/words-scraper/runs?waitForFinish=60&transform=${encodeURIComponent("{'w': word}")}`
    const { body: run } = await app.post(path, { key, body: { words: ["pear"] } })
    const at = `/api/v1/datasets/${run.datasetId}`
    expect((await app.get(`${at}/items`, { key })).body.items).toEqual([{ w: "pear" }])
    const plain = await app.get(`${at}/items?transform=`, { key })
    expect(plain.body.items[0]).toMatchObject({ word: "pear" })
    expect((await app.get(at, { key })).body.transform).toBe("{'w': word}")
  })

  test("invalid or too expensive JSONata is refused with its position", async () => {
    const broken = await transformed("word & ")
    expect(broken.status).toBe(400)
    expect(broken.error.details[0]).toMatchObject({ field: "transform" })
    expect(broken.error.message).toContain("at character 7")
    const endless = await transformed("($f := function($x){ $f($x) }; $f(1))")
    expect(endless.status).toBe(400)
    // Its thread has a lower priority: on a busy machine the request's time limit is reached before
    // the processor time limit.
    expect(endless.error.message).toMatch(/more than (?:1 s for one item|15 s)/)
    const started = await app.post("/api/v1/scrapers/words-scraper/runs?transform=%28", {
      key,
      body: { words: ["pear"] },
    })
    expect(started.body.error.details[0].field).toBe("transform")
    expect((await transformed("word", { fields: "wrod" })).status).toBe(200)
  })
})
