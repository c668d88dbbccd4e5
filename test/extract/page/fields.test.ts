import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import {
  checkSelectors,
  FieldError,
  parseFields,
  readFields,
  readRowFields,
} from "../../../src/extract/page/fields.ts"

const page = parseDocument(`<h1> A  <b>B</b></h1><p class=a>one<br>two</p><p class=a>three</p>
  <a href="x" title="">l</a><a href="mailto:a@b.c">m</a><a>n</a><img src="/i.png" srcset="s.png 1x, t.png 2x">
  <b class=price>1.483,90 €</b><b class=price>20</b><meta itemprop=price content=12.5><time datetime="2026-03-14T09:00:00Z">14 March 2026</time>
  <ul><li>x<li>y</ul><time class=vague datetime=2026-04-01>yesterday</time>
  <i class=rating>3.1 of 5 stars</i><i class=width>43 cm</i><i class=range>3 cm to 5 cm</i><div id=d>own <i>inner</i> text</div>`)
const read = (...lines: string[]) => readFields(parseFields(lines), page, "https://e.com/d/")

describe("a field reads", () => {
  const values: [line: string, value: unknown][] = [
    ["f: h1", "A B"],
    ["f: p.a", "one two"],
    ["[]f: p.a", ["one two", "three"]],
    ["f: a @href", "https://e.com/d/x"],
    ["f: a@title", ""],
    ["f: h1 @title", null],
    ["[]f: a @href", ["https://e.com/d/x", "mailto:a@b.c"]],
    ['f: a[href="mailto:a@b.c"]', "m"],
    ["f: a::attr(href)", "https://e.com/d/x"],
    ["f: h1::text", "A B"],
    ["f: img @srcset", "https://e.com/d/s.png 1x, https://e.com/d/t.png 2x"],
    ["f: li @count", "2"],
    ["f: .price @number", 1483.9],
    ["[]f: .price @number", [1483.9, 20]],
    ["f: meta[itemprop=price] @content @number", 12.5],
    ["f: h1 @number", null],
    ["f: .rating @number", 3.1],
    ["f: .width @number", 43],
    ["f: .range @number", null],
    ["f: .vague @date", "2026-04-01"],
    ["f: time @datetime @date", "2026-03-14T09:00:00.000Z"],
    ["f: time @date", "2026-03-14"],
    ["f: #d @ownText", "own text"],
    ["f: #d i @outerHtml", "<i>inner</i>"],
    ["f: #d @html", "own <i>inner</i> text"],
    ["f: .none", null],
    ["[]f: .none", []],
    ["f: p:not(.b), h2", "one two"],
    ["f: ul:has(li) li:nth-child(2)", "y"],
  ]
  for (const [line, value] of values) {
    test(line, () => expect(read(line).data.f).toEqual(value as string))
  }
})

test("blank lines and comments are ignored; a field may have several lines", () => {
  const fields = parseFields(["# all", "", "a: h1\nb: p"])
  expect(fields.map((field) => field.name)).toEqual(["a", "b"])
})

test("single fields that matched nothing are named", () => {
  expect(read("a: h1", "b: h5", "[]c: h5").missing).toEqual(["b"])
})

describe("an invalid line is an error that names the line", () => {
  const lines: [lines: string[], message: RegExp][] = [
    [["a: h1", "nonsense"], /Line 2 \("nonsense"\)/],
    [["1a: h1"], /Line 1.*name/],
    [["__proto__: h1"], /Line 1.*name/],
    [["a: h1", "a: h2"], /Line 2.*already used/],
    [["a:"], /Line 1.*add a selector/],
    [["a: //h1/@href"], /XPath/],
    [["a: a/@href"], /XPath/],
    [[" "], /at least one field/],
    [Array.from({ length: 201 }, (_, index) => `f${index}: a`), /200/],
  ]
  for (const [provided, message] of lines) {
    test(provided[0]!, () => expect(() => parseFields(provided)).toThrow(message))
  }
  test("an invalid selector", () => {
    const fields = parseFields(["ok: h1", "bad: p:::x["])
    expect(() => checkSelectors(fields, parseDocument(""))).toThrow(FieldError)
    expect(() => checkSelectors(fields, parseDocument(""))).toThrow(/"bad"/)
  })
  test("a selector that ends in a combinator", () => {
    const check = (selector: string) => () =>
      checkSelectors(parseFields([`f: ${selector}`]), parseDocument(""))
    for (const open of ["h1 >", "h1 +, p", "p ~ "]) expect(check(open)).toThrow(/nothing follows/)
    for (const whole of ['a[title=">"]', 'a[title=">,"], p', "p + p"]) check(whole)()
  })
})

test("in rows, each field is searched within its row", () => {
  const list = parseDocument(
    `<ul><li><b>A</b><i>1,50 €</i><a href=a>x</a><li><b>B</b><a href=b>y</a></ul><b>out</b>`,
  )
  const fields = parseFields(["name: b", "price: i @number", "link: a @href", "all: @text"])
  expect(readRowFields("li", fields, list, "https://shop.de/")).toEqual([
    {
      data: { name: "A", price: 1.5, link: "https://shop.de/a", all: "A1,50 €x" },
      missing: [],
      warnings: [],
    },
    {
      data: { name: "B", price: null, link: "https://shop.de/b", all: "By" },
      missing: ["price"],
      warnings: [],
    },
  ])
  expect(() => readRowFields("li:has(", fields, list, "")).toThrow()
})

describe("rows that belong together", () => {
  const cards = parseDocument(`<div class=card><h3>A</h3><b class=cost data-x="1">1.00</b></div>
    <div class=card><h3>B</h3></div>
    <div class=card><h3>C</h3><b class=cost>3.00</b><i>x</i><i>y</i></div>`)
  const of = (...lines: string[]) => readFields(parseFields(lines), cards, "https://e.com/")

  test("have null if a row lacks a field, and no value of another row", () => {
    const { data, missing, warnings } = of("rows: .card { name: h3, price: .cost }")
    expect(data.rows).toEqual([
      { name: "A", price: "1.00" },
      { name: "B", price: null },
      { name: "C", price: "3.00" },
    ])
    expect([missing, warnings]).toEqual([["rows[1].price"], []])
  })

  const forms: [line: string, first: unknown][] = [
    ["rows: .card { n: h3; p: .cost @data-x }", { n: "A", p: "1" }],
    ["rows: .card{n:h3,p:.cost}", { n: "A", p: "1.00" }],
    ["rows: .card { n: h3, h4, p: b:not(.x), .y }", { n: "A", p: "1.00" }],
    ["rows: .card { []all: h3, .cost, n: i @count }", { all: ["A", "1.00"], n: "0" }],
    ["rows: .card:first-child, .none { n: h3::text }", { n: "A" }],
    ["rows: .none { n: h3 }", undefined],
  ]
  for (const [line, first] of forms) {
    test(line, () => expect((of(line).data.rows as unknown[])[0]).toEqual(first as object))
  }

  const refused: [line: string, message: string][] = [
    ["rows: { n: h3 }", "add the selector of a row"],
    ["rows: .card { }", "name the fields of a row"],
    ["rows: .card { h3 }", 'write it as "name: selector"'],
    ["rows: .card { n: h3, n: b }", 'the name "n" is already used'],
    ["rows: .card { n: h3 { m: b } }", "selector"],
  ]
  for (const [line, message] of refused) {
    test(`${line} is refused`, () => {
      expect(() => {
        const fields = parseFields([line])
        checkSelectors(fields, parseDocument(""))
      }).toThrow(message)
    })
  }

  test("lists of different lengths give a warning that names the row form", () => {
    const { warnings } = of("[]name: .card h3", "[]price: .card .cost")
    expect(warnings[0]).toContain("(name 3, price 2)")
    expect(warnings[0]).toContain("{ name: …, price: … }")
    expect(of("[]name: .card h3", "[]again: .card h3").warnings).toEqual([])
    expect(of("[]name: .card h3", "[]none: .none").warnings).toEqual([])
  })
})
