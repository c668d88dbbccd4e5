import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { SQL } from "bun"
import { EgressFilter } from "../../../../src/engine/net/egress/filter.ts"
import type { DestinationOptions } from "../../../../src/engine/ops/destinations/model/options.ts"
import type { Row } from "../../../../src/engine/ops/destinations/model/sink.ts"
import { databaseAddress } from "../../../../src/engine/ops/destinations/postgres/connect.ts"
import { columnOf } from "../../../../src/engine/ops/destinations/postgres/names.ts"
import {
  PostgresSink,
  probePostgres,
} from "../../../../src/engine/ops/destinations/postgres/postgres-sink.ts"
import { maxColumns } from "../../../../src/engine/ops/destinations/postgres/table.ts"
import { typeOf } from "../../../../src/engine/ops/destinations/postgres/types.ts"
import { openPostgres } from "../../../../src/store/db/postgres/client.ts"
import { freshDatabase, hasPostgres } from "../../../postgres.ts"

const filter = new EgressFilter(["127.0.0.1"])
let url: string
let client: SQL
let tables = 0

beforeAll(async () => {
  if (!hasPostgres) return
  url = await freshDatabase()
  client = openPostgres(url, 2)
})
afterAll(async () => {
  await client?.close()
})

/** Returns a sink of one run; items are numbered from `start` on. */
async function openSink(options: DestinationOptions, runId = "run_1", delivery = `rdl_${runId}`) {
  const sink = await PostgresSink.open(
    filter,
    options,
    { url },
    {
      destination: { id: "dst_1", name: "warehouse", kind: "postgres" },
      delivery: { id: delivery, pass: 0 },
      run: { id: runId, slug: "shop", recipe: null, created_at: "2026-01-31", unique_by: null },
    },
  )
  let idx = (await sink.recorded())!.position.idx
  return {
    sink,
    put: (rows: Row[]) => {
      const from = { seq: idx < 0 ? -1 : 0, idx }
      const items = rows.map((row) => ({ seq: 0, idx: ++idx, row }))
      return sink.put({ from, to: { seq: 0, idx }, items, characters: 1 })
    },
    close: () => sink.close(),
  }
}

async function delivered(rows: Row[][], options: DestinationOptions = {}) {
  const table = `items_${++tables}`
  const sink = await openSink({ table, ...options }, `run_${table}`)
  const notes: string[] = []
  for (const part of rows) notes.push(...(await sink.put(part)))
  await sink.close()
  const stored = await client.unsafe(`SELECT * FROM ${table} ORDER BY _key`)
  return { table, notes, stored: [...stored] as Row[], types: await typesOf(table) }
}

async function typesOf(table: string): Promise<Record<string, string>> {
  const rows: { name: string; type: string }[] = await client`
    SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
    WHERE attrelid = to_regclass(${table}) AND attnum > 0 AND NOT attisdropped`
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]))
}

describe.if(hasPostgres)("PostgresSink", () => {
  test("creates a column for each field, with the type of its values", async () => {
    const { stored, types, notes } = await delivered([
      [
        { title: "Oak", price: 19.5, stock: 3, sold: true, at: "2026-01-31T10:00:00Z", none: null },
        { title: "Elm", tags: ["a", "b"], offer: { price: 1 }, none: null },
      ],
    ])
    expect(types).toEqual({
      _key: "text",
      _run_id: "text",
      _delivered_at: "timestamp with time zone",
      _rest: "jsonb",
      title: "text",
      price: "double precision",
      stock: "bigint",
      sold: "boolean",
      at: "timestamp with time zone",
      tags: "jsonb",
      offer: "jsonb",
    })
    expect(stored).toMatchObject([
      { title: "Oak", price: 19.5, stock: "3", sold: true, tags: null, _rest: null },
      { title: "Elm", price: null, tags: ["a", "b"], offer: { price: 1 } },
    ])
    expect((stored[0]!.at as Date).toISOString()).toBe("2026-01-31T10:00:00.000Z")
    expect(notes).toEqual([])
  })

  test("adds columns as fields appear, and widens those whose values differ", async () => {
    const { stored, types, notes } = await delivered([
      [{ a: 1, b: 1, c: true, d: "2026-01-31T10:00:00Z", e: "x", f: 1 }],
      [{ a: 1.5, b: "one", c: 2, d: "soon", e: { deep: true }, f: [1], late: "new" }],
      [{ a: 2, b: 3, c: false, d: null, e: "y", f: 2 }],
    ])
    expect(types).toMatchObject({
      a: "double precision",
      b: "text",
      c: "text",
      d: "text",
      e: "jsonb",
      f: "jsonb",
      late: "text",
    })
    expect(stored.map(({ a }) => a)).toEqual([1, 1.5, 2])
    expect(stored.map(({ b }) => b)).toEqual(["1", "one", "3"])
    expect(stored.map(({ c }) => c)).toEqual(["true", "2", "false"])
    expect(stored.map(({ d }) => d)).toEqual(["2026-01-31T10:00:00.000Z", "soon", null])
    expect(stored.map(({ e }) => e)).toEqual(["x", { deep: true }, "y"])
    expect(stored.map(({ f }) => f)).toEqual([1, [1], 2])
    expect(notes).toContain('"b" was bigint, and is text now.')
    expect(notes).toContain('"e" was text, and is jsonb now.')
  })

  test("stores hostile names and values as data", async () => {
    const names = [
      'x"; DROP TABLE items; --',
      "",
      "ctid",
      "_key",
      "select",
      "Title",
      "title",
      "a.b",
      "preis €",
      "n".repeat(200),
      `${"n".repeat(200)}2`,
      "zero\0byte",
      "half\ud800",
    ]
    const row = Object.fromEntries(names.map((name, index) => [name, index]))
    const { stored, types } = await delivered([
      [
        row,
        { text: "zero\0 half\ud800 'quote' \\u0000 \\ \u2028", list: ["\0"], deep: nested(500) },
      ],
    ])
    for (const [index, name] of names.entries()) {
      expect(Number(stored[0]![columnOf(name)]), name).toBe(index)
    }
    expect(new Set(names.map(columnOf)).size).toBe(names.length)
    expect(Object.keys(types).every((name) => Buffer.byteLength(name) <= 63)).toBe(true)
    expect(stored[1]!.text).toBe("zero\uFFFD half\uFFFD 'quote' \\u0000 \\ \u2028")
    expect(stored[1]!.list).toEqual(["\uFFFD"])
    expect(JSON.stringify(stored[1]!.deep)).toContain("bottom")
  })

  test("keeps fields beyond the columns of a table in its rest", async () => {
    const long = "x".repeat(3000)
    const wide = Object.fromEntries(
      Array.from({ length: 1500 }, (_, index) => [`field_${index}`, index === 0 ? 1 : long]),
    )
    const { stored, types, notes } = await delivered([[wide], [{ field_0: 7, later: 1 }]])
    expect(Object.keys(types).length).toBe(maxColumns + 4)
    expect(stored[0]!.field_1).toBe(long)
    const rest = stored[0]!._rest as Row
    expect(Object.keys(rest).length).toBe(1500 - maxColumns)
    expect(rest.field_1499).toBe(long)
    expect(stored[1]).toMatchObject({ field_0: "7", _rest: { later: 1 } })
    expect([...new Set(notes)]).toEqual([`Fields after the first ${maxColumns} are in _rest.`])
  })

  test("stores a text of ten million characters", async () => {
    const text = "é".repeat(10_000_000)
    const { stored } = await delivered([[{ text }]])
    expect((stored[0]!.text as string).length).toBe(text.length)
  })

  test("replaces the row of an item with the same fields", async () => {
    const table = `items_${++tables}`
    const options = { table, uniqueBy: ["offer.sku"] }
    const first = await openSink(options, "run_a")
    await first.put([
      { offer: { sku: "1" }, price: 1 },
      { offer: { sku: "2" }, price: 2 },
      { offer: { sku: "1" }, price: 3 },
    ])
    await first.close()
    const second = await openSink(options, "run_b")
    const notes = await second.put([{ offer: { sku: "2" }, price: 9 }, { price: 5 }, { price: 6 }])
    await second.close()
    const rows = await client.unsafe(`SELECT price, _run_id FROM ${table} ORDER BY price`)
    expect([...rows]).toEqual([
      { price: "3", _run_id: "run_a" },
      { price: "5", _run_id: "run_b" },
      { price: "6", _run_id: "run_b" },
      { price: "9", _run_id: "run_b" },
    ])
    expect(notes).toEqual(["Items without offer.sku are stored once per run."])
  })

  test("refuses a part whose position another process has written", async () => {
    const table = `items_${++tables}`
    const one = await openSink({ table }, "run_same")
    const other = await openSink({ table }, "run_same")
    await one.put([{ a: 1 }])
    await one.put([{ a: 2 }])
    await expect(
      other.sink.put({
        from: { seq: 0, idx: 0 },
        to: { seq: 0, idx: 5 },
        items: [],
        characters: 0,
      }),
    ).rejects.toThrow("Another process")
    expect(await other.sink.recorded()).toEqual({ position: { seq: 0, idx: 1 }, items: 2 })
    await Promise.all([one.close(), other.close()])
  })

  test("leaves a part out as a whole if the server ends in its transaction", async () => {
    const table = `items_${++tables}`
    const sink = await openSink({ table }, "run_cut")
    await sink.put([{ a: 1 }])
    await client.unsafe(`CREATE FUNCTION cut_${table}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`)
    await client.unsafe(
      `CREATE TRIGGER cut BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION cut_${table}()`,
    )
    await expect(sink.put([{ a: 2 }, { b: 3 }])).rejects.toThrow()
    await sink.close()
    await client.unsafe(`DROP TRIGGER cut ON ${table}`)
    expect(await typesOf(table)).not.toHaveProperty("b")
    const again = await openSink({ table }, "run_cut")
    expect(await again.sink.recorded()).toMatchObject({ position: { idx: 0 }, items: 1 })
    await again.put([{ a: 2 }, { b: 3 }])
    await again.close()
    const rows = await client.unsafe(`SELECT a, b FROM ${table} ORDER BY _key`)
    expect([...rows]).toEqual([
      { a: "1", b: null },
      { a: "2", b: null },
      { a: null, b: "3" },
    ])
  })

  test("puts values of a column that a view depends on into the rest", async () => {
    const table = `items_${++tables}`
    const sink = await openSink({ table }, "run_view")
    await sink.put([{ a: 1 }])
    await client.unsafe(`CREATE VIEW view_${table} AS SELECT a FROM ${table}`)
    const notes = await sink.put([{ a: "one" }, { a: 2 }])
    await sink.close()
    const rows = await client.unsafe(`SELECT a, _rest FROM ${table} ORDER BY _key`)
    expect([...rows]).toEqual([
      { a: "1", _rest: null },
      { a: null, _rest: { a: "one" } },
      { a: "2", _rest: null },
    ])
    expect(notes[0]).toStartWith('"a" is in _rest: cannot alter type of a column used by a view')
  })

  test("does not touch a table of another program", async () => {
    await client.unsafe("CREATE TABLE orders (id int)")
    await expect(openSink({ table: "orders" }, "run_foreign")).rejects.toThrow(
      "The table orders was not created by Trawl",
    )
    await expect(probePostgres(filter, { table: "orders" }, { url })).rejects.toThrow(
      "was not created by Trawl",
    )
    await probePostgres(filter, { table: "not_there_yet" }, { url })
    expect(await typesOf("not_there_yet")).toEqual({})
    const probes = await client`SELECT 1 FROM pg_tables WHERE tablename LIKE 'trawl_probe%'`
    expect(probes.length).toBe(0)
  })

  test("connects only if the egress filter permits", async () => {
    const closed = new EgressFilter()
    await expect(probePostgres(closed, { table: "a" }, { url })).rejects.toThrow(
      "127.0.0.1 is a private or reserved IP address",
    )
    const missing = url.replace(/[^/]+$/, "not_there")
    await expect(probePostgres(filter, { table: "a" }, { url: missing })).rejects.toThrow(
      "not_there",
    )
  })
})

function nested(depth: number): unknown {
  let value: unknown = "bottom"
  for (let level = 0; level < depth; level++) value = { value }
  return value
}

test("reads the URL of a database, and refuses parameters that change its host", () => {
  expect(databaseAddress("postgres://ada:p%40ss@db.example.com:6432/shop?sslmode=require")).toEqual(
    {
      host: "db.example.com",
      port: 6432,
      database: "shop",
      username: "ada",
      password: "p@ss",
      sslMode: "require",
    },
  )
  for (const url of [
    "mysql://a:b@db/shop",
    "postgres://a:b@/shop",
    "postgres://a:b@one,two/shop",
    "postgres://a:b@%2Fvar%2Frun/shop",
    "postgres://a:b@db/shop?host=10.0.0.1",
    "postgres://a:b@db/shop?sslmode=never",
    "postgres://db/shop",
    "postgres://a:b@db",
    "not a url",
  ]) {
    expect(() => databaseAddress(url), url).toThrow()
  }
})

test("types only dates that exist as times", () => {
  for (const [value, type] of [
    ["2026-02-28T00:00:00Z", "timestamp with time zone"],
    ["2026-02-28T23:59:59.123456+02:00", "timestamp with time zone"],
    ["2026-02-30T00:00:00Z", "text"],
    ["2026-02-28", "text"],
    ["2026-02-28T24:00:00Z", "text"],
    ["0000-02-28T00:00:00Z", "text"],
    ["2026-02-28T00:00:00", "text"],
    [2 ** 60, "double precision"],
    [-0, "bigint"],
    [null, undefined],
  ] as const) {
    expect(typeOf(value), String(value)).toBe(type)
  }
})
