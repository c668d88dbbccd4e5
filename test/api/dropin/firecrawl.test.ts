import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import Firecrawl from "firecrawl"
import { DropIn } from "./drop-in.ts"

/** By the official client, against the service as it stands. */
let here: DropIn
let client: Firecrawl
let key: string
beforeAll(async () => {
  here = await DropIn.open({ freeDaily: 1000 })
  ;({ key } = await here.app.account({ unlimited: true }))
  client = new Firecrawl({ apiKey: `fc-${key}`, apiUrl: here.root })
})
afterAll(() => here.stop())

const page = (name: string) => `https://site.test/${name}`
const lastRun = () =>
  here.app.store.db
    .selectFrom("runs")
    .select(["id", "input"])
    .orderBy("n", "desc")
    .limit(1)
    .executeTakeFirstOrThrow()

describe("v2", () => {
  test("scrape: the forms of a page, and what it says of itself", async () => {
    const { markdown, html, rawHtml, links, images, metadata } = await client.scrape(page("rope"), {
      formats: ["markdown", "html", "rawHtml", { type: "links" }, "images"],
      onlyMainContent: false,
    })
    expect(markdown).toContain("12 metres")
    expect(html).toContain('<p class="price">')
    expect(rawHtml).toStartWith("<!doctype html>")
    expect(links).toEqual(["https://site.test/"])
    expect(images).toEqual(["https://site.test/rope.png"])
    expect(metadata).toMatchObject({
      title: "Rope",
      ogTitle: "Rope",
      description: "About Rope",
      language: "en",
      sourceURL: page("rope"),
      statusCode: 200,
    })
  })

  test("scrape: a part of a page, and what has no effect is said", async () => {
    const prices = await client.scrape(page("hook"), { includeTags: [".price"], mobile: true })
    expect(prices.markdown).toBe("9 grams\n")
    expect(prices.html).toBeUndefined()
    expect(prices.warning).toBe("Without effect here: mobile.")
    const whole = await client.scrape(page("hook"), { excludeTags: [".advert", ".price"] })
    expect(whole.markdown).not.toMatch(/Buy|grams/)
  })

  test("scrape: asked for with the caller's headers, in the caller's language", async () => {
    const { markdown } = await client.scrape(page("asked"), {
      headers: { Authorization: "Bearer x", "X-Mine": "1" },
      location: { country: "DE", languages: ["de-DE", "en"] },
    })
    expect(markdown).toContain("- authorization: Bearer x")
    expect(markdown).toContain("- accept-language: de-DE, en")
    expect(markdown).toContain("- x-mine: 1")
    await expect(client.scrape(page("rope"), { headers: { Host: "a.test" } })).rejects.toThrow(
      "headers.Host",
    )
    const stranger = (headers: object) =>
      fetch(`${here.root}/v2/scrape`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ url: page("asked"), headers }),
      })
    expect(await (await stranger({ "Accept-Language": "fr" })).text()).toContain("language: fr")
    const refused = await stranger({ Cookie: "a=b" })
    expect(await refused.text()).toContain("for runs with an account")
  })

  test("scrape: an earlier run of the same answers, as old as maxAge says", async () => {
    const idOf = async (maxAge?: number) => {
      await client.scrape(page("rope"), {
        includeTags: ["h1"],
        ...(maxAge !== undefined && { maxAge }),
      })
      return (await lastRun()).id
    }
    const first = await idOf(0)
    expect(await idOf()).toBe(first)
    expect(await idOf(3_600_000)).toBe(first)
    const second = await idOf(0)
    expect(second).not.toBe(first)
    expect(await idOf(3_600_000)).toBe(second)
  })

  test("scrape: actions are ours, what is wanted behind them is of the page", async () => {
    const asked = (actions: object[], options = {}) =>
      client.scrape(page("rope"), { actions: actions as never, maxAge: 0, ...options }).then(
        () => "",
        (error: Error) => error.message,
      )
    const typed = [
      { type: "wait", milliseconds: 12_000 },
      { type: "click", selector: "#q" },
      { type: "write", text: "rope" },
      { type: "press", key: "ENTER" },
      { type: "scroll", direction: "down" },
      { type: "wait", selector: ".hit" },
      { type: "screenshot", fullPage: true },
      { type: "scrape" },
    ]
    // No Chrome is here: what it would be asked is what counts.
    expect(await asked(typed, { waitFor: 500 })).toContain("needs Chrome")
    expect(JSON.parse((await lastRun()).input)).toMatchObject({
      formats: ["html", "screenshot", "metadata"],
      screenshot: { fullPage: true },
      actions: [
        { type: "wait", milliseconds: 500 },
        { type: "wait", milliseconds: 10_000 },
        { type: "wait", milliseconds: 2000 },
        { type: "click", selector: "#q" },
        { type: "type", selector: "#q", text: "rope" },
        { type: "press", key: "Enter" },
        { type: "scroll", screens: 1 },
        { type: "wait", selector: ".hit" },
      ],
    })
    const script = { type: "executeJavascript", script: "1" }
    expect(await asked([script])).toContain('The action "executeJavascript" is not offered here')
    expect(await asked([{ type: "write", text: "x" }])).toContain("Click the field first")
    expect(await asked([{ type: "scrape" }, typed[1]!])).toContain("at the end")
    expect(await asked([{ type: "click" }])).toContain('actions[0]: "click" needs "selector"')
    expect(await asked([{ type: "click", selector: "[" }])).toContain("actions[0].selector")
  })

  test("scrape: what cannot be done, or fails, is an error with its sentence", async () => {
    const fails = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => undefined,
        (thrown: Error & { status: number; code: string }) => thrown,
      )
      return { status: error?.status, code: error?.code, message: error?.message }
    }
    expect(await fails(client.scrape(page("missing")))).toMatchObject({
      status: 404,
      code: "SCRAPE_NOT_FOUND",
    })
    expect(await fails(client.scrape(page("rope"), { formats: ["summary"] }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('"summary" is not offered here'),
    })
    expect(await fails(client.scrape(page("rope"), { formats: [1 as never] }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('"formats" must be a text'),
    })
    const long = { ["x".repeat(50_000)]: 1 } as object
    expect((await client.scrape(page("rope"), long)).warning?.length).toBeLessThan(200)
    expect(await fails(client.scrape(page("rope"), { includeTags: ["p["] }))).toMatchObject({
      status: 400,
      message: expect.stringContaining("no CSS selector"),
    })
    expect(await fails(client.startExtract({ urls: [page("rope")], prompt: "x" }))).toMatchObject({
      status: 400,
      message: expect.stringContaining("not offered"),
    })
    const stranger = new Firecrawl({ apiKey: "fc-nobody", apiUrl: here.root })
    expect(await fails(stranger.scrape(page("rope")))).toMatchObject({ status: 401 })
    expect(await fails(stranger.startCrawl(page("")))).toMatchObject({ status: 401 })
    expect(await fails(client.getCrawlStatus("run_none"))).toMatchObject({ status: 404 })
  })

  test("a crawl from its start by its pages to its end", async () => {
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

  test("a crawl stays below the page it starts from, and refuses what it cannot keep to", async () => {
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
    await expect(client.startCrawl(page(""), { allowExternalLinks: true })).rejects.toThrow(
      "allowExternalLinks",
    )
  })

  test("a crawl's pages in the forms that are asked for, of the parts that are", async () => {
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
    // Nothing of what is asked for is on it, and its links are followed all the same.
    const start = data.find(({ metadata }) => metadata?.sourceURL === page(""))!
    expect(start.html).toBe("")
    await expect(
      client.startCrawl(page(""), { scrapeOptions: { actions: [{ type: "scrape" }] } }),
    ).rejects.toThrow("actions")
  })

  test("a batch, page by page, its failures apart", async () => {
    const urls = [page("rope"), page("missing"), page("hook")]
    const job = await client.batchScrape(urls, { options: { formats: ["markdown", "links"] } })
    expect(job.status).toBe("completed")
    expect(job.data.map(({ metadata }) => metadata?.title)).toEqual(["Rope", "Hook"])
    const { errors } = await client.getBatchScrapeErrors(job.id)
    expect(errors).toMatchObject([{ url: page("missing"), code: "not_found" }])
    const first = await client.getBatchScrapeStatus(job.id, { autoPaginate: false })
    expect(first.data).toHaveLength(2)
    await expect(client.cancelBatchScrape(job.id)).rejects.toThrow("completed already")
  })

  test("a job is cancelled", async () => {
    const { id } = await client.startBatchScrape([page("rope"), page("stalls")])
    expect(await client.cancelBatchScrape(id)).toBe(true)
    await here.app.runs.wait(id, 60_000)
    expect(await client.getBatchScrapeStatus(id)).toMatchObject({ status: "cancelled" })
  })

  test("map: of sitemaps and links, those of the words first", async () => {
    const { links } = await client.map(page(""))
    expect(links.map(({ url }) => url)).toEqual([page(""), page("rope"), page("hook")])
    expect(links[1]).toMatchObject({ title: "Rope" })
    const { links: searched } = await client.map(page(""), { search: "hook", sitemap: "only" })
    expect(searched.map(({ url }) => url)).toEqual([page("hook")])
    const { links: linked } = await client.map(page(""), { sitemap: "skip", limit: 1 })
    expect(linked).toHaveLength(1)
  })

  test("search, with the pages of its hits", async () => {
    const { web } = await client.search("windlass", { limit: 3 })
    expect(web).toMatchObject([
      { url: page("rope"), title: "rope found", description: "All on rope" },
      { url: page("hook") },
      { url: page("gone") },
    ])
    const read = await client.search("windlass", {
      limit: 3,
      scrapeOptions: { formats: ["markdown"] },
    })
    expect(read.web![0]).toMatchObject({ markdown: expect.stringContaining("12 metres") })
    expect(read.web![2]).toMatchObject({ metadata: { error: expect.any(String) } })
    await expect(client.search("x", { sources: ["images"] })).rejects.toThrow("images")
  })

  test("credits, queue, concurrency", async () => {
    expect(await client.getCreditUsage()).toMatchObject({ remainingCredits: expect.any(Number) })
    expect(await client.getQueueStatus()).toMatchObject({ jobsInQueue: 0, maxConcurrency: 1 })
    expect(await client.getConcurrency()).toEqual({ concurrency: 0, maxConcurrency: 1 })
    await expect(client.getTokenUsage()).rejects.toThrow("not offered")
  })
})

describe("v1", () => {
  test("the calls of the older client", async () => {
    const { v1 } = client
    expect(await v1.scrapeUrl(page("rope"), { formats: ["markdown", "links"] })).toMatchObject({
      success: true,
      markdown: expect.stringContaining("12 metres"),
      metadata: { title: "Rope" },
    })
    expect(await v1.mapUrl(page(""), {})).toMatchObject({
      links: [page(""), page("rope"), page("hook")],
    })
    expect(await v1.search("windlass", { limit: 2 })).toMatchObject({
      data: [{ url: page("rope") }, { url: page("hook") }],
    })
    const crawl = await v1.crawlUrl(page(""), { limit: 10 })
    expect(crawl).toMatchObject({ status: "completed", completed: 3 })
    const batch = await v1.batchScrapeUrls([page("rope")], { formats: ["markdown"] })
    expect(batch).toMatchObject({ status: "completed", data: [{ metadata: { title: "Rope" } }] })
  })

  test("its jobs step by step", async () => {
    const { v1 } = client
    const begun = (await v1.asyncCrawlUrl(page(""), { limit: 10 })) as { id: string }
    await here.app.runs.wait(begun.id, 60_000)
    expect(await v1.checkCrawlStatus(begun.id)).toMatchObject({ status: "completed", total: 3 })
    expect(await v1.checkCrawlErrors(begun.id)).toMatchObject({ errors: [], robotsBlocked: [] })
    const urls = [page("rope"), page("missing")]
    const batch = (await v1.asyncBatchScrapeUrls(urls, {})) as { id: string }
    await here.app.runs.wait(batch.id, 60_000)
    expect(await v1.checkBatchScrapeStatus(batch.id)).toMatchObject({ status: "completed" })
    expect(await v1.checkBatchScrapeErrors(batch.id)).toMatchObject({
      errors: [{ url: page("missing") }],
    })
    const long = (await v1.asyncBatchScrapeUrls([page("stalls")], {})) as { id: string }
    expect(await v1.cancelCrawl(long.id)).toMatchObject({ status: "cancelled" })
    const schema = { type: "object", properties: { sku: { type: "string" } } }
    const job = (await v1.asyncExtract([page("lamp")], { schema } as never)) as unknown as {
      id: string
    }
    await here.app.runs.wait(job.id, 60_000)
    expect(await v1.getExtractStatus(job.id)).toMatchObject({ data: { sku: "SL-7" } })
    expect(await client.extract({ urls: [page("lamp")], schema })).toMatchObject({
      data: { sku: "SL-7" },
    })
  })
})

test("without a key: what the keyless surface gives, and no jobs", async () => {
  const ask = (path: string, body: object) =>
    fetch(`${here.root}/v2/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  const scraped = await ask("scrape", { url: page("rope") })
  expect(((await scraped.json()) as { data: object }).data).toMatchObject({
    markdown: expect.stringContaining("12 metres"),
  })
  const job = await ask("crawl", { url: page("") })
  expect(job.status).toBe(401)
  expect(await job.json()).toMatchObject({ success: false, code: "UNAUTHORIZED" })
  expect((await ask("scrape", {})).status).toBe(400)
})
