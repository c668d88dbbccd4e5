import { expect, test } from "bun:test"
import { asScrapeError } from "../../src/engine/runtime/run/target-work.ts"
import { mutated, random } from "./mutate.ts"
import { readers, thrownAt } from "./readers.ts"

/** Number of pages per reader; `bun run bench trust readers` tests more. */
const pagesEach = 8

for (const slug of readers) {
  test(`${slug} throws on no mutated page`, async () => {
    for (let seed = 1; seed <= pagesEach; seed++) {
      expect((await thrownAt(slug, seed)).thrown).toBeNull()
    }
  }, 60_000)
}

test("exceptions of a reader are recognised by their words, and pages are mutated", () => {
  expect(asScrapeError(new TypeError("x is null")).message).toStartWith(
    "The response could not be parsed:",
  )
  const page = "<p class=a>text</p>".repeat(50)
  const all = Array.from({ length: 50 }, (_, seed) => mutated(page, random(seed)))
  expect(new Set(all).size).toBeGreaterThan(40)
  expect(mutated(page, random(7))).toBe(mutated(page, random(7)))
})
