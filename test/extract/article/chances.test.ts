import { expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { agreedChances } from "../../../src/extract/article/reading/chances.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

/** Returns the chances of paragraphs in parts of a page, in hundredths. */
function agreed(parts: string[], provided: number[], isOfParts: boolean): number[] {
  const page = readBlocks(parseDocument(`<body>${parts.join("")}</body>`).body)
  const groups = Uint32Array.from(page.blocks, (_, at) => at)
  const chances = agreedChances(page, groups, Float32Array.from(provided), isOfParts)
  return Array.from(chances, (chance) => Math.round(chance * 100))
}

const part = (words: number, name = "part") =>
  `<section class="${name}"><p>${"word ".repeat(words)}</p></section>`

test("parts of equal rank move towards each other, on pages that consist of parts", () => {
  const parts = [part(30), part(30), part(30)]
  const [low, middle, high] = agreed(parts, [0.1, 0.8, 0.9], true)
  expect(low).toBeGreaterThan(30)
  expect(middle).toBeWithin(60, 80)
  expect(high).toBeWithin(60, 90)
  expect(agreed(parts, [0.1, 0.8, 0.9], false)).toEqual([10, 80, 90])
})

test.each([
  ["two parts", [part(30), part(30), part(30, "other")]],
  ["parts with few words", [part(30), part(30), part(5)]],
])("the chances stay: %s", (_, parts) => {
  expect(agreed(parts, [0.1, 0.8, 0.9], true)).toEqual([10, 80, 90])
})

test("a part moves as a whole: its blocks keep their order", () => {
  const two = `<section class="part"><p>${"word ".repeat(30)}</p><p>${"word ".repeat(30)}</p></section>`
  const [first, second] = agreed([two, part(30), part(30)], [0.1, 0.3, 0.8, 0.9], true)
  expect(first).toBeGreaterThan(10)
  expect(second).toBeGreaterThan(first!)
})
