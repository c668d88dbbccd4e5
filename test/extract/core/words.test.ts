import { expect, test } from "bun:test"
import { holdsWords } from "../../../src/extract/core/words.ts"

test("every wanted word is in one of the texts, in any letter case", () => {
  expect(holdsWords("go Remote", "Senior Go developer", null, "REMOTE, Europe")).toBe(true)
  expect(holdsWords("go onsite", "Senior Go developer", "REMOTE")).toBe(false)
  expect(holdsWords(" ", null)).toBe(true)
  expect(holdsWords(undefined)).toBe(true)
})
