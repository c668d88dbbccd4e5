import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type Firecrawl from "firecrawl"
import { crawlOptionsIn } from "../../../src/api/compat/firecrawl/params-preview.ts"
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

describe("v2", () => {
  test("a crawl from its start to its last page", async () => {
    const started = await client.startCrawl(page(""), {
      limit: 10,
      scrapeOptions: { formats: ["markdown"] },
    })
    expect(started.url).toBe(`${here.root}/v2/crawl/${started.id}`)
    const job = await client.crawl(page(""), { limit: 10 })
    expect(job).toMatchObject({ status: "completed", next: null })
    const sources = job.data.map(({ metadata }) => metadata?.sourceURL)
    expect(sources.sort()).toEqual([page(""), page("hook"), page("rope")])
    expect(job.data.every(({ markdown }) => markdown?.includes("A windlass"))).toBe(true)
    const part = await fetch(`${here.root}/v2/crawl/${job.id}?limit=2`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { data, next } = (await part.json()) as { data: object[]; next: string }
    expect(data).toHaveLength(2)
    expect(next).toBe(`${here.root}/v2/crawl/${job.id}?skip=2`)
    const { errors, robotsBlocked } = await client.getCrawlErrors(job.id)
    expect(errors).toEqual([])
    expect(robotsBlocked).toEqual([])
    const { crawls } = await client.getActiveCrawls()
    expect(crawls.map(({ id }) => id)).not.toContain(job.id)
  })

  test("a crawl stays below its start page, and refuses options that it cannot honour", async () => {
    const { data } = await client.crawl(page("rope"), { limit: 10 })
    expect(data.map(({ metadata }) => metadata?.sourceURL)).toEqual([page("rope")])
    const paths = await client.crawl(page(""), { limit: 10, includePaths: ["hook.*"] })
    expect(paths.data.map(({ metadata }) => metadata?.sourceURL).sort()).toEqual([
      page(""),
      page("hook"),
    ])
    const sources = async (options: object) =>
      (await client.crawl(page(""), { limit: 10, ...options })).data
        .map(({ metadata }) => String(metadata?.sourceURL))
        .sort()
    expect(await sources({ excludePaths: ["^/ho+k$", "lamp"] })).toEqual([page(""), page("rope")])
    expect(await sources({ includePaths: ["test/rope"], regexOnFullURL: true })).toEqual([
      page(""),
      page("rope"),
    ])
    expect(await sources({ sitemap: "only" })).toEqual([page(""), page("hook"), page("rope")])
    await expect(client.startCrawl(page(""), { excludePaths: ["(a"] })).rejects.toThrow(
      "excludePaths[0]",
    )
    await expect(client.startCrawl(page(""), { prompt: "ropes" })).rejects.toThrow("prompt")
    await expect(client.startCrawl(page(""), { delay: 100 })).rejects.toThrow('"delay"')
    await expect(
      client.startCrawl(page(""), { scrapeOptions: { formats: ["summary"] } }),
    ).rejects.toThrow("summary")
  })

  test("starts with the same idempotency key start one job", async () => {
    const start = async (limit: number) => {
      const reply = await fetch(`${here.root}/v2/crawl`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "x-idempotency-key": "once",
        },
        body: JSON.stringify({ url: page(""), limit }),
      })
      return { status: reply.status, body: await reply.json() }
    }
    const first = await start(1)
    expect([first.status, first.body.success]).toEqual([200, true])
    expect((await start(1)).body).toEqual(first.body)
    expect(await start(2)).toMatchObject({ status: 422, body: { success: false } })
  })

  test("a crawl returns the requested formats and parts of its pages", async () => {
    const { data } = await client.crawl(page(""), {
      limit: 10,
      includePaths: ["rope"],
      scrapeOptions: { formats: ["html", "rawHtml", "images"], includeTags: [".price", "img"] },
    })
    const rope = data.find(({ metadata }) => metadata?.sourceURL === page("rope"))!
    expect(rope.html).toContain('<p class="price">12 metres</p>')
    expect(rope.html).not.toContain("windlass")
    expect(rope.rawHtml).toStartWith("<!doctype html>")
    expect(rope.images).toEqual([page("rope.png")])
    expect(rope.metadata?.ogTitle).toBe("Rope")
    // The page has none of the requested parts, but its links are followed.
    const start = data.find(({ metadata }) => metadata?.sourceURL === page(""))!
    expect(start.html).toBe("")
    const { id } = await client.startCrawl(page(""), {
      scrapeOptions: { actions: [{ type: "scrape" }, { type: "pdf" }] },
    })
    const [row] = await here.app.store.db
      .selectFrom("runs")
      .select("input")
      .where("id", "=", id)
      .execute()
    expect(JSON.parse(row!.input)).toMatchObject({
      actions: [{ type: "html" }],
      pdf: { format: "Letter" },
    })
    await client.cancelCrawl(id)
  })

  test("a crawl follows links to other sites on request, and similar URLs once", async () => {
    const sources = async (options: object) =>
      (await client.crawl(page("out"), { limit: 10, crawlEntireDomain: true, ...options })).data
        .map(({ metadata }) => String(metadata?.sourceURL))
        .sort()
    const own = [page(""), page("hook/"), page("out"), page("rope")]
    expect(await sources({})).toEqual(own)
    const variants = [page("hook"), page("hook/index.html"), page("rope/")]
    expect(await sources({ deduplicateSimilarURLs: false })).toEqual([...own, ...variants].sort())
    const other = "https://other.test/"
    expect(await sources({ allowExternalLinks: true })).toEqual([other, ...own].sort())
    expect(await sources({ allowExternalLinks: true, excludePaths: ["^/$"] })).toEqual(own.slice(1))
  })

  test("a crawl sends its headers to its own site only", async () => {
    const { data } = await client.crawl(page("asked"), {
      limit: 5,
      allowExternalLinks: true,
      delay: 0.01,
      scrapeOptions: {
        headers: { "X-Mine": "1" },
        formats: [
          "markdown",
          { type: "attributes", selectors: [{ selector: "h1", attribute: "id" }] },
        ],
      },
    })
    const reported = Object.fromEntries(
      data.map(({ metadata, markdown }) => [
        metadata?.sourceURL,
        /x-mine: (\w+)/.exec(markdown!)?.[1],
      ]),
    )
    expect(reported).toEqual({ [page("asked")]: "1", "https://other.test/asked": "none" })
    expect(data[0]?.attributes).toEqual([{ selector: "h1", attribute: "id", values: [] }])
  })

  test("the pages of a crawl start with the requested delay between them", async () => {
    const { id } = await client.startCrawl(page(""), { limit: 3, delay: 0.2 })
    await here.app.runs.wait(id, 60_000)
    const log = await fetch(`${here.root}/v2/logs/${id}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const waits = (await log.text()).match(/Waiting 0\.2 s: the crawl's delay between pages/g)
    expect(waits).toHaveLength(2)
  })

  test("a batch page by page, with its failures listed separately", async () => {
    const urls = [page("rope"), page("missing"), "https://nowhere.test/", page("hook")]
    const job = await client.batchScrape(urls, { options: { formats: ["markdown", "links"] } })
    expect(job).toMatchObject({ status: "completed", completed: 4, total: 4 })
    expect(job.data.map(({ metadata }) => metadata?.statusCode)).toEqual([200, 404, 200])
    const { errors } = await client.getBatchScrapeErrors(job.id)
    expect(errors).toMatchObject([{ url: "https://nowhere.test/", code: "not_found" }])
    const first = await client.getBatchScrapeStatus(job.id, { autoPaginate: false })
    expect(first.data).toHaveLength(3)
    await expect(client.cancelBatchScrape(job.id)).rejects.toThrow("completed already")
  })

  test("the total of a crawl counts its own pages, while it runs and at its end", async () => {
    expect(await client.crawl(page(""), { limit: 2 })).toMatchObject({
      status: "completed",
      completed: 2,
      total: 2,
    })
    const { id } = await client.startCrawl(page("slow"), { limit: 2, includePaths: ["stalls"] })
    let standing = await client.getCrawlStatus(id)
    for (let n = 0; n < 100 && standing.completed === 0; n++) {
      standing = await client.getCrawlStatus(id)
    }
    expect(standing).toMatchObject({ status: "scraping", completed: 1, total: 2 })
    await client.cancelCrawl(id)
    await here.app.runs.wait(id, 60_000)
    expect(await client.getCrawlStatus(id)).toMatchObject({ completed: 1, total: 1 })
  })

  test("invalid URLs are left out of a batch and listed, by each version's default", async () => {
    const urls = [page("rope"), "not a url", "ftp://site.test/rope"]
    const { id, invalidURLs } = await client.startBatchScrape(urls)
    expect(invalidURLs).toEqual(["not a url", "ftp://site.test/rope"])
    await here.app.runs.wait(id, 60_000)
    expect(await client.getBatchScrapeStatus(id)).toMatchObject({ completed: 1, total: 1 })
    await expect(client.startBatchScrape(urls, { ignoreInvalidURLs: false })).rejects.toThrow(
      '"not a url"',
    )
    await expect(client.startBatchScrape(["a b"])).rejects.toThrow('"urls" contains no http')
    await expect(client.v1.asyncBatchScrapeUrls(urls, {})).rejects.toThrow('"not a url"')
  })

  test("a job can be cancelled", async () => {
    const { id } = await client.startBatchScrape([page("rope"), page("stalls")])
    expect(await client.cancelBatchScrape(id)).toBe(true)
    await here.app.runs.wait(id, 60_000)
    expect(await client.getBatchScrapeStatus(id)).toMatchObject({ status: "cancelled" })
  })
})

describe("the options of a crawl by prompt", () => {
  test("equal those of a crawl that the client starts with them", async () => {
    const prompt = "Crawl only /rope, at most 5 pages, but skip /hook"
    const { url, warning, ...options } = await client.crawlParamsPreview(page(""), prompt)
    expect(options).toEqual({
      includePaths: ["^/rope(?:/|$)"],
      excludePaths: ["^/hook(?:/|$)"],
      limit: 5,
    })
    expect(warning).toContain("Check them")
    const { data } = await client.crawl(url as string, options)
    expect(data.map(({ metadata }) => metadata?.sourceURL)).toEqual([page(""), page("rope")])
    const body = { url: page(""), prompt, limit: 4 }
    const { body: byPrompt } = await here.app.post("/v2/crawl", { key, body })
    expect(byPrompt.warning).toContain('"includePaths":["^/rope')
    const { input } = (await here.app.runs.wait(byPrompt.id, 60_000))!
    expect(JSON.parse(input)).toMatchObject({ maxPages: 4, excludePaths: ["^/hook(?:/|$)"] })
    const nothing = await client.crawlParamsPreview(page(""), "Find what matters")
    expect(nothing).toEqual({ url: page(""), warning: expect.stringContaining("contains no path") })
    await expect(client.crawlParamsPreview("not a url", prompt)).rejects.toThrow('"url"')
  })

  test.each([
    ["Get the blog posts", { includePaths: ["^/(?:blog)(?:/|$)"] }],
    [
      "Everything except the docs and the forum",
      { excludePaths: ["^/(?:docs?)(?:/|$)", "^/(?:forums?)(?:/|$)"] },
    ],
    [
      "The entire website with subdomains, 3 levels deep, limit 200",
      { crawlEntireDomain: true, allowSubdomains: true, maxDiscoveryDepth: 3, limit: 200 },
    ],
    [
      "No external links; ignore query parameters",
      { allowExternalLinks: false, ignoreQueryParameters: true },
    ],
    ["Use the sitemap only", { sitemap: "only" }],
    ["Not `/a/b/*` please", { excludePaths: ["^/a/b(?:/|$)"] }],
  ])("%j", (prompt, options) => {
    expect(crawlOptionsIn(prompt)).toEqual(options)
  })
})
