import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type Firecrawl from "firecrawl"
import { changing, DropIn } from "./compat.ts"

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
const lastRun = () =>
  here.app.store.db
    .selectFrom("runs")
    .select(["id", "input"])
    .orderBy("n", "desc")
    .limit(1)
    .executeTakeFirstOrThrow()

describe("v2", () => {
  test("scrape: the formats of a page and its metadata", async () => {
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

  test("scrape: a part of a page, and options without effect are named", async () => {
    const prices = await client.scrape(page("hook"), { includeTags: [".price"], mobile: true })
    expect(prices.markdown).toBe("9 grams\n")
    expect(prices.html).toBeUndefined()
    expect(prices.warning).toBe("Ignored options: mobile.")
    const whole = await client.scrape(page("hook"), { excludeTags: [".advert", ".price"] })
    expect(whole.markdown).not.toMatch(/Buy|grams/)
  })

  test("scrape: attributes, the page's own summary, pages of a PDF", async () => {
    const selectors = [
      { selector: "a", attribute: "href" },
      { selector: "img", attribute: "alt" },
      { selector: ".none", attribute: "id" },
    ]
    const { attributes, summary, warning } = await client.scrape(page("rope"), {
      formats: [{ type: "attributes", selectors }, "summary"],
      includeTags: [".price"],
    })
    expect(attributes).toEqual([
      { selector: "a", attribute: "href", values: ["/"] },
      { selector: "img", attribute: "alt", values: ["A rope"] },
      { selector: ".none", attribute: "id", values: [] },
    ])
    expect(summary).toBe("12 metres")
    expect(warning).toContain("No model")
    const whole = await client.scrape(page("rope"), { formats: ["summary"] })
    expect(whole.summary).toStartWith("A windlass lifts what hands")
    const refused = (formats: unknown[]) =>
      client
        .scrape(page("rope"), { formats: formats as never })
        .catch((error: Error) => error.message)
    expect(await refused([{ type: "attributes" }])).toContain('needs "selectors"')
    const broken = [{ selector: "a[", attribute: "href" }]
    expect(await refused([{ type: "attributes", selectors: broken }])).toContain("attributes[0]")
    const parsers = [{ type: "pdf", maxPages: 2, mode: "ocr" }, "image"]
    const read = await client.scrape(page("rope"), { parsers: parsers as never })
    expect(read.warning).toContain('the PDF mode "ocr", the parser "image"')
    expect(JSON.parse((await lastRun()).input)).toMatchObject({ documentPages: 2 })
  })

  test("scrape: branding from the page's style sheets and metadata", async () => {
    const { branding } = await client.scrape(page("styled"), { formats: ["branding"] })
    expect(branding).toEqual({
      brandName: "site.test",
      logo: null,
      colors: { primary: "#E4572E", textPrimary: "#112233", link: "#E4572E" },
      fonts: [{ family: "Inter" }],
      typography: {
        fontFamilies: { primary: "Inter" },
        fontStacks: { body: ["Inter"] },
        fontSizes: {},
      },
      images: { logo: null, favicon: page("icon.png"), ogImage: null },
    })
  })

  test("a batch and a crawl: branding, and changes since the account's last run", async () => {
    const formats = ["branding" as const, "changeTracking" as const]
    const job = await client.batchScrape([page("styled")], { options: { formats } })
    expect(job.data[0]).toMatchObject({
      branding: { fonts: [{ family: "Inter" }] },
      changeTracking: { changeStatus: "new" },
      metadata: { scrapeId: expect.stringMatching(/^run_/), cacheState: "miss" },
    })
    const crawl = () =>
      client
        .crawl(page("styled"), { limit: 1, scrapeOptions: { formats } })
        .then(({ data }) => data)
    expect(await crawl()).toMatchObject([
      { branding: { colors: { primary: "#E4572E" } }, changeTracking: { changeStatus: "new" } },
    ])
    expect(await crawl()).toMatchObject([{ changeTracking: { changeStatus: "same" } }])
  })

  test("scrape: the metadata names the run, its cost and its cache state", async () => {
    const payer = here.firecrawl((await here.app.account({ credits: 5 })).key)
    const scrape = (maxAge: number) => payer.scrape(page("rope"), { maxAge })
    const first = (await scrape(0)).metadata!
    expect(first).toMatchObject({
      scrapeId: (await lastRun()).id,
      cacheState: "miss",
      creditsUsed: 1,
      proxyUsed: "basic",
      contentType: expect.stringContaining("text/html"),
    })
    expect((await scrape(60_000)).metadata).toMatchObject({
      scrapeId: first.scrapeId,
      cacheState: "hit",
      cachedAt: expect.stringMatching(/^20/),
      creditsUsed: 0,
    })
  })

  test("scrape: changes since the account's last scrape, as a diff and by fields", async () => {
    const schema = {
      type: "object",
      properties: { title: { type: "string", "x-selector": "main p:last-of-type" } },
    }
    const format = {
      type: "changeTracking" as const,
      modes: ["git-diff" as const, "json" as const],
    }
    const scraped = async (options: object = {}, as = client) => {
      const formats = ["markdown" as const, { ...format, schema, ...options }]
      return (await as.scrape(page("changes"), { formats })).changeTracking
    }
    changing[0] = "10"
    const first = await scraped()
    expect(first).toEqual({
      previousScrapeAt: null,
      changeStatus: "new",
      visibility: "visible",
    })
    expect(await scraped()).toMatchObject({ changeStatus: "same" })
    changing[0] = "12"
    const changed = (await scraped()) as { diff: { text: string; json: { files: object[] } } }
    expect(changed).toMatchObject({
      changeStatus: "changed",
      previousScrapeAt: expect.stringMatching(/^20/),
      json: { title: { previous: "Rope: 10 EUR", current: "Rope: 12 EUR" } },
    })
    expect(changed.diff.text).toMatch(
      /^@@ -\d,\d \+\d,\d @@\n[\s\S]*\n-Rope: 10 EUR\n\+Rope: 12 EUR$/,
    )
    expect(changed.diff.json.files).toMatchObject([
      { additions: 1, deletions: 1, chunks: [{ changes: expect.any(Array) }] },
    ])
    expect(await scraped({ tag: "weekly" })).toMatchObject({ changeStatus: "new" })
    const { key: other } = await here.app.account()
    expect(await scraped({}, here.firecrawl(other))).toMatchObject({ changeStatus: "new" })
    changing[0] = "gone"
    expect(await scraped()).toMatchObject({ changeStatus: "removed" })
    await expect(scraped({ modes: ["word"] })).rejects.toThrow("git-diff and json")
    await expect(scraped({ schema: undefined })).rejects.toThrow('"schema"')
    const anonymousCaller = await fetch(`${here.root}/v2/scrape`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: page("changes"), formats: ["changeTracking"] }),
    })
    expect(await anonymousCaller.text()).toContain("without an API key")
  })

  test("scrape: with the caller's headers and language", async () => {
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
    const anonymousCaller = (headers: object) =>
      fetch(`${here.root}/v2/scrape`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ url: page("asked"), headers }),
      })
    expect(await (await anonymousCaller({ "Accept-Language": "fr" })).text()).toContain(
      "language: fr",
    )
    const refused = await anonymousCaller({ Cookie: "a=b" })
    expect(await refused.text()).toContain("requires an account")
  })

  test("scrape: an earlier run of the same call answers if maxAge allows its age", async () => {
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

  test("scrape: actions become Trawl's, and formats are read after them", async () => {
    const requested = (actions: object[], options = {}) =>
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
    // There is no Chrome here, so the test checks what it would be sent.
    expect(await requested(typed, { waitFor: 500 })).toContain("needs Chrome")
    expect(JSON.parse((await lastRun()).input)).toMatchObject({
      formats: ["metadata"],
      actions: [
        { type: "wait", milliseconds: 500 },
        { type: "wait", milliseconds: 10_000 },
        { type: "wait", milliseconds: 2000 },
        { type: "click", selector: "#q" },
        { type: "type", selector: "#q", text: "rope" },
        { type: "press", key: "Enter" },
        { type: "scroll", screens: 1 },
        { type: "wait", selector: ".hit" },
        { type: "screenshot", fullPage: true },
        { type: "html" },
      ],
    })
    const script = { type: "executeJavascript", script: "1" }
    expect(await requested([script])).toContain("TRAWL_SCRIPT_ACCOUNTS")
    expect(await requested([{ type: "executeJavascript" }])).toContain('needs "script"')
    expect(await requested([{ type: "generate" }])).toContain(
      'The action "generate" is not supported',
    )
    expect(await requested([{ type: "write", text: "x" }])).toContain(
      `Add a "click" on the field first`,
    )
    expect(await requested([{ type: "pdf" }, typed[1]!])).toContain("printed after")
    const photos = Array.from({ length: 6 }, () => ({ type: "screenshot" }))
    expect(await requested(photos)).toContain("at most 5")
    expect(await requested([{ type: "click" }])).toContain('actions[0]: "click" needs "selector"')
    expect(await requested([{ type: "click", selector: "[" }])).toContain("actions[0].selector")
  })

  test("scrape: an error page is a document, a challenge is an error", async () => {
    const formats = ["markdown", "rawHtml"] as const
    const requested = (name: string) => client.scrape(page(name), { formats: [...formats] })
    expect(await requested("missing")).toMatchObject({
      markdown: expect.stringContaining("# Not found"),
      rawHtml: "<h1>Not found</h1>",
      metadata: { statusCode: 404, error: "Not Found" },
    })
    expect(await requested("status/401")).toMatchObject({
      markdown: expect.stringContaining("Sign in first."),
      metadata: { statusCode: 401, error: "Unauthorized", title: "Members only" },
    })
    expect(await requested("status/410")).toMatchObject({
      markdown: "",
      metadata: { statusCode: 410, error: "Gone" },
    })
    expect(await requested("status/422")).toMatchObject({
      markdown: expect.stringContaining("no rope"),
      metadata: { statusCode: 422, error: "Unprocessable Content" },
    })
    expect(await requested("status/501")).toMatchObject({
      markdown: "Not built yet\n",
      metadata: { statusCode: 501, error: "Not Implemented" },
    })
    expect(await requested("status/502")).toMatchObject({
      metadata: { statusCode: 599, error: "Status 599" },
    })
    const part = await client.scrape(page("status/401"), { includeTags: [".price"] })
    expect(part).toMatchObject({ metadata: { statusCode: 401 } })
    expect(part.markdown).not.toContain("Sign in")
    await expect(requested("challenge")).rejects.toThrow("Cloudflare")
    const crawl = await client.crawl(page("status/401"), { limit: 5, crawlEntireDomain: true })
    expect(crawl.data.map(({ metadata }) => [metadata?.statusCode, metadata?.error])).toEqual([
      [401, "Unauthorized"],
    ])
  })

  test("scrape: impossible options and failures are errors with a message", async () => {
    const fails = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => undefined,
        (thrown: Error & { status: number; code: string }) => thrown,
      )
      return { status: error?.status, code: error?.code, message: error?.message }
    }
    expect(await fails(client.scrape("https://nowhere.test/"))).toMatchObject({
      code: expect.stringContaining("SCRAPE_"),
      message: expect.stringContaining("There is no nowhere.test"),
    })
    expect(await fails(client.scrape(page("rope"), { formats: ["audio" as never] }))).toMatchObject(
      {
        status: 400,
        message: expect.stringContaining('"audio" is not supported'),
      },
    )
    expect(await fails(client.scrape(page("rope"), { formats: [1 as never] }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('"formats" must be a string'),
    })
    const long = { ["x".repeat(50_000)]: 1 } as object
    expect((await client.scrape(page("rope"), long)).warning?.length).toBeLessThan(200)
    expect(await fails(client.scrape(page("rope"), { includeTags: ["p["] }))).toMatchObject({
      status: 400,
      message: expect.stringContaining("not a CSS selector"),
    })
    expect(await fails(client.startExtract({ urls: [page("rope")], prompt: "x" }))).toMatchObject({
      status: 400,
      message: expect.stringContaining("not supported"),
    })
    const anonymousCaller = here.firecrawl("fc-wrong")
    expect(await fails(anonymousCaller.scrape(page("rope")))).toMatchObject({ status: 401 })
    expect(await fails(anonymousCaller.startCrawl(page("")))).toMatchObject({ status: 401 })
    expect(await fails(client.getCrawlStatus("run_none"))).toMatchObject({ status: 404 })
  })

  test("map: sitemaps and links, the best matches for the words first", async () => {
    const { links } = await client.map(page(""))
    expect(links.map(({ url }) => url)).toEqual([page(""), page("rope"), page("hook")])
    expect(links[1]).toMatchObject({ title: "Rope" })
    const { links: searched } = await client.map(page(""), { search: "hook", sitemap: "only" })
    expect(searched.map(({ url }) => url)).toEqual([page("hook")])
    // The run ranks in its own thread.
    expect(JSON.parse((await lastRun()).input)).toMatchObject({ mode: "map", search: "hook" })
    const { links: linked } = await client.map(page(""), { sitemap: "skip", limit: 1 })
    expect(linked).toHaveLength(1)
  })

  test("credits, queue, concurrency", async () => {
    expect(await client.getCreditUsage()).toMatchObject({ remainingCredits: expect.any(Number) })
    expect(await client.getQueueStatus()).toMatchObject({ jobsInQueue: 0, maxConcurrency: 1 })
    expect(await client.getConcurrency()).toEqual({ concurrency: 0, maxConcurrency: 1 })
    expect(await client.getTokenUsage()).toMatchObject({ remainingTokens: expect.any(Number) })
    const { key: paid } = await here.app.account({ credits: 100 })
    const payer = here.firecrawl(paid)
    await payer.scrape(page("rope"), { maxAge: 0 })
    expect(await payer.getTokenUsage()).toMatchObject({ remainingTokens: 99 * 15 })
    expect(await payer.getCreditUsageHistorical()).toMatchObject({
      periods: [{ creditsUsed: 1, startDate: expect.stringMatching(/-01T00:00:00\.000Z$/) }],
    })
    expect(await payer.getTokenUsageHistorical(true)).toMatchObject({
      periods: [{ tokensUsed: 15, apiKey: expect.stringMatching(/^key_/) }],
    })
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
      data: [{ url: page("rope") }, { url: page("1") }],
    })
    const crawl = await v1.crawlUrl(page(""), { limit: 10 })
    expect(crawl).toMatchObject({ status: "completed", completed: 3 })
    const batch = await v1.batchScrapeUrls([page("rope")], { formats: ["markdown"] })
    expect(batch).toMatchObject({ status: "completed", data: [{ metadata: { title: "Rope" } }] })
  })

  test("its jobs step by step", async () => {
    const { v1 } = client
    const started = (await v1.asyncCrawlUrl(page(""), { limit: 10 })) as { id: string }
    await here.app.runs.wait(started.id, 60_000)
    expect(await v1.checkCrawlStatus(started.id)).toMatchObject({ status: "completed", total: 3 })
    expect(await v1.checkCrawlErrors(started.id)).toMatchObject({ errors: [], robotsBlocked: [] })
    const urls = [page("rope"), "https://nowhere.test/"]
    const batch = (await v1.asyncBatchScrapeUrls(urls, {})) as { id: string }
    await here.app.runs.wait(batch.id, 60_000)
    expect(await v1.checkBatchScrapeStatus(batch.id)).toMatchObject({ status: "completed" })
    expect(await v1.checkBatchScrapeErrors(batch.id)).toMatchObject({
      errors: [{ url: "https://nowhere.test/" }],
    })
    const long = (await v1.asyncBatchScrapeUrls([page("stalls")], {})) as { id: string }
    expect(await v1.cancelCrawl(long.id)).toMatchObject({ status: "cancelled" })
    const schema = { type: "object", properties: { sku: { type: "string" } } }
    const job = (await v1.asyncExtract([page("lamp")], { schema } as never)) as unknown as {
      id: string
    }
    await here.app.runs.wait(job.id, 60_000)
    expect(await v1.getExtractStatus(job.id)).toMatchObject({ data: { sku: "SL-7" } })
    expect(await client.startExtract({ urls: [page("lamp")], schema })).toMatchObject({
      success: true,
    })
    expect(await client.extract({ urls: [page("lamp")], schema })).toMatchObject({
      data: { sku: "SL-7" },
    })
  })
})

test("without a key: what anonymous callers may call, and no jobs", async () => {
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
