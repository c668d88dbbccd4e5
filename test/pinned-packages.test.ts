import { expect, test } from "bun:test"
import linkedom from "linkedom/package.json"
import { parseDocument } from "../src/extract/core/index.ts"

/**
 * Packages whose inner parts we replace. Before you update a version, read docs/internals/decisions
 * and the package's diff; then change it here.
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
