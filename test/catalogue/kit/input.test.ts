import { describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { nearest } from "../../../src/base/nearest.ts"
import { inputObject, oneOf } from "../../../src/catalogue/kit/core/fields.ts"
import { checkInput, inputFromQuery } from "../../../src/catalogue/kit/input.ts"

const schema = inputObject({
  urls: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 3 }),
  maxPages: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 5 })),
  includeHtml: Type.Optional(Type.Boolean({ default: false })),
  sort: Type.Optional(oneOf(["new", "top"], { default: "new" })),
  ratio: Type.Optional(Type.Number()),
  steps: Type.Optional(Type.Array(Type.Object({ type: Type.String() }))),
  window: Type.Optional(Type.Object({ width: Type.Integer() })),
})

describe("checkInput", () => {
  test("fills in defaults and leaves the caller's object alone", () => {
    const raw = { urls: ["a"] }
    expect(checkInput(schema, raw)).toEqual({
      ok: true,
      input: { urls: ["a"], maxPages: 5, includeHtml: false, sort: "new" },
    })
    expect(raw).toEqual({ urls: ["a"] })
  })

  test("null counts as missing", () => {
    expect(checkInput(schema, { urls: ["a"], maxPages: null })).toMatchObject({
      ok: true,
      input: { maxPages: 5 },
    })
  })

  const refused: [string, unknown, { field: string; message: RegExp }][] = [
    ["nothing", undefined, { field: "", message: /JSON object/ }],
    ["a list", [], { field: "", message: /JSON object/ }],
    ["a missing field", {}, { field: "urls", message: /required/ }],
    ["an empty list", { urls: [] }, { field: "urls", message: /1 to 3 texts/ }],
    ["too long a list", { urls: ["a", "b", "c", "d"] }, { field: "urls", message: /1 to 3/ }],
    ["an empty entry", { urls: ["a", ""] }, { field: "urls[1]", message: /non-empty/ }],
    ["a text for a list", { urls: "a" }, { field: "urls", message: /list/ }],
    [
      "beyond a maximum",
      { urls: ["a"], maxPages: 11 },
      { field: "maxPages", message: /from 1 to 10, not 11/ },
    ],
    ["a fraction", { urls: ["a"], maxPages: 1.5 }, { field: "maxPages", message: /integer/ }],
    ["a wrong word", { urls: ["a"], sort: "best" }, { field: "sort", message: /one of new, top/ }],
    [
      "a text for a truth",
      { urls: ["a"], includeHtml: "yes" },
      { field: "includeHtml", message: /true or false/ },
    ],
    [
      "a misspelt field",
      { urls: ["a"], maxPage: 3 },
      { field: "maxPage", message: /Did you mean "maxPages"/ },
    ],
  ]
  for (const [name, raw, wanted] of refused) {
    test(`refuses ${name}`, () => {
      const checked = checkInput(schema, raw)
      if (checked.ok) throw new Error("the input was accepted")
      const issue = checked.issues.find((one) => one.field === wanted.field)
      expect(issue?.message).toMatch(wanted.message)
    })
  }

  test("a default is not merged into a value of another type, and sets no prototype", () => {
    const events = Type.Array(oneOf(["end", "start"]), { default: ["end"] })
    const view = Type.Object({ width: Type.Optional(Type.Integer()) }, { default: {} })
    const withDefaults = inputObject({
      events: Type.Optional(events),
      view: Type.Optional(view),
      steps: Type.Optional(Type.Array(Type.Object({ events: Type.Optional(events) }))),
    })
    const wrong: [json: string, field: string][] = [
      ['{"events":{"a":1}}', "events"],
      ['{"events":{"0":"start"}}', "events"],
      ['{"events":{"__proto__":{"a":1}}}', "events"],
      ['{"view":[]}', "view"],
      ['{"view":{"__proto__":{"width":1}}}', "view.__proto__"],
      ['{"steps":[{},{"events":{"constructor":1}}]}', "steps[1].events"],
    ]
    for (const [json, field] of wrong) {
      const issues = [expect.objectContaining({ field })]
      expect(checkInput(withDefaults, JSON.parse(json)), json).toEqual({ ok: false, issues })
    }
    const right = { events: ["start"], view: { width: 2 }, steps: [{ events: ["end"] }] }
    expect(checkInput(withDefaults, right)).toMatchObject({ ok: true, input: right })
    expect(checkInput(withDefaults, { steps: [{}] })).toMatchObject({
      input: { events: ["end"], view: {}, steps: [{ events: ["end"] }] },
    })
  })

  test("describes the expected value in words, with the field's purpose for rare forms", () => {
    const group = Type.Union([Type.Literal("day"), Type.Literal("key")])
    const forms = Type.Object({
      country: Type.Optional(Type.String({ pattern: "^[A-Za-z]{2}$", description: "Of a store." })),
      from: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" })),
      query: Type.Optional(Type.String({ pattern: "\\S", maxLength: 9 })),
      market: Type.Optional(
        Type.String({ pattern: "^[a-z]{2}-[A-Z]{2}$", description: "Such as en-US." }),
      ),
      by: Type.Optional(Type.Array(group)),
      either: Type.Optional(Type.Union([Type.Boolean(), Type.Integer({ minimum: 1 })])),
    })
    const wrong = {
      country: "USA",
      from: "1/2/26",
      query: " ",
      market: "us",
      by: ["x"],
      either: "x",
    }
    const checked = checkInput(forms, wrong)
    expect(checked.ok ? [] : checked.issues.map(({ message }) => message)).toEqual([
      '"country" must be two letters, not "USA".',
      '"from" must be a date such as 2026-01-31, not "1/2/26".',
      '"query" must be a non-empty text of at most 9 characters, not " ".',
      '"market" must be a text that matches ^[a-z]{2}-[A-Z]{2}$ (Such as en-US), not "us".',
      '"by[0]" must be one of day, key, not "x".',
      '"either" must be true or false or an integer of at least 1, not "x".',
    ])
  })

  test("reports every issue at once", () => {
    const checked = checkInput(schema, { urls: [], maxPages: 0, colour: "red" })
    if (checked.ok) throw new Error("the input was accepted")
    expect(checked.issues.map((issue) => issue.field).sort()).toEqual([
      "colour",
      "maxPages",
      "urls",
    ])
  })
})

describe("inputFromQuery", () => {
  const rows: [string, Record<string, unknown>][] = [
    ["urls=a&urls=b", { urls: ["a", "b"] }],
    ["urls=a|b| c", { urls: ["a", "b", "c"] }],
    ["urls=a&maxPages=3", { urls: ["a"], maxPages: 3 }],
    ["urls=a&maxPages=three", { urls: ["a"], maxPages: "three" }],
    ["urls=a&includeHtml=true&ratio=0.5", { urls: ["a"], includeHtml: true, ratio: 0.5 }],
    ["urls=a&includeHtml=0", { urls: ["a"], includeHtml: false }],
    [`input=${encodeURIComponent('{"urls":["x"],"maxPages":2}')}`, { urls: ["x"], maxPages: 2 }],
    [`input=${encodeURIComponent('{"urls":["x"]}')}&urls=y`, { urls: ["y"] }],
    ["urls=a&token=secret", { urls: ["a"] }],
    [`steps=${encodeURIComponent('[{"type":"a|b"}]')}`, { steps: [{ type: "a|b" }] }],
    ["steps=click", { steps: "click" }],
    [`window=${encodeURIComponent('{"width":3}')}`, { window: { width: 3 } }],
    ["window=wide", { window: "wide" }],
  ]
  for (const [query, input] of rows) {
    test(query, () => {
      expect(inputFromQuery(schema, new URLSearchParams(query), ["token"])).toEqual(input)
    })
  }

  test("input that is not a JSON object is a syntax error", () => {
    for (const text of ["{", "[1]", "null", "3"]) {
      const query = new URLSearchParams({ input: text })
      expect(() => inputFromQuery(schema, query)).toThrow(SyntaxError)
    }
  })
})

test("nearest finds the intended name, and nothing for a distant one", () => {
  expect(nearest("maxpages", ["urls", "maxPages"])).toBe("maxPages")
  expect(nearest("pypi-package", ["pypi-package-scraper", "npm-package-scraper"])).toBeUndefined()
  expect(nearest("pypi-packages-scraper", ["pypi-package-scraper", "npm-package-scraper"])).toBe(
    "pypi-package-scraper",
  )
  expect(nearest("zzzz", ["urls"])).toBeUndefined()
})
