import { expect, test } from "bun:test"
import { Readability } from "@mozilla/readability"
import linkedom from "linkedom/package.json"
import readability from "../node_modules/@mozilla/readability/package.json"
import { Reader } from "../src/extract/article/reader.ts"
import { parseDocument } from "../src/extract/core/index.ts"

/**
 * Packages whose inner parts we replace. Who moves a version reads docs/decisions first, then its
 * diff, then changes it here.
 */
test("packages that we patch are at the version that the patches were written for", () => {
  expect(linkedom.version).toBe("0.18.14")
  expect(readability.version).toBe("0.6.0")
})

test("each step of Readability that the reader replaces is one of its own", () => {
  const replaced = Object.getOwnPropertyNames(Reader.prototype).filter((name) =>
    name.startsWith("_"),
  )
  expect(replaced.length).toBeGreaterThan(10)
  expect(replaced.filter((name) => !(name in Readability.prototype))).toEqual([])
})

test("linkedom's nodes have no listeners, keep their tag names and classes as written", () => {
  const { body } = parseDocument('<p class="a  b">text</p>')
  const element = body.querySelector("p")!
  expect(() => element.addEventListener("click", () => {})).toThrow()
  expect(element.tagName).toBe("P")
  expect(element.className).toBe("a  b")
})
