import { afterAll, expect, test } from "bun:test"
import { Transforms } from "../../src/export/transforms.ts"

// On a busy machine, a second of a thread's processor time may take minutes.
const limits = { milliseconds: 180_000, memory: Number.MAX_SAFE_INTEGER, idleMs: 60_000 }
const transforms = new Transforms(limits)
const hasty = new Transforms({ ...limits, milliseconds: 1 })
afterAll(() => {
  transforms.stop()
  hasty.stop()
})

const tenant = { id: "" }
const page = { url: "https://example.com/", title: "A desk", price: 20, tags: ["oak", "old"] }
const made = async (expression: string, items: object[] = [page]) => {
  const texts = items.map((item) => JSON.stringify(item))
  return Array.fromAsync(transforms.apply(expression, texts, { tenant }), (text) =>
    JSON.parse(text),
  )
}
const excess = (expression: string) =>
  made(expression).then(
    (items) => items,
    ({ code, message }) => [code, message],
  )

test("an object becomes an item, each entry of a list does, nothing is left out", async () => {
  expect(await made("{'name': title, 'gross': price * 2}")).toEqual([{ name: "A desk", gross: 40 }])
  expect(await made("tags.{'tag': $}")).toEqual([{ tag: "oak" }, { tag: "old" }])
  expect(await made("price")).toEqual([{ value: 20 }])
  expect(await made("price > 10 ? $ : null", [page, { price: 5 }])).toEqual([page])
  expect(await made("{'name': title, 'f': function($x){ $x }, 'g': $sum}")).toEqual([
    { name: "A desk" },
  ])
})

test("errors stay, and an item that the expression fails for becomes one", async () => {
  const lost = { url: "https://example.com/2", error: { code: "not_found", message: "Gone." } }
  const items = await made("{'t': $uppercase(title)}", [page, lost, { ...page, title: 7 }, page])
  expect(items.map(({ t, error }) => t ?? error.code)).toEqual([
    "A DESK",
    "not_found",
    "transform_failed",
    "A DESK",
  ])
  expect(items[2].url).toBe(page.url)
  expect(items[2].error.message).toMatch(/"uppercase".* \(at character \d+\)$/)
})

test("many items stay in order, those of a long time slice come in further ones", async () => {
  const items = Array.from({ length: 1234 }, (_, n) => ({ n }))
  expect(await made("{'m': n + 1}", items)).toEqual(items.map(({ n }) => ({ m: n + 1 })))
})

test("an invalid expression is reported with its position", async () => {
  expect(await transforms.issue("title & ")).toMatchObject({ position: 8 })
  expect(await transforms.issue(`${"(".repeat(3000)}`)).toHaveProperty("message")
  expect(await transforms.issue("title")).toBeUndefined()
})

test("loops, depth, and sizes of lists and texts are limited", async () => {
  const code = "transform_exceeded"
  const endless = "($f := function($x){ $f($x) }; $f(1))"
  const deep = "($f := function($x){ $f($x) + 1 }; $f(1))"
  const doubled =
    "($d := function($s, $n){ $n = 0 ? $s : $d($s & $s, $n - 1) }; $length($d('0123456789', 40)))"
  const branching =
    "($d := function($s, $n){ $n = 0 ? $s : $d({'a': $s, 'b': $s}, $n - 1) }; $d('x', 50))"
  const tooLong = "It creates a text of more than 4,000,000 characters."
  const joined = "$join([1..90000].('0123456789012345678901234567890123456789012345678901234'))"
  expect(await excess(endless)).toEqual([code, "It takes more than 1 s for one item."])
  expect((await excess(deep))[1]).toContain("recursion")
  expect((await excess("[1..1e7]"))[1]).toContain("100,000 entries")
  for (const text of [doubled, "$pad('x', 1e9)", "$now('[Y,1000000000]')"]) {
    expect([text, ...(await excess(text))]).toEqual([text, code, tooLong])
  }
  // On a busy machine, these may exceed the time before they exceed the size.
  for (const text of [branching, joined, `$string(${branching})`]) {
    expect((await excess(text))[0]).toBe(code)
  }
  expect(await made("title")).toEqual([{ value: "A desk" }])
}, 300_000)

test("a thread that does not answer is ended, and the next call has another", async () => {
  const requested = Array.fromAsync(hasty.apply("title", [JSON.stringify(page)], { tenant }))
  expect(await requested.catch(({ code }) => code)).toBe("transform_exceeded")
  expect(await made("title")).toEqual([{ value: "A desk" }])
})

test("no expression can read outside its item", async () => {
  for (const reach of ["constructor", "__proto__", "$string.implementation", "toString"]) {
    expect(await made(`{'a': ${reach}, 'b': $lookup($, '${reach}')}`)).toEqual([{}])
  }
})
