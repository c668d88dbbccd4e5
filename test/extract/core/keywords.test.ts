import { describe, expect, test } from "bun:test"
import { SearchedText } from "../../../src/extract/core/keywords.ts"
import { diffLines } from "../../../src/extract/core/line-diff.ts"

describe("keywords are found as words", () => {
  const cases: [text: string, keyword: string, count: number][] = [
    ["art, party; Art", "art", 2],
    ["a state of\n the   union", "state of the union", 1],
    ["“it’s here” — now", `"it's here"`, 1],
    ["non‑stop", "non-stop", 1],
    ["hy\u00adphen", "hyphen", 1],
    ["C++ and c++", "c++", 2],
    ["日本語の文章", "本語", 1],
    ["aaaa", "aa", 0],
    ["İstanbul istanbul", "istanbul", 1],
    ["a.b.c a.b", "a.b", 2],
    ["x", "", 0],
  ]
  for (const [text, keyword, count] of cases) {
    test(`${keyword} in ${text}`, () => {
      expect(new SearchedText(text, false).find(keyword)).toHaveLength(count)
    })
  }
  test("capital letters count on request", () => {
    expect(new SearchedText("Art art", true).find("Art")).toHaveLength(1)
  })
})

test("a snippet is cut at words", () => {
  const text = new SearchedText(`${"before ".repeat(30)}match ${"after ".repeat(30)}`, false)
  const snippet = text.snippet(text.find("match")[0]!, "match")
  expect(snippet).toMatch(/^…(?:before )+match (?:after ?)+…$/)
  expect(snippet.length).toBeLessThan(180)
  expect(new SearchedText("just a match", false).snippet(7, "match")).toBe("just a match")
})

describe("lines that differ", () => {
  const diffs: [before: string, after: string, added: string, removed: string][] = [
    ["a b c", "a x c", "x", "b"],
    ["a b", "a b c", "c", ""],
    ["a b c d", "b d", "", "a c"],
    ["", "a", "a", ""],
    ["a b c a b b a", "c b a b a c", "b c", "a b b"],
    ["a a", "a a", "", ""],
  ]
  for (const [before, after, added, removed] of diffs) {
    test(`${before || "nothing"} to ${after}`, () => {
      const words = (text: string) => text.split(" ").filter(Boolean)
      const diff = diffLines(words(before), words(after))
      expect(diff.added).toHaveLength(words(added).length)
      expect(diff.removed).toHaveLength(words(removed).length)
      const rest = words(before).filter((line) => !diff.removed.includes(line))
      for (const line of rest) expect(words(after)).toContain(line)
    })
  }
  test("texts with nothing in common end soon", () => {
    const lines = (name: string) => Array.from({ length: 5_000 }, (_, index) => `${name} ${index}`)
    expect(diffLines(lines("a"), lines("b")).added).toHaveLength(5_000)
  })
})
