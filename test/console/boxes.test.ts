import { expect, test } from "bun:test"
import { parseHTML } from "linkedom"
import { boxesIn, elementAt, withoutBoxes } from "../../src/console/data/page/boxes.ts"

const html = `<html data-trawl-box="0 0 1280 900"><body data-trawl-box="0 0 1280 900">
<main data-trawl-box="0 0 1280 600"><h1 class="t" data-trawl-box="10 20 300 40">Chair</h1>
<p data-trawl-box="10 80 300 20"><b data-trawl-box="10 80 300 20">12 €</b></p>
<svg data-trawl-box="400 20 16 16"><path data-trawl-box="401 21 4 4"></path></svg>
<i data-trawl-box="10 1200 50 20">below</i><i data-trawl-box="-500 20 50 20">left</i>
<i data-trawl-box="1 2 three 4">odd</i><i>hidden</i></main></body></html>`
const { document } = parseHTML(html)
const boxes = boxesIn(document as unknown as Document, { width: 1280, height: 900 })
const names = [...boxes.keys()].map(({ localName }) => localName)

test("the boxes of a screenshot are those inside it, in reading order; a drawing is one box", () => {
  expect(names).toEqual(["body", "main", "h1", "p", "b", "svg"])
  expect(document.querySelectorAll("[data-trawl-box]")).toHaveLength(0)
})

const points: [x: number, y: number, name: string | undefined][] = [
  [20, 30, "h1"],
  [20, 85, "b"],
  [402, 22, "svg"],
  [900, 300, "main"],
  [900, 700, "body"],
  [900, 901, undefined],
  [310, 30, "main"],
]
for (const [x, y, name] of points) {
  test(`at ${x}, ${y} is ${name ?? "nothing"}`, () => {
    expect(elementAt(boxes, x, y)?.localName).toBe(name!)
  })
}

test("without its boxes, the source equals the page", () => {
  expect(withoutBoxes('<p class="a" data-trawl-box="1 -2 3 4">x</p>')).toBe('<p class="a">x</p>')
})
