import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { tokensOf } from "../../src/api/items/tokens.ts"
import { isErrorItem } from "../../src/engine/runtime/run/checkpoints.ts"
import { cases, tasks } from "./agent-tasks.ts"
import { Installation, type Serving } from "./process.ts"

/** Maximum tokens of a response to a call that sets no limit: 20,000 of items, and the envelope. */
const maxTokens = 20_500
/** Needs whose scraper `find` has to list first: all but one of twenty. */
const minFirst = tasks.length * 0.95

describe("an agent that knows only the base URL", () => {
  const installation = new Installation({
    TRAWL_REPLAY: [...cases.values()].map(({ folder }) => folder).join(","),
    TRAWL_FREE_DAILY: "1000",
    TRAWL_RATE_LIMIT: "0",
  })
  let service: Serving
  let client: Client
  const spent = {
    http: { calls: 0, tokens: 0, first: 0 },
    mcp: { calls: 0, tokens: 0, first: 0 },
  }
  beforeAll(async () => {
    service = await installation.serve()
    client = new Client({ name: "agent", version: "1" })
    const url = new URL(`${service.root}/api/mcp?set=meta`)
    await client.connect(new StreamableHTTPClientTransport(url))
  }, 120_000)
  afterAll(async () => {
    for (const [api, { calls, tokens, first }] of Object.entries(spent)) {
      console.log(
        `${api}: ${tasks.length} tasks, ${first} found at rank 1, ${calls} calls, ${tokens} tokens`,
      )
    }
    await client.close()
    await service.end()
    await installation.remove()
  })

  async function get(path: string) {
    const text = await (await fetch(service.root + path)).text()
    spent.http.calls++
    spent.http.tokens += tokensOf(text)
    expect(tokensOf(text)).toBeLessThanOrEqual(maxTokens)
    return JSON.parse(text)
  }

  async function tool(name: string, args: Record<string, unknown>) {
    const { content } = await client.callTool({ name, arguments: args })
    const [first] = content as { text: string }[]
    spent.mcp.calls++
    spent.mcp.tokens += tokensOf(first!.text)
    return first!.text
  }

  for (const [need, slug, , fact] of tasks) {
    const { input } = cases.get(slug)!

    test(`${need}, by HTTP`, async () => {
      const found = await get(`/api/scrape?find=${encodeURIComponent(need)}`)
      const slugs = found.items.map((card: { slug: string }) => card.slug)
      expect(slugs).toContain(slug)
      if (slugs[0] === slug) spent.http.first++
      const response = await get(
        `/api/scrape/${slug}?input=${encodeURIComponent(JSON.stringify(input))}`,
      )
      expect([response.status, response.error]).toEqual(["SUCCEEDED", undefined])
      const good = response.items.filter((item: Record<string, unknown>) => !isErrorItem(item))
      expect(JSON.stringify(good)).toContain(fact)
    }, 60_000)

    test(`${need}, by MCP`, async () => {
      const found = await tool("find_scrapers", { query: need, limit: 3 })
      expect(found).toContain(`${slug} (`)
      if (found.startsWith(`${slug} (`)) spent.mcp.first++
      const text = await tool("run_scraper", { scraper: slug, input: JSON.stringify(input) })
      expect(text).toMatch(/^\d+ items?[.;]/)
      expect(text).toContain(fact)
      expect(tokensOf(text)).toBeLessThan(9000)
    }, 60_000)
  }

  test("finds the scraper at rank 1 for all needs but one of twenty, by HTTP and by MCP", () => {
    expect(spent.http.first).toBeGreaterThanOrEqual(minFirst)
    expect(spent.mcp.first).toBeGreaterThanOrEqual(minFirst)
  })
})
