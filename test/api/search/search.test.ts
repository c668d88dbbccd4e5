import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { root, type TestApp } from "../app.ts"
import { searchApp, sent } from "./upstream.ts"

let app: TestApp
beforeAll(async () => {
  app = await searchApp()
})
afterAll(() => app.close())

const search = async (query: string) => (await app.get(`/api/search?${query}`)).body

interface Item {
  source: number
  url: string
  title: string
  snippet: string
  engines: string[]
  score: number
  markdown?: string
  isShortened?: boolean
  pageError?: { code: string }
}

describe("a search", () => {
  test("merges engines by rank, and pages with several URLs are one result", async () => {
    const { status, items, engines, error } = await search("q=lamps")
    expect([status, error]).toEqual(["SUCCEEDED", undefined])
    expect(items.map(({ url, engines }: Item) => [url, engines.toSorted()])).toEqual([
      ["https://coast.test/keepers", ["bing", "duckduckgo"]],
      ["https://harbour.test/lamps?utm_source=ddg", ["bing", "duckduckgo"]],
      ["https://rope.test/", ["bing"]],
      ["https://tide.test/a", ["duckduckgo"]],
    ])
    expect(items[0]).toMatchObject({
      source: 1,
      snippet: "Who lights the lamps on this coast, and when.",
    })
    expect(items.map(({ source }: Item) => source)).toEqual([1, 2, 3, 4])
    expect(engines).toEqual([
      { engine: "duckduckgo", scraper: "duckduckgo-search-scraper", results: 3 },
      { engine: "bing", scraper: "bing-search-scraper", results: 3 },
    ])
  })

  test("names a failed engine next to the results of the others", async () => {
    const { status, items, engines } = await search("q=lamps+nobing")
    expect(status).toBe("SUCCEEDED")
    expect(items).toHaveLength(3)
    expect(engines[1]).toMatchObject({ engine: "bing", results: 0, error: { code: "blocked" } })
  })

  test("that all engines refuse is an error that names each, and costs nothing", async () => {
    const before = (await search("q=lamps")).free.used
    const { status, items, engines, error, free } = await search("q=lamps+nobing+noduck")
    expect([status, items]).toEqual(["ERROR", []])
    expect(error.message).toContain("duckduckgo:")
    expect(error.message).toContain("bing:")
    expect(engines.map(({ error }: { error: { code: string } }) => error.code)).toEqual([
      "blocked",
      "blocked",
    ])
    expect(free.used).toBe(before)
  })

  test("without results is a success if an engine reported none", async () => {
    const { status, items } = await search("q=nothing")
    expect([status, items]).toEqual(["SUCCEEDED", []])
  })

  test("is one call of the quota, and a repeated one is cached and free", async () => {
    const first = await search("q=once&agentId=counts")
    const second = await search("q=once&agentId=counts")
    expect(second.free.used).toBe(first.free.used)
    expect(second).toMatchObject({ cached: true, age: expect.any(Number) })
    expect(first.cached).toBeUndefined()
    const third = await search("q=once&agentId=counts&maxAge=0")
    expect(third.cached).toBeUndefined()
    expect(third.free.used).toBe(first.free.used + 1)
  })

  test("reads pages within the tokens, and numbers them like their results", async () => {
    const { items } = await search("q=lamps&pages=3&maxTokens=3000")
    const [coast, harbour, rope, tide] = items as Item[]
    expect(harbour!.markdown).toContain("# Harbour lamp")
    expect(harbour!.isShortened).toBeUndefined()
    expect(coast!.isShortened).toBe(true)
    expect(rope!.pageError!.code).toBe("not_found")
    expect(tide!.markdown).toBeUndefined()
    expect(JSON.stringify(items).length / 4).toBeLessThan(3100)
    const text = (await app.get("/api/search?q=lamps&pages=2&format=md")).text
    expect(text).toContain("[2] Harbour lamps <https://harbour.test/lamps")
    expect(text).toContain("## [2] Harbour lamps")
  })

  test("calls only the engines that it names, with country and time", async () => {
    sent.length = 0
    const { engines } = await search("q=lamps+alone&engines=bing")
    expect(engines.map(({ engine }: { engine: string }) => engine)).toEqual(["bing"])
    expect(sent.filter((host) => host.endsWith("duckduckgo.com"))).toEqual([])
    const timed = await search("q=lamps+timed&timeRange=week")
    // Bing has no time range, so it is used only if the others fail.
    expect(timed.engines.map(({ engine }: { engine: string }) => engine)).toEqual(["duckduckgo"])
    const other = await search("q=noduck+timed&timeRange=week")
    expect(other.notice).toContain("timeRange")
    expect(other.items).toHaveLength(3)
  })

  test("the console's search is paid by the account that is signed in, no other page's is", async () => {
    const account = { email: "ada@example.com", password: "correct horse battery" }
    const { headers } = await app.post(`${root}/api/account`, { body: account })
    const cookie = /trawl_session=[^;]*/.exec(headers.get("set-cookie") ?? "")![0]
    const from = async (site: Record<string, string>) => {
      const words = `lamps+${JSON.stringify(site).replace(/\W/g, "")}`
      const { body } = await app.get(`/api/search?q=${words}`, { headers: { cookie, ...site } })
      expect(body.status).toBe("SUCCEEDED")
      return body.free.billedTo
    }
    expect(await from({ "sec-fetch-site": "same-origin" })).toBe("account")
    // Without fetch metadata, as over plain HTTP.
    expect(await from({ referer: `${root}/search` })).toBe("account")
    for (const site of ["cross-site", "same-site"]) {
      expect(await from({ "sec-fetch-site": site })).toBeUndefined()
    }
    expect(await from({ origin: "https://evil.example" })).toBeUndefined()
    expect(await from({})).toBeUndefined()
    const runs = await app.store.db
      .selectFrom("runs")
      .select("account_id")
      .where("account_id", "is not", null)
      .execute()
    expect(runs).toHaveLength(4)
  })

  test("returns further results by offset", async () => {
    const { items } = await search("q=lamps&limit=2&offset=2")
    expect(items.map(({ source, url }: Item) => [source, url])).toEqual([
      [3, "https://rope.test/"],
      [4, "https://tide.test/a"],
    ])
  })

  test.each([
    ["", "q"],
    ["q=%20", "q"],
    [`q=${"x".repeat(500)}`, "q"],
    ["q=x&limit=0", "limit"],
    ["q=x&limit=1000", "limit"],
    ["q=x&pages=11", "pages"],
    ["q=x&engines=altavista", "engines"],
    ["q=x&timeRange=decade", "timeRange"],
    ["q=x&country=Germany", "country"],
    ["q=x&country=xx", "country"],
    ["q=x&language=xx", "language"],
    ["q=x&lmit=3", "lmit"],
    ["q=x&maxTokens=1", "maxTokens"],
    ["q=x&format=xml", "format"],
  ])("%s names the parameter %s", async (query, field) => {
    const { status, error } = await search(query)
    expect(status).toBe("INVALID_INPUT")
    expect(error.details[0].field).toStartWith(field)
  })
})

describe("time and quota", () => {
  test("an engine that never responds is named, and its run ends", async () => {
    const slow = await searchApp({ keylessWait: 2 })
    try {
      const { body } = await slow.get("/api/search?q=stallbing")
      expect(body.status).toBe("SUCCEEDED")
      expect(body.items).toHaveLength(3)
      expect(body.engines[1]).toMatchObject({ engine: "bing", error: { code: "timeout" } })
      const { db } = slow.store
      const runs = await db.selectFrom("runs").select(["slug", "status"]).execute()
      const ended = runs.find(({ slug }) => slug.startsWith("bing"))!
      expect(["aborting", "aborted"]).toContain(ended.status)
    } finally {
      await slow.close()
    }
  })

  test("without quota, a search is refused with a claim, and pages are left out", async () => {
    const poor = await searchApp({ freeDaily: 2 })
    try {
      const whole = await poor.get("/api/search?q=lamps&pages=1")
      expect(whole.body.items[0].markdown).toBeString()
      expect(whole.body.free.used).toBe(2)
      const { body } = await poor.get("/api/search?q=ropes")
      expect(body).toMatchObject({ status: "PAYMENT_REQUIRED", claimUrl: expect.any(String) })
      const { key } = await poor.account()
      const paid = await poor.get(`/api/search?q=ropes`, { key })
      expect(paid.body).toMatchObject({ status: "SUCCEEDED", free: { billedTo: "account" } })
      expect(paid.body.free.creditsCharged).toBeGreaterThan(0)
    } finally {
      await poor.close()
    }
    const poorer = await searchApp({ freeDaily: 1 })
    try {
      const { body } = await poorer.get("/api/search?q=lamps&pages=1")
      expect(body.status).toBe("SUCCEEDED")
      expect(body.items[0].pageError.message).toContain("daily free quota")
    } finally {
      await poorer.close()
    }
  })
})
