import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { catalogue } from "../../../src/catalogue/index.ts"
import { type AnyScraper, inputObject } from "../../../src/catalogue/kit/index.ts"
import { TestApp } from "../app.ts"
import { Gate, testScrapers } from "../scrapers.ts"

/**
 * Every route of the service is called by every kind of caller, and the test observes what it
 * writes.
 */
const slug = "words-scraper"
const site = "http://127.0.0.1:8080"
const queries: Record<string, string> = {
  "/api/v1/map": "url=https://site.test",
  "/api/scrape": `scraper=${slug}&words=hi`,
  "/api/scrape/:scraper": "words=hi",
}

interface Setup {
  app: TestApp
  cookie: string
  /** Runs and other objects of the account that a request wrote. */
  written: string[]
  keys: Record<string, string>
  params: Record<string, string>
}

/** Counters that read-only requests change, too. */
const bookkeeping = /^(?:keys\.used|freeQuota\.|sessions\.|idempotency\.|store\.probe)/

async function open(baseUrl: string | undefined): Promise<Setup> {
  const [words] = testScrapers(new Gate())
  const optional = Type.Array(Type.String(), { default: ["hi"], description: "Words to say." })
  const inputless: AnyScraper = {
    ...words!,
    slug: "inputless-scraper",
    input: inputObject({ words: optional }),
  }
  const scrapers = [words!, inputless]
  const maps = catalogue.filter((one) => one.slug === "sitemap-extractor")
  const app = await TestApp.open({ baseUrl } as { baseUrl: string }, [...maps, ...scrapers])
  const root = baseUrl ?? site
  const account = { email: "owner@example.com", password: "correct horse battery" }
  const { headers } = await app.post(`${root}/api/account`, { body: account })
  const cookie = /trawl_session=[^;]*/.exec(headers.get("set-cookie") ?? "")![0]
  const own = { cookie, "sec-fetch-site": "same-origin" }
  const keys: Record<string, string> = {}
  for (const scopes of [["read"], ["run"], ["admin"], ["read", "run"]]) {
    const made = await app.post(`${root}/api/v1/keys`, {
      headers: own,
      body: { name: scopes.join(), scopes },
    })
    if (made.status === 201) keys[scopes.join()] = made.body.apiKey
  }
  const run = await app.run(keys["read,run"]!, ["hi"])
  const written: string[] = []
  const write = app.store.write.bind(app.store)
  app.store.write = ((command: string, args: { run?: { accountId: string | null } }) => {
    const isAnonymous = command === "runs.start" && args.run?.accountId === null
    if (!bookkeeping.test(command)) written.push(isAnonymous ? "anonymous run" : command)
    return (write as (command: string, args: unknown) => Promise<unknown>)(command, args)
  }) as typeof app.store.write
  const params = {
    actor: "trawl~inputless-scraper",
    slug,
    scraper: slug,
    runId: run.id,
    run: run.id,
    id: run.id,
    datasetId: run.datasetId,
    dataset: run.datasetId,
    "*": "https://site.test/",
  }
  return { app, cookie, written, keys, params }
}

const methodsOf = (method: string) => (method === "ALL" ? ["GET", "POST"] : [method])

/** Requests to all routes: method, path of the route, and a URL of it. */
function callsOf({ app, params }: Setup): { method: string; route: string; path: string }[] {
  return app.app.routes
    .filter(({ method }) => method !== "OPTIONS")
    .flatMap(({ method, path: route }) => {
      const path = route.replace(/:(\w+)|\*/g, (whole, name) => params[name ?? whole] ?? "abcdef")
      return methodsOf(method).map((one) => ({
        method: one,
        route: `${one} ${route}`,
        path: queries[route] ? `${path}?${queries[route]}` : path,
      }))
    })
}

const body = {
  url: "https://site.test/",
  urls: ["https://site.test/"],
  query: "hi",
  words: ["hi"],
  name: "a name",
}

/** Bodies of routes that check the body before the key. */
const bodies: Record<string, unknown> = {
  extract: { urls: body.urls, schema: { type: "object", properties: { a: { type: "string" } } } },
  mcp: {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: slug, arguments: { words: ["hi"] } },
  },
}
const bodyFor = (path: string) => bodies[path.split("/").at(-1)!] ?? body

/** Routes that accept a form, and no JSON; their query has the same fields. */
const formRoutes = new Set(["POST /search"])

/** Routes that need no key: of sessions and passwords, and one that reads the page in its body. */
const keyless = [
  "DELETE /api/account",
  "DELETE /api/session",
  "POST /api/account",
  "POST /api/account/password",
  "POST /api/session",
  "POST /api/v1/datasets/:datasetId/links/unlock",
  "POST /console/fields",
  "POST /signup",
]

/** Routes that wrote something, with what they wrote. */
async function writes(
  setup: Setup,
  root: string,
  headers: Record<string, string>,
  choose = (_: string) => true,
): Promise<string[]> {
  const found: string[] = []
  for (const { method, route, path } of callsOf(setup)) {
    if (!choose(route) || route.includes("/events") || route.includes("/log")) continue
    setup.written.length = 0
    const hasBody = !["GET", "HEAD", "DELETE"].includes(method)
    const response = await setup.app.raw(method, root + path, {
      headers,
      ...(hasBody && { body: bodyFor(path) }),
    })
    await response.body?.cancel()
    const commands = [...new Set(setup.written)]
    if (commands.length > 0) found.push(`${route} ${commands[0]}`)
  }
  return found
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const isKeyless = (line: string) => line.endsWith(" anonymous run")

describe("a published service", () => {
  const root = "http://trawl.test"
  let setup: Setup
  beforeAll(async () => {
    setup = await open(root)
  })
  afterAll(() => setup.app.close())

  test("a read-only key changes nothing by any route", async () => {
    expect(await writes(setup, root, bearer(setup.keys.read!))).toEqual([])
  }, 120_000)

  test("a read-only key is refused by every route that writes", async () => {
    const accept = "application/json, text/event-stream"
    const headers = { ...bearer(setup.keys.read!), accept }
    const open: string[] = []
    for (const { method, route, path } of callsOf(setup)) {
      if (["GET", "HEAD"].includes(method)) continue
      const hasBody = method !== "DELETE" && !formRoutes.has(route)
      const response = await setup.app.raw(method, root + path, {
        headers,
        ...(hasBody && { body: bodyFor(path) }),
      })
      const text = await response.text()
      const isRefused =
        [401, 403].includes(response.status) || /lacks the scope|is not supported/.test(text)
      if (!isRefused) open.push(route)
    }
    expect(open.sort()).toEqual(keyless)
  }, 120_000)

  test("a run-only key reads nothing that needs an account", async () => {
    const statuses = async (headers: Record<string, string>) => {
      const good = new Set<string>()
      for (const { method, route, path } of callsOf(setup)) {
        if (method !== "GET" || /events|log/.test(route)) continue
        const response = await setup.app.raw(method, root + path, { headers })
        const text = await response.text()
        if (response.ok && !/lacks the scope/.test(text)) good.add(route)
      }
      return good
    }
    const anonymous = await statuses({})
    const runner = await statuses(bearer(setup.keys.run!))
    expect([...runner.difference(anonymous)]).toEqual([])
    const reader = await statuses(bearer(setup.keys.read!))
    expect([...reader.difference(anonymous)].length).toBeGreaterThan(30)
  }, 120_000)

  test.each([
    ["with fetch metadata", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
    ["of the same site", { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" }],
    ["with an Origin", { origin: "https://evil.example" }],
    ["with a Referer", { referer: "https://evil.example/page" }],
  ])(
    "a page of another site changes nothing of a signed-in account: %s",
    async (_, from) => {
      const headers = { cookie: setup.cookie, ...(from as Record<string, string>) }
      const changed = await writes(setup, root, headers)
      expect(changed.filter((line) => !isKeyless(line))).toEqual([])
    },
    120_000,
  )

  test("a GET with an unknown origin changes nothing of a signed-in account", async () => {
    const isGet = (route: string) => route.startsWith("GET ")
    const changed = await writes(setup, root, { cookie: setup.cookie }, isGet)
    expect(changed.filter((line) => !isKeyless(line))).toEqual([])
  }, 120_000)

  test("GET starts runs of an account by these routes only", async () => {
    const isGet = (route: string) => route.startsWith("GET ")
    const headers = { cookie: setup.cookie, "sec-fetch-site": "same-origin" }
    const changed = await writes(setup, root, headers, isGet)
    expect(changed.filter((line) => !isKeyless(line)).sort()).toEqual([
      "GET /api/v1/map runs.start",
      "GET /v2/actors/:actor/run-sync-get-dataset-items runs.start",
      "GET /v2/acts/:actor/run-sync-get-dataset-items runs.start",
    ])
  }, 120_000)

  test("a start by GET accepts no webhooks", async () => {
    const hooks = [{ eventTypes: ["ACTOR.RUN.SUCCEEDED"], requestUrl: "https://evil.example/" }]
    const webhooks = encodeURIComponent(Buffer.from(JSON.stringify(hooks)).toString("base64"))
    const path = `/v2/acts/trawl~${slug}/run-sync-get-dataset-items?webhooks=${webhooks}`
    const { status, body } = await setup.app.get(root + path, { key: setup.keys["read,run"] })
    expect([status, body.error.message]).toEqual([
      400,
      '"webhooks" cannot be sent by GET; start the run with POST.',
    ])
  })
})

describe("a service on loopback", () => {
  let setup: Setup
  beforeAll(async () => {
    setup = await open(undefined)
  })
  afterAll(() => setup.app.close())

  test("a link or a form of another site changes nothing by any route", async () => {
    const visit = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }
    const headers = { host: "127.0.0.1:8080", cookie: setup.cookie, ...visit }
    expect(await writes(setup, site, headers)).toEqual([])
  }, 120_000)

  test("the same calls without a browser start anonymous runs", async () => {
    const headers = { host: "127.0.0.1:8080" }
    const changed = await writes(setup, site, headers, (route) => route.startsWith("GET "))
    expect(changed).toContain("GET /api/scrape anonymous run")
  }, 120_000)
})
