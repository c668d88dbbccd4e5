import { expect, test } from "bun:test"
import toMarkdown from "../../../src/catalogue/web/url-to-markdown-scraper.ts"
import crawler from "../../../src/catalogue/web/website-content-crawler.ts"
import { runOnce } from "./run-once.ts"

const url = "https://docs.example/start/"
const site = {
  [url]: `<html><head><title>Getting Started - Windlass</title></head><body>
    <nav><a href="/">Windlass</a></nav>
    <main><h1 id="start">Getting Started with Windlass<a class="headerlink" href="#start">¶</a></h1>
    ${"<p>A windlass lifts what hands alone can not, turn by turn, and holds it there.</p>".repeat(6)}
    <h2>Turn</h2><p>Turn it.</p></main></body></html>`,
}

test("the crawler and the single-page scraper return the same heading and Markdown", async () => {
  const { items: read } = await runOnce(toMarkdown, { urls: [url] }, site)
  const { items: crawled } = await runOnce(crawler, { startUrls: [url], maxPages: 1 }, site)
  expect(read[0]!.markdown).toStartWith("# Getting Started with Windlass\n\nA windlass lifts")
  expect(crawled[0]!.markdown).toBe(read[0]!.markdown)
  expect(crawled[0]!.headings).toMatchObject([
    { level: 1, text: "Getting Started with Windlass" },
    { level: 2, text: "Turn" },
  ])
})

const parts = `<html><head><title>Ropes</title></head><body><nav class="menu">Menu</nav>
  <article><h1>Ropes</h1><p class="price">12 metres</p><p>Hemp is strong, and it rots.</p>
  <aside class="advert">Buy more rope</aside></article><p class="price">9 metres</p></body></html>`

test("selectors choose what is included and left out", async () => {
  const read = async (input: object) =>
    (await runOnce(toMarkdown, { urls: [url], formats: ["html"], ...input }, { [url]: parts }))
      .items
  const [prices] = await read({ includeSelectors: [".price", "article .price"] })
  expect(prices!.markdown).toBe("12 metres\n\n9 metres\n")
  expect(prices!.html).not.toContain("Hemp")
  expect(prices!.title).toBe("Ropes")
  const [whole] = await read({ includeSelectors: ["article"], excludeSelectors: [".advert", "h1"] })
  expect(whole!.markdown).toBe("12 metres\n\nHemp is strong, and it rots.\n")
  const [none] = await read({ includeSelectors: [".nowhere"] })
  expect(none).toMatchObject({
    error: { message: expect.stringContaining("an element that matches the selectors") },
  })
  await expect(read({ excludeSelectors: ["p["] })).rejects.toThrow("excludeSelectors")
})

test("the whole page as clean HTML", async () => {
  const input = { urls: [url], formats: ["html"], mainContentOnly: false }
  const { items } = await runOnce(toMarkdown, input, site)
  expect(items[0]!.html).toContain('<a href="https://docs.example/">Windlass</a>')
})

test("content of scripts is waited for in Chrome", async () => {
  const rendered = { [url]: { via: "browser" as const, bytes: new TextEncoder().encode(parts) } }
  for (const input of [{ waitForSelector: ".price" }, { renderScripts: true }]) {
    const { items } = await runOnce(toMarkdown, { urls: [url], ...input }, rendered)
    expect(items[0]!.markdown).toContain("12 metres")
  }
  const { items } = await runOnce(toMarkdown, { urls: [url], waitForSelector: ".none" }, rendered)
  expect(items[0]!.error).toBeDefined()
})

const stub = (to: string) =>
  `<html><head><title>Redirecting…</title><script src="/count.js"></script>
   <meta http-equiv="refresh" content="0; url=${to}"></head><body><a href="${to}">Go on</a></body></html>`

test("a page that only redirects to another one is read as that one", async () => {
  const from = "https://docs.example/"
  const headers = { "content-type": "text/html", refresh: "0; url=start/" }
  for (const page of [stub("start/"), { headers, bytes: new Uint8Array() }]) {
    const pages = { ...site, [from]: page }
    const { items } = await runOnce(toMarkdown, { urls: [from] }, pages, { hasChrome: false })
    expect(items[0]).toMatchObject({ url: from, finalUrl: url })
    expect(items[0]!.markdown).toStartWith("# Getting Started with Windlass")
  }
})

test("pages that only redirect to each other are reported as a loop", async () => {
  const circle = { "https://a.example/": stub("/b"), "https://a.example/b": stub("/") }
  const { items, requested } = await runOnce(toMarkdown, { urls: ["https://a.example/"] }, circle)
  expect(items[0]!.error).toMatchObject({ code: "too_many_redirects" })
  expect(requested).toHaveLength(6)
})

test("a response without a body is reported by its status", async () => {
  const bytes = new Uint8Array()
  for (const [status, headers, stated] of [
    [204, {}, "nothing.example returned status 204 with an empty body."],
    [304, {}, "nothing.example returned status 304 with an empty body."],
    [302, { "content-type": "text/html" }, "status 302 without a valid redirect URL."],
    [200, { "content-type": "text/html" }, "status 200 with an empty body."],
  ] as const) {
    const pages = { "https://nothing.example/": { status, headers: { ...headers }, bytes } }
    const { items } = await runOnce(toMarkdown, { urls: ["https://nothing.example/"] }, pages)
    expect(items[0]!.error).toMatchObject({ message: expect.stringContaining(stated) })
  }
})

test("a duplicate or invalid content type is read as browsers do", async () => {
  for (const type of ["text/html, text/html; charset=utf-8", "html"]) {
    const pages = {
      [url]: { headers: { "content-type": type }, bytes: new TextEncoder().encode(site[url]) },
    }
    const { items } = await runOnce(toMarkdown, { urls: [url] }, pages)
    expect(items[0]!.title).toBe("Getting Started - Windlass")
  }
})

test("a URL of another scheme is refused with the allowed ones", async () => {
  const urls = ["ftp://files.example/a", "data:text/html,x", "http://exa mple.com/"]
  const { items } = await runOnce(toMarkdown, { urls }, {})
  for (const { error } of items) {
    expect(error).toMatchObject({
      message: expect.stringContaining("not an http or https URL"),
    })
  }
  expect(items).toHaveLength(3)
})
