import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import fc from "fast-check"
import { Parser } from "htmlparser2"
import { html, rss, xml } from "../../src/export/markup.ts"
import { reshaped } from "../../src/export/reshape.ts"

type Item = Record<string, unknown>

async function* each(items: Item[]) {
  yield* items
}

const whole = async (parts: AsyncIterable<string>) => (await Array.fromAsync(parts)).join("")

/** Elements, their attributes and texts, in order. */
function read(text: string): string[] {
  const seen: string[] = []
  const parser = new Parser(
    {
      onopentag: (name, attributes) =>
        seen.push(
          `<${name}${Object.entries(attributes).map(([key, value]) => ` ${key}=${value}`)}`,
        ),
      ontext: (part) => {
        if (part.trim() !== "") seen.push(part)
      },
      onclosetag: (name) => seen.push(`>${name}`),
    },
    { xmlMode: true, decodeEntities: false },
  )
  parser.end(text)
  return seen
}

test("XML: no field becomes a namespace", async () => {
  const script = { "@xmlns": "http://www.w3.org/1999/xhtml", "@xmlns:a": "urn:a", "#": "alert(1)" }
  const text = await whole(xml(each([{ script }])))
  expect(text).toContain("<script>alert(1)</script>")
  expect(text).not.toContain("xhtml")
  expect(text).not.toContain("urn:a")
})

test("XML: a field is an element, a list several, @ an attribute, # the content", async () => {
  const item = { name: "A & B", tags: ["x", "y"], home: { "@kind": "<1>", "#": "z" }, "2 n": null }
  const text = await whole(xml(each([item])))
  expect(text).toStartWith('<?xml version="1.0" encoding="UTF-8"?>\n<items>\n')
  expect(read(text.slice(text.indexOf("<items>"))).join("")).toBe(
    "<items<item<nameA &amp; B>name<tagsx>tags<tagsy>tags<home kind=&lt;1&gt;z>home<_2_n>_2_n>item>items",
  )
})

test("no value of an item opens or closes an element", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 4 })), async (values) => {
      const items = values.map((value, index) => ({
        value,
        "<b>": "</item>",
        [`"${index}`]: "]]>",
      }))
      for (const text of [
        await whole(xml(each(items))),
        await whole(rss(each(items), { title: "<t>", link: "&" })),
        await whole(html(each(items), { schema: Type.Object({}), title: "</title>" })),
      ]) {
        const names = text.matchAll(/<(\/?)([^\s>/?!]+)[^>]*?(\/?)>/g)
        const open: string[] = []
        for (const [, close, name, empty] of names) {
          if (name === "meta") continue
          if (close) expect(open.pop()).toBe(name)
          else if (!empty) open.push(name!)
        }
        expect(open).toEqual([])
        // biome-ignore lint/suspicious/noControlCharactersInRegex: XML must not contain them
        expect(text).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f]|<\/item>\w/)
      }
    }),
    { numRuns: 60 },
  )
})

test("a feed has the elements that readers expect", async () => {
  const item = { title: "T", url: "https://a.test/?x&y", publishedAt: "2026-01-02T03:04:05.000Z" }
  expect(await whole(rss(each([item]), { title: "t", link: "l" }))).toContain(
    "<item><link>https://a.test/?x&amp;y</link><guid>https://a.test/?x&amp;y</guid><pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate><title>T</title>",
  )
})

test("a table has the schema's columns, and no header if none is wanted", async () => {
  const schema = Type.Object({ b: Type.String(), a: Type.String() })
  const options = { schema, title: "t" }
  const items = [{ a: "1", b: "<2>" }]
  expect(await whole(html(each(items), options))).toContain(
    "<thead><tr><th>b</th><th>a</th></tr></thead>\n<tbody>\n<tr><td>&lt;2&gt;</td><td>1</td></tr>",
  )
  expect(await whole(html(each(items), { ...options, header: false }))).not.toContain("<thead>")
})

test("lists in lists become items up to a limit, deep values stay whole", async () => {
  const many = Array.from({ length: 1000 }, (_, n) => n)
  let count = 0
  for await (const _ of reshaped(each([{ a: many, b: many }]), { unwind: ["a", "b"] })) count++
  expect(count).toBe(10_000)
  const stored = await Array.fromAsync(
    reshaped(each([{ a: [], b: 1 }, { b: 2 }]), { unwind: ["a"] }),
  )
  expect(stored).toEqual([{ a: [], b: 1 }, { b: 2 }])
  let deep: unknown = 1
  for (let at = 0; at < 5000; at++) deep = { d: deep }
  const [flat] = await Array.fromAsync(reshaped(each([{ deep }]), { flatten: ["deep"] }))
  expect(Object.keys(flat!)).toHaveLength(1)
  expect((await whole(xml(each([{ deep }])))).length).toBeGreaterThan(1000)
})
