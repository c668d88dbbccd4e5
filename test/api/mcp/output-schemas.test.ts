import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { catalogue } from "../../../src/catalogue/index.ts"
import { casesUnder, ownCases } from "../../corpus-run.ts"
import { Installation, type Serving } from "../process.ts"

/** A case of each scraper: one that needs no settings, if it has one. */
const cases = new Map(
  catalogue.flatMap(({ slug }) => {
    const all = casesUnder(ownCases, slug)
    const one = all.find(({ env }) => Object.keys(env).length === 0) ?? all[0]
    return one ? [[slug, one] as const] : []
  }),
)
/** Recorded responses are read once: tools that are of no scraper have a case of their own. */
const [other] = casesUnder(ownCases, "pypi-package-scraper").filter(
  (one) => one !== cases.get("pypi-package-scraper"),
)
const example = { scraper: "pypi-package-scraper", input: other!.input }

describe("each tool of the whole list answers by its output schema", () => {
  const installation = new Installation({
    TRAWL_REPLAY: [...cases.values(), other!].map(({ folder }) => folder).join(","),
    TRAWL_FREE_DAILY: "10000",
    TRAWL_RATE_LIMIT: "0",
    ...Object.assign({}, ...[...cases.values()].map(({ env }) => env)),
  })
  let service: Serving
  let client: Client
  let names: string[]
  beforeAll(async () => {
    service = await installation.serve()
    const { stdout } = await installation.run("account", "create", "mcp@example.com", "--unlimited")
    const authorization = `Bearer ${stdout.trim().split("\n")[1]}`
    client = new Client({ name: "test", version: "1" })
    const url = new URL(`${service.root}/api/mcp?outputSchema=true&pageSize=1000`)
    const requestInit = { headers: { authorization } }
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
    // The client then checks what tools answer.
    names = (await client.listTools()).tools.map(({ name }) => name)
  }, 120_000)
  afterAll(async () => {
    await client.close()
    await service.end()
    installation.remove()
  })

  test("all have a case", () => expect(cases.size).toBe(catalogue.length))

  for (const [slug, { input }] of cases) {
    test(slug, async () => {
      const result = await client.callTool({ name: slug, arguments: input })
      const { status, items } = result.structuredContent as { status: string; items: unknown[] }
      expect(["SUCCEEDED", "FAILED"]).toContain(status)
      expect(items).not.toEqual([])
    }, 60_000)
  }

  test("so does each tool that is of no scraper", async () => {
    const called: string[] = []
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was answered
    const call = async (name: string, input: Record<string, unknown>): Promise<any> => {
      called.push(name)
      return (await client.callTool({ name, arguments: input })).structuredContent
    }
    const url = "https://almanac.example/tides"
    expect((await call("find_scrapers", { query: "python packages" })).scrapers).not.toEqual([])
    expect((await call("run_scraper", example)).items).not.toEqual([])
    const { run } = await call("start_run", example)
    expect((await call("get_run", { run, wait: 20 })).status).toBe("SUCCEEDED")
    expect((await call("get_items", { run })).items).not.toEqual([])
    await call("abort_run", { run })
    await call("read_page", { url })
    const schema = { type: "object", properties: { title: { type: "string" } } }
    await call("extract", { url, schema })
    await call("search_web", { query: "tides" })
    await call("watch", { ...example, every: "day" })
    await call("claim_key", { claimStatusUrl: `${service.root}/api/agent/claim/nope/status` })
    expect([...called, ...cases.keys()].sort()).toEqual(names.sort())
  }, 60_000)
})
