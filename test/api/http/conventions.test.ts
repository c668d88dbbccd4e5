import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Server } from "bun"
import { TestApp } from "../app.ts"

let app: TestApp
let server: Server<undefined>
let key: string
beforeAll(async () => {
  app = await TestApp.open()
  server = Bun.serve({ port: 0, fetch: (request) => app.app.handle(request) })
  key = (await app.account()).key
})
afterAll(async () => {
  await server.stop(true)
  await app.close()
})

async function statusLine(request: string): Promise<string> {
  const closed = Promise.withResolvers<string>()
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: server.port!,
    socket: {
      data: (_, bytes) => closed.resolve(bytes.toString().split("\r\n")[0]!),
      close: () => closed.resolve(""),
    },
  })
  socket.write(request)
  const line = await closed.promise
  socket.end()
  return line
}

describe("a health check over HTTP/1.0 without Host", () => {
  test.each(["/healthz", "/readyz"])("%s returns 200", async (path) => {
    expect(await statusLine(`GET ${path} HTTP/1.0\r\n\r\n`)).toContain(" 200 ")
  })

  test("is the only call without Host that is answered", async () => {
    expect(await statusLine("GET /api/tools HTTP/1.0\r\n\r\n")).toContain(" 400 ")
  })
})

test("OPTIONS returns the methods of a path", async () => {
  const { status, headers } = await app.call("OPTIONS", "/api/v1/me")
  expect([status, headers.get("allow")]).toEqual([
    204,
    expect.stringMatching(/^GET, HEAD,.*OPTIONS$/),
  ])
  expect((await app.call("OPTIONS", "/api/v1/nothing")).status).toBe(404)
})

test.each(["/openapi.json", "/llms.txt", "/docs"])("%s returns 304 for its ETag", async (path) => {
  const first = await app.get(path)
  const etag = first.headers.get("etag")!
  expect(etag).toStartWith("W/")
  const again = await app.get(path, { headers: { "if-none-match": `"other", ${etag}` } })
  expect([again.status, again.text]).toEqual([304, ""])
  expect((await app.get(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200)
})

test("HEAD of a scrape states no length, because it runs none", async () => {
  const { headers } = await fetch(`http://127.0.0.1:${server.port}/api/scrape?url=https://a.test`, {
    method: "HEAD",
  })
  expect(headers.get("content-length")).toBeNull()
})

test.each([
  ["/api/%74ools?a=%62", "/api/tools?a=%62"],
  ["/api/v1/%6De", "/api/v1/me"],
])("%s, which is needlessly encoded, redirects to %s", async (path, location) => {
  const { status, headers } = await app.get(path, { key })
  expect([status, headers.get("location")]).toEqual([308, location])
})

test("a path that would name another host is not redirected", async () => {
  expect((await app.get("//%65vil.test/x")).status).toBe(404)
})

test("query parameters of a route without any are refused by name, after the key", async () => {
  const refused = await app.get("/api/v1/me?nope=1", { key })
  expect([refused.status, refused.body.error.code]).toEqual([400, "invalid_input"])
  expect(refused.body.error.details).toMatchObject([{ field: "nope", actual: "1" }])
  expect((await app.get("/api/v1/me?nope=1")).status).toBe(401)
  expect((await app.get("/api/v1/me", { key })).status).toBe(200)
})

test.each([
  ["/api/v1/runs/run_unknown", "not_found"],
  ["/api/v1/runs?limit=x", "invalid_input"],
  ["/api/v1/nope", "not_found"],
])("the error of %s has the code %s", async (path, code) => {
  expect((await app.get(path, { key })).body.error.code).toBe(code)
})

test("errors of v1 name the next step", async () => {
  const missing = await app.get("/api/v1/nope", { key })
  expect(missing.body.error.message).toBe(
    "There is no GET /api/v1/nope. All routes are listed at /docs.md.",
  )
  const wrong = await app.get("/api/v1/me", { key: "trawl_live_wrong" })
  expect(wrong.body.error.message).toContain("revoked")
})

test("the error of an unknown run repeats its ID", async () => {
  const { status, body } = await app.get("/api/v1/runs/run_unknown", { key })
  expect([status, body.error.message]).toEqual([
    404,
    'There is no run "run_unknown"; it may have been deleted.',
  ])
})

test("a single value that is given twice is refused by name", async () => {
  const refused = await app.get("/api/v1/runs?limit=1&limit=2", { key })
  expect(refused.status).toBe(400)
  expect(refused.body.error.details[0].field).toBe("limit")
})

test("fields inside input start an extraction, as top-level fields do", async () => {
  const { modeOf } = await import("../../../src/api/keyless/modes.ts")
  const input = encodeURIComponent('{"fields":["title: h1"]}')
  const query = new URLSearchParams(`url=https://example.com&input=${input}`)
  const { scraperBySlug } = await import("../../../src/catalogue/index.ts")
  const registry = { slugs: ["web-scraper"], scraper: scraperBySlug }
  expect(modeOf(registry as never, query)).toMatchObject({ request: { tool: "web-scraper" } })
})

test("a value of a list may contain |", async () => {
  const { body } = await app.get("/api/scrape/words-scraper?words=a\\|b|c")
  expect(JSON.parse(body.input).words).toEqual(["a|b", "c"])
})

test.each(["compatibility", "mcp"])("the guide has the page %s", async (page) => {
  const { status, text } = await app.get(`/docs/guide/${page}`)
  expect(status).toBe(200)
  expect(text).not.toMatch(/href="[^":]*\.md/)
})

test("an input whose targets the scraper refuses starts no run", async () => {
  const scrapers = await import("../../../src/catalogue/pypi/pypi-package-scraper.ts")
  const [scraper] = Object.values(scrapers)
  const other = await TestApp.open({}, [scraper as never])
  const account = await other.account()
  const start = (packages: string[]) =>
    other.post("/api/v1/scrapers/pypi-package-scraper/runs", {
      key: account.key,
      body: { packages },
    })
  const refused = await start(["!!!", "???"])
  expect(refused.status).toBe(400)
  expect(refused.body.error.details).toMatchObject([
    { field: "packages[0]", actual: "!!!" },
    { field: "packages[1]", actual: "???" },
  ])
  const { body } = await other.get("/api/v1/runs", { key: account.key })
  expect(body.total).toBe(0)
  await other.close()
})

test.each([
  ["99 * * * *", '"99" is not valid for the minute', "0-59"],
  ["0 0 L * *", '"L" is an extension of other schedulers', "day of the month"],
  ["0 H * * *", '"H" is an extension of other schedulers', "hour"],
  ["0 0 * * ?", '"?" is an extension of other schedulers', "day of the week"],
  ["0 0 *", "3 fields", "instead of five"],
])("the error of the Cron expression %s names the field", async (cron, cause, position) => {
  const body = { scraper: "words-scraper", cron, input: { words: ["one"] } }
  const refused = await app.post("/api/v1/schedules", { key, body })
  expect(refused.status).toBe(400)
  expect(refused.body.error.details[0].field).toBe("cron")
  expect(refused.body.error.message).toContain(cause)
  expect(refused.body.error.message).toContain(position)
})
