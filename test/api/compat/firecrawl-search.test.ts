import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type Firecrawl from "firecrawl"
import { DropIn } from "./compat.ts"

/** Uses the official client against the running service. */
let here: DropIn
let client: Firecrawl
let key: string
beforeAll(async () => {
  here = await DropIn.open({ freeDaily: 1000 })
  ;({ key } = await here.app.account({ unlimited: true }))
  client = here.firecrawl(`fc-${key}`)
})
afterAll(() => here.stop())

const page = (name: string) => `https://site.test/${name}`

interface UpstreamResponse {
  status: number
  warning?: string
  error?: string
  data: Record<string, { url: string; category?: string; title: string }[]>
}

/** Returns the raw response, and the inputs of the searches that were made for it. */
async function requested(
  body: object,
): Promise<UpstreamResponse & { inputs: Record<string, unknown>[] }> {
  const { db } = here.app.store
  const last = await db.selectFrom("runs").select("n").orderBy("n", "desc").limit(1).execute()
  const response = await fetch(`${here.root}/v2/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  const runs = await db
    .selectFrom("runs")
    .select("input")
    .where("n", ">", last[0]?.n ?? 0)
    .orderBy("n")
    .execute()
  return {
    status: response.status,
    ...((await response.json()) as Omit<UpstreamResponse, "status">),
    inputs: runs.map(({ input }) => JSON.parse(input)),
  }
}

describe("search", () => {
  test("returns results with their pages", async () => {
    const { web } = await client.search("windlass", { limit: 5 })
    // The results of two engines alternate: they have none in common.
    expect(web).toMatchObject([
      { url: page("rope"), title: "rope found", description: "All on rope" },
      { url: page("1"), description: "Then" },
      { url: page("hook") },
      { url: page("500") },
      { url: page("gone") },
    ])
    const read = await client.search("windlass", {
      limit: 5,
      scrapeOptions: { formats: ["markdown"] },
    })
    expect(read.web![0]).toMatchObject({ markdown: expect.stringContaining("12 metres") })
    expect(read.web![4]).toMatchObject({ metadata: { statusCode: 404, error: "Not Found" } })
  })

  test("unavailable sources are skipped and named; a search with no other source is rejected", async () => {
    // Firecrawl's own MCP server requests these sources by default.
    const { status, data, warning } = await requested({
      query: "windlass",
      sources: [{ type: "web" }, { type: "alexandria" }, "images"],
      domainTools: true,
      toolDetail: "compact",
    })
    expect(status).toBe(200)
    expect(data.web).toHaveLength(5)
    expect(Object.keys(data)).toEqual(["web"])
    expect(warning).toContain("web and news): alexandria, images.")
    expect(warning).toContain("Ignored options: domainTools, toolDetail.")
    await expect(client.search("x", { sources: ["images"] })).rejects.toThrow("images")
    expect(await requested({ query: "x", sources: "web" })).toMatchObject({ status: 400 })
    expect(await requested({ query: "x", sources: [1] })).toMatchObject({ status: 400 })
  })

  test("passes the time, country and category to the search engine", async () => {
    const narrowed = await requested({
      query: "rope",
      tbs: "qdr:w",
      country: "CH",
      lang: "fr",
      categories: ["github", { type: "pdf" }],
    })
    expect(narrowed.warning).toBeUndefined()
    expect(narrowed.inputs).toMatchObject([
      {
        queries: ["rope (site:github.com OR filetype:pdf)"],
        region: "ch-fr",
        timeRange: "week",
      },
    ])
    const placed = await requested({ query: "rope", location: "Germany" })
    expect(placed.inputs).toMatchObject([{ region: "de-de" }, { market: "de-DE" }])
    expect(placed.warning).toBeUndefined()
    const hits = await requested({ query: "rope", categories: ["developer"] })
    expect(hits.data.web![0]!.category).toBeUndefined()
    expect(hits.warning).toContain("github.com and stackoverflow.com")
  })

  test("names options without effect, and refuses those that it cannot honour", async () => {
    const warned = async (body: object) => (await requested({ query: "rope", ...body })).warning
    expect(await warned({ made: "up", filter: "0" })).toBe("Ignored options: made, filter.")
    expect(await warned({ tbs: "cdr:1,cd_min:1/1/2020" })).toContain("tbs cdr:1,cd_min:1/1/2020")
    expect(await warned({ tbs: "qdr:h" })).toContain("tbs qdr:h is searched as the last day")
    expect(await warned({ tbs: "qdr:d3" })).toContain("as the last week")
    expect(await warned({ tbs: "qdr:y5" })).toContain("longer than a year")
    expect(await warned({ country: "XX" })).toContain("country XX")
    expect(await warned({ location: "Munich,Bavaria,Germany" })).toContain("Munich")
    expect(await warned({ categories: ["recipes"] })).toContain("categories were ignored: recipes")
    expect(await requested({ query: "x", enterprise: ["zdr"] })).toMatchObject({
      status: 400,
      error: expect.stringContaining('"zdr" is not supported'),
    })
    expect((await requested({ query: "x", threatProtection: { enabled: true } })).status).toBe(400)
    expect((await requested({ query: "x", timeout: -1 })).status).toBe(400)
    expect((await requested({ query: "slow", timeout: 1, limit: 9 })).status).toBe(408)
  })

  test("scrape, crawl and map name options without effect, and refuse the same ones", async () => {
    const post = async (path: string, body: object) => {
      const response = await fetch(`${here.root}/v2/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ url: page("rope"), urls: [page("rope")], ...body }),
      })
      const reply = (await response.json()) as { warning?: string; data?: { warning?: string } }
      return { status: response.status, warning: reply.data?.warning ?? reply.warning }
    }
    const silent = { minAge: 5, storeInCache: false, blockAds: false, fastMode: true }
    expect(await post("scrape", silent)).toEqual({
      status: 200,
      warning: "Ignored options: minAge, storeInCache, blockAds, fastMode.",
    })
    const usual = { storeInCache: true, blockAds: true, fastMode: false, proxy: "auto" }
    expect((await post("scrape", usual)).warning).toBeUndefined()
    expect((await post("map", { ignoreCache: true, location: { country: "DE" } })).warning).toBe(
      "Ignored options: urls, ignoreCache, location.",
    )
    const schema = { type: "object", properties: { sku: { type: "string" } } }
    const extract = { schema, showSources: true }
    expect((await post("extract", { url: null, ...extract })).warning).toBe(
      "Ignored options: showSources.",
    )
    expect((await post("map", { timeout: 1, url: page("stalls") })).status).toBe(408)
    expect((await post("crawl", { zeroDataRetention: false, urls: null })).warning).toBeUndefined()
    const empty = { urls: null, prompt: "", scrapeOptions: { actions: [] } }
    expect(await post("crawl", empty)).toMatchObject({ status: 200 })
    for (const path of ["scrape", "crawl", "batch/scrape", "map", "search", "extract"]) {
      const body = { query: "x", zeroDataRetention: true }
      expect(`${path} ${(await post(path, body)).status}`).toBe(`${path} 400`)
    }
  })

  test("reports what the fallback engine cannot do", async () => {
    const { data, inputs, warning } = await requested({
      query: "refused",
      tbs: "qdr:d",
      country: "DE",
    })
    expect(data.web).toMatchObject([{ title: "1 hours ago" }, { title: "500 hours ago" }])
    expect(inputs.at(-1)).toMatchObject({ market: "de-DE" })
    expect(warning).toBe("Ignored by the web results: tbs.")
    const news = await requested({ query: "rope", sources: ["news"], tbs: "qdr:w", country: "DE" })
    expect(news.data.news).toMatchObject([{ title: "1 hours ago" }])
    expect(news.warning).toBe('Ignored by the news results: "country" and "location".')
  })
})
