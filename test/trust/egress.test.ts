import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { Images } from "../../src/api/console/images.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import type { EgressFilter } from "../../src/engine/net/egress/filter.ts"
import type { Transport } from "../../src/engine/net/http/exchange.ts"
import { LiveTransport } from "../../src/engine/net/http/live.ts"
import { LocalTransport } from "../../src/engine/ops/destinations/transport.ts"
import { WebhookSender } from "../../src/engine/ops/notifications/sender.ts"
import { destinationByName } from "../../src/store/destinations/destinations.ts"
import { TestApp } from "../api/app.ts"
import { describedRoutes } from "../api/described.ts"
import { attackedFilter, Probe, spellings } from "./forbidden.ts"
import { addresses, egressRouter, noAddress, undocumented } from "./outgoing-files.ts"
import { textFields, tryField } from "./scraper-inputs.ts"

const src = join(import.meta.dir, "../../src")

const modules =
  /^(?:node:)?(?:net|tls|https?|http2|dgram|dns|dns\/promises|child_process)$|^(?:nodemailer|puppeteer-core|undici|ws|@puppeteer\/browsers)$/
const calls =
  /(?<![.\w"'`])fetch\(|(?<![.\w])fetch(?=\s*[,;)}])|Bun\.(?:connect|listen|serve|udpSocket|dns|S3Client|s3|SQL|sql|RedisClient|redis|spawn|spawnSync|fetch)\b|new (?:WebSocket|EventSource|XMLHttpRequest|S3Client|SQL|RedisClient|WebTransport)\b/

/** Returns whether code contains a call by which bytes leave the process. */
function holdsMethodOut(file: string, code: string): boolean {
  const { imports } = new Bun.Transpiler({ loader: file.endsWith("x") ? "tsx" : "ts" }).scan(code)
  if (imports.some(({ path }) => modules.test(path))) return true
  return calls.test(code.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, ""))
}

describe("outgoing connections of the code", () => {
  test("are the listed ones, each with the source of its host", async () => {
    const found: string[] = []
    for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(src)) {
      if (file.startsWith("console/")) continue
      if (holdsMethodOut(file, await Bun.file(join(src, file)).text())) found.push(file)
    }
    expect(found.sort()).toEqual(Object.keys(egressRouter).sort())
  })

  test("are found in whatever form they are written", () => {
    for (const code of [
      "await fetch(url)",
      "const send = fetch;",
      "use({ fetch })",
      'import { connect } from "node:net"; connect(1)',
      'import http from "https"; http.get("x")',
      'const { request } = await import("node:http"); request("x")',
      'import mailer from "nodemailer"; mailer()',
      "new WebSocket(url)",
      "Bun.connect({})",
      "await Bun.udpSocket({})",
      "new Bun.SQL(url)",
    ]) {
      expect(holdsMethodOut("a.ts", code), code).toBe(true)
    }
    expect(holdsMethodOut("a.ts", "// fetch(url)\nawait transport.send(url)")).toBe(false)
  })
})

let app: TestApp
let key: string
let probe: Probe
let transport: Transport
beforeAll(async () => {
  probe = await Probe.open()
  const settings = { freeDaily: 1_000_000, keylessWait: 1, runsPerAccount: 100 }
  app = await TestApp.open(settings, catalogue, "operator", {
    send: (request) => transport.send(request),
  })
  key = (await app.account({ unlimited: true })).key
})
afterAll(async () => {
  await app.close()
  probe.close()
})

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown
  const?: unknown
}

/** Returns the free texts of a schema by their path. */
function texts(schema: Schema | undefined, location: string): string[] {
  if (!schema) return []
  const { anyOf = [], oneOf = [], allOf = [], properties = {}, items } = schema
  return [
    ...(schema.type === "string" && !schema.enum && schema.const === undefined ? [location] : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => texts(one, location)),
    ...Object.entries(properties).flatMap(([name, one]) => texts(one, `${location}.${name}`)),
    ...texts(items, location),
  ]
}

describe("entry points", () => {
  test("of the API that accept texts are listed with their content", () => {
    const found = new Set<string>()
    for (const { detail } of describedRoutes(app.app)) {
      const {
        operationId,
        parameters = [],
        requestBody,
      } = detail as unknown as {
        operationId: string
        parameters?: { name: string; in: string; schema: Schema }[]
        requestBody?: { content: Record<string, { schema: Schema }> }
      }
      for (const one of parameters)
        for (const location of texts(one.schema, `${one.in}:${one.name}`))
          found.add(`${operationId} ${location}`)
      for (const { schema } of Object.values(requestBody?.content ?? {}))
        for (const location of texts(schema, "body")) found.add(`${operationId} ${location}`)
    }
    const nameOf = (location: string) => /[^:.]*$/.exec(location)![0]
    const unknown = [...found].filter(
      (location) =>
        !(location in addresses) && !noAddress.has(nameOf(location)) && !noAddress.has(location),
    )
    expect(unknown).toEqual([])
    expect(Object.keys(addresses).filter((location) => !found.has(location))).toEqual([])
  })

  test("that are undocumented are other services' calls", () => {
    const reported = new Set(
      describedRoutes(app.app).map(({ method, path }) => `${method} ${path}`),
    )
    const known = Object.keys(undocumented)
    const others = app.app.routes
      .filter(({ method, path }) => method !== "OPTIONS" && !reported.has(`${method} ${path}`))
      .map(({ path }) => path)
      .filter((path) => !known.some((start) => path.startsWith(start)))
    // The front page; by POST it is Jina's reader.
    expect([...new Set(others)]).toEqual(["/"])
  })
})

const mcp = (name: string, args: object) =>
  app.post("/api/mcp", {
    headers: { host: "localhost", accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  })
const agent = (scraper: string, input: object) =>
  app.post("/api/agent/scrape", { body: { scraper, input } })
const post = (path: string, body: object) => app.post(path, { key, body })
const param = encodeURIComponent

/**
 * The entry points for a page's URL. Those that accept only one site's URLs cannot reach another
 * host.
 */
const entryPoints: [name: string, (text: string) => Promise<unknown>, leads?: false][] = [
  ["scrape by url", (text) => app.get(`/api/scrape?url=${param(text)}`)],
  ["scrape by input", (text) => app.get(`/api/scrape/web-scraper?input=${param(JSON.stringify({ urls: [text], fields: ["a: b"] }))}`)],
  ["scrape by field", (text) => app.get(`/api/scrape?scraper=meta-tags-scraper&urls=${param(text)}`)],
  ...["email", "markdown", "meta-tags", "sitemap"].map(
    (tool): (typeof entryPoints)[number] => [tool, (text) => app.get(`/api/tools/${tool}?url=${param(text)}`)],
  ),
  ["youtube", (text) => app.get(`/api/tools/youtube?url=${param(text)}`), false],
  ["whois", (text) => app.get(`/api/tools/whois?domain=${param(text)}`), false],
  ["agent", (text) => agent("url-to-markdown-scraper", { urls: [text] })],
  ["MCP", (text) => mcp("url-to-markdown-scraper", { urls: [text] })],
  ["map", (text) => app.get(`/api/v1/map?url=${param(text)}`, { key })],
  ["run", (text) => post("/api/v1/scrapers/url-to-markdown-scraper/runs", { urls: [text] })],
  ["batch", (text) => post("/api/v1/batches", { scraper: "url-to-markdown-scraper", inputs: [{ urls: [text] }] })],
  ["Jina", (text) => app.get(`/r/${text}`, { key })],
  ["Firecrawl scrape", (text) => post("/v2/scrape", { url: text })],
  ["Firecrawl crawl", (text) => post("/v1/crawl", { url: text, limit: 1 })],
  ["Firecrawl batch", (text) => post("/v2/batch/scrape", { urls: [text] })],
  ["Firecrawl map", (text) => post("/v2/map", { url: text })],
  ["Apify", (text) => post("/v2/acts/url-to-markdown-scraper/runs", { urls: [text] })],
] // biome-ignore format: a table reads better dense

/** Waits until each accepted run has ended. */
async function idle(): Promise<void> {
  const unended = app.store.db
    .selectFrom("runs")
    .select("id")
    .where("status", "in", ["queued", "running", "aborting"])
    .limit(1)
  while (await unended.executeTakeFirst()) await Bun.sleep(20)
}

beforeEach(() => {
  probe.reached = 0
})

describe("no forbidden IP address is reached", () => {
  test("by any route of the API, which reaches it if it is allowed", async () => {
    transport = new LiveTransport(attackedFilter(["127.0.0.1"]))
    for (const [name, request, leads = true] of entryPoints) {
      const before = probe.reached
      await request(`http://127.0.0.1:${probe.port}/${param(name)}`)
      await idle()
      expect(probe.reached > before, name).toBe(leads)
    }
    transport = new LiveTransport(attackedFilter())
    probe.reached = 0
    const requested = spellings(probe.port).flatMap((text, index) =>
      // Each URL tests several entry points, and each entry point several URLs.
      entryPoints
        .filter((_, number) => (number + index) % 11 === 0)
        .map(([, request]) => request(text).catch(() => {})),
    )
    await Promise.all(requested)
    await idle()
    expect(requested.length).toBeGreaterThan(80)
    expect(probe.reached).toBe(0)
  }, 60_000)

  test("by a webhook or a notification channel", async () => {
    transport = new LiveTransport(attackedFilter())
    const { key } = await app.account()
    let taken = 0
    for (const url of spellings(probe.port)) {
      const hook = await app.post("/api/v1/webhooks", { key, body: { url } })
      const channel = await app.post("/api/v1/notifications", { key, body: { kind: "ntfy", url } })
      for (const { status } of [hook, channel]) if (status === 201) taken++
    }
    // Host names are checked at each delivery.
    expect(taken).toBeGreaterThan(5)
    await post("/api/v1/scrapers/url-to-markdown-scraper/runs", { urls: ["inside.test"] })
    await app.post("/api/v1/scrapers/url-to-markdown-scraper/runs", {
      key,
      body: { urls: ["inside.test"] },
    })
    await idle()
    const sender = new WebhookSender({
      store: app.store,
      dispatcher: app.dispatcherWith(transport),
      onError: (message) => {
        throw new Error(message)
      },
    })
    expect(await sender.sendDue()).toBeGreaterThan(5)
    expect(probe.reached).toBe(0)
  })

  test("by a destination", async () => {
    const { id: accountId, key } = await app.account()
    const { config, store } = app.service
    const carrier = new LocalTransport(store, store.secrets, config, attackedFilter())
    const signal = new AbortController().signal
    const bucket = { bucket: "items", accessKeyId: "id", secretAccessKey: "key" }
    let stored = 0
    for (const [index, url] of spellings(probe.port).entries()) {
      const database = url.replace(/^https?:\/\//, "postgres://ada:pass@").replace(/\/*$/, "/shop")
      for (const body of [
        { kind: "webhook", url },
        { kind: "s3", url, ...bucket },
        { kind: "postgres", url: database, table: "items" },
      ]) {
        const name = `${body.kind}-${index}`
        const { status } = await app.post("/api/v1/destinations", { key, body: { name, ...body } })
        if (status === 409) break
        if (status !== 201) continue
        stored++
        const row = (await destinationByName(store.db, { name, accountId }))!
        // Host names are checked at each connection.
        expect(await carrier.test(row, signal), url).toMatchObject({ error: expect.any(String) })
        await store.write("destinations.delete", { id: row.id, accountId })
      }
    }
    expect(stored).toBeGreaterThan(5)
    expect(probe.reached).toBe(0)
  }, 120_000)

  test("by an image that the console shows", async () => {
    const settings = { egressAllow: [], proxyUrls: [], replay: [], hostRateLimits: [] }
    const { signal } = new AbortController()
    const seen = (text: string, egressFilter: EgressFilter) =>
      new Images(settings, undefined, new LiveTransport(egressFilter)).of(text, "acc_1", signal)
    await seen(`http://127.0.0.1:${probe.port}/`, attackedFilter(["127.0.0.1"]))
    expect(probe.reached).toBe(1)
    for (const text of spellings(probe.port)) {
      expect(await seen(text, attackedFilter()), text).toBeUndefined()
    }
    expect(probe.reached).toBe(1)
  })

  test("by any text in any input of any scraper", async () => {
    const fields = textFields(catalogue)
    const texts = spellings(probe.port)
    expect(fields.length).toBeGreaterThan(200)
    const egressFilter = attackedFilter()
    let tried = 0
    for (const [index, field] of fields.entries()) {
      const text = texts[index % texts.length]!
      if (await tryField(field, text, egressFilter)) tried++
    }
    expect(tried).toBeGreaterThan(50)
    expect(probe.reached).toBe(0)
  }, 60_000)
})
