import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { changing, DropIn } from "./compat.ts"

/** Firecrawl's own MCP server, started as its users start it, with its defaults. */
const program = join(import.meta.dir, "../../../node_modules/firecrawl-mcp/dist/index.js")

let here: DropIn
let client: Client
let folder: string
beforeAll(async () => {
  here = await DropIn.open({ freeDaily: 1000 })
  const { key } = await here.app.account({ unlimited: true })
  folder = mkdtempSync(join(tmpdir(), "trawl-mcp-"))
  client = new Client({ name: "test", version: "1" })
  const { PATH = "" } = process.env
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program],
      env: { PATH, FIRECRAWL_API_URL: here.root, FIRECRAWL_API_KEY: `fc-${key}` },
      stderr: "ignore",
    }),
  )
})
afterAll(async () => {
  await client.close()
  await here.stop()
  rmSync(folder, { recursive: true, force: true })
})

const page = (name: string) => `https://site.test/${name}`

interface UpstreamResponse {
  isError: boolean
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
  json: any
}

async function called(name: string, args: object = {}): Promise<UpstreamResponse> {
  const { isError = false, content } = (await client.callTool({
    name,
    arguments: args as Record<string, unknown>,
  })) as { isError?: boolean; content: { text: string }[] }
  const { text } = content[0]!
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {}
  return { isError, text, json }
}

async function good(name: string, args: object = {}) {
  const { isError, text, json } = await called(name, args)
  expect(isError, text).toBe(false)
  return json
}

describe("firecrawl-mcp", () => {
  test("scrape: Markdown by default, and typed data by a schema", async () => {
    expect(await good("firecrawl_scrape", { url: page("rope") })).toMatchObject({
      markdown: expect.stringContaining("12 metres"),
      metadata: { statusCode: 200 },
    })
    const schema = { type: "object", properties: { sku: { type: "string" } } }
    const typed = { url: page("lamp"), formats: ["json"], jsonOptions: { schema } }
    expect((await good("firecrawl_scrape", typed)).json).toEqual({ sku: "SL-7" })
    expect(await good("firecrawl_scrape", { url: page("missing") })).toMatchObject({
      metadata: { statusCode: 404, error: "Not Found" },
    })
  })

  test("search: with default sources, and narrowed", async () => {
    const { data, warning } = await good("firecrawl_search", { query: "rope" })
    expect(data.web).toHaveLength(5)
    expect(warning).toContain("alexandria")
    const narrowed = {
      query: "rope",
      limit: 2,
      tbs: "qdr:w",
      location: "Germany",
      categories: ["research"],
      scrapeOptions: { formats: ["markdown"] },
    }
    const found = await good("firecrawl_search", narrowed)
    expect(found.data.web).toHaveLength(2)
    expect(found.data.web[0].markdown).toContain("12 metres")
  })

  test("map, crawl and the status of the crawl", async () => {
    expect((await good("firecrawl_map", { url: page("") })).links).toHaveLength(3)
    const crawl = await good("firecrawl_crawl", { url: page(""), limit: 2 })
    expect(crawl).toMatchObject({ status: "completed", completed: 2, total: 2 })
    expect(await good("firecrawl_check_crawl_status", { id: crawl.id })).toMatchObject({
      status: "completed",
      data: [expect.anything(), expect.anything()],
    })
  })

  test("parse: a local file", async () => {
    const filePath = join(folder, "note.html")
    await Bun.write(filePath, "<main><h1>Note</h1><p>The rope is in the locker.</p></main>")
    const { data } = await good("firecrawl_parse", { filePath, formats: ["markdown"] })
    expect(data.markdown).toContain("The rope is in the locker.")
    expect(data.metadata.sourceURL).toBe("note.html")
  })

  test("credit usage, also by month", async () => {
    expect(await good("firecrawl_credit_usage")).toMatchObject({ remainingCredits: 1e9 })
    const { periods } = await good("firecrawl_credit_usage", { view: "historical" })
    expect(periods).toBeArray()
  })

  test("monitors: all eight tools", async () => {
    changing[0] = "10"
    const goal = "Report a new price"
    const { data: made, warning } = await good("firecrawl_monitor_create", {
      page: page("changes"),
      goal,
    })
    expect(warning).toBe("Ignored options: goal.")
    expect(made).toMatchObject({ status: "active", schedule: { cron: "*/30 * * * *" } })
    const { id } = made
    const { data: first } = await good("firecrawl_monitor_checks", { id, limit: 1 })
    await here.app.runs.wait(first[0].id, 60_000)
    changing[0] = "12"
    const { data: run } = await good("firecrawl_monitor_run", { id })
    await here.app.runs.wait(run.id, 60_000)
    const { data: check } = await good("firecrawl_monitor_check", {
      id,
      checkId: run.id,
      pageStatus: "changed",
    })
    expect(check.pages[0].diff.text).toContain("+Rope: 12 EUR")
    const paused = await good("firecrawl_monitor_update", { id, body: { status: "paused" } })
    expect(paused.data.status).toBe("paused")
    expect((await good("firecrawl_monitor_get", { id })).data.id).toBe(id)
    expect((await good("firecrawl_monitor_list")).data).toHaveLength(1)
    await good("firecrawl_monitor_delete", { id })
    expect((await good("firecrawl_monitor_list")).data).toEqual([])
  })

  test("a tool without a counterpart is refused with a message", async () => {
    const uuid = crypto.randomUUID()
    const refused: [string, object][] = [
      ["firecrawl_agent", { prompt: "Find ropes" }],
      ["firecrawl_find_tools", { query: "rope" }],
      ["firecrawl_feedback", { endpoint: "scrape", jobId: uuid, rating: "good" }],
    ]
    for (const [name, args] of refused) {
      const { text } = await called(name, args)
      expect(`${name}: ${text}`).toContain("is not supported")
    }
  })
})
