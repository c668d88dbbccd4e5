import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import Firecrawl from "firecrawl"
import { sql } from "kysely"
import { extractText, getDocumentProxy } from "unpdf"
import { catalogue } from "../../src/catalogue/index.ts"
import { lean, site, testBrowser } from "../engine/net/browser/setup.ts"
import { testOfAll } from "../samples.ts"
import { root, type TestAccount, TestApp } from "./app.ts"
import { decodePng, pngSize } from "./png.ts"

/** Screenshots and PDFs of pages in a real Chrome, from the request to the file. */

const slugs = ["url-to-markdown-scraper", "web-scraper", "website-content-crawler"]
const sentence = "The quay of Corrie was built in two summers by six men. "
const page = (height: number, more = "") => `<!doctype html><html><head><title>Quay</title><style>
  body { margin: 0; background: #eeeeee } @media (prefers-color-scheme: dark) { body { background: #112233 } }
  #red { position: absolute; left: 40px; top: 60px; width: 120px; height: 30px; background: #ff0000 }
  #lazy { position: absolute; left: 0; top: 2000px }
  main { height: ${height}px } p { margin: 200px 0 0 } </style></head>
  <body><main><div id="red"></div><h1>Quay</h1><p>${sentence.repeat(4)}</p>${more}</main></body></html>`
const square = `<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="#00ff00"/></svg>`

let foreignCalls = 0
const foreign = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch() {
    foreignCalls++
    return new Response(square, { headers: { "content-type": "image/svg+xml" } })
  },
})
const lazy = `<img id="lazy" loading="lazy" src="/green.svg">`
const stalled = Promise.withResolvers<void>()
const server = site({
  "/": page(400, `<a href="/tall">tall</a>`),
  "/tall": page(3000, lazy),
  "/endless": page(100_000),
  "/private": page(
    400,
    `<img style="position:absolute;top:0;left:0" src="http://127.0.0.1:${foreign.port}/x.svg">`,
  ),
  "/green.svg": () => new Response(square, { headers: { "content-type": "image/svg+xml" } }),
  "/stalls": () => {
    stalled.resolve()
    return new Promise(() => {})
  },
  "/letter.txt": () => new Response(sentence, { headers: { "content-type": "text/plain" } }),
})
const at = `http://127.0.0.1:${server.port}`
const chrome = testBrowser(() => [server.port!], lean)
let app: TestApp
let here: ReturnType<typeof Bun.serve>
let account: TestAccount
beforeAll(async () => {
  const scrapers = catalogue.filter(({ slug }) => slugs.includes(slug))
  app = await TestApp.open(
    { keylessWait: 60, freeDaily: 1000 },
    scrapers,
    undefined,
    undefined,
    chrome.browser,
  )
  here = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 120,
    fetch: (request) => app.app.handle(request),
  })
  account = await app.account({ unlimited: true })
})
afterAll(async () => {
  await here.stop(true)
  await app.close()
  await chrome.stop()
  server.stop(true)
  foreign.stop(true)
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
type Item = Record<string, any>

/** Runs to the end. Returns the run and its items. */
async function run(slug: string, input: object, key = account.key) {
  const started = await app.post(`/api/v1/scrapers/${slug}/runs?waitForFinish=100`, {
    key,
    body: input,
  })
  expect(started.status).toBe(201)
  const { body } = await app.get(`/api/v1/datasets/${started.body.datasetId}/items`, { key })
  return { run: started.body, items: body.items as Item[] }
}
const toMarkdown = async (path: string, input: object) => {
  const { run: done, items } = await run("url-to-markdown-scraper", { urls: [at + path], ...input })
  return { run: done, item: items[0]! }
}
const bytesOf = async (url: string, key: string | undefined = account.key) => {
  const response = await app.raw("GET", url.replace(root, ""), { key })
  expect(response.status).toBe(200)
  return response.bytes()
}
const photo = async (path: string, screenshot: object) => {
  const { item } = await toMarkdown(path, { screenshot })
  return { stated: item.screenshot, png: decodePng(await bytesOf(item.screenshot.url)) }
}

describe("a screenshot", () => {
  test("has the window's size and the page's colours, light or dark", async () => {
    const window = { width: 500, height: 400 }
    const [{ stated, png }, light] = await Promise.all([
      photo("/tall", { ...window, dark: true }),
      photo("/tall", window),
    ])
    expect(stated).toMatchObject({ contentType: "image/png", width: 500, height: 400 })
    expect([png.width, png.height]).toEqual([500, 400])
    expect([png.pixel(5, 5), png.pixel(45, 65), png.pixel(165, 65)]).toEqual([
      "#112233",
      "#ff0000",
      "#112233",
    ])
    expect(light.png.pixel(5, 5)).toBe("#eeeeee")
  })

  test("of the whole page includes late content, and reports the height at which it was cut", async () => {
    const screenshot = { fullPage: true, width: 400 }
    const [tall, { run: done, item }] = await Promise.all([
      photo("/tall", screenshot),
      toMarkdown("/endless", { screenshot }),
    ])
    expect(tall.stated).toMatchObject({ width: 400, height: tall.png.height })
    expect(tall.png.height).toBeGreaterThanOrEqual(3000)
    expect(tall.png.pixel(25, 2025)).toBe("#00ff00")
    expect(item.screenshot).toMatchObject({ width: 400, height: 16_000 })
    expect(item.screenshot.fullHeight).toBeGreaterThanOrEqual(100_000)
    const log = await app.get(`/api/v1/runs/${done.id}/log`, { key: account.key })
    expect(log.text).toContain("The screenshot ends after 16000 of")
  })

  test("of an element has only that element; a missing one is an error", async () => {
    const [{ stated, png }, { item }] = await Promise.all([
      photo("/", { selector: "#red" }),
      toMarkdown("/", { screenshot: { selector: "#blue" } }),
    ])
    expect(stated).toMatchObject({ width: 120, height: 30 })
    expect([png.width, png.height, png.pixel(1, 1), png.pixel(119, 29)]).toEqual([
      120,
      30,
      "#ff0000",
      "#ff0000",
    ])
    expect(item.error).toMatchObject({ code: "selector_not_found" })
  })

  test.each([
    ["jpeg", "image/jpeg", "ffd8ff"],
    ["webp", "image/webp", "52494646"],
  ])("may be %s", async (type, contentType, begin) => {
    const { item } = await toMarkdown("/", { screenshot: { type, quality: 50 } })
    const bytes = await bytesOf(item.screenshot.url)
    expect(item.screenshot).toMatchObject({ contentType, bytes: bytes.length })
    expect(Buffer.from(bytes).toString("hex")).toStartWith(begin)
  })

  testOfAll("is made of each page of a run, even if Chrome does not draw hidden tabs", async () => {
    const urls = ["/", "/tall", "/?2", "/tall?2"].map((path) => at + path)
    const { items } = await run("url-to-markdown-scraper", {
      urls,
      screenshot: { fullPage: true, width: 400 },
    })
    const tall = items.map(({ url, screenshot }) => [url, screenshot?.height >= 3000])
    expect(tall).toEqual(urls.map((url) => [url, url.includes("tall")]))
  })

  test("with invalid options is refused by the field's name", async () => {
    const issues = async (screenshot: object) => {
      const body = { urls: [at], screenshot }
      const path = "/api/v1/scrapers/url-to-markdown-scraper/runs"
      const response = await app.post(path, { key: account.key, body })
      return [response.status, response.body.error.message]
    }
    expect(await issues({ quality: 50 })).toEqual([
      400,
      expect.stringContaining("screenshot.quality: only jpeg and webp have a quality"),
    ])
    expect(await issues({ width: 10 })).toEqual([400, expect.stringContaining("screenshot.width")])
    expect(await issues({ selector: "a[" })).toEqual([
      400,
      expect.stringContaining("screenshot.selector"),
    ])
  })

  test("loads nothing that the egress filter refuses", async () => {
    const { png } = await photo("/private", { width: 400 })
    expect(png.pixel(20, 20)).toBe("#eeeeee")
    expect(foreignCalls).toBe(0)
  })
})

test("a PDF has the page's text; crawler and web scraper return files too", async () => {
  const { item } = await toMarkdown("/tall", { formats: ["pdf", "screenshot"], pdf: {} })
  expect(item.markdown).toContain("two summers")
  expect(item.screenshot.height).toBeLessThan(2000)
  expect(item.pdf).toMatchObject({ contentType: "application/pdf" })
  const pdf = await getDocumentProxy(await bytesOf(item.pdf.url))
  const { text, totalPages } = await extractText(pdf, { mergePages: true })
  expect(text).toContain("built in two summers by six men")
  expect(totalPages).toBe(item.pdf.pages)
  expect(totalPages).toBeGreaterThan(1)
  const fields = { urls: [at], fields: ["title: h1"], pdf: { landscape: true } }
  const scraped = await run("web-scraper", fields)
  expect(scraped.items[0]).toMatchObject({ data: { title: "Quay" }, pdf: { pages: 1 } })
  const crawled = await run("website-content-crawler", {
    startUrls: [at],
    maxPages: 2,
    formats: ["screenshot"],
  })
  expect(crawled.items.map(({ screenshot }) => screenshot.contentType)).toEqual([
    "image/png",
    "image/png",
  ])
})

describe("a file", () => {
  let url: string
  let item: Item
  let done: { id: string }
  beforeAll(async () => {
    ;({ item, run: done } = await toMarkdown("/", { formats: ["screenshot", "pdf"] }))
    url = item.screenshot.url.replace(root, "")
  })
  const get = (headers: Record<string, string> = {}, method = "GET") =>
    app.raw(method, url, { key: account.key, headers })

  test("is served with the HTTP headers that clients expect", async () => {
    const whole = await get()
    const bytes = await whole.bytes()
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(item.screenshot.bytes),
      "content-disposition": expect.stringMatching(/^inline; filename="file_[0-9a-f]{32}\.png"$/),
      etag: `"${item.screenshot.sha256}"`,
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
    })
    expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(item.screenshot.sha256)
    const part = await get({ range: "bytes=1-3" })
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      `bytes 1-3/${bytes.length}`,
      "PNG",
    ])
    const last = await get({ range: "bytes=-4" })
    expect(await last.bytes()).toEqual(bytes.slice(-4))
    const beyond = await get({ range: `bytes=${bytes.length}-` })
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ])
    const other = await get({ range: "bytes=1-3", "if-range": '"another"' })
    expect(other.status).toBe(200)
    const known = await get({ "if-none-match": `W/"x", "${item.screenshot.sha256}"` })
    expect([known.status, await known.text()]).toEqual([304, ""])
    const head = await get({}, "HEAD")
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(bytes.length),
      "",
    ])
    const pdf = await app.raw("GET", item.pdf.url.replace(root, ""), { key: account.key })
    expect(pdf.headers.get("content-disposition")).toStartWith("attachment;")
  })

  test("is visible to its account only, and listed by run", async () => {
    const { key } = await app.account()
    const files = `/api/v1/runs/${done.id}/files`
    expect((await app.get(url)).status).toBe(401)
    expect((await app.get(url.slice(0, -1))).status).toBe(401)
    expect((await app.get(url, { key })).status).toBe(404)
    expect((await app.call("DELETE", url, { key })).status).toBe(404)
    expect((await app.get(files, { key })).status).toBe(404)
    const { body } = await app.get(files, { key: account.key })
    expect(body).toMatchObject({ total: 2, limit: 100, offset: 0 })
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual([
      "page.pdf",
      "screenshot.png",
    ])
    const { body: first } = await app.get(`${files}?limit=1`, { key: account.key })
    const { body: rest } = await app.get(`${files}?cursor=${first.nextCursor}`, {
      key: account.key,
    })
    expect([...first.items, ...rest.items]).toEqual(body.items)
    expect([body.nextCursor, rest.nextCursor]).toEqual([null, null])
    expect((await app.get(`${files}?cursor=x`, { key: account.key })).status).toBe(400)
    expect(body.items[1]).toMatchObject({ url: root + url, target: 0, expiresAt: null })
  })

  test("is deleted on its own or with its run, and its content with it", async () => {
    const folder = join(app.service.config.dataDir, "files")
    const pathOf = (address: string) => join(folder, address.slice(-2), address.slice(-37))
    expect([existsSync(pathOf(url)), existsSync(pathOf(item.pdf.url))]).toEqual([true, true])
    expect((await app.call("DELETE", url, { key: account.key })).status).toBe(204)
    expect((await get()).status).toBe(404)
    await app.purge()
    expect([existsSync(pathOf(url)), existsSync(pathOf(item.pdf.url))]).toEqual([false, true])
    await app.call("DELETE", `/api/v1/runs/${done.id}`, { key: account.key })
    expect((await app.get(item.pdf.url.replace(root, ""), { key: account.key })).status).toBe(404)
    await app.purge()
    expect(existsSync(pathOf(item.pdf.url))).toBe(false)
  })
})

test("an aborted run leaves no file", async () => {
  const path = "/api/v1/scrapers/url-to-markdown-scraper/runs"
  const { key } = await app.account()
  const body = { urls: [`${at}/stalls`], formats: ["screenshot"] }
  const { body: startedRun } = await app.post(path, { key, body })
  await stalled.promise
  await app.post(`/api/v1/runs/${startedRun.id}/abort`, { key })
  const { body: ended } = await app.get(`/api/v1/runs/${startedRun.id}?waitForFinish=60`, { key })
  expect(ended.status).toBe("aborted")
  expect((await app.get(`/api/v1/runs/${startedRun.id}/files`, { key })).body.total).toBe(0)
})

describe("without a key", () => {
  const ask = (query: string) => app.get(`/api/scrape?url=${encodeURIComponent(at)}&${query}`)

  test("anyone with the URL can read it from any page until it expires", async () => {
    const { body } = await ask("formats=screenshot&screenshot=%7B%22width%22%3A400%7D")
    const { url, width } = body.items[0].screenshot
    expect(url).toStartWith(`${root}/api/v1/files/file_`)
    expect(width).toBe(400)
    const response = await app.raw("GET", url)
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
    expect(decodePng(await response.bytes()).width).toBe(400)
    const logged = app.logged.filter((line) => line.includes("/api/v1/files/"))
    expect(logged.length).toBeGreaterThan(0)
    expect(logged.join("")).not.toContain("file_")
    const now = new Date().toISOString()
    await app.direct((db) =>
      sql`UPDATE files SET expires_at = ${now} WHERE account_id IS NULL`.execute(db),
    )
    expect((await app.raw("GET", url)).status).toBe(401)
    await app.purge()
    const folder = join(app.service.config.dataDir, "files")
    const left = readdirSync(folder, { recursive: true }) as string[]
    expect(left.filter((name) => url.endsWith(name.slice(3)) && name.length > 3)).toEqual([])
  })
})

describe("in compatible APIs", () => {
  const readsWithoutKey = async (url: string) => pngSize(await bytesOf(url, ""))

  test("Firecrawl's client gets a URL that needs no key", async () => {
    const client = new Firecrawl({ apiKey: account.key, apiUrl: here.url.href.slice(0, -1) })
    const full = await client.scrape(`${at}/tall`, {
      formats: [
        "markdown",
        { type: "screenshot", fullPage: true, viewport: { width: 640, height: 480 } },
      ],
    })
    expect(full.markdown).toContain("two summers")
    const png = await readsWithoutKey(full.screenshot!)
    expect([png.width, png.height >= 3000]).toEqual([640, true])
    expect((await app.get(full.screenshot!.replace(/.(?=$)/, "g").replace(root, ""))).status).toBe(
      400,
    )
    const forged = full.screenshot!.replace(/until=\d+/, "until=99999999999")
    expect((await app.get(forged.replace(root, ""))).status).toBe(401)
    const batch = await client.batchScrape([at], { options: { formats: ["screenshot"] } })
    expect((await readsWithoutKey(batch.data[0]!.screenshot!)).width).toBeGreaterThan(400)
  })

  testOfAll("Jina's reader redirects to the screenshot, or names it", async () => {
    const headers = { "x-respond-with": "pageshot" }
    const moved = await app.raw("GET", `/r/${at}/tall`, { key: account.key, headers })
    expect(moved.status).toBe(302)
    expect((await readsWithoutKey(moved.headers.get("location")!)).height).toBeGreaterThan(2999)
    const json = { "x-respond-with": "screenshot", accept: "application/json" }
    const named = await app.get(`/r/${at}/`, { headers: json })
    expect((await readsWithoutKey(named.body.data.screenshotUrl)).width).toBeGreaterThan(400)
    expect((await app.get("/s/quays", { headers })).status).toBe(400)
  })

  testOfAll("a model receives the screenshot, and the URL of the PDF", async () => {
    const client = new Client({ name: "test", version: "1" })
    const endpoint = new URL("/api/mcp", here.url)
    const requestInit = { headers: { authorization: `Bearer ${account.key}` } }
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }))
    const { content } = (await client.callTool({
      name: "url-to-markdown-scraper",
      arguments: { urls: [`${at}/`], formats: ["screenshot", "pdf"], screenshot: { width: 500 } },
    })) as { content: Item[] }
    expect(content.map(({ type }) => type)).toEqual(["text", "image", "resource_link"])
    const [text, image, link] = content
    expect(image!.mimeType).toBe("image/png")
    expect(pngSize(Buffer.from(image!.data, "base64")).width).toBe(500)
    expect(text!.text).toContain(link!.uri)
    expect(link).toMatchObject({ mimeType: "application/pdf", size: expect.any(Number) })
    expect(Buffer.from(await bytesOf(link!.uri, "")).toString("latin1")).toStartWith("%PDF")
    await client.close()
  })
})
