import { describe, expect, test } from "bun:test"
import { type ProbeExpectation, readExpectation } from "../../../../src/catalogue/kit/index.ts"
import linkChecker from "../../../../src/catalogue/web/links/broken-link-checker.ts"
import { unmet } from "../../../../src/engine/ops/health/expectations.ts"
import { evaluateProbe } from "../../../../src/engine/ops/health/judge-probe.ts"
import { filledInput, sourceOf } from "../../../../src/engine/ops/health/probe-input.ts"
import { runOnce, type Site } from "../../../catalogue/web/run-once.ts"

const now = Date.parse("2026-11-22T12:00:00Z")
const items = [
  { name: "Trawl", stars: 3, tags: ["web"], at: "2026-11-01", by: { name: "Ada" }, empty: {} },
  { name: "Seine", stars: 5, tags: [], at: "2026-11-21T10:00:00Z", by: null, empty: {} },
]

const fails = (line: string, over: Record<string, unknown>[] = items) => {
  const read = readExpectation(line)
  if (typeof read === "string") throw new Error(read)
  return unmet(over, [read], now).length > 0
}

describe("an expectation", () => {
  for (const line of [
    "items.length equals 2",
    'items[0].name equals "Trawl"',
    'items[*].name equals "Seine"',
    'items[*].name matches "^sei"',
    'items[*].tags contains "web"',
    'items[0].name contains "raw"',
    "items[*].stars gte 3",
    "items[*].stars lte 5",
    "items[*].tags share 0.5",
    'items[0].by.name equals "Ada"',
    "items[*].at fresh 2",
    'items[*].by only {"name": "Ada"}',
    "items[0].stars only 3",
  ]) {
    test(`holds: ${line}`, () => expect(fails(line)).toBe(false))
  }

  for (const line of [
    "items.length gte 3",
    'items[*].name equals "Purse"',
    'items[0].name matches "^sei"',
    'items[1].tags contains "web"',
    "items[*].stars gte 4",
    "items[*].stars lte 4",
    "items[*].tags share 0.6",
    "items[*].empty share 0.5",
    "items[*].name fresh 1000",
    "items[*].at fresh 1",
    "items[7].name share 1",
    'items[*].name only "Trawl"',
  ]) {
    test(`does not hold: ${line}`, () => expect(fails(line)).toBe(true))
  }

  test("over no items holds nothing", () => {
    expect(fails("items[*].stars gte 3", [])).toBe(true)
    expect(fails("items.length equals 0", [])).toBe(false)
  })

  test("names its field, and the value", () => {
    const line = "?items[0].by.age gte 18"
    const [found] = unmet(items, [readExpectation(line) as ProbeExpectation], now)
    expect(found).toEqual({ line, soft: true, field: "by", actual: "nothing" })
  })

  test("lines about absence apply to items that report it", async () => {
    const start = "https://www.mkdocs.org/"
    const links = ["a", "b", "c", "d", "e"].map((name) => `<a href="/${name}">${name}</a>`).join("")
    const page = `<html><body><h1>Docs</h1>${links}</body></html>`
    const leads = Object.fromEntries([..."abcde"].map((name) => [`${start}${name}`, page]))
    const { probe } = linkChecker
    const lines = probe!.expect.map((line) => readExpectation(line) as ProbeExpectation)
    const verdict = async (site: Site) => {
      const { items } = await runOnce(linkChecker, { ...probe!.input }, site)
      const run = { items, shares: {}, targets: [], stopped: null, now, missing: [] }
      return evaluateProbe(run, lines).verdict
    }
    expect(await verdict({ [start]: page, ...leads })).toBe("works")
    expect(await verdict({ [start]: { status: 404 } })).toBe("target_gone")
    expect(await verdict({ [start]: { status: 410 } })).toBe("target_gone")
    expect(await verdict({ [start]: { status: 500 } })).toBe("target_gone")
    expect(await verdict({ [start]: { status: 418 } })).toBe("broken")
    // A link without a target is not the page where the check started.
    const { [`${start}a`]: _, ...rest } = leads
    expect(await verdict({ [start]: page, ...rest, [`${start}a`]: { status: 404 } })).toBe("works")
  })

  for (const [line, word] of [
    ["items[0].name is 1", '"is" is not one of'],
    ["items[0].name", "must be path operator value"],
    ["errors.length equals 0", "must start with items"],
    ["items[0].name equals Trawl", "must be JSON"],
    ['items[0].name matches "("', "a regular expression"],
    ['items[0].stars gte "3"', "takes a number"],
    ["items[*].stars share 80", "from 0 to 1"],
  ] as const) {
    test(`cannot be read: ${line}`, () => expect(readExpectation(line)).toContain(word))
  }
})

describe("an input that uses another probe's items", () => {
  const input = { urls: ["@ebay-search-scraper items[0].url"], limit: 5 }

  test("names it, and is filled with it", () => {
    expect(sourceOf(input)).toBe("ebay-search-scraper")
    expect(filledInput(input, [{ url: "https://example.com/1" }])).toEqual({
      urls: ["https://example.com/1"],
      limit: 5,
    })
  })

  test("cannot be filled if they lack it", () => {
    expect(filledInput(input, [])).toBeUndefined()
    expect(filledInput(input, [{ url: null }])).toBeUndefined()
  })

  test("needs a name before the @", () => {
    expect(sourceOf({ accounts: ["@Mastodon@mastodon.social"] })).toBeNull()
  })
})
