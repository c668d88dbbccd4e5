import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { catalogue } from "../../../src/catalogue/index.ts"
import { TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  const slugs = [
    ...["pypi-package-scraper", "web-scraper", "url-to-markdown-scraper"],
    ...["page-change-monitor", "price-monitor"],
  ]
  app = await TestApp.open(
    { freeDaily: 1000 },
    catalogue.filter(({ slug }) => slugs.includes(slug)),
  )
})
afterAll(() => app.close())

const headers = { accept: "application/json, text/event-stream" }
async function call(name: string, args: unknown): Promise<{ isError?: boolean; text: string }> {
  const params = { name, arguments: args }
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params }
  const { body } = await app.post("/api/mcp?set=meta", { body: message, headers })
  return { isError: body.result.isError, text: body.result.content[0].text }
}

const page = "https://a.example/"
describe("arguments whose meaning is certain", () => {
  // The package has an invalid name, so that the call ends before a request.
  const invalid = '"a b" is not a package name'
  const rows: [tool: string, args: unknown, text: string][] = [
    ["run_scraper", { slug: "pypi", input: { packages: "a b" } }, invalid],
    ["run_scraper", { scraper: "pypi", packages: ["a b"] }, invalid],
    ["start_run", { scraper: "pypi", input: '{"packages":["a b"]}' }, invalid],
    ["get_run", { runId: "nope" }, 'There is no run "nope"'],
    ["find_scrapers", { task: "version of a Python package" }, "pypi-package-scraper ("],
  ]
  test.each(rows)("%s takes %j", async (tool, args, text) => {
    expect((await call(tool, args)).text).toContain(text)
  })
})

describe("an error names the argument and the fix", () => {
  const rows: [tool: string, args: unknown, ...texts: string[]][] = [
    ["run_scraper", { scraper: "pypi", input: "flask" }, "- input:", '{"packages":["requests"]}'],
    ["run_scraper", { scraper: "pypi" }, "- input:", '{"packages":["requests"]}'],
    ["find_scrapers", { query: "hotels", category: "food" }, "- category:", "travel"],
    ["read_page", { url: "no url" }, "- url:", '"no url"'],
    ["extract", { url: page, schema: "title" }, "- schema:", '{"title":"string"}'],
    ["extract", { url: page, schema: {} }, "- schema:", '"schema" must be of type "object"'],
    ["watch", { url: page }, "page-change-monitor", "price-monitor", page],
  ]
  test.each(rows)("%s %j", async (tool, args, ...texts) => {
    const { isError, text } = await call(tool, args)
    expect(isError).toBe(true)
    for (const part of texts) expect(text).toContain(part)
    expect(text).not.toContain("The query is not valid")
  })

  test("unknown fields are listed once, without the part that the protocol adds", async () => {
    const args = { scraper: "pypi", input: { packages: "flask" }, fields: ["a.b", "c.d"] }
    const { text } = await call("run_scraper", args)
    expect(text).toStartWith('There is no field "a.b"')
    expect(text.match(/^- fields:/gm)).toHaveLength(1)
  })
})
