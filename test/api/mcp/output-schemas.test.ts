import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { catalogue } from "../../../src/catalogue/index.ts"
import { casesUnder, ownCases } from "../../corpus-run.ts"
import { Installation, type Serving } from "../process.ts"

/** The first case of each scraper that needs neither Chrome nor settings. */
const cases = new Map(
  catalogue.flatMap(({ slug }) => {
    const plain = casesUnder(ownCases, slug).find(
      ({ env, exchanges }) =>
        Object.keys(env).length === 0 && exchanges.every(({ via = "http" }) => via === "http"),
    )
    return plain ? [[slug, plain] as const] : []
  }),
)

describe("each tool of the whole list answers by its output schema", () => {
  const installation = new Installation({
    TRAWL_REPLAY: [...cases.values()].map(({ folder }) => folder).join(","),
    TRAWL_FREE_DAILY: "10000",
    TRAWL_RATE_LIMIT: "0",
  })
  let service: Serving
  let client: Client
  beforeAll(async () => {
    service = await installation.serve()
    client = new Client({ name: "test", version: "1" })
    const url = new URL(`${service.root}/api/mcp?outputSchema=true`)
    await client.connect(new StreamableHTTPClientTransport(url))
    // The client then checks what tools answer.
    expect((await client.listTools()).tools.length).toBeGreaterThan(150)
  }, 120_000)
  afterAll(async () => {
    await client.close()
    await service.end()
    installation.remove()
  })

  test("nearly all have such a case", () => expect(cases.size).toBeGreaterThan(130))

  for (const [slug, { input }] of cases) {
    test(slug, async () => {
      const result = await client.callTool({ name: slug, arguments: input })
      expect(result.structuredContent).toMatchObject({ items: expect.any(Array) })
    }, 60_000)
  }
})
