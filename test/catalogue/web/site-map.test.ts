import { expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { systemClock } from "../../../src/base/clock.ts"
import { Search } from "../../../src/catalogue/web/mapped-urls.ts"
import extractor from "../../../src/catalogue/web/sitemap-extractor.ts"
import type { Transport } from "../../../src/engine/net/http/exchange.ts"
import { executeRun } from "../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../src/engine/runtime/run/memory-checkpoints.ts"
import { runOnce, type Site } from "./run-once.ts"

const root = "https://site.example"
const page = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body><p>${title}</p>${body}</body></html>`
const xml = (text: string) => ({
  bytes: new TextEncoder().encode(text),
  headers: { "content-type": "application/xml" },
})
const urlset = (addresses: readonly string[]) =>
  xml(`<urlset>${addresses.map((address) => `<url><loc>${address}</loc></url>`).join("")}</urlset>`)
const index = (files: readonly string[]) =>
  xml(
    `<sitemapindex>${files.map((file) => `<sitemap><loc>${file}</loc></sitemap>`).join("")}</sitemapindex>`,
  )

async function map(site: Site, input: Record<string, unknown> = {}) {
  const { items, requested, end } = await runOnce(
    extractor,
    { url: root, mode: "map", ...input },
    site,
  )
  const failed = items.filter((item) => item.error)
  const urls = items.filter((item) => !item.error).map((item) => String(item.url))
  return {
    items,
    urls,
    requested,
    end,
    codes: failed.map((item) => (item.error as { code: string }).code),
  }
}

const missing = { status: 404, bytes: new Uint8Array() }
const withoutSitemap: Site = {
  [`${root}/robots.txt`]: missing,
  [`${root}/sitemap.xml`]: missing,
  [`${root}/sitemap_index.xml`]: missing,
  [`${root}/sitemap-index.xml`]: missing,
  [`${root}/sitemap.xml.gz`]: missing,
}

test("spellings of one page are one URL; other hosts are left out", async () => {
  const listed = ["/a", "/a/", "/a?utm_source=x", "/a#part", "/b?x=1", "/b?x=2"]
  const others = [
    "http://www.site.example/a",
    "https://docs.site.example/",
    "https://else.example/",
  ]
  const site = {
    [`${root}/`]: page("Site", ""),
    [`${root}/robots.txt`]: missing,
    [`${root}/sitemap.xml`]: urlset([...listed.map((path) => root + path), ...others]),
  }
  const own = ["/", "/a", "/b?x=1", "/b?x=2"].map((path) => root + path)
  expect((await map(site)).urls).toEqual(own)
  const wide = await map(site, { includeSubdomains: true })
  expect(wide.urls).toEqual([...own, "https://docs.site.example/"])
})

test("a shallow crawl is bounded, and obeys robots.txt and noindex", async () => {
  const links = Array.from({ length: 200 }, (_, at) => `<a href="/p${at}">Page ${at}</a>`)
  const site: Site = {
    ...withoutSitemap,
    [`${root}/robots.txt`]: { bytes: new TextEncoder().encode("User-agent: *\nDisallow: /p0") },
    [`${root}/`]: page("Site", `<a rel="nofollow" href="/kept-out">Kept out</a>${links.join("")}`),
  }
  for (let at = 0; at < 200; at++) site[`${root}/p${at}`] = page(`Title ${at}`, "")
  const { urls, requested, codes, items } = await map(site)
  expect(urls).toHaveLength(202)
  expect(requested.filter((url) => /\/p\d+$/.test(url)).length).toBeLessThanOrEqual(20)
  expect(requested).not.toContain(`${root}/p0`)
  expect(requested).not.toContain(`${root}/kept-out`)
  expect(items.find((item) => item.url === `${root}/p1`)?.title).toBe("Title 1")
  expect(codes).toEqual([])
})

test("a search reads the likely sitemaps first, and ranks by words in any order", async () => {
  const listed = urlset([`${root}/prices`, `${root}/team/prices`, `${root}/about`])
  const files = Array.from({ length: 60 }, (_, at) => `${root}/maps/part-${at}.xml`)
  const site: Site = {
    [`${root}/`]: page("Site", `<a href="/plans">All prices for teams</a>`),
    [`${root}/robots.txt`]: missing,
    [`${root}/sitemap.xml`]: index([...files, `${root}/maps/prices.xml`]),
    [`${root}/maps/prices.xml`]: { ...listed, bytes: gzipSync(listed.bytes) },
  }
  for (const file of files) site[file] = urlset([`${file}/nothing`])
  const { urls, codes, requested } = await map(site, { search: "TEAM  prices" })
  expect(urls.slice(0, 3)).toEqual([`${root}/plans`, `${root}/team/prices`, `${root}/prices`])
  expect(urls).toHaveLength(3)
  expect(requested.indexOf(`${root}/maps/prices.xml`)).toBeLessThan(requested.indexOf(files[5]!))
  expect(codes).toEqual(["timeout"])
})

test("words match without case, accents and escapes, but not in the site's own name", () => {
  const search = new Search("café menü", "https://www.cafe-site.example/")
  const entries = [
    { url: "https://cafe-site.example/contact", title: "Contact" },
    { url: "https://cafe-site.example/Men%C3%BC", title: null },
    { url: "https://cafe-site.example/x", title: "Das Menu im CAFÉ" },
    { url: "https://cafe-site.example/%E0%A4%A", title: null },
  ]
  expect(search.ranked(entries)).toEqual([entries[2]!, entries[1]!])
})

test("an unreadable home page is reported next to what the sitemaps return; nothing at all fails", async () => {
  const site: Site = {
    [`${root}/`]: { status: 404, bytes: new Uint8Array() },
    [`${root}/robots.txt`]: missing,
    [`${root}/sitemap.xml`]: urlset([`${root}/a`]),
  }
  const { urls, codes } = await map(site)
  expect([urls, codes]).toEqual([[`${root}/a`], ["not_found"]])
  const none = await map({ ...withoutSitemap, [`${root}/`]: missing })
  expect([none.urls, none.end.status]).toEqual([[], "failed"])
})

test("an app shell is not a site without pages", async () => {
  const shell = `<html><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>`
  const { urls, codes } = await map({ ...withoutSitemap, [`${root}/`]: shell })
  expect([urls, codes]).toEqual([[`${root}/`], ["app_shell"]])
})

test("when its time is up it returns what it has, and names what it has not read", async () => {
  let now = 0
  const files = Array.from({ length: 40 }, (_, at) => `${root}/maps/${at}.xml`)
  const http: Transport = {
    async send({ url }) {
      // Each response takes a second.
      now += 1000
      const { pathname } = new URL(url)
      const response = pathname === "/sitemap.xml" ? index(files) : urlset([`${url}/page`])
      const isPage = pathname === "/"
      return {
        status: pathname === "/robots.txt" ? 404 : 200,
        headers: new Headers({ "content-type": isPage ? "text/html" : "application/xml" }),
        bytes: isPage ? new TextEncoder().encode(page("Site", "")) : response.bytes,
        via: "http",
        firstByte: null,
      }
    },
  }
  const checkpoint = new MemoryCheckpoints([root])
  const environment = {
    clock: { ...systemClock, now: () => now },
    http,
    dns: () => Promise.reject(new Error("no DNS in tests")),
    tls: () => Promise.reject(new Error("no connections in tests")),
    env: {},
  }
  const input = { url: root, mode: "map", maxUrls: 1000, includeSubdomains: false }
  const signal = new AbortController().signal
  const end = await executeRun({ scraper: extractor, input, checkpoint, environment, signal })
  expect(end.status).toBe("succeeded")
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  expect(now).toBeLessThan(12_000)
  expect(items.length).toBeGreaterThan(3)
  expect(items.at(-1)).toMatchObject({ error: { code: "timeout" } })
  expect((items.at(-1)!.error as { message: string }).message).toMatch(/not read: \d\d sitemaps/)
})
