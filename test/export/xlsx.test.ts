import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { unzipSync } from "fflate"
import { parseHTML } from "linkedom"
import { pagesZip } from "../../src/export/pages.ts"
import { xlsx } from "../../src/export/xlsx.ts"

type Item = Record<string, unknown>

async function* streamOf(items: Item[]) {
  yield* items
}

async function filesOf(parts: AsyncGenerator<Uint8Array>): Promise<Record<string, string>> {
  const bytes = Buffer.concat(await Array.fromAsync(parts))
  const files = Object.entries(unzipSync(bytes))
  return Object.fromEntries(files.map(([name, one]) => [name, new TextDecoder().decode(one)]))
}

const schema = Type.Object({ name: Type.String() })

/** Returns the cells of a sheet as a reader of the format sees them. */
function cellsOf(xml: string): Record<string, unknown> {
  const { document } = parseHTML(xml.replace(/^<\?xml.*\n/, ""))
  const cells = [...document.querySelectorAll("c")].map((cell) => {
    const type = cell.getAttribute("t")
    const text = cell.textContent
    const value = type === "inlineStr" ? text : type === "b" ? text === "1" : Number(text)
    return [cell.getAttribute("r"), value]
  })
  return Object.fromEntries(cells)
}

test("cells keep their types, and no text is a formula or breaks the file", async () => {
  const item = {
    name: '=HYPERLINK("http://evil")',
    price: 12.5,
    count: 12345678901234567000,
    sold: false,
    none: null,
    tags: ["a<b>&c", "  two\nlines "],
    odd: "bell\u0007 _x0041_ \u{1f30a}",
    long: "x".repeat(40_000),
  }
  const files = await filesOf(xlsx(streamOf([item]), { schema }))
  expect(Object.keys(files).sort()).toEqual([
    "[Content_Types].xml",
    "_rels/.rels",
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
    "xl/workbook.xml",
    "xl/worksheets/sheet1.xml",
  ])
  const xml = files["xl/worksheets/sheet1.xml"]!
  const cells = cellsOf(xml)
  const heads = Object.fromEntries(
    Object.entries(cells).flatMap(([at, head]) =>
      /^[A-Z]+1$/.test(at) ? [[head, at.slice(0, -1)]] : [],
    ),
  )
  const of = (head: string) => cells[`${heads[head as never]}2`]
  expect(of("name")).toBe(item.name)
  expect(of("price")).toBe(12.5)
  expect(of("count")).toBe("12345678901234567000")
  expect(of("sold")).toBe(false)
  expect(of("none")).toBeUndefined()
  expect([of("tags.0"), of("tags.1")]).toEqual(item.tags)
  expect(of("odd")).toBe("bell _x005F_x0041_ \u{1f30a}")
  expect(of("long")).toHaveLength(32_767)
  expect(xml).not.toContain("<f>")
})

test("rows beyond one sheet go to the next, with the same header", async () => {
  const items = Array.from({ length: 25 }, (_, n) => ({ name: `n${n}` }))
  const files = await filesOf(xlsx(streamOf(items), { schema }, { rows: 11 }))
  const sheets = [1, 2, 3].map((n) => cellsOf(files[`xl/worksheets/sheet${n}.xml`]!))
  expect(sheets.map(({ A1, A2, A11 }) => [A1, A2, A11])).toEqual([
    ["name", "n0", "n9"],
    ["name", "n10", "n19"],
    ["name", "n20", undefined],
  ])
  expect(files["xl/workbook.xml"]!.match(/<sheet /g)).toHaveLength(3)
})

test("columns beyond a sheet's limit go to the last one, as JSON", async () => {
  const wide = Object.fromEntries(Array.from({ length: 16_390 }, (_, n) => [`c${n}`, n]))
  const files = await filesOf(xlsx(streamOf([wide]), { schema: Type.Object({}) }))
  const xml = files["xl/worksheets/sheet1.xml"]!
  expect(xml).toMatch(/<c r="XFD1" s="1" t="inlineStr"><is><t [^>]*>_rest</)
  const [, rest] = /<c r="XFD2" t="inlineStr"><is><t [^>]*>(.*?)</.exec(xml)!
  expect(JSON.parse(rest!)).toMatchObject({ c16383: 16_383, c16389: 16_389 })
})

test("a workbook is sent in parts while its items arrive", async () => {
  let read = 0
  async function* many() {
    for (; read < 20_000; read++) yield { name: Math.random().toString(36).repeat(20) }
  }
  const parts = xlsx(many(), { schema })
  await parts.next()
  expect(read).toBeLessThan(10_000)
  await parts.return(undefined)
})

test("pages become an archive of Markdown files with unique names", async () => {
  const items = [
    { url: "https://example.com/a?b=1", markdown: "# A" },
    { url: "https://example.com/a/b=1", markdown: "# B" },
    { url: "https://example.com/../../etc", markdown: "# C" },
    { error: { code: "not_found" } },
  ]
  expect(await filesOf(pagesZip(streamOf(items)))).toEqual({
    "example.com-a-b-1.md": "# A",
    "example.com-a-b-1-2.md": "# B",
    "example.com-etc.md": "# C",
  })
})

test("dates, times and links have their types, columns fit their texts, rows can be filtered", async () => {
  const items = [
    {
      name: "Lamp",
      url: "https://shop.example/p?a=1&b=2",
      day: "2026-03-14",
      at: "2026-03-14T12:00:00Z",
      sku: "0012",
      long: "word ".repeat(60),
      odd: "1600-01-01",
    },
    { name: "Box", url: "no link" },
  ]
  const files = await filesOf(xlsx(streamOf(items), { schema }))
  const xml = files["xl/worksheets/sheet1.xml"]!
  const cells = cellsOf(xml)
  expect([cells.C2, cells.D2, cells.E2, cells.G2]).toEqual([46_095, 46_095.5, "0012", "1600-01-01"])
  expect(xml).toContain('<c r="C2" s="2"><v>46095</v>')
  expect(xml).toContain('<hyperlink ref="B2" r:id="rId1"/>')
  expect(xml.match(/<hyperlink /g)).toHaveLength(1)
  expect(files["xl/worksheets/_rels/sheet1.xml.rels"]).toContain(
    'Target="https://shop.example/p?a=1&amp;b=2" TargetMode="External"',
  )
  expect(xml).toContain('<autoFilter ref="A1:G3"/>')
  const widths = [...xml.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width))
  expect(widths).toEqual([8, 32, 12, 22, 8, 60, 12])
})
