import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { fixedTools } from "../../../src/api/keyless/fixed-tools.ts"
import { type CallOptions, root, TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 10_000 })
})
afterAll(() => app.close())

interface Scenario {
  name: string
  path: string
  options?: CallOptions
  status: string
  /** Fields that the response must contain. */
  holds?: Record<string, unknown>
  /** Texts that error.message must contain. */
  says?: string[]
}

const words = "/api/scrape/words-scraper"

const scenarios: Scenario[] = [
  {
    name: "any page as Markdown",
    path: "/api/scrape?url=https://example.com/",
    status: "SUCCEEDED",
    holds: {
      tool: "url-to-markdown-scraper",
      input: '{"urls":["https://example.com/"]}',
      itemCount: 1,
    },
  },
  {
    name: "own extraction",
    path: "/api/scrape?url=https://example.com/&fields=title:%20h1|price:%20.price",
    status: "SUCCEEDED",
    holds: {
      tool: "web-scraper",
      items: [{ input: "https://example.com/", fields: ["title: h1", "price: .price"] }],
    },
  },
  {
    name: "named scraper by query",
    path: "/api/scrape?scraper=words-scraper&words=hi",
    status: "SUCCEEDED",
    holds: { tool: "words-scraper", itemCount: 1 },
  },
  {
    name: "named scraper by path, lists by |",
    path: `${words}?words=a|b&times=2`,
    status: "SUCCEEDED",
    holds: { itemCount: 4, input: '{"words":["a","b"],"times":2,"loud":false}' },
  },
  {
    name: "lists by repeating",
    path: `${words}?words=a&words=b`,
    status: "SUCCEEDED",
    holds: { itemCount: 2 },
  },
  {
    name: "booleans and numbers are converted",
    path: `${words}?words=a&loud=yes&ratio=0.5&times=1`,
    status: "SUCCEEDED",
    holds: { input: '{"words":["a"],"loud":true,"ratio":0.5,"times":1}' },
  },
  {
    name: "input as JSON",
    path: `${words}?input=${encodeURIComponent('{"words":["x|y"],"times":1}')}`,
    status: "SUCCEEDED",
    holds: { input: '{"words":["x|y"],"times":1,"loud":false}' },
  },
  {
    name: "named parameters win over input",
    path: `${words}?times=3&input=${encodeURIComponent('{"words":["x"],"times":1}')}`,
    status: "SUCCEEDED",
    holds: { itemCount: 3 },
  },
  {
    name: "a scraper without required input runs with input={}",
    path: "/api/scrape/news-scraper?input={}",
    status: "SUCCEEDED",
    holds: { items: [{ topic: "world" }] },
  },
  {
    name: "some targets fail",
    path: `${words}?words=a|missing`,
    status: "SUCCEEDED",
    holds: { itemCount: 2 },
  },
  {
    name: "all targets fail",
    path: `${words}?words=missing`,
    status: "ERROR",
    holds: { itemCount: 1 },
    says: ['There is no "missing".'],
  },
  {
    name: "card",
    path: words,
    status: "USAGE",
    holds: { tool: "words-scraper", itemCount: 0, fetchMethods: ["http", "browser-http"] },
  },
  { name: "card by query", path: "/api/scrape?scraper=words-scraper", status: "USAGE" },
  { name: "card of one without required input", path: "/api/scrape/news-scraper", status: "USAGE" },
  {
    name: "unknown slug",
    path: "/api/scrape/wrods-scraper?words=a",
    status: "INVALID_INPUT",
    says: ["words-scraper"],
  },
  {
    name: "unknown slug by query",
    path: "/api/scrape?scraper=nothing-like-it&words=a",
    status: "INVALID_INPUT",
  },
  {
    name: "unknown field",
    path: `${words}?wrods=a`,
    status: "INVALID_INPUT",
    says: ['Did you mean "words"?', '"words" is required'],
  },
  { name: "bad number", path: `${words}?words=a&times=many`, status: "INVALID_INPUT" },
  { name: "number out of range", path: `${words}?words=a&times=51`, status: "INVALID_INPUT" },
  { name: "bad word of a list", path: `${words}?words=a&mode=grand`, status: "INVALID_INPUT" },
  { name: "empty list", path: `${words}?words=`, status: "INVALID_INPUT" },
  { name: "input is not JSON", path: `${words}?input={words}`, status: "INVALID_INPUT" },
  { name: "input is not an object", path: `${words}?input=[1]`, status: "INVALID_INPUT" },
  { name: "the scraper refuses", path: `${words}?words=refused`, status: "INVALID_INPUT" },
  {
    name: "the metered way without a key",
    path: `${words}?words=a&useUnlocker=true`,
    status: "INVALID_INPUT",
    says: ["costs credits"],
  },
  { name: "fields without url", path: "/api/scrape?fields=a:b", status: "INVALID_INPUT" },
  { name: "empty url", path: "/api/scrape?url=", status: "INVALID_INPUT" },
  {
    name: "parameter that the mode has not",
    path: "/api/scrape?url=https://x.test&depth=2",
    status: "INVALID_INPUT",
  },
  {
    name: "bad token",
    path: `${words}?words=a&token=trawl_live_nobodys`,
    status: "ERROR",
    says: ["not a valid API key"],
  },
  { name: "token of another form", path: `${words}?words=a&token=x`, status: "ERROR" },
  {
    name: "agent id too long",
    path: `${words}?words=a&agentId=${"x".repeat(200)}`,
    status: "INVALID_INPUT",
  },
  { name: "unknown result", path: "/api/results/nothing", status: "ERROR" },
  {
    name: "fixed tool",
    path: "/api/tools/url-to-markdown?url=https://example.com",
    status: "SUCCEEDED",
    holds: { tool: "url-to-markdown", input: "https://example.com", itemCount: 1 },
  },
  {
    name: "alias",
    path: "/api/tools/markdown?url=https://example.com",
    status: "SUCCEEDED",
    holds: { tool: "url-to-markdown" },
  },
  {
    name: "fixed tool without its parameter",
    path: "/api/tools/whois-lookup",
    status: "USAGE",
    holds: { tool: "whois-lookup" },
  },
  { name: "fixed tool, empty parameter", path: "/api/tools/whois?domain=", status: "USAGE" },
  {
    name: "fixed tool, wrong parameter",
    path: "/api/tools/whois?url=example.com",
    status: "INVALID_INPUT",
    says: ["domain"],
  },
  { name: "fixed tool that fails", path: "/api/tools/email?url=missing.test", status: "ERROR" },
  {
    name: "unknown tool",
    path: "/api/tools/whoise?domain=x",
    status: "INVALID_INPUT",
    says: ["whois"],
  },
]

describe("keyless GET: always 200, with the result in status", () => {
  for (const { name, path, options, status, holds = {}, says = [] } of scenarios) {
    test(name, async () => {
      const response = await app.get(path, options)
      expect(response.status).toBe(200)
      expect(response.body).toMatchObject({ status, ...holds })
      expect(response.body.itemCount).toBe(response.body.items.length)
      const links = ["allTools", "anyScrape", "docs", "fullApi", "llms", "mcp", "openapi", "signUp"]
      expect(Object.keys(response.body.links).sort()).toEqual(status === "SUCCEEDED" ? [] : links)
      expect(typeof response.body.agentId).toBe("string")
      expect(response.headers.get("access-control-allow-origin")).toBe("*")
      for (const text of says) expect(response.body.error.message).toContain(text)
      if (status === "INVALID_INPUT") {
        for (const issue of response.body.error.details) {
          expect(issue).toMatchObject({ field: expect.any(String), message: expect.any(String) })
        }
      }
    })
  }
})

describe("directories and cards", () => {
  test("GET /api/scrape", async () => {
    const { body } = await app.get("/api/scrape")
    expect(Object.keys(body)).toEqual([
      "service",
      "howItWorks",
      "modes",
      "auth",
      "scrapers",
      "links",
    ])
    expect(Object.keys(body.modes)).toEqual(["anyPage", "customExtraction", "namedScraper"])
    expect(body.scrapers).toHaveLength(app.service.catalogue.length)
    expect(body.scrapers[0]).toEqual({
      slug: "words-scraper",
      name: "Words",
      tagline: "Says words",
      url: `${root}/api/scrape/words-scraper`,
      requiredParams: ["words"],
      health: { state: "unknown", since: null, reason: null },
      verification: {
        verified: false,
        lastVerifiedAt: null,
        unverifiedFetchMethods: [],
        unverifiedFields: [],
      },
    })
    const news = body.scrapers.find((one: { slug: string }) => one.slug === "news-scraper")
    expect(news.requiredParams).toEqual([])
  })

  test("with agentId only, still returns the directory", async () => {
    expect((await app.get("/api/scrape?agentId=agt_1")).body.service).toBe("Trawl")
  })

  test("the card has parameters, types, defaults, allowed values and a working call", async () => {
    const { body } = await app.get(words)
    const byName = Object.fromEntries(
      body.parameters.map((one: { name: string }) => [one.name, one]),
    )
    expect(byName.words).toMatchObject({ type: "array of string", required: true })
    expect(byName.times).toMatchObject({ type: "integer", required: false, default: 1 })
    expect(byName.mode.allowedValues).toEqual(["plain", "fancy"])
    const example = await app.get(body.exampleUrl)
    expect(example.body).toMatchObject({ status: "SUCCEEDED", itemCount: 2 })
  })

  test("the example call of every scraper and every tool works", async () => {
    const { body: directory } = await app.get("/api/scrape")
    for (const { slug } of directory.scrapers) {
      const card = (await app.get(`/api/scrape/${slug}`)).body
      expect(card.status, slug).toBe("USAGE")
      expect((await app.get(card.exampleUrl)).body.status, card.exampleUrl).toBe("SUCCEEDED")
    }
    const { body: tools } = await app.get("/api/tools")
    expect(tools.tools.map((one: { tool: string }) => one.tool)).toEqual(
      fixedTools.map((tool) => tool.id),
    )
    for (const { exampleUrl, aliases, url, tool, parameter } of tools.tools) {
      expect((await app.get(exampleUrl)).body, exampleUrl).toMatchObject({
        status: "SUCCEEDED",
        tool,
      })
      for (const address of [url, ...aliases]) {
        const card = (await app.get(address)).body
        expect(card).toMatchObject({ status: "USAGE", tool })
        expect(card.parameters[0].name).toBe(parameter)
      }
    }
  })

  test("OPTIONS is answered for scripts of other pages, on this surface only", async () => {
    for (const path of [words, "/api/scrape", "/api/tools", "/api/agent/scrape"]) {
      const response = await app.call("OPTIONS", path)
      expect(response.status).toBe(204)
      expect(response.headers.get("access-control-allow-methods")).toContain("GET")
    }
    const v1 = await app.get("/api/v1/me")
    expect(v1.headers.get("access-control-allow-origin")).toBeNull()
    const headers = { origin: "https://page.example", "access-control-request-method": "GET" }
    const preflight = await app.call("OPTIONS", "/api/v1/me", { headers })
    expect(preflight.status).toBe(405)
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull()
  })
})

describe("the cost of a call", () => {
  const used = async (agentId: string) =>
    (await app.get(`${words}?agentId=${agentId}`, { headers: from(agentId) })).body.free.used
  // Each test has its own caller.
  const from = (agentId: string) => ({ "x-trawl-agent": agentId })

  test("cards, directories, invalid input and claims cost nothing, scrapes one call", async () => {
    const own = await TestApp.open({ freeDaily: 5 })
    for (const path of [
      "/api/scrape",
      "/api/tools",
      "/api/agent/scrape",
      words,
      `${words}?wrods=1`,
      "/api/scrape/nothing?x=1",
      "/api/tools/whois",
      "/api/agent/claim/x",
      "/api/results/x",
    ]) {
      await own.get(path)
    }
    const first = await own.get(`${words}?words=a`)
    expect(first.body.free).toMatchObject({ limit: 5, used: 1, remaining: 4 })
    expect(first.body.free.resetsAt).toEndWith("T00:00:00.000Z")
    await own.close()
  })

  test("an agent ID is created if there is none, and kept if there is", async () => {
    expect((await app.get(words)).body.agentId).toMatch(/^agt_[0-9a-f]{32}$/)
    expect((await app.get(`${words}?agentId=mine`)).body.agentId).toBe("mine")
    expect((await app.get(words, { headers: from("header-id") })).body.agentId).toBe("header-id")
    expect(await used("mine")).toBeGreaterThanOrEqual(0)
  })

  test("identical calls within a minute share one run, a failed one is not shared", async () => {
    const runsOf = async (word: string) => {
      const rows = await app.store.db.selectFrom("runs").select("input").execute()
      return rows.filter((row) => row.input.includes(`"${word}"`)).length
    }
    await Promise.all(Array.from({ length: 20 }, () => app.get(`${words}?words=shared`)))
    await app.get(`${words}?input=${encodeURIComponent('{"words":["shared"]}')}`)
    expect(await runsOf("shared")).toBe(1)
    await app.get(`${words}?words=missing-one`)
    await app.get(`${words}?words=missing-one`)
    expect(await runsOf("missing-one")).toBe(2)
  })

  test("a token bills the account", async () => {
    const account = await app.account({ credits: 5 })
    const one = await app.get(`${words}?words=billed|twice&token=${account.key}`)
    expect(one.body).toMatchObject({
      status: "SUCCEEDED",
      free: { billedTo: "account", creditsCharged: 2, creditsRemaining: 3 },
    })
    const bearer = await app.get(`${words}?words=bearer`, { key: account.key })
    expect(bearer.body.free).toMatchObject({ creditsCharged: 1, creditsRemaining: 2 })
    const unlimited = await app.account({ unlimited: true, credits: 0 })
    const free = await app.get(`${words}?words=free&token=${unlimited.key}`)
    expect(free.body.free).toEqual({
      billedTo: "account",
      creditsCharged: 0,
      creditsRemaining: null,
    })
  })

  test("an account without credits gets an error", async () => {
    const account = await app.account({ credits: 0 })
    const { body } = await app.get(`${words}?words=a&token=${account.key}`)
    expect(body).toMatchObject({ status: "PAYMENT_REQUIRED", limitReached: true, itemCount: 0 })
    expect(body.error).toContain("no credits left")
    expect(body.free).toEqual({ billedTo: "account", creditsCharged: 0, creditsRemaining: 0 })
  })

  test("keyless runs are capped, and the response says so; a token removes the cap", async () => {
    const own = await TestApp.open({ keylessItems: 5 })
    const capped = await own.get(`${words}?words=a|b|c&times=3`)
    expect(capped.body).toMatchObject({ status: "SUCCEEDED", itemCount: 5 })
    expect(capped.body.notice).toContain("5 items")
    const { key } = await own.account()
    const whole = await own.get(`${words}?words=a|b|c&times=3&token=${key}`)
    expect(whole.body.itemCount).toBe(9)
    expect(whole.body.notice).toBeUndefined()
    await own.close()
  })
})

describe("a call that lasts longer than its wait", () => {
  test("answers RUNNING, and resultUrl returns the same body as the call would have", async () => {
    const own = await TestApp.open({ keylessWait: 0 })
    const call = await own.get(`${words}?words=slow&agentId=patient`)
    expect(call.body).toMatchObject({ status: "RUNNING", itemCount: 0, agentId: "patient" })
    expect(call.body.resultUrl).toStartWith(`${root}/api/results/`)
    const path = new URL(call.body.resultUrl).pathname
    const still = await own.get(path)
    expect(still.body).toMatchObject({ status: "RUNNING", resultUrl: call.body.resultUrl })
    own.gate.release()
    for (let look = 0; look < 100; look++) {
      if ((await own.get(path)).body.status !== "RUNNING") break
      await Bun.sleep(10)
    }
    const end = await own.get(path)
    const direct = await own.get(`${words}?words=slow&agentId=patient`)
    const { free: _, ...body } = end.body
    const { free: __, cached, age: ___, ...expected } = direct.body
    expect(cached).toBe(true)
    expect(body).toEqual(expected)
    expect(body).toMatchObject({ status: "SUCCEEDED", itemCount: 1, agentId: "patient" })
    expect([end.body.free.used, direct.body.free.used]).toEqual([1, 1])
    await own.close()
  })

  test("results need their secret, and expire after 24 hours", async () => {
    const own = await TestApp.open({ keylessWait: 0 })
    const call = await own.get(`${words}?words=slow`)
    const token = call.body.resultUrl.split("/").at(-1)
    expect(token).toMatch(/^[a-z0-9]{31}$/)
    const rows = await own.store.db.selectFrom("keyless_results").selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    const stored = Date.parse(rows[0]!.expires_at) - Date.now()
    expect(stored).toBeGreaterThan(86_000_000)
    expect(stored).toBeLessThanOrEqual(86_400_000)
    own.gate.release()
    await own.close()
  })

  test("after a day, results and their runs are deleted; accounts keep theirs", async () => {
    const own = await TestApp.open({ keylessWait: 0 })
    const account = await own.account()
    const stored = await own.run(account.key, ["kept"])
    const call = await own.get(`${words}?words=slow`)
    const token = call.body.resultUrl.split("/").at(-1)
    own.gate.release()
    while ((await own.get(`/api/results/${token}`)).body.status === "RUNNING") await Bun.sleep(5)
    const rows = async () => (await own.store.db.selectFrom("runs").select("id").execute()).length
    await own.purge(new Date(Date.now() + 86_000_000))
    expect(await rows()).toBe(2)
    await own.purge(new Date(Date.now() + 87_000_000))
    expect(await rows()).toBe(1)
    expect((await own.get(`/api/results/${token}`)).body.status).toBe("ERROR")
    expect((await own.get(`/api/v1/runs/${stored.id}`, { key: account.key })).status).toBe(200)
    await own.close()
  })
})

describe("POST /api/agent/scrape", () => {
  const path = "/api/agent/scrape"
  const cases: [name: string, options: CallOptions, http: number, status: string][] = [
    ["runs", { body: { scraper: "words-scraper", input: { words: ["p"] } } }, 200, "SUCCEEDED"],
    [
      "keeps the agent's id",
      { body: { scraper: "words-scraper", input: { words: ["p"] }, agentId: "agt_post" } },
      200,
      "SUCCEEDED",
    ],
    ["fails", { body: { scraper: "words-scraper", input: { words: ["missing"] } } }, 200, "ERROR"],
    ["unknown scraper", { body: { scraper: "wrods-scraper", input: {} } }, 404, "INVALID_INPUT"],
    ["bad input", { body: { scraper: "words-scraper", input: {} } }, 400, "INVALID_INPUT"],
    ["no input", { body: { scraper: "words-scraper" } }, 400, "INVALID_INPUT"],
    ["no scraper", { body: { input: {} } }, 400, "INVALID_INPUT"],
    ["unknown field", { body: { scraper: "words-scraper", inputs: {} } }, 400, "INVALID_INPUT"],
    ["input is a list", { body: { scraper: "words-scraper", input: [] } }, 400, "INVALID_INPUT"],
    ["no JSON", { body: "{" }, 400, "INVALID_INPUT"],
    ["null", { body: "null" }, 400, "INVALID_INPUT"],
    [
      "a number as agentId",
      { body: { scraper: "x", input: {}, agentId: 7 } },
      400,
      "INVALID_INPUT",
    ],
    ["no body", {}, 415, "INVALID_INPUT"],
    ["text", { body: "hello", headers: { "content-type": "text/plain" } }, 415, "INVALID_INPUT"],
    ["too large", { body: JSON.stringify("x".repeat(1_100_000)) }, 413, "INVALID_INPUT"],
    [
      "bad key",
      { body: { scraper: "words-scraper", input: { words: ["p"] } }, key: "trawl_live_x" },
      200,
      "ERROR",
    ],
  ]
  for (const [name, options, http, status] of cases) {
    test(name, async () => {
      const response = await app.post(path, options)
      expect(response.status).toBe(http)
      expect(response.body.status).toBe(status)
      expect(response.body.itemCount).toBe(response.body.items.length)
      const { agentId } = (options.body ?? {}) as { agentId?: unknown }
      if (typeof agentId === "string") expect(response.body.agentId).toBe(agentId)
    })
  }

  test("GET lists every scraper with its required input", async () => {
    const { body } = await app.get(path)
    expect(body.scrapers).toHaveLength(app.service.catalogue.length)
    expect(body.scrapers[0].requiredInput[0]).toMatchObject({ name: "words", required: true })
    const response = await app.post(path, { body: body.scrapers[0].exampleBody })
    expect(response.body.status).toBe("SUCCEEDED")
  })

  test("a used-up quota is 402, RUNNING is 200", async () => {
    const own = await TestApp.open({ freeDaily: 1, keylessWait: 0 })
    const body = { scraper: "words-scraper", input: { words: ["slow"] } }
    const running = await own.post(path, { body })
    expect([running.status, running.body.status]).toEqual([200, "RUNNING"])
    const spent = await own.post(path, { body })
    expect([spent.status, spent.body.status]).toEqual([402, "PAYMENT_REQUIRED"])
    expect(spent.body.claimUrl).toStartWith(`${root}/signup?claim=`)
    own.gate.release()
    await own.close()
  })
})
