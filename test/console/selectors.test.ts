import { expect, test } from "bun:test"
import {
  attributeOf,
  elementsAt,
  nameFor,
  rowsOf,
  selectorOf,
  takable,
} from "../../src/console/data/page/selectors.ts"
import { parseDocument } from "../../src/extract/core/index.ts"

const page = parseDocument(`<html><body>
<header><a class="logo" href="/">Shop</a><span class="css-1ab2c price">0</span></header>
<main id="content"><h1>Lamps</h1>
<ul class="products">${["Arc", "Box", "Cone"]
  .map(
    (name, index) => `<li class="product sc-bdVaJa ${index === 0 ? "first" : ""}">
  <a class="card__link x8f3a" href="/lamps/${index}"><h2 class="card__title">${name}</h2></a>
  <span class="price" itemprop="price">${index + 1} EUR</span>
  <ul class="tags"><li>new</li><li>steel</li></ul><img src="/p/${index}.jpg" alt="${name}"></li>`,
  )
  .join("")}</ul>
<table><thead><tr><th>Port</th><th>Range</th></tr></thead>
<tbody><tr><td>Saint-Malo</td><td>8 m</td></tr><tr><td>Fundy</td><td>11 m</td></tr></tbody></table>
<div><div><p>One</p></div><div><p>Two</p><p>Three</p></div></div>
</main></body></html>`)

const one = (selector: string, at = 0) => page.querySelectorAll(selector)[at]!

test.each([
  ["h1", 0, "h1"],
  [".logo", 0, ".logo"],
  ["main", 0, "#content"],
  ["td", 3, "#content > table > tbody > tr:nth-of-type(2) > td:nth-of-type(2)"],
])("%s (%d) alone is %s", (selector, at, proposed) => {
  expect(selectorOf(one(selector, at), page)).toBe(proposed)
})

test("a picked element is the first match of its selector", () => {
  for (const element of page.querySelectorAll("body *")) {
    expect(page.querySelector(selectorOf(element, page))).toBe(element)
  }
})

test.each([
  [".card__title", 1, ".product", 3, ".card__title"],
  [".price", 2, ".product", 3, '[itemprop="price"]'],
  ["img", 0, ".product", 3, "img"],
  [".tags li", 2, ".product", 3, "li"],
  ["td", 3, "tbody > tr", 2, "td:nth-of-type(2)"],
])("%s (%d) is in rows", (selector, at, rows, count, inner) => {
  const element = one(selector, at)
  const found = rowsOf(element, page)!
  expect([found.selector, found.count]).toEqual([rows, count])
  expect(selectorOf(element, found.row, found.row)).toEndWith(inner)
})

test("a single element is in no rows", () => {
  expect(rowsOf(one("h1"), page)).toBeUndefined()
  expect(rowsOf(one(".logo"), page)).toBeUndefined()
})

test("the picked value, and its field's name", () => {
  const link = one(".card__link")
  expect(takable(link)).toEqual(["text", "href"])
  expect(takable(one("img"))[0]).toBe("src")
  expect(attributeOf(link, "href", "https://shop.example/lamps")).toBe(
    "https://shop.example/lamps/0",
  )
  expect(attributeOf(link, "text", "")).toBe("Arc")
  expect(nameFor(one(".card__title"), "text", [])).toBe("title")
  expect(nameFor(one(".card__title"), "text", ["title"])).toBe("title2")
  expect(nameFor(link, "href", [])).toBe("link")
  expect(nameFor(one("td", 3), "text", [])).toBe("range")
})

test("a value with a label is found by it, and named after it", () => {
  const specs = parseDocument(`<h1>Lamp</h1>
<table><tr><th>Width</th><td>20 cm</td></tr><tr><th>Weight (net)</th><td>0.1 kg</td></tr></table>
<table><tr><td>Höhe</td><td>5 cm</td></tr><tr><td>Range | "x"</td><td>8 m</td></tr></table>
<dl><dt>Stock</dt><dd>12</dd></dl><p><b>Price:</b> <span>3 EUR</span></p>
<ul class="tags"><li>new</li><li>steel</li></ul>`)
  const proposed = (selector: string, at: number) => {
    const element = specs.querySelectorAll(selector)[at]!
    const own = selectorOf(element, specs)
    expect(elementsAt(specs, own)?.[0]).toBe(element)
    return [own, nameFor(element, "text", [])]
  }
  expect(proposed("td", 1)).toEqual(['th:contains("Weight (net)") + td', "weightNet"])
  expect(proposed("td", 3)).toEqual(['td:contains("Höhe") + td', "hohe"])
  expect(proposed("dd", 0)).toEqual(['dt:contains("Stock") + dd', "stock"])
  expect(proposed("span", 0)).toEqual(['b:contains("Price:") + span', "price"])
  // A quote would end the text in the selector.
  expect(proposed("td", 5)[0]).toContain("nth-of-type(2)")
  expect(proposed("li", 0)[0]).toBe(".tags li")
  expect(specs.querySelector("[data-trawl-contains]")).toBeNull()
})
