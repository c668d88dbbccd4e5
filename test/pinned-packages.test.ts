import { expect, test } from "bun:test"
import linkedom from "linkedom/package.json"
import { parseDocument } from "../src/extract/core/index.ts"

/**
 * Packages whose inner parts we replace. Who moves a version reads docs/internals/decisions first, then its
 * diff, then changes it here.
 */
test("patched packages have the version that the patches were written for", () => {
  expect(linkedom.version).toBe("0.18.14")
})

test("linkedom's nodes have no listeners, and keep their tag names and classes as written", () => {
  const { body } = parseDocument('<p class="a  b">text</p>')
  const element = body.querySelector("p")!
  expect(() => element.addEventListener("click", () => {})).toThrow()
  expect(element.tagName).toBe("P")
  expect(element.className).toBe("a  b")
})
