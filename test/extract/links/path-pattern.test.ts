import { expect, test } from "bun:test"
import fc from "fast-check"
import { PatternError, pattern } from "../../../src/extract/links/index.ts"

const piece = fc.constantFrom(
  "a",
  "b",
  "/",
  "\\.",
  ".",
  "[ab]",
  "[^a]",
  "\\d",
  "\\w",
  "(?:a|b)",
  "(a|)",
)
const times = fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "{0,}", "+?")
const some = fc.array(
  fc.tuple(piece, times).map(([one, often]) => one + often),
  { maxLength: 5 },
)
const source = fc
  .tuple(fc.constantFrom("", "^"), some, fc.constantFrom("", "$", "|^b$"))
  .map(([start, pieces, end]) => start + pieces.join("") + end)
const text = fc
  .array(fc.constantFrom("a", "b", "1", "/", "."), { maxLength: 8 })
  .map((all) => all.join(""))

test("matches what the runtime's own expressions match", () => {
  fc.assert(
    fc.property(source, text, (written, provided) => {
      expect([written, provided, pattern(written)(provided)]).toEqual([
        written,
        provided,
        new RegExp(written).test(provided),
      ])
    }),
    { numRuns: 3000 },
  )
})

test("a pattern that makes others backtrack forever ends at once", () => {
  const began = process.cpuUsage()
  for (const written of ["(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$"]) {
    expect(pattern(written)(`${"a".repeat(2000)}!`)).toBe(false)
  }
  expect(process.cpuUsage(began).user).toBeLessThan(5_000_000)
})

test("an unreadable pattern is refused with what and where", () => {
  for (const [written, why] of [
    ["(a", "( without"],
    ["a)", ") without"],
    ["[a", "[ without"],
    ["*a", "behind nothing"],
    ["(?=a)", "group"],
    ["\\1", "\\1"],
    ["a{200}", "100 repetitions"],
    ["((((a{50}){50}){50}){50})", "too many"],
    ["(((((){100}){100}){100}){100})", "too many"],
    ["a".repeat(501), "500 characters"],
    ["(".repeat(400), "( without"],
  ]) {
    expect(() => pattern(written!)).toThrow(PatternError)
    expect(() => pattern(written!)).toThrow(why!)
  }
})
