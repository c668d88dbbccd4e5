import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { parseJson } from "../../src/base/json-text.ts"

describe("parseJson reports the position and the fix of", () => {
  test.each([
    ["an empty text", " \n", "it is empty"],
    [
      "a comma at the end",
      '{"a": 1,}',
      'line 1, column 8, near {"a": 1,}: remove the "," before "}"',
    ],
    [
      "a comma at the end of a line",
      "[\n  1,\n]",
      'line 2, column 4, near [ 1, ]: remove the "," before "]"',
    ],
    [
      "a missing comma",
      '["a"\n "b"]',
      'line 2, column 2, near ["a" "b"]: write "," or "]" after the value',
    ],
    [
      "a missing colon",
      '{"a" 1}',
      'line 1, column 6, near {"a" 1}: write ":" between the name and its value',
    ],
    [
      "single quotes",
      "{'a': 1}",
      `line 1, column 2, near {'a': 1}: write straight double quotes (") instead of '`,
    ],
    [
      "curly quotes",
      "[“a”]",
      'line 1, column 2, near [“a”]: write straight double quotes (") instead of “',
    ],
    [
      "a name without quotes",
      "{a: 1}",
      'line 1, column 2, near {a: 1}: write the name in double quotes, for example "name"',
    ],
    [
      "a text without quotes",
      '{"a": b}',
      'line 1, column 7, near {"a": b}: write the text "b" in double quotes',
    ],
    [
      "Python's True",
      '{"a": True}',
      'line 1, column 7, near {"a": True}: write true in lower case',
    ],
    [
      "Python's None",
      '{"a": None}',
      'line 1, column 7, near {"a": None}: write null instead of None',
    ],
    [
      "a number with a leading zero",
      "[01]",
      'line 1, column 2, near [01]: "01" is not a valid number; write a text in double quotes',
    ],
    [
      "a backslash",
      '["C:\\x"]',
      String.raw`line 1, column 5, near ["C:\x"]: this escape is not valid; write a backslash as \\`,
    ],
    [
      "a line break in a text",
      '["a\nb"]',
      String.raw`line 1, column 4, near ["a b"]: close the text with ", or write the line break as \n`,
    ],
    [
      "a control character",
      '["\u0001"]',
      String.raw`line 1, column 3, near [" "]: write this control character as \u0001`,
    ],
    [
      "an open text",
      '["a',
      'line 1, column 2, near ["a: the text that starts here has no closing "',
    ],
    [
      "a truncated object",
      '{"a": 1',
      'line 1, column 8, near {"a": 1: the text ends before the closing "}"',
    ],
    ["a comment", "// a\n[]", "line 1, column 1, near // a []: remove the comment; JSON has none"],
    [
      "text after the value",
      "[] x",
      "line 1, column 4, near [] x: remove the text after the end of the JSON value",
    ],
    [
      "a form",
      "url=x",
      'line 1, column 1, near url=x: write a JSON value, which starts with "{", "[" or a double quote',
    ],
    [
      "a page",
      "<html>",
      'line 1, column 1, near <html>: write a JSON value, which starts with "{", "[" or a double quote',
    ],
    ["a missing value", "[1,,2]", "line 1, column 4, near [1,,2]: a value is missing"],
    [
      "too many levels",
      "[".repeat(65),
      `line 1, column 65, near …${"[".repeat(21)}: lists and objects nest more than 64 levels`,
    ],
  ])("%s", (_name, text, message) => {
    expect(() => parseJson(text)).toThrow(new SyntaxError(message))
  })
})

test("parseJson accepts what JSON.parse accepts, and gives a position for everything else", () => {
  const edit = fc.record({
    at: fc.nat(),
    cut: fc.boolean(),
    text: fc.constantFrom(...'{}[]",: \\\n01.-etn\u0001'),
  })
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.array(edit, { maxLength: 3 }), (json, edits) => {
      let text = json
      for (const { at, cut, text: part } of edits) {
        const offset = at % (text.length + 1)
        text = text.slice(0, offset) + part + text.slice(offset + (cut ? 1 : 0))
      }
      const expected = attempt(() => JSON.parse(text))
      const actual = attempt(() => parseJson(text))
      if (expected instanceof SyntaxError) {
        expect((actual as Error).message).toMatch(/^(?:line \d+, column \d+, near |it is empty$)/)
        expect((actual as Error).message.length).toBeLessThan(200)
      } else expect(actual).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})

test("a text of 1 MB costs little", () => {
  const started = performance.now()
  for (const text of [
    `[${"[],".repeat(330_000)}x]`,
    `["${"a".repeat(1_000_000)}`,
    `[1,${" ".repeat(1_000_000)}]`,
  ]) {
    expect(() => parseJson(text)).toThrow("line 1, column ")
  }
  expect(performance.now() - started).toBeLessThan(3000)
})

function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
