import { describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { catalogue } from "../../../src/catalogue/index.ts"
import {
  checkInput,
  coerced,
  inputFromQuery,
  inputObject,
  schemaOfTypes,
} from "../../../src/catalogue/kit/index.ts"

const schema = inputObject({
  urls: Type.Array(Type.String(), { minItems: 1 }),
  countries: Type.Optional(Type.Array(Type.String())),
  ids: Type.Optional(Type.Array(Type.Integer())),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  isFast: Type.Optional(Type.Boolean()),
  language: Type.Optional(Type.String()),
  options: Type.Optional(Type.Object({ deep: Type.Optional(Type.Boolean()) })),
  steps: Type.Optional(Type.Array(Type.Object({ type: Type.String() }))),
})

const a = "https://a.test"
const certain: [name: string, provided: unknown, meant: Record<string, unknown>][] = [
  ["one value for a list of one", { urls: a }, { urls: [a] }],
  ["the singular of a list", { url: a }, { urls: [a] }],
  ["a singular in y", { urls: [a], country: "de" }, { urls: [a], countries: ["de"] }],
  ["the plural of a single value", { urls: [a], languages: ["en"] }, { urls: [a], language: "en" }],
  ["a number in a text", { urls: [a], limit: "5" }, { urls: [a], limit: 5 }],
  ["numbers in texts", { urls: [a], ids: ["1", 2] }, { urls: [a], ids: [1, 2] }],
  ["a boolean in a text", { urls: [a], isFast: "true" }, { urls: [a], isFast: true }],
  [
    "JSON text for an object",
    { urls: [a], options: '{"deep":true}' },
    { urls: [a], options: { deep: true } },
  ],
  ["JSON text for a list", { urls: `["${a}"]` }, { urls: [a] }],
  [
    "one object for a list of one",
    { urls: a, steps: { type: "x" } },
    { urls: [a], steps: [{ type: "x" }] },
  ],
  ["JSON text for the whole input", `{"urls":["${a}"]}`, { urls: [a] }],
]

describe("an input whose meaning is certain", () => {
  for (const [name, provided, meant] of certain) {
    test(name, () => {
      const input = coerced(schema, provided)
      expect(input).toEqual(meant)
      expect(checkInput(schema, input).ok).toBe(true)
    })
  }
})

test("search words are `q` in many APIs", () => {
  const words = inputObject({ queries: Type.Array(Type.String()) })
  expect(coerced(words, { q: "a" })).toEqual({ queries: ["a"] })
  expect(inputFromQuery(words, new URLSearchParams("q=a|b"))).toEqual({ queries: ["a", "b"] })
  expect(coerced(words, { q: "a", queries: ["b"] })).toEqual({ q: "a", queries: ["b"] })
})

describe("the types of fields are a JSON Schema", () => {
  test("with lists and objects", () => {
    expect(schemaOfTypes({ name: "string", rows: [{ price: "number" }] })).toEqual({
      type: "object",
      properties: {
        name: { type: "string" },
        rows: {
          type: "array",
          items: { type: "object", properties: { price: { type: "number" } } },
        },
      },
    })
  })
  const others: Record<string, unknown>[] = [
    {},
    { type: "object" },
    { type: "string" },
    { name: "text" },
    { rows: ["string", "number"] },
    { properties: { name: { type: "string", minLength: 1 } } },
    JSON.parse(`${'{"a":'.repeat(1000)}"string"${"}".repeat(1000)}`),
  ]
  test.each(others)("but %j are not", (types) => expect(schemaOfTypes(types)).toBeUndefined())
})

describe("an ambiguous or meaningless value is refused", () => {
  const rows: [name: string, provided: unknown][] = [
    ["both names", { url: "https://b.test", urls: [a] }],
    ["words for a number", { urls: [a], limit: "five" }],
    ["hexadecimal", { urls: [a], limit: "0x10" }],
    ["an empty text for a number", { urls: [a], limit: "" }],
    ["a list of two for one value", { urls: [a], language: ["en", "de"] }],
    ["an object for a text list", { urls: { a: 1 } }],
    ["a number in a list of texts", { urls: [7] }],
    ["broken JSON", { urls: [a], options: '{"deep":' }],
    ["an unknown name", { urls: [a], speed: "fast" }],
    ["a prototype", JSON.parse(`{"urls":["${a}"],"__proto__":{"limit":1}}`)],
    ["a list", [a]],
    ["nothing", null],
  ]
  for (const [name, provided] of rows) {
    test(name, () => expect(checkInput(schema, coerced(schema, provided)).ok).toBe(false))
  }
})

test("a query accepts the singular too, with its separator", () => {
  const query = new URLSearchParams("url=https://a.test|https://b.test&limit=5")
  expect(inputFromQuery(schema, query)).toEqual({ urls: [a, "https://b.test"], limit: 5 })
})

test("the examples of all scrapers keep their meaning", () => {
  for (const { slug, input, example } of catalogue) {
    expect([slug, coerced(input, example)]).toEqual([slug, example])
  }
})

describe("a scraper with own fields", () => {
  const { input } = catalogue.find(({ slug }) => slug === "web-scraper")!
  const plain = { type: "object", properties: { name: { type: "string" } } }
  test("accepts fields as an object", () => {
    expect(coerced(input, { url: a, fields: { name: "h3", price: ".cost" } })).toEqual({
      urls: [a],
      fields: ["name: h3", "price: .cost"],
    })
  })
  test("accepts a bare JSON Schema, and then needs no fields", () => {
    for (const extract of [plain, JSON.stringify(plain), { schema: plain }]) {
      expect(coerced(input, { urls: [a], extract })).toEqual({
        urls: [a],
        fields: [],
        extract: { schema: plain },
      })
    }
  })
})
