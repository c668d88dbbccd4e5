import { expect, test } from "bun:test"
import { type TSchema, Type } from "@sinclair/typebox"
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { parquet } from "../../src/export/parquet.ts"

const schema = Type.Object({
  url: Type.String(),
  price: Type.Union([Type.Number(), Type.Null()]),
  stock: Type.Integer(),
  isNew: Type.Boolean(),
  tags: Type.Array(Type.String()),
  seller: Type.Object({ name: Type.String(), sales: Type.Optional(Type.Integer()) }),
  offers: Type.Array(Type.Object({ price: Type.Number() })),
  any: Type.Record(Type.String(), Type.Unknown()),
})
const desk = {
  url: "https://example.com/é",
  price: 20.5,
  stock: 3,
  isNew: true,
  tags: ["oak", "old"],
  seller: { name: "Ana", sales: 5 },
  offers: [{ price: 1 }, { price: 2.5 }],
  any: { a: [1, { b: null }] },
}

async function made(items: Iterable<object>, options: { schema?: TSchema; errors?: boolean } = {}) {
  async function* provided() {
    for (const item of items) yield item as Record<string, unknown>
  }
  const parts = await Array.fromAsync(parquet(provided(), { schema, ...options }))
  const file = new Uint8Array(Buffer.concat(parts)).buffer
  const metadata = await parquetMetadataAsync(file)
  const read = await parquetReadObjects({ file })
  // The reader has no value if a group or a list is null.
  const rows = read.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null])),
  )
  return { parts, metadata, rows }
}

test("columns have the types of the schema, nested ones too", async () => {
  const { rows, metadata } = await made([desk, { ...desk, price: null, tags: [], offers: [] }])
  const whole = { ...desk, stock: 3n, seller: { name: "Ana", sales: 5n }, _rest: null }
  expect(rows).toEqual([whole, { ...whole, price: null, tags: [], offers: [] }])
  const types = metadata.schema.slice(1, 5).map(({ name, type }) => `${name} ${type}`)
  expect(types).toEqual(["url BYTE_ARRAY", "price DOUBLE", "stock INT64", "isNew BOOLEAN"])
})

test("values that a column cannot hold are kept as JSON, and so are later fields", async () => {
  const odd = { ...desk, stock: "many", seller: { name: "Bo", rank: 1 }, tags: [1] }
  const items = [
    desk,
    odd,
    { ...desk, stock: 1.5 },
    ...Array(2000).fill(desk),
    { ...desk, late: 7 },
  ]
  const { rows } = await made(items)
  expect(rows[1]).toMatchObject({ stock: null, seller: null, tags: null, url: desk.url })
  expect(rows[1]!._rest).toEqual({ stock: "many", seller: odd.seller, tags: [1] })
  expect([rows[2]!.stock, rows[2]!._rest]).toEqual([null, { stock: 1.5 }])
  expect(rows.at(-1)!._rest).toEqual({ late: 7 })
})

test("errors have columns, and items without a schema those that they have", async () => {
  const failed = { url: "https://example.com/no", error: { code: "timeout", message: "Late." } }
  const { rows } = await made([desk, failed], { errors: true })
  expect([rows[0]!.error, rows[1]!.error]).toEqual([null, failed.error])
  const items = [
    { n: 1, x: 1, mixed: 1, list: [{ a: 1 }] },
    { n: null, x: 1.5, mixed: "a", list: [{ b: "c" }], empty: {} },
  ]
  const free = await made(items, { schema: Type.Object({}) })
  expect(free.rows).toEqual([
    { n: 1n, x: 1, mixed: 1, list: [{ a: 1n, b: null }], _rest: null },
    { n: null, x: 1.5, mixed: "a", list: [{ a: null, b: "c" }], _rest: { empty: {} } },
  ])
})

test("many rows come in groups, none and all alike", async () => {
  const { parts, metadata, rows } = await made(
    Array.from({ length: 4100 }, (_, stock) => ({ ...desk, stock })),
  )
  expect(metadata.row_groups.map(({ num_rows }) => num_rows)).toEqual([2000n, 2000n, 100n])
  expect(parts.length).toBe(4)
  expect(rows.every(({ stock }, index) => stock === BigInt(index))).toBe(true)
  const none = await made([])
  expect([none.rows, none.metadata.schema.length]).toEqual([[], expect.any(Number)])
})
