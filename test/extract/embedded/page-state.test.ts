import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { pageStates } from "../../../src/extract/embedded/index.ts"

const statesOf = (...scripts: string[]) => [
  ...pageStates(parseDocument(scripts.map((text) => `<script>${text}</script>`).join(""))),
]
/** A text in the form of Next.js, split at any position. */
const pushed = (...parts: string[]) =>
  parts.map((part) => `self.__next_f.push([1,${JSON.stringify(part)}])`)

describe("the state of Next.js's App Router", () => {
  const body = "<p>Größe: 1 < 2</p>\n<p>The end.</p>"
  const bytes = Buffer.byteLength(body).toString(16)
  const flight = `1:"$Sreact.fragment"\n2:I[7413,["/_next/static/chunks/x.js"],"default"]\n5:T${bytes},${body}6:{"name":"Ann","self":"$6"}\n4:["$","$L2",null,{"article":{"title":"Tides","slug":"tides","body":"$5","author":"$6","price":"$$5","none":"$undefined","at":"$D2026-01-02T00:00:00.000Z","first":"$6:name","gone":"$99"}}]\n`

  test("is joined over its scripts, with rows replaced by their content", () => {
    const cut = [flight.slice(0, 90), flight.slice(90, 200), flight.slice(200)]
    const states = statesOf("(self.__next_f=self.__next_f||[]).push([0])", ...pushed(...cut))
    expect(states).toHaveLength(2)
    expect(states[0]).toEqual({ name: "Ann", self: null })
    expect((states[1] as unknown[])[3]).toEqual({
      article: {
        title: "Tides",
        slug: "tides",
        body,
        author: { name: "Ann", self: null },
        price: "$5",
        none: null,
        at: "2026-01-02T00:00:00.000Z",
        first: "Ann",
        gone: "$99",
      },
    })
  })

  test("that is cut, made deep or invalid does no harm", () => {
    expect(statesOf(...pushed("no rows here"))).toEqual([])
    expect(statesOf(...pushed('1:{"a":1}\n2:{"b":'))).toEqual([{ a: 1 }])
    expect(statesOf(...pushed(`1:T${"f".repeat(9)},x`))).toEqual([])
    expect(statesOf('self.__next_f.push([1,"cut off')).toEqual([])
    const deep = `1:${"[".repeat(5000)}1${"]".repeat(5000)}\n`
    expect(statesOf(...pushed(deep))).toHaveLength(1)
    const chain = Array.from(
      { length: 3000 },
      (_, n) => `${n.toString(16)}:{"n":"$${(n + 1).toString(16)}"}`,
    )
    expect(statesOf(...pushed(`${chain.join("\n")}\n`))).toHaveLength(3000)
  })
})

describe("hostile states end within bounds", () => {
  const states: [name: string, script: () => string][] = [
    ["pushes that never end", () => "self.__next_f.push([1,".repeat(100_000)],
    ["lines without rows", () => pushed(`${"\n".repeat(2_000_000)}${"a".repeat(40)}:{}`)[0]!],
    ["rows of no length", () => pushed("1:T0,".repeat(300_000))[0]!],
    [
      "a call with a text of 4 MB",
      () => `__NUXT__=(function(a){return ["${"\\u003C".repeat(700_000)}"]}(1))`,
    ],
    [
      "a call with a million arguments",
      () => `__NUXT__=(function(a){return a}(${"1,".repeat(1_000_000)}1))`,
    ],
    ["calls that never end", () => "__NUXT__=(function(a){".repeat(100_000)],
  ]
  for (const [name, script] of states) {
    // A time that grows with the square of the length would be minutes.
    test(name, () => expect(statesOf(script()).length).toBeLessThan(6), 30_000)
  }
})

describe("the state of Nuxt 2", () => {
  const read = (text: string) => statesOf(`window.__NUXT__=${text};`)[0]

  test("is what the function would return if it ran", () => {
    const text = `(function(a,b,c,d,$e){d.title="Tides";d.tags=["sea",b];d["0"]=a;$e[0]=d;$e[2]=c;return {layout:"default",data:[{article:d,list:$e,at:new Date(1767312000000),keys:new Set([1,-2]),map:new Map([["k",c]]),bare:Object.create(null),gone:void 0,yes:!0,no:!1,"a-b":.5,text:"1 \\u003C 2 \\"x\\""}],error:a,serverRendered:b}}(null,true,'it\\'s',{},Array(3)))`
    expect(read(text)).toEqual({
      layout: "default",
      data: [
        {
          article: { 0: null, title: "Tides", tags: ["sea", true] },
          list: [{ 0: null, title: "Tides", tags: ["sea", true] }, undefined, "it's"],
          at: "2026-01-02T00:00:00.000Z",
          keys: [1, -2],
          map: [["k", "it's"]],
          bare: {},
          gone: null,
          yes: true,
          no: false,
          "a-b": 0.5,
          text: '1 < 2 "x"',
        },
      ],
      error: null,
      serverRendered: true,
    })
  })

  test("is undefined if the function does anything else", () => {
    for (const text of [
      "(function(a){return fetch(a)}(1))",
      "(function(a){while(1){}return a}(1))",
      "(function(a){return {a:b}}(1))",
      "(function(a){return a",
      "(function(a){return {a:1}})",
      `(function(a){return ${"[".repeat(300)}${"]".repeat(300)}}(1))`,
      `(function(a){return ${"!".repeat(300)}a}(1))`,
      "(function(a){return (1)}(1))",
    ]) {
      expect(read(text)).toBeUndefined()
    }
    expect(read("(function(a){a[999999999]=1;return a}([]))")).toEqual([])
    const own = read('(function(a){a.__proto__=1;return {a:a,"__proto__":{b:1}}}({}))') as object
    expect(Object.getPrototypeOf(own)).toBe(Object.prototype)
    expect(({} as { b?: number }).b).toBeUndefined()
  })
})
