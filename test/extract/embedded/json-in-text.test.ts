import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import {
  allJsonAfter,
  apolloData,
  jsonAfter,
  mergeParts,
  nextState,
  parseGuarded,
  unwrapJson,
} from "../../../src/extract/embedded/json-in-text.ts"
import { JsonReader } from "../../../src/extract/embedded/json-reader.ts"

describe("JSON in scripts", () => {
  test("all values after a marker, in order; cut and invalid ones are left out", () => {
    const script = 'push({"a":"}"}); push(now); push( {"b":[1,{"c":2}]} ); push({"cut":'
    expect([...allJsonAfter(script, "push")]).toEqual([{ a: "}" }, { b: [1, { c: 2 }] }])
    expect(jsonAfter(script, /push\(\s*/)).toEqual({ a: "}" })
    expect(jsonAfter(script, "pull")).toBeUndefined()
  })

  test("undefined and NaN of scripts become null", () => {
    expect(jsonAfter<unknown>('x = {"a":undefined,"b":"undefined","c":NaN}', "x")).toEqual({
      a: null,
      b: "undefined",
      c: null,
    })
  })

  test.each<[string, unknown, unknown]>([
    ["an object", { a: 1 }, { a: 1 }],
    ["JSON in a string", '{"a":1}', { a: 1 }],
    ["JSON in a string of JSON", JSON.stringify('{"a":1}'), { a: 1 }],
    ["a text that is none", "{not json", "{not json"],
    ["a plain text", "hello", "hello"],
  ])("unwrapping %s", (_, written, read) => {
    expect(unwrapJson(written)).toEqual(read)
  })

  test.each([
    ["{}&&", '{}&&{"homes":[1]}'],
    [")]}'", ')]}\'\n{"homes":[1]}'],
    ["a call", ' mtopjsonp1({"homes":[1]});'],
    ["nothing", '{"homes":[1]}'],
  ])("the prefix %s", (_, text) => {
    expect(parseGuarded(text)).toEqual({ homes: [1] })
  })

  test("text that is not JSON after its prefix is undefined", () => {
    expect(parseGuarded("{}&&<html>")).toBeUndefined()
  })

  test("the data of Apollo's pushes", () => {
    const page = `<script>(window[Symbol.for("ApolloSSRDataTransport")] ??= []).push({"rehydrate":{"a":undefined},"events":[{"type":"started"},{"value":{"data":{"p":1}}}]})</script>
      <script>(window[Symbol.for("ApolloSSRDataTransport")] ??= []).push({"events":[{"value":{"data":{"p":2}}}]})</script>`
    expect(apolloData(page)).toEqual([undefined, { p: 1 }, { p: 2 }])
  })

  test("the state of a Next.js page", () => {
    const page = '<body><script id="__NEXT_DATA__" type="application/json">{"props":1}</script>'
    expect(nextState<object>(parseDocument(page))).toEqual({ props: 1 })
    expect(nextState(parseDocument("<body></body>"))).toBeUndefined()
  })

  test("parts of one object: the first known value counts, objects are merged", () => {
    const parts = [
      { a: null, b: { x: 1 }, list: [1] },
      { a: 2, b: { x: 9, y: 2 }, list: [2] },
    ]
    expect(mergeParts(parts)).toEqual({ a: 2, b: { x: 1, y: 2 }, list: [1] })
  })
})

describe("reading a tree of JSON", () => {
  const reader = new JsonReader({
    name: " A &amp; B ",
    price: "12.5",
    zero: 0,
    empty: "",
    list: [{ id: 1 }, null, { id: 2 }],
    map: { x: { id: 3 } },
    texts: ["a", 1, "b"],
  })

  test("values of the requested type, else null", () => {
    expect(reader.title("name")).toBe("A & B")
    expect(reader.text("name")).toBe("A &amp; B")
    expect(reader.number("price")).toBe(12.5)
    expect(reader.number("zero")).toBe(0)
    expect(reader.text("empty")).toBeNull()
    expect(reader.text("list", 0, "id")).toBe("1")
    expect(reader.number("name", "deeper")).toBeNull()
    expect(reader.flag("zero")).toBeNull()
  })

  test("lists, and objects used as lists", () => {
    expect(reader.list("list").map((one) => one.number("id"))).toEqual([1, 2])
    expect(reader.entries("map").map(([key, one]) => [key, one.number("id")])).toEqual([["x", 3]])
    expect(reader.texts("texts")).toEqual(["a", "b"])
    expect(reader.list("price")).toEqual([])
  })
})
