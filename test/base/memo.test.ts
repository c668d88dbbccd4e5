import { expect, test } from "bun:test"
import { Memo } from "../../src/base/memo.ts"

test("a short text is computed once, a long one each time, and few are stored", () => {
  const made: string[] = []
  const memo = new Memo(
    (text) => {
      made.push(text)
      return text.toUpperCase()
    },
    4,
    10,
  )
  expect([memo.of("short"), memo.of("short")]).toEqual(["SHORT", "SHORT"])
  expect(made).toEqual(["short"])
  const long = "much longer than ten"
  expect([memo.of(long), memo.of(long)]).toEqual([long.toUpperCase(), long.toUpperCase()])
  expect(made).toEqual(["short", long, long])
  for (const text of ["a", "b", "c", "d", "e"]) memo.of(text)
  memo.of("short")
  expect(made.filter((text) => text === "short")).toHaveLength(2)
})
