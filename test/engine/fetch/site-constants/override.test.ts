import { describe, expect, test } from "bun:test"
import { upstreamTable } from "../../../../src/catalogue/kit/index.ts"
import { layOver } from "../../../../src/engine/fetch/site-constants/override.ts"

const table = upstreamTable(
  "shop",
  "2026-08",
  {
    searchQuery: "abc",
    pageSize: 20,
    at: { title: [0, 1], price: [4] },
    switches: ["a", "b"],
    parameters: { lang: "en" },
  },
  { open: ["parameters"] },
)
const laid = (override: unknown) => layOver(table, table.values, override)

describe("an override", () => {
  test("is joined group by group, lists are replaced", () => {
    const { values, provided, issues } = laid({
      searchQuery: "new",
      at: { price: [5, 0] },
      switches: [],
    })
    expect(issues).toEqual([])
    expect(values).toEqual({
      ...table.values,
      searchQuery: "new",
      at: { title: [0, 1], price: [5, 0] },
      switches: [],
    })
    expect(provided).toEqual(["searchQuery", "at.price", "switches"])
  })

  test("may add members to an open group only", () => {
    expect(laid({ parameters: { region: "US" } }).values.parameters).toEqual({
      lang: "en",
      region: "US",
    })
    expect(laid({ at: { prize: [4] } }).issues).toEqual([
      { path: "at.prize", sentence: 'is unknown; did you mean "price"?' },
    ])
  })

  const wrong: [string, unknown, string, string][] = [
    ["a number for a text", { searchQuery: 1 }, "searchQuery", "must be a text, not a number."],
    ["a text for a number", { pageSize: "20" }, "pageSize", "must be a number, not a text."],
    ["a text for a list", { switches: "oops" }, "switches", "must be a list, not a text."],
    [
      "a wrong entry",
      { at: { title: [0, "1"] } },
      "at.title",
      "must hold a number at each position; entry 2 is a text.",
    ],
    ["a list for a group", { at: [] }, "at", "must be a group of values, not a list."],
    ["null", null, "", "must be a group of values, not null."],
    ["too long a text", { searchQuery: "x".repeat(20_001) }, "searchQuery", "is longer than"],
    ["too long a list", { switches: Array(1001).fill("a") }, "switches", "has more than"],
  ]
  for (const [name, override, path, sentence] of wrong) {
    test(`with ${name} is refused by the value's path`, () => {
      const { issues } = laid(override)
      expect(issues).toHaveLength(1)
      expect(issues[0]!.path).toBe(path)
      expect(issues[0]!.sentence).toStartWith(sentence)
    })
  }

  test("with many issues reports a limited number", () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`n${index}`, 1]))
    expect(laid(many).issues).toHaveLength(20)
  })

  test("cannot reach a prototype", () => {
    const { values } = laid(JSON.parse('{"parameters": {"__proto__": "x"}}'))
    expect(Object.getPrototypeOf(values.parameters)).toBe(Object.prototype)
    expect(laid(JSON.parse('{"__proto__": {"a": 1}}')).issues).toHaveLength(1)
  })
})
