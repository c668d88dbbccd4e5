import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/html.ts"
import { checkSelector, Finder, SelectorError } from "../../../src/extract/core/selectors.ts"

const page =
  parseDocument(`<!doctype html><html lang=en-GB><head><title>T</title></head><body id=top>
  <nav class="menu Main"><ul><li class=a>1<li class="a b">2<li>3<li lang=de>4</ul></nav>
  <main><h1>Head</h1><p>one <b>bold</b></p><!-- c --><p data-x="y z">two <a href=/two>link</a></p><h2>Sub</h2><p></p>
  <template><p class=inner>hidden</p></template><svg viewBox="0 0 1 1"><linearGradient id=g /></svg>
  <form><input type=checkbox checked><input disabled><select><option selected>x<option>y</select></form></main></body></html>`)

const selectors =
  `*, p, P, h1 ~ p, h1 + p, main > p, main p b, nav li:first-child, li:last-child, li:nth-child(2n+1),
  li:nth-last-child(2), p:nth-of-type(2), p:last-of-type, :root, :scope > body, :empty, p:not([data-x]), li:not(.a, .b),
  :is(h1, h2) + p, p:has(a), main:has(> h1), h1:has(+ p), [data-x], [data-x~=z], [href^='/'], [href$=two], [class*=ai i],
  [lang|=en], :lang(de), .a.b, #top, li.a:not(.b) ~ li, p:contains(two), template p, p.inner, lineargradient, linearGradient,
  input:checked, input:disabled, input:enabled, option:selected, :header, a[href]:only-child, b:only-of-type, nav, body *`
    .split(/,(?![^(]*\))\s*/)
    .map((selector) => selector.trim())

const elements = [...page.querySelectorAll("*")]
const placesOf = (found: Element[]) => found.map((element) => elements.indexOf(element))

describe("finds what querySelectorAll finds", () => {
  for (const selector of selectors) {
    test(selector, () => {
      const all = placesOf([...page.querySelectorAll(selector)])
      expect(placesOf(new Finder().find(page, selector))).toEqual(all)
      expect(placesOf(new Finder().find(page, selector, 1))).toEqual(all.slice(0, 1))
    })
  }
})

describe("selectors whose time is a power of the page end early", () => {
  const count = 20_000
  const deep = parseDocument("<div>".repeat(count))
  const wide = parseDocument(`<h1>a</h1>`.repeat(count))
  const cases: [document: Document, selector: string][] = [
    [deep, "p div div div div div"],
    [wide, "p ~ h1 ~ h1 ~ h1 ~ h1"],
    [wide, "h1:nth-last-child(3n)"],
    [wide, "h1:not(h2 ~ h1)"],
    [wide, "h1:has(~ h2)"],
  ]
  for (const [document, selector] of cases) {
    test(selector, () => {
      const before = process.threadCpuUsage()
      expect(() => new Finder().find(document, selector)).toThrow(/takes too long on this page/)
      const { user, system } = process.threadCpuUsage(before)
      // Without a limit it would take hours.
      expect((user + system) / 1e6).toBeLessThan(10)
    }, 60_000)
  }

  test("a long one is refused before anything is fetched", () => {
    const empty = parseDocument("")
    expect(() => checkSelector("div ".repeat(400), empty)).toThrow(/at most 1000 characters/)
    expect(() => checkSelector("a[", empty)).toThrow(SelectorError)
    checkSelector("main article.post > header h1.title:not(.small) a[href]", empty)
  })

  test("nested elements return a bounded amount of text", () => {
    const finder = new Finder()
    const text = "x".repeat(1_000_000)
    expect(() => {
      for (let one = 0; one < 100; one++) finder.read(text, "div")
    }).toThrow(/more than 20,000,000 characters/)
  })
})

describe("a tbody that the HTML leaves out is found as in a browser", () => {
  const specs = parseDocument(`<table class=specs><caption>Lamp</caption>
    <tr><th>Width<td>20 cm<tr><th>Weight<td>0.1 kg</table>
    <table class=plain><tr><td>a</table>
    <table class=whole><thead><tr><th>h</thead><tbody id=own><tr><td>b</tbody></table>`)
  const texts = (selector: string, root: Document | Element = specs) =>
    new Finder().find(root, selector).map((one) => one.textContent.trim())

  test.each([
    [".specs > tbody > tr:nth-of-type(2) > td", ["0.1 kg"]],
    ["tbody > tr:nth-of-type(2) > td", ["0.1 kg"]],
    ["table:has(> tbody > tr > th) tbody td:first-of-type", ["20 cm", "0.1 kg"]],
    [".specs caption + tbody tr:last-child td", ["0.1 kg"]],
    [".specs > tr:nth-of-type(2) > td", ["0.1 kg"]],
    [".plain > tbody", ["a"]],
    [".specs > tbody", []],
    [".whole > tbody td", ["b"]],
    [".whole > tbody + tbody td", []],
    ["tbody[id] td", ["b"]],
    ["tbody.specs td", []],
    [".plain td:not(tbody td)", ["a"]],
  ])("%s", (selector, expected) => expect(texts(selector)).toEqual(expected))

  test("also within a row that was found before", () => {
    const [row] = new Finder().find(specs, ".specs tbody tr:nth-of-type(2)")
    expect(texts("tbody > tr > td", row)).toEqual(["0.1 kg"])
  })
})
