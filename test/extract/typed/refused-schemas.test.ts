import { expect, test } from "bun:test"
import { readSchema } from "../../../src/extract/typed/index.ts"
import { object, text } from "./read.ts"

const deep = (depth: number): object => (depth === 0 ? text : object({ inner: deep(depth - 1) }))
const refusals: [schema: unknown, place: string, words: string][] = [
  [[], "schema", "JSON object"],
  [{ type: "array", items: text }, "schema", "put a list under one of them"],
  [object({}), "schema", "with properties"],
  [object({ a: { type: "money" } }), "schema.properties.a.type", "one of object"],
  [
    object({ a: { type: "string", xselector: "h1" } }),
    "schema.properties.a.xselector",
    '"x-selector"',
  ],
  [object({ a: { "x-selector": "p[" } }), "schema.properties.a.x-selector", "not a CSS selector"],
  [object({ a: { "x-jsonld": "a..b" } }), "schema.properties.a.x-jsonld", "path of names"],
  [object({ a: { "x-labels": "Name" } }), "schema.properties.a.x-labels", "list"],
  [object({ a: { enum: [{}] } }), "schema.properties.a.enum", "texts, numbers"],
  [object({ a: { $ref: "#/$defs/B" } }), "schema.properties.a.$ref", "#/$defs/<name>"],
  [object({ a: { not: text } }), "schema.properties.a.not", "not read here"],
  [object({ a: { type: "null" } }), "schema.properties.a.type", "nothing but null"],
  [object({ a: { type: "string", minLength: "x" } }), "schema.properties.a.minLength", "number"],
  [deep(12), "schema.properties.inner", "nests deeper"],
  [
    { ...object({ a: { $ref: "#/$defs/A" } }), $defs: { A: object({ a: { $ref: "#/$defs/A" } }) } },
    "schema.properties.a",
    "nests deeper",
  ],
  [
    object(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, text]))),
    "schema.properties.f",
    "at most 200 fields",
  ],
  [
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
    "schema.properties",
    "name",
  ],
]

test.each(refusals)("an unreadable schema: %j", (schema, path, words) => {
  const issue = (() => {
    try {
      readSchema(schema)
    } catch (error) {
      return (error as Error).message
    }
  })()
  expect(issue).toStartWith(path)
  expect(issue).toContain(words)
})
