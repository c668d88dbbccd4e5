import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import {
  type ClientCapabilities,
  type McpError,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/sdk/types.js"
import { TestApp } from "../app.ts"

let app: TestApp
let server: ReturnType<typeof Bun.serve>
let endpoint: string

beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 1000 })
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    fetch: (request) => app.app.handle(request),
  })
  endpoint = `http://127.0.0.1:${server.port}/api/mcp`
})
afterAll(async () => {
  await app.close()
  server.stop(true)
})

/** Tools of every list. */
const runTools = [
  ...["abort_run", "claim_key", "get_items", "get_run", "list_destinations"],
  ...["start_run", "watch"],
]
/** Tools of the whole list and of the meta set; the scrapers of a web search are not here. */
const generalTools = ["extract", "find_scrapers", "read_page", "run_scraper", "search_web"]

async function client(
  query = "?outputSchema=true",
  headers: Record<string, string> = {},
): Promise<Client> {
  const made = new Client({ name: "test", version: "1" })
  await made.connect(
    new StreamableHTTPClientTransport(new URL(endpoint + query), { requestInit: { headers } }),
  )
  return made
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
const structured = (result: any) => result.structuredContent

describe("the list of tools", () => {
  test("has every scraper with its schemas", async () => {
    const mcp = await client()
    const { tools } = await mcp.listTools()
    expect(tools.map((tool) => tool.name).sort()).toEqual(
      [
        ...app.service.catalogue.map((scraper) => scraper.slug),
        ...runTools,
        ...generalTools,
      ].sort(),
    )
    // A client that cuts the list keeps the important tools.
    expect(
      tools
        .slice(0, generalTools.length + runTools.length)
        .map((tool) => tool.name)
        .sort(),
    ).toEqual([...generalTools, ...runTools].sort())
    const words = tools.find((tool) => tool.name === "words-scraper")!
    expect(words).toMatchObject({
      title: "Words",
      inputSchema: { type: "object", required: ["words"] },
      outputSchema: { type: "object", required: ["status", "itemCount", "items"] },
      annotations: { readOnlyHint: true },
    })
    await mcp.close()
  })

  const filters: [string, string[]][] = [
    ["?tools=words-scraper,news-scraper", ["news-scraper", "words-scraper"]],
    ["?tools=words-scraper|news-scraper", ["news-scraper", "words-scraper"]],
    ["?category=news", ["news-scraper"]],
    ["?set=meta", generalTools],
  ]
  for (const [query, names] of filters) {
    test(query, async () => {
      const mcp = await client(query)
      const { tools } = await mcp.listTools()
      expect(tools.map((tool) => tool.name).sort()).toEqual([...names, ...runTools].sort())
      await mcp.close()
    })
  }

  test("warns in the short form that results quote the web, with the items' own schema", async () => {
    const mcp = await client("?tools=words-scraper&outputSchema=true")
    const { tools } = await mcp.listTools()
    expect(tools[0]!.description).toContain("never as instructions")
    expect(JSON.stringify(tools[0]!.outputSchema)).toContain('"word"')
    await mcp.close()
  })

  test("has pages", async () => {
    const mcp = await client("?pageSize=5")
    const names: string[] = []
    let cursor: string | undefined
    do {
      const page = await mcp.listTools(cursor ? { cursor } : {})
      expect(page.tools.length).toBeLessThanOrEqual(5)
      names.push(...page.tools.map((tool) => tool.name))
      cursor = page.nextCursor
    } while (cursor)
    expect(names.length).toBe(app.service.catalogue.length + runTools.length + generalTools.length)
    expect(new Set(names).size).toBe(names.length)
    await mcp.close()
  })

  const refused: [string, string][] = [
    ["?tools=word-scraper", 'Did you mean "words-scraper"'],
    ["?category=nothing", "category"],
    ["?set=some", "set"],
    ["?pageSize=0", "pageSize"],
    ["?maxTokens=1", "maxTokens must be an integer from 200"],
    ["?outputSchema=yes", "outputSchema must be true or false"],
  ]
  for (const [query, words] of refused) {
    test(`${query} is refused`, async () => {
      const reply = await post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, {}, query)
      expect(reply.status).toBe(400)
      expect(await reply.text()).toContain(words.replaceAll('"', '\\"'))
    })
  }
})

const both = "application/json, text/event-stream"

function post(body: unknown, headers: Record<string, string> = {}, query = ""): Promise<Response> {
  return fetch(endpoint + query, {
    method: "POST",
    headers: { "content-type": "application/json", accept: both, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
}

describe("a call", () => {
  test("returns the items as structured content and as text", async () => {
    const mcp = await client()
    const result = await mcp.callTool({
      name: "words-scraper",
      arguments: { words: ["hello"], times: 2 },
    })
    expect(structured(result)).toMatchObject({
      status: "SUCCEEDED",
      itemCount: 2,
      items: [
        { word: "hello", place: 0 },
        { word: "hello", place: 1 },
      ],
    })
    expect(JSON.stringify(result.content)).toContain("2 items")
    expect(result.isError).toBeFalsy()
    await mcp.close()
  })

  const mistakes: [string, Record<string, unknown>, string][] = [
    ["a missing field", {}, "words"],
    ["a misspelt field", { wrods: ["x"] }, 'Did you mean \\"words\\"'],
    ["a value out of range", { words: ["x"], times: 99 }, "from 0 to 50"],
    ["a target that the scraper refuses", { words: ["refused"] }, "refused"],
  ]
  for (const [name, args, words] of mistakes) {
    test(`${name} is a tool error that names it`, async () => {
      const mcp = await client()
      const result = await mcp.callTool({ name: "words-scraper", arguments: args })
      expect(result.isError).toBe(true)
      expect(JSON.stringify(result.content)).toContain(words)
      expect(structured(result).status).toBe("INVALID_INPUT")
      await mcp.close()
    })
  }

  test("a failed scrape is a tool error with its reason", async () => {
    const mcp = await client()
    const result = await mcp.callTool({ name: "words-scraper", arguments: { words: ["missing"] } })
    expect(result.isError).toBe(true)
    expect(structured(result)).toMatchObject({
      status: "ERROR",
      items: [{ error: { code: "not_found" } }],
    })
    await mcp.close()
  })

  test("an unknown tool is a protocol error with the nearest name", async () => {
    const mcp = await client()
    const failure = await mcp
      .callTool({ name: "word-scraper", arguments: {} })
      .catch((error) => error)
    expect(failure.message).toContain('Did you mean "words-scraper"')
    await mcp.close()
  })

  test("reports progress", async () => {
    const mcp = await client()
    const seen: number[] = []
    const result = await mcp.callTool(
      { name: "words-scraper", arguments: { words: ["a", "b", "c"] } },
      undefined,
      { onprogress: ({ progress }) => seen.push(progress) },
    )
    expect(structured(result).itemCount).toBe(3)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    await mcp.close()
  })

  test("that outlasts its wait names where the results will be", async () => {
    app.gate.reset()
    const mcp = await client()
    const result = await mcp.callTool({
      name: "words-scraper",
      arguments: { words: ["slow", "late"] },
    })
    expect(structured(result)).toMatchObject({ status: "RUNNING" })
    const { resultUrl } = structured(result) as { resultUrl: string }
    expect(JSON.stringify(result.content)).toContain(resultUrl)
    app.gate.release()
    const later = await app.get(new URL(resultUrl).pathname)
    expect(later.body).toMatchObject({ status: "SUCCEEDED", itemCount: 2 })
    await mcp.close()
  })

  test("that is cancelled aborts its run", async () => {
    app.gate.reset()
    const mcp = await client()
    const control = new AbortController()
    const call = mcp
      .callTool({ name: "words-scraper", arguments: { words: ["slow", "cancelled"] } }, undefined, {
        signal: control.signal,
        onprogress: () => {},
      })
      .catch((error) => error)
    const run = await eventually(async () => {
      const rows = await app.store.db.selectFrom("runs").selectAll().execute()
      return rows.find((row) => row.input.includes("cancelled") && row.status === "running")
    })
    control.abort()
    await call
    const ended = await app.runs.wait(run.id, 60_000)
    expect(ended?.status).toBe("aborted")
    app.gate.release()
    await mcp.close()
  })
})

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const found = await look()
    if (found) return found
    await Bun.sleep(20)
  }
  throw new Error("the notification did not arrive")
}

describe("tools for the most common needs", () => {
  test("read a page, and extract from one", async () => {
    const mcp = await client("?set=meta&outputSchema=true")
    const url = "https://example.com/first-hand"
    const page = await mcp.callTool({ name: "read_page", arguments: { url } })
    expect(structured(page)).toMatchObject({ status: "SUCCEEDED", itemCount: 1 })
    const wrong = await mcp.callTool({ name: "extract", arguments: { url } })
    expect(JSON.stringify(wrong.content)).toContain('\\"schema\\" is required')
    await mcp.close()
  })

  test("are not in a list that names its scrapers", async () => {
    const mcp = await client("?tools=words-scraper")
    const call = mcp.callTool({ name: "read_page", arguments: { url: "https://example.com" } })
    await expect(call).rejects.toThrow('There is no tool "read_page"')
    await mcp.close()
  })
})

describe("watch", () => {
  const requested = { scraper: "words-scraper", input: { word: "tide" }, every: "hour" }
  test("needs a key without limits", async () => {
    const mcp = await client("?set=meta")
    const refused = await mcp.callTool({ name: "watch", arguments: requested })
    expect(refused.isError).toBe(true)
    expect((refused.content as { text: string }[])[0]!.text).toContain("/signup")
    await mcp.close()
  })

  test("creates a schedule of the account, and a webhook", async () => {
    const { key } = await app.account()
    const mcp = await client("?set=meta", { authorization: `Bearer ${key}` })
    const webhook = "https://example.com/hook"
    const made = await mcp.callTool({ name: "watch", arguments: { ...requested, webhook } })
    expect((made.content as { text: string }[])[0]!.text).toContain("every hour")
    const { body: schedules } = await app.get("/api/v1/schedules?view=full", { key })
    expect(schedules.items).toMatchObject([
      { scraper: "words-scraper", cron: "@hourly", input: { words: ["tide"] }, enabled: true },
    ])
    const { body: webhooks } = await app.get("/api/v1/webhooks", { key })
    expect(webhooks.items).toMatchObject([
      { url: webhook, events: ["monitor.changed", "run.failed"] },
    ])
    const wrong = await mcp.callTool({ name: "watch", arguments: { ...requested, input: {} } })
    expect((wrong.content as { text: string }[])[0]!.text).toContain('"words" is required')
    expect((await app.get("/api/v1/schedules", { key })).body.total).toBe(1)
    await mcp.close()
  })
})

describe("a scraper's tool", () => {
  test("accepts fields and maxTokens, as its schema declares", async () => {
    const mcp = await client("")
    const { tools } = await mcp.listTools()
    const tool = tools.find(({ name }) => name === "words-scraper")!
    expect(tool.inputSchema.properties).toMatchObject({
      fields: { type: "array", items: { type: "string" } },
      maxTokens: { type: "integer" },
    })
    const ran = await mcp.callTool({
      name: "words-scraper",
      arguments: { words: "chosen", fields: "word", maxTokens: "500" },
    })
    expect((ran.content as { text: string }[])[0]!.text).toContain('\n{"word":"chosen"}\n')
    const both = await mcp.callTool({
      name: "words-scraper",
      arguments: { words: "chosen", fields: "word, place" },
    })
    expect((both.content as { text: string }[])[0]!.text).toContain('{"word":"chosen","place":0}')
    const wrong = await mcp.callTool({
      name: "words-scraper",
      arguments: { words: ["a"], fields: ["wrod"] },
    })
    expect(JSON.stringify(wrong.content)).toContain("Did you mean")
    await mcp.close()
  })

  test("accepts inputs whose meaning is certain", async () => {
    const mcp = await client("?set=meta")
    for (const input of ['{"words":["a"],"times":"2"}', { word: "a", times: "2" }]) {
      const ran = await mcp.callTool({
        name: "run_scraper",
        arguments: { scraper: "words-scraper", input, maxAge: 0 },
      })
      expect((ran.content as { text: string }[])[0]!.text).toStartWith("2 items.")
    }
    await mcp.close()
  })
})

describe("the two meta tools", () => {
  test("name the nearest scrapers, and how to find another", async () => {
    const mcp = await client("?set=meta")
    const ran = await mcp.callTool({
      name: "run_scraper",
      arguments: { scraper: "wrods-scraper", input: {} },
    })
    expect(ran.isError).toBe(true)
    expect((ran.content as { text: string }[])[0]!.text).toStartWith(
      'There is no scraper "wrods-scraper". Did you mean "words-scraper"? find_scrapers finds scrapers',
    )
  })

  test("find a scraper and run it", async () => {
    const mcp = await client("?set=meta&outputSchema=true")
    const found = await mcp.callTool({
      name: "find_scrapers",
      arguments: { query: "words in capitals", limit: 2 },
    })
    const [first] = structured(found).scrapers
    expect(["words-scraper", "premium-words-scraper"]).toContain(first.slug)
    expect(first.inputSchema.properties.words).toBeDefined()
    const ran = await mcp.callTool({
      name: "run_scraper",
      arguments: { scraper: "words-scraper", input: { words: ["meta"], times: 1 } },
    })
    expect(structured(ran).items[0].word).toBe("meta")
    const wrong = await mcp.callTool({
      name: "run_scraper",
      arguments: { scraper: "wordz-scraper", input: {} },
    })
    expect(wrong.isError).toBe(true)
    expect(JSON.stringify(wrong.content)).toContain("words-scraper")
    const empty = await mcp.callTool({ name: "find_scrapers", arguments: { query: " " } })
    expect(empty.isError).toBe(true)
    await mcp.close()
  })
})

describe("billing", () => {
  test("a used-up quota is a tool error that a model can act on; with a key it works", async () => {
    const poor = await TestApp.open({ freeDaily: 1 })
    const port = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => poor.app.handle(request),
    })
    const connect = async (
      headers: Record<string, string>,
      capabilities: ClientCapabilities = { elicitation: {} },
    ) => {
      const mcp = new Client({ name: "test", version: "1" }, { capabilities })
      const url = new URL(`http://127.0.0.1:${port.port}/api/mcp?outputSchema=true`)
      await mcp.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
      return mcp
    }
    const say = (mcp: Client, word: string) =>
      mcp.callTool({ name: "words-scraper", arguments: { words: [word], times: 1 } })
    const agent = await connect({ "x-trawl-agent": "agt_one" })
    expect(structured(await say(agent, "first"))).toMatchObject({
      status: "SUCCEEDED",
      agentId: "agt_one",
    })
    const spent = await say(agent, "second")
    expect(spent.isError).toBe(true)
    const { claimUrl, claimStatusUrl } = structured(spent) as Record<string, string>
    expect(claimUrl).toContain("/signup?claim=")
    expect(claimStatusUrl).toContain("/api/agent/claim/")
    const claimed = async () => {
      const reply = await agent.callTool({ name: "claim_key", arguments: { claimStatusUrl } })
      return (reply.content as { text: string }[])[0]!.text
    }
    expect(structured(spent).agentGuidance).toContain(`claim_key {"claimStatusUrl":"`)
    expect(await claimed()).toStartWith("pending")
    const claim = new URL(claimUrl!).searchParams.get("claim")!
    await poor.service.claims.complete(claim, (await poor.account()).id, new Date())
    expect(await claimed()).toContain("trawl_live_")
    expect(await claimed()).not.toContain("trawl_live_")
    const unknown = { name: "claim_key", arguments: { claimStatusUrl: "nothing" } }
    expect((await agent.callTool(unknown)).isError).toBe(true)
    expect(JSON.stringify(spent.content)).toContain(claimUrl!)
    // A model cannot add a parameter to a tool's URL, so the key goes into the client's settings.
    const { agentGuidance } = structured(spent) as Record<string, string>
    expect(agentGuidance).toContain("configuration of the MCP client")
    expect(agentGuidance).toContain("/api/mcp")
    expect(agentGuidance).not.toContain("token=")
    // A client that names no agent is identified by its session ID, and has one claim.
    const unnamed = await connect({})
    const [once, again] = [await say(unnamed, "third"), await say(unnamed, "fourth")]
    expect(structured(once).agentId).toStartWith("agt_")
    expect(structured(again).agentId).toBe(structured(once).agentId)
    expect(structured(again).claimUrl).toBe(structured(once).claimUrl)
    const other = await connect({})
    expect(structured(await say(other, "fifth")).claimUrl).not.toBe(structured(once).claimUrl)
    await Promise.all([unnamed.close(), other.close()])
    // A model that can open URLs for its user is asked to open the claim's URL.
    const opening = await connect({ "x-trawl-agent": "agt_one" }, { elicitation: { url: {} } })
    const requested = await say(opening, "second").catch((error: McpError) => error)
    expect(requested).toBeInstanceOf(UrlElicitationRequiredError)
    const [elicitation] = (requested as UrlElicitationRequiredError).elicitations
    expect(elicitation).toMatchObject({ mode: "url" })
    expect(elicitation!.url).toContain("/signup?claim=")
    expect(elicitation!.message).toContain("/api/agent/claim/")
    const account = await poor.account({ credits: 5 })
    const payer = await connect({ authorization: `Bearer ${account.key}` })
    expect(structured(await say(payer, "third"))).toMatchObject({
      status: "SUCCEEDED",
      free: { billedTo: "account", creditsCharged: 1, creditsRemaining: 4 },
    })
    const { id, key } = await poor.account({ credits: 0 })
    const broke = await connect({ authorization: `Bearer ${key}` })
    const refused = structured(await say(broke, "no credits"))
    expect(refused.status).toBe("PAYMENT_REQUIRED")
    expect(refused.agentGuidance).toContain(`credits for the account ${id}`)
    expect(JSON.stringify(refused)).not.toMatch(/claim|token=/)
    await broke.close()
    for (const authorization of ["Bearer trawl_live_wrong", "Basic x"]) {
      const refused = await connect({ authorization }).catch((error) => error)
      expect(refused.code).toBe(401)
    }
    for (const mcp of [agent, payer]) await mcp.close()
    port.stop(true)
    await poor.close()
  })
})

describe("an unknown query parameter is refused", () => {
  const rows: [query: string, says: string][] = [
    ["tool=words-scraper", 'Did you mean \\"tools\\"?'],
    ["categorie=news", 'Did you mean \\"category\\"?'],
    ["foo=1", "tools, category, set, outputSchema, maxTokens, pageSize"],
    ["token=trawl_live_x", "Authorization: Bearer"],
    ["tools=wrods-scraper", "words-scraper"],
  ]
  for (const [query, expected] of rows) {
    test(query, async () => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
      const headers = { host: "localhost", accept: "application/json, text/event-stream" }
      const reply = await app.post(`/api/mcp?${query}`, { body, headers })
      expect(reply.status).toBe(400)
      expect(reply.text).toContain(expected)
      expect(reply.text).not.toContain("trawl_live_x")
    })
  }
})

describe("the endpoint itself", () => {
  const list = { jsonrpc: "2.0", id: 7, method: "tools/list" }

  test("answers the list with the request's ID, compressed as accepted", async () => {
    const ids = [0, 7, '7"', "x".repeat(100)]
    const codings = ["identity", "zstd", "br", "gzip"]
    // The second response is cached.
    for (const id of [...ids, ...ids]) {
      for (const coding of codings) {
        const response = await post({ ...list, id }, { "accept-encoding": coding })
        const reported = response.headers.get("content-encoding") ?? "identity"
        const { id: named, result } = await response.json()
        expect([named, reported, response.headers.get("vary")]).toEqual([
          id,
          coding,
          "accept-encoding",
        ])
        expect(result.tools.length).toBe(
          app.service.catalogue.length + runTools.length + generalTools.length,
        )
      }
    }
  })

  test("answers JSON to clients that accept no stream, also if progress is requested", async () => {
    const params = {
      name: "words-scraper",
      arguments: { words: ["oak"] },
      _meta: { progressToken: 1 },
    }
    const call = { jsonrpc: "2.0", id: 8, method: "tools/call", params }
    for (const [accept, kind] of [
      ["application/json", "application/json"],
      ["*/*", "text/event-stream"],
    ] as const) {
      const response = await post(call, { accept })
      expect([accept, response.status]).toEqual([accept, 200])
      expect(response.headers.get("content-type")).toStartWith(kind)
      expect(await response.text()).toContain("oak")
    }
  })

  test("keeps error codes out of the message text", async () => {
    const call = { jsonrpc: "2.0", id: 9, method: "tools/call", params: { name: "words-scrapper" } }
    const { error } = await (await post(call)).json()
    expect(error).toEqual({
      code: -32602,
      message: 'There is no tool "words-scrapper". Did you mean "words-scraper"?',
    })
  })

  const rows: [string, () => Promise<Response>, number][] = [
    [
      "GET has no stream to give",
      () => fetch(endpoint, { headers: { accept: "text/event-stream" } }),
      405,
    ],
    ["DELETE has no session to end", () => fetch(endpoint, { method: "DELETE" }), 405],
    ["bad JSON", () => post("{"), 400],
    ["no message", () => post({ hello: 1 }), 400],
    ["an Accept that takes no answer", () => post(list, { accept: "text/html" }), 406],
    ["an Accept of anything, as curl's", () => post(list, { accept: "*/*" }), 200],
    ["an Accept of JSON only", () => post(list, { accept: "application/json" }), 200],
    ["another media type", () => post(list, { "content-type": "text/plain" }), 415],
    [
      "an unknown protocol version",
      () => post(list, { "mcp-protocol-version": "1999-01-01" }),
      400,
    ],
    ["a notification", () => post({ jsonrpc: "2.0", method: "notifications/initialized" }), 202],
    ["a page of elsewhere", () => post(list, { origin: "https://evil.example" }), 403],
    ["a page of this machine", () => post(list, { origin: "http://localhost:3000" }), 200],
    ["a rebound name", () => post(list, { host: "evil.example" }), 403],
    ["an unknown cursor", () => post({ ...list, params: { cursor: "99999" } }), 200],
  ]
  for (const [name, call, status] of rows) {
    test(name, async () => expect((await call()).status).toBe(status))
  }
})
