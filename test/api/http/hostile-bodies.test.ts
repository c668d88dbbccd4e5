import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { catalogue } from "../../../src/catalogue/index.ts"
import { maxIssues } from "../../../src/catalogue/kit/index.ts"
import { samplePairs } from "../../samples.ts"
import { type Answered, TestApp } from "../app.ts"

/**
 * Bodies that are slow to validate, sent to every route that reads one. The tests measure the size
 * of the response, and how the processor time grows with the body.
 */
const largest = 1_000_000
/** Maximum size of a body in a URL: four times what a server accepts as request headers. */
const maxInAddress = 65_536

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 100_000 }, catalogue)
  key = (await app.account({ unlimited: true })).key
})
afterAll(() => app.close())

const repeat = (text: string, size: number) => text.repeat(Math.ceil(size / text.length))
const entries = (entry: string, size: number) => `[${repeat(`${entry},`, size)}${entry}]`
const fields = (size: number, name: (index: number) => string, each: number) =>
  `{${Array.from({ length: Math.ceil(size / each) }, (_, at) => `"${name(at)}":1`).join(",")}}`

/**
 * Returns an input of about the given number of characters, for a scraper that takes `urls` and
 * `fields`.
 */
const inputs: [name: string, (size: number) => string][] = [
  ["wrong entries", (size) => `{"urls":${entries("1", size)},"fields":["a: b"]}`],
  ["wrong entries, as many as may be", () => `{"urls":["a.test"],"fields":${entries("1", 1900)}}`],
  ["right entries, too many", (size) => `{"urls":${entries('"a.test"', size)},"fields":["a: b"]}`],
  ["unknown fields", (size) => fields(size, (at) => `field${at}`, 14)],
  ["an unknown field with a long name", (size) => `{"${repeat("x", size)}":1}`],
  [
    "unknown fields with long names",
    (size) => fields(size, (at) => `${at}${repeat("y", 9000)}`, 9000),
  ],
  ["a long text", (size) => `{"urls":["${repeat("x", size)}"],"fields":["a: b"]}`],
  ["a long selector", (size) => `{"urls":["a.test"],"fields":["a: ${repeat("p ", size)}"]}`],
  [
    "selectors",
    (size) => `{"urls":["a.test"],"fields":${entries(`"a: ${repeat("p>", 9000)}p"`, size)}}`,
  ],
  ["an object for a list", (size) => `{"urls":${fields(size, (at) => `u${at}`, 10)},"fields":{}}`],
  ["a list for an object", (size) => entries("1", size)],
  ["a text for an object", (size) => `"${repeat("x", size)}"`],
  ["lists in lists", (size) => `{"urls":${repeat("[", size / 2)}${repeat("]", size / 2)}}`],
  ["objects in objects", (size) => `${repeat('{"a":', size - 10)}1${repeat("}", (size - 10) / 5)}`],
  ["lists without an end", (size) => repeat("[", size)],
  ["a text without an end", (size) => `"${repeat("x", size)}`],
  ["a word that JSON does not know", (size) => repeat("x", size)],
]

const mcpHeaders = { host: "localhost", accept: "application/json, text/event-stream" }
const rpc = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
const quoted = (text: string) => JSON.stringify(text)

const entryPoints: [name: string, (input: string) => Promise<Answered>][] = [
  ["agent: input", (text) => agent(`{"scraper":"web-scraper","input":${text}}`)],
  ["agent: body", (text) => agent(text)],
  ["agent: scraper", (text) => agent(`{"scraper":${quoted(text)},"input":{}}`)],
  ["agent: agentId", (text) => agent(`{"scraper":"no","agentId":${quoted(text)},"input":{}}`)],
  ["GET: input", (text) => app.get(`/api/scrape/web-scraper?input=${encodeURIComponent(text)}`)],
  ["GET: a parameter", (text) => app.get(`/api/scrape/web-scraper?${encodeURIComponent(text)}=1`)],
  ["GET: scraper", (text) => app.get(`/api/scrape?scraper=${encodeURIComponent(text)}&a=b`)],
  ["GET: tool", (text) => app.get(`/api/tools/markdown?${encodeURIComponent(text)}=1`)],
  ["v1: run", (text) => post("/api/v1/scrapers/web-scraper/runs", text)],
  ["v1: batch", (text) => post("/api/v1/batches", text)],
  [
    "v1: batch inputs",
    (text) => post("/api/v1/batches", `{"scraper":"web-scraper","inputs":[${text}]}`),
  ],
  [
    "v1: batch scraper",
    (text) => post("/api/v1/batches", `{"scraper":${quoted(text)},"inputs":[{}]}`),
  ],
  ["v1: schedule", (text) => post("/api/v1/schedules", text)],
  [
    "v1: schedule input",
    (text) =>
      post("/api/v1/schedules", `{"scraper":"web-scraper","cron":"@daily","input":${text}}`),
  ],
  [
    "v1: schedule cron",
    (text) =>
      post("/api/v1/schedules", `{"scraper":"web-scraper","input":{},"cron":${quoted(text)}}`),
  ],
  ["v1: webhook", (text) => post("/api/v1/webhooks", text)],
  ["v1: webhook url", (text) => post("/api/v1/webhooks", `{"url":${quoted(text)}}`)],
  ["session", (text) => app.post("/api/session", { body: text })],
  ["Firecrawl: scrape", (text) => post("/v2/scrape", text)],
  ["Firecrawl: url", (text) => post("/v2/scrape", `{"url":${quoted(text)}}`)],
  ["Firecrawl: formats", (text) => post("/v1/scrape", `{"url":"a.test","formats":[${text}]}`)],
  ["Firecrawl: map", (text) => post("/v2/map", `{"url":"a.test","search":[${text}]}`)],
  ["Firecrawl: crawl", (text) => post("/v2/crawl", text)],
  ["Firecrawl: batch", (text) => post("/v2/batch/scrape", text)],
  ["Apify: run", (text) => post("/v2/acts/web-scraper/runs", text)],
  ["Apify: check", (text) => post("/v2/acts/web-scraper/validate-input", text)],
  ["Apify: actor", (text) => post(`/v2/acts/${encodeURIComponent(text)}/runs`, "{}")],
  ["Jina: address", (text) => app.get(`/r/${encodeURIComponent(text)}`)],
  [
    "Jina: selector",
    (text) =>
      app.get("/r/https://a.test", { headers: { "x-target-selector": encodeURIComponent(text) } }),
  ],
  ["MCP: message", (text) => mcp(text)],
  ["MCP: arguments", (text) => mcp(rpc(`{"name":"web-scraper","arguments":${text}}`))],
  ["MCP: tool", (text) => mcp(rpc(`{"name":${quoted(text)},"arguments":{}}`))],
  [
    "MCP: query",
    (text) =>
      mcp(rpc(`{"name":"find_scrapers","arguments":{"query":${quoted(text)}}}`), "?set=meta"),
  ],
  [
    "MCP: input",
    (text) =>
      mcp(
        rpc(`{"name":"run_scraper","arguments":{"scraper":"web-scraper","input":${text}}}`),
        "?set=meta",
      ),
  ],
]

/** The routes whose input is a part of the URL, or of a header. */
const inAddress = /^(?:GET|Jina): |^Apify: actor$/

const agent = (body: string) => app.post("/api/agent/scrape", { body })
const post = (path: string, body: string) => app.post(path, { key, body })
const mcp = (body: string, query = "") =>
  app.post(`/api/mcp${query}`, { body, headers: mcpHeaders })

/** Sends a request. Returns the response, and the milliseconds of processor time that it took. */
async function measured<T>(work: () => Promise<T>): Promise<[provided: T, cpuMs: number]> {
  const before = process.cpuUsage()
  const provided = await work()
  const { user, system } = process.cpuUsage(before)
  return [provided, (user + system) / 1000]
}

/**
 * Maximum growth for eight times the body: eight times the work, and a margin; 64 times is
 * quadratic.
 */
const most = 24
/**
 * Times below this are too short to compare, so no request has to take less than `most` times as
 * much.
 */
const noticeableMs = 20

/** Quoting may double the size of a value; the rest of a message adds to it. */
const inBody = largest * 0.4
/**
 * Bodies by name and size: every route is sent the same ones, because creating one takes as long as
 * a response.
 */
const made = new Map<string, string>()

/** A pair of each route and each body; `bun run verify --all` sends each body to each route. */
for (const [[entryPoint, send], [name, make]] of samplePairs(entryPoints, inputs)) {
  test(`${entryPoint}: ${name}`, async () => {
    const size = inAddress.test(entryPoint) ? maxInAddress : inBody
    const whole = made.get(`${name} ${size}`) ?? make(size)
    made.set(`${name} ${size}`, whole)
    const [response, firstMs] = await measured(() => send(whole))
    expect(response.status).toBeLessThan(500)
    expect([401, 403]).not.toContain(response.status)
    expect(response.text.length).toBeLessThan(65_536)
    expect(response.text).not.toContain("its log says why")
    const found =
      response.body?.error?.details ?? response.body?.result?.structuredContent?.error?.details
    if (Array.isArray(found)) expect(found.length).toBeLessThanOrEqual(maxIssues)
    expect(response.body?.status).not.toBe("SUCCEEDED")
    // Most take too little time for a comparison with a small body.
    if (firstMs < most * noticeableMs) return
    const [, smallMs] = await measured(() => send(make(size / 8)))
    const [, largeMs] = await measured(() => send(whole))
    expect(largeMs).toBeLessThan(most * Math.max(smallMs, noticeableMs))
  })
}

test("every scraper reports a limited number of issues in a small response", async () => {
  for (const { slug, input } of catalogue) {
    const wrong = Object.fromEntries(Object.keys(input.properties).map((name) => [name, [{}, {}]]))
    const many = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`unknown${at}`, wrong]),
    )
    for (const body of [wrong, many, { ...wrong, ...many }]) {
      const response = await app.post("/api/agent/scrape", { body: { scraper: slug, input: body } })
      expect([slug, response.body.status]).toEqual([slug, "INVALID_INPUT"])
      expect(response.body.error.details.length, slug).toBeLessThanOrEqual(maxIssues)
      expect(response.text.length, slug).toBeLessThan(65_536)
    }
  }
})

test("a path with an invalid % escape is refused at every route with a name in its path", async () => {
  const paths = [
    "/api/agent/claim/p%ff", "/api/tools/%ff", "/api/scrape/%ff", "/api/v1/runs/%ff", "/api/v1/runs/%e0%a4/log", "/docs/guide/100%",
    "/v2/acts/%ff/runs", "/api/nothing/%",
  ] // biome-ignore format: a list reads better dense
  for (const path of paths) {
    const response = await app.get(path, { key })
    expect([path, response.status]).toEqual([path, 400])
    expect(response.body.error.message).toContain("%25")
  }
  expect((await app.get("/v2/acts/%25ff/runs", { key })).status).toBe(404)
  // The URL of a page may contain an invalid escape.
  expect((await app.get("/r/%ff", { key })).body.message).not.toContain("%25")
})

describe("a Host header without a host is refused", () => {
  for (const host of ['a b<>"', "[::1", "user@example.com", "a/b", "a?b", "a#b", "%zz", "ü.test"]) {
    test(host, async () => {
      for (const path of ["/nope", "/signup", "/api/scrape", "/api/v1/me"]) {
        const response = await app.get(path, { headers: { host } })
        expect([path, response.status]).toEqual([path, 400])
        expect(response.body.error.message).toContain("Host")
      }
    })
  }
  test("one with a host is accepted", async () => {
    for (const host of ["example.com", "example.com:8080", "[::1]:80", "a_b.test", "127.0.0.1"]) {
      expect((await app.get("/healthz", { headers: { host } })).status).toBe(200)
    }
    for (const host of ["nas", "x", "a.b", "pi:80"]) {
      expect((await app.get(`http://${host}/healthz`, { headers: { host } })).status).toBe(200)
      expect((await app.get(`http://${host}/x/healthz`, { headers: { host } })).status).toBe(404)
    }
  })
})
