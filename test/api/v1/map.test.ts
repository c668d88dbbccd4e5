import { afterAll, beforeAll, expect, test } from "bun:test"
import sitemapExtractor from "../../../src/catalogue/web/sitemap-extractor.ts"
import { EgressFilter } from "../../../src/engine/net/egress/filter.ts"
import { LiveTransport } from "../../../src/engine/net/http/live.ts"
import { root, TestApp } from "../app.ts"

const page = (title: string, body: string) =>
  new Response(
    `<html><head><title>${title}</title></head><body><p>${title}</p>${body}</body></html>`,
    {
      headers: { "content-type": "text/html" },
    },
  )
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch({ url }): Response {
    const { pathname } = new URL(url)
    if (pathname === "/") {
      return page(
        "Site",
        '<a href="/prices">Prices</a><link rel="alternate" type="application/rss+xml" href="/feed">',
      )
    }
    if (pathname === "/sitemap.xml") {
      const paths = ["/team/prices", "/prices", "/about"]
      const entries = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`)
      return new Response(`<urlset>${entries.join("")}</urlset>`)
    }
    if (pathname === "/feed") {
      const entry = `<item><title>Prices fall</title><link>${origin}/news/1</link></item>`
      return new Response(`<rss version="2.0"><channel><title>News</title>${entry}</channel></rss>`)
    }
    return new Response("no", { status: 404 })
  },
})
const origin: string = `http://127.0.0.1:${site.port}`

let app: TestApp
let key: string
beforeAll(async () => {
  const filter = new EgressFilter([`127.0.0.1:${site.port}`])
  const http = new LiveTransport(filter)
  app = await TestApp.open({}, [sitemapExtractor], undefined, http)
  key = (await app.account()).key
})
afterAll(async () => {
  await app.close()
  site.stop(true)
})

const mapOf = (query: Record<string, string>, more = {}) =>
  app.get(`/api/v1/map?${new URLSearchParams(query)}`, { key, ...more })

test("a site's URLs with their titles, as a stored run", async () => {
  const { status, body } = await mapOf({ url: origin })
  expect(status).toBe(200)
  expect(body).toMatchObject({ url: origin, status: "succeeded", complete: true, error: null })
  expect(body.links.map((link: { url: string }) => link.url)).toEqual(
    ["/", "/team/prices", "/prices", "/about", "/news/1"].map((path) => origin + path),
  )
  expect(body.links[2]).toEqual({
    url: `${origin}/prices`,
    title: "Prices",
    lastmod: null,
    source: "sitemap",
    sourceUrl: `${origin}/sitemap.xml`,
  })
  expect(body.links[4]).toMatchObject({ title: "Prices fall", source: "feed" })
  expect(body.creditsCharged).toBeGreaterThan(0)
  const run = await app.get(`/api/v1/runs/${body.runId}`, { key })
  expect(run.body).toMatchObject({ scraper: "sitemap-extractor", itemCount: body.count })
  expect(body.datasetItemsUrl).toBe(`${root}/api/v1/datasets/${run.body.datasetId}/items`)
})

test("words filter and rank, a limit cuts", async () => {
  const { body } = await mapOf({ url: origin, search: "prices team", limit: "2" })
  const urls = body.links.map((link: { url: string }) => link.url)
  expect(urls).toEqual([`${origin}/team/prices`, `${origin}/prices`])
  const none = await mapOf({ url: origin, search: "nowhere" })
  expect(none.body).toMatchObject({ complete: true, count: 0, links: [], missing: [] })
})

test("an unreadable site is a failed run with its reason", async () => {
  const { status, body } = await mapOf({ url: "http://127.0.0.1:1/" })
  expect([status, body.status, body.complete, body.links]).toEqual([200, "failed", false, []])
  expect(body.error.code).toBe("egress_denied")
  expect(body.missing.length).toBeGreaterThan(0)
})

test.each([
  [{}, "url"],
  [{ url: "mailto:a@b.example" }, "url"],
  [{ url: origin, limit: "5001" }, "limit"],
  [{ url: origin, serach: "x" }, "serach"],
])("%j is refused, and the field named", async (query, field) => {
  const { status, body } = await mapOf(query)
  expect([status, body.error.details[0].field]).toEqual([400, field])
})

test("mapping needs the scope to start runs", async () => {
  const anonymousCaller = await app.get(`/api/v1/map?url=${origin}`)
  expect(anonymousCaller.status).toBe(401)
  const made = await app.post("/api/v1/keys", { key, body: { name: "reader", scopes: ["read"] } })
  const reader = await mapOf({ url: origin }, { key: made.body.apiKey })
  expect([reader.status, reader.body.error.message]).toEqual([
    403,
    'This API key lacks the scope "run". Create a key that has it.',
  ])
})

test("a signed-in browser maps for its own pages, not for those of another site", async () => {
  const account = { email: "mapper@example.com", password: "correct horse battery" }
  const { headers } = await app.post("/api/account", { body: account })
  const cookie = /trawl_session=[^;]*/.exec(headers.get("set-cookie") ?? "")![0]
  const from = async (site: string) =>
    (await app.get(`/api/v1/map?url=${origin}`, { headers: { cookie, "sec-fetch-site": site } }))
      .status
  expect([await from("same-origin"), await from("cross-site")]).toEqual([200, 403])
})
