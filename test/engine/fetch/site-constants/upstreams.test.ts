import { afterAll, afterEach, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { upstreamTable } from "../../../../src/catalogue/kit/index.ts"
import { upstreamTables } from "../../../../src/catalogue/site-constants.ts"
import { layOver } from "../../../../src/engine/fetch/site-constants/override.ts"
import { Upstreams } from "../../../../src/engine/fetch/site-constants/site-constants.ts"
import { watchUpstreams } from "../../../../src/engine/fetch/site-constants/watch.ts"

const table = upstreamTable("shop", "2026-08", { query: "abc", at: { title: [0] } })

const folder = mkdtempSync(join(tmpdir(), "trawl-upstreams-"))
const path = join(folder, "upstreams.json")
afterEach(() => rmSync(path, { force: true }))
afterAll(() => rmSync(folder, { recursive: true }))

/** Tables over the file, with their own clock: a moment later the file is checked again. */
function tables(env: Record<string, string> = {}, good?: Record<string, unknown>) {
  let now = 0
  const upstreams = new Upstreams({ env, path, good, now: () => now })
  const write = (content: unknown) => {
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
    now += 2_000
  }
  const later = (ms: number) => {
    now += ms
  }
  return { upstreams, write, later }
}

describe("upstreams.json", () => {
  test("overrides a table, and is read again when it changes", () => {
    const { upstreams, write, later } = tables()
    expect(upstreams.values(table).query).toBe("abc")
    write({ shop: { query: "new" } })
    expect(upstreams.values(table)).toEqual({ query: "new", at: { title: [0] } })
    expect(upstreams.table(table).origins).toEqual({ query: "file" })
    write({ shop: { query: "newer!" } })
    expect(upstreams.values(table).query).toBe("newer!")
    rmSync(path)
    later(2_000)
    expect(upstreams.values(table).query).toBe("abc")
  })

  test("keeps the previous table if it is wrong", () => {
    const { upstreams, write } = tables()
    write({ shop: { query: "new" } })
    expect(upstreams.values(table).query).toBe("new")
    write({ shop: { query: 5 } })
    expect(upstreams.table(table)).toMatchObject({
      values: { query: "new" },
      issues: ["upstreams.json: shop.query must be a text, not a number."],
    })
    write('{"shop": ')
    expect(upstreams.values(table).query).toBe("new")
    expect(upstreams.fileIssues(["shop"])).toEqual([
      expect.stringMatching(/^upstreams\.json cannot be read: /),
    ])
  })

  test("gives a worker that starts later the last good values", () => {
    const first = tables()
    first.write({ shop: { query: "new" } })
    first.upstreams.values(table)
    first.write({ shop: { query: 5 } })
    const second = tables({}, structuredClone(first.upstreams.good))
    expect(second.upstreams.values(table).query).toBe("new")
  })

  test("names a site that no table has", () => {
    const { upstreams, write } = tables()
    write({ shoop: {} })
    expect(upstreams.fileIssues(["shop"])).toEqual(['upstreams.json: there is no table "shoop".'])
  })
})

describe("TRAWL_UPSTREAM_SHOP", () => {
  test("wins over the file, value by value", () => {
    const { upstreams, write } = tables({ TRAWL_UPSTREAM_SHOP: '{"query":"set"}' })
    write({ shop: { query: "filed", at: { title: [7] } } })
    expect(upstreams.values(table)).toEqual({ query: "set", at: { title: [7] } })
    expect(upstreams.table(table).origins).toEqual({ query: "environment", "at.title": "file" })
  })

  test("is checked in the same way", () => {
    const { upstreams } = tables({ TRAWL_UPSTREAM_SHOP: '{"quary":"x"}' })
    expect(upstreams.table(table)).toMatchObject({
      values: table.values,
      issues: ['TRAWL_UPSTREAM_SHOP: quary is unknown; did you mean "query"?'],
    })
    const bad = tables({ TRAWL_UPSTREAM_SHOP: "{bad" })
    expect(bad.upstreams.table(table).issues).toEqual([
      'TRAWL_UPSTREAM_SHOP is not valid JSON: line 1, column 2, near {bad: write the name in double quotes, for example "name".',
    ])
  })
})

test("a success of a table is reported once a minute", () => {
  const { upstreams, later } = tables()
  expect(upstreams.isNews("shop")).toBe(true)
  expect(upstreams.isNews("shop")).toBe(false)
  expect(upstreams.isNews("other")).toBe(true)
  later(61_000)
  expect(upstreams.isNews("shop")).toBe(true)
})

test("listeners get issues and the current values", () => {
  const { upstreams, write } = tables({ TRAWL_UPSTREAM_SHOP: '{"at":{"title":[3]}}' })
  write({ shop: { query: 1 } })
  const reported: string[] = []
  void watchUpstreams(upstreams, [table], (level, message) =>
    reported.push(`${level} ${message}`),
  ).stop()
  expect(reported).toEqual([
    "warn upstreams.json: shop.query must be a text, not a number. The previous table stays in use.",
    'info The table of upstream "shop" takes at.title from the operator.',
  ])
})

describe("the compiled tables", () => {
  test("have each their own site", () => {
    const sites = upstreamTables.map(({ site }) => site)
    expect(new Set(sites).size).toBe(sites.length)
  })

  for (const one of upstreamTables) {
    test(`${one.site} is dated, and matches its own schema`, () => {
      expect(one.asOf).toMatch(/^20\d\d-(?:0[1-9]|1[0-2])$/)
      expect(layOver(one, one.values, structuredClone(one.values)).issues).toEqual([])
    })
  }
})

test("every table of the catalogue is in the list", async () => {
  const root = join(import.meta.dir, "../../../../src/catalogue")
  let made = 0
  for await (const file of new Bun.Glob("*/*.ts").scan(root)) {
    if (file.startsWith("kit/")) continue
    const text = await Bun.file(join(root, file)).text()
    made += text.match(/= upstreamTable\(/g)?.length ?? 0
  }
  expect(upstreamTables.length).toBe(made)
})
