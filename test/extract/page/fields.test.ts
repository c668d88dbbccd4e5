import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import {
  checkSelectors,
  FieldError,
  parseFields,
  readFields,
} from "../../../src/extract/page/fields.ts"

const page = parseDocument(`<h1> A  <b>B</b></h1><p class=a>one<br>two</p><p class=a>three</p>
  <a href="x" title="">l</a><a href="mailto:a@b.c">m</a><a>n</a><img src="/i.png" srcset="s.png 1x, t.png 2x">
  <ul><li>x<li>y</ul><div id=d>own <i>inner</i> text</div>`)
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

test("blank lines and remarks say nothing; a field may bring several lines", () => {
  const fields = parseFields(["# all", "", "a: h1\nb: p"])
  expect(fields.map((field) => field.name)).toEqual(["a", "b"])
})

test("single fields that nothing matched are named", () => {
  expect(read("a: h1", "b: h5", "[]c: h5").missing).toEqual(["b"])
})

describe("a line that is no field is an error that names it", () => {
  const lines: [lines: string[], message: RegExp][] = [
    [["a: h1", "nonsense"], /Line 2 \("nonsense"\)/],
    [["1a: h1"], /Line 1.*name/],
    [["__proto__: h1"], /Line 1.*name/],
    [["a: h1", "a: h2"], /Line 2.*taken/],
    [["a:"], /no selector/],
    [["a: //h1/@href"], /XPath/],
    [["a: a/@href"], /XPath/],
    [[" "], /no field/],
    [Array.from({ length: 201 }, (_, index) => `f${index}: a`), /200/],
  ]
  for (const [given, message] of lines) {
    test(given[0]!, () => expect(() => parseFields(given)).toThrow(message))
  }
  test("a selector that is none", () => {
    const fields = parseFields(["ok: h1", "bad: p:::x["])
    expect(() => checkSelectors(fields, parseDocument(""))).toThrow(FieldError)
    expect(() => checkSelectors(fields, parseDocument(""))).toThrow(/"bad"/)
  })
  test("a selector that leads on to nothing", () => {
    const check = (selector: string) => () =>
      checkSelectors(parseFields([`f: ${selector}`]), parseDocument(""))
    for (const open of ["h1 >", "h1 +, p", "p ~ "]) expect(check(open)).toThrow(/nothing stands/)
    for (const whole of ['a[title=">"]', 'a[title=">,"], p', "p + p"]) check(whole)()
  })
})
