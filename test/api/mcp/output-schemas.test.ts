import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { catalogue } from "../../../src/catalogue/index.ts"
import type { ReplayCase } from "../../../src/engine/fetch/replay/case.ts"
import { casesUnder, ownCases } from "../../corpus-run.ts"
import { isRunningAll } from "../../samples.ts"
import { Installation, type Serving } from "../process.ts"

const isPlain = ({ env, exchanges }: ReplayCase) =>
  Object.keys(env).length === 0 && exchanges.every(({ via = "http" }) => via === "http")

const toolsCase = casesUnder(ownCases, "npm-package-scraper").find(isPlain)!
const plain: [slug: string, cases: ReplayCase[]][] = []
/**
 * Scrapers without a case that needs neither Chrome nor settings: these services use other fetch
 * methods. Only `bun run verify --all` tests them.
 */
const others: typeof plain = []
catalogue.forEach(({ slug }, index) => {
  if (!isRunningAll && index % 6 > 0 && slug !== toolsCase.slug) return
  const all = casesUnder(ownCases, slug)
  const some = all.filter(isPlain)
  if (some.length > 0) plain.push([slug, some])
  else if (isRunningAll) others.push([slug, all.slice(0, 3)])
})
/** Tools that returned an item without an error. */
const good = new Set<string>()

/** The official client, which validates each result against the tool's output schema. */
class Service {
  private readonly installation: Installation
  private service!: Serving
  private readonly clients: Client[] = []
  /** The client that validates each tool's results. */
  private readonly clientOf = new Map<string, Client>()
  names!: string[]

  constructor(private readonly cases: typeof plain) {
    const all = cases.flatMap(([, some]) => some)
    this.installation = new Installation({
      ...Object.assign({}, ...all.map(({ env }) => env)),
      TRAWL_REPLAY: all.map(({ folder }) => folder).join(","),
      TRAWL_RATE_LIMIT: "0",
    })
    beforeAll(() => this.start(), 120_000)
    afterAll(() => this.stop(), 120_000)
  }

  get root(): string {
    return this.service.root
  }

  private async start(): Promise<void> {
    this.service = await this.installation.serve()
    const account = ["account", "create", "mcp@example.com", "--unlimited"]
    const { stdout } = await this.installation.run(...account)
    const requestInit = { headers: { authorization: `Bearer ${stdout.trim().split("\n")[1]}` } }
    const connect = async (query: string) => {
      const url = new URL(`${this.root}/api/mcp?pageSize=1000&${query}`)
      const client = new Client({ name: "test", version: "1" })
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
      this.clients.push(client)
      const { tools } = await client.listTools()
      return { client, names: tools.map(({ name }) => name) }
    }
    this.names = (await connect("outputSchema=false")).names
    // A client compiles all schemas of its list, so these lists have only the tools that are called.
    const slugs = this.cases.map(([slug]) => slug).join()
    for (const query of ["set=meta", `tools=${slugs}`]) {
      const { client, names } = await connect(`outputSchema=true&${query}`)
      for (const name of names) this.clientOf.set(name, client)
    }
  }

  private async stop(): Promise<void> {
    for (const client of this.clients) await client.close()
    await this.service.end()
    await this.installation.remove()
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
  async call(name: string, input: Record<string, unknown>): Promise<any> {
    const client = this.clientOf.get(name)!
    return (await client.callTool({ name, arguments: input })).structuredContent
  }
}

const plainService = new Service(plain)

test("each tool without a scraper answers by its output schema, in the order of their use", async () => {
  const called: string[] = []
  const call = (name: string, input: Record<string, unknown>) => {
    called.push(name)
    return plainService.call(name, input)
  }
  const example = { scraper: toolsCase.slug, input: toolsCase.input }
  const url = "https://almanac.example/tides"
  expect((await call("find_scrapers", { query: "npm packages" })).scrapers).not.toEqual([])
  const { run } = await call("start_run", example)
  expect((await call("get_run", { run, wait: 20 })).status).toBe("SUCCEEDED")
  expect((await call("get_items", { run })).items).not.toEqual([])
  await call("abort_run", { run })
  await call("run_scraper", example)
  await call("read_page", { url })
  const schema = { type: "object", properties: { title: { type: "string" } } }
  await call("extract", { url, schema })
  await call("search_web", { query: "tides" })
  await call("watch", { ...example, every: "day" })
  await call("list_destinations", {})
  await call("claim_key", { claimStatusUrl: `${plainService.root}/api/agent/claim/nope/status` })
  const scrapers = catalogue.map(({ slug }) => slug)
  expect([...called, ...scrapers].sort()).toEqual(plainService.names.sort())
}, 60_000)

for (const [kind, cases] of [
  ["by plain requests", plain],
  ["by Chrome or with settings", others],
] as const) {
  if (cases.length === 0) continue
  describe(`each tool of a scraper answers by its output schema: ${kind}`, () => {
    const service = cases === plain ? plainService : new Service(cases)
    for (const [slug, some] of cases) {
      test(slug, async () => {
        for (const { input } of some) {
          const { items } = await service.call(slug, input)
          if (items.some(({ error }: { error?: unknown }) => !error)) good.add(slug)
          if (good.has(slug)) return
        }
      }, 60_000)
    }
  })
}

test("nearly all of them returned items that are not errors", () => {
  expect(good.size).toBeGreaterThan((plain.length + others.length) * 0.92)
})
