import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { catalogue } from "../../../src/catalogue/index.ts"
import { TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  const slugs = ["pypi-package-scraper", "web-scraper", "url-to-markdown-scraper"]
  app = await TestApp.open(
    { freeDaily: 1000 },
    catalogue.filter(({ slug }) => slugs.includes(slug)),
  )
})
afterAll(() => app.close())

const post = (body: unknown) => app.post("/api/agent/scrape", { body })

describe("an agent's body", () => {
  // The package has an invalid name, so that the call ends before a request.
  const invalid = "a b"
  const bodies: [name: string, body: unknown][] = [
    ["with `slug`", { slug: "pypi-package-scraper", input: { packages: invalid } }],
    ["with inputs next to the scraper", { scraper: "pypi", packages: [invalid] }],
    ["with `params`", { tool: "pypi", params: { packages: [invalid] } }],
    ["with the input as JSON text", { scraper: "pypi", input: `{"packages":["${invalid}"]}` }],
    ["with a list of fields", { scraper: "pypi", input: { packages: invalid }, fields: ["name"] }],
  ]
  test.each(bodies)("%s is understood", async (_, body) => {
    const { body: response } = await post(body)
    expect(response.status).toBe("INVALID_INPUT")
    expect(response.error.details).toMatchObject([{ field: "packages[0]", actual: invalid }])
  })

  const refused: [name: string, body: unknown, field: string, text: string][] = [
    ["that is a list", [], "body", "not []"],
    ["that is a text", '"x"', "body", 'not "x"'],
    [
      "whose input is a text",
      { scraper: "pypi", input: "flask" },
      "input",
      '{"packages":["requests"]}, not "flask"',
    ],
    [
      "whose fields do not exist",
      { scraper: "pypi", input: { packages: "flask" }, pick: ["nmae"] },
      "pick",
      'Did you mean "name"',
    ],
  ]
  test.each(refused)("%s is refused with an example", async (_, body, field, text) => {
    const { body: response, status } = await post(body)
    expect([status, response.status]).toEqual([400, "INVALID_INPUT"])
    expect(response.error.details).toMatchObject([{ field }])
    expect(response.error.message).toContain(text)
  })
})

describe("a call by GET", () => {
  const rows: [path: string, field: string, text: string][] = [
    ["/api/scrape?q=hotels in rome", "q", "find=hotels%20in%20rome"],
    ["/api/scrape?query=hotels", "query", "/api/search?q=hotels"],
    ['/api/scrape/pypi?input=["flask"]', "input", '{"packages":["requests"]}, not ["flask"]'],
    ["/api/scrape/pypi?input=flask", "input", "line 1, column 1"],
    ["/api/scrape/pypi?packages=flask&limit=5", "limit", "maxTokens"],
    ["/api/scrape/pypi?packages=flask&fields=nmae", "fields", 'Did you mean "name"'],
    ["/api/scrape/pypi?packages=flask&pick=downloads", "pick", 'Did you mean "downloadsLast'],
    ["/api/scrape/pypi?packages=flask&fields=title: h1", "fields", "There is no field"],
  ]
  test.each(rows)("%s blames the parameter and names the fix", async (path, field, text) => {
    const { body } = await app.get(path)
    expect(body.status).toBe("INVALID_INPUT")
    expect(body.error.details).toMatchObject([{ field }])
    expect(body.error.message).toContain(text)
  })

  test("a fixed tool takes one value, and an unknown tool names the lists", async () => {
    const several = await app.get("/api/tools/url-to-markdown?url=a.test&url=b.test")
    expect(several.body.error.details).toMatchObject([
      { field: "url", actual: ["a.test", "b.test"] },
    ])
    expect(several.body.error.message).toContain("/api/scrape/url-to-markdown-scraper")
    expect((await app.get("/api/tools/zzz?x=1")).body.error.message).toContain("/api/scrape?find=")
  })

  test("the only unknown name is likely to be the only missing one", async () => {
    const { body } = await app.get("/api/scrape/pypi?project=flask")
    expect(body.error.details).toMatchObject([
      { field: "project", expected: "packages" },
      { field: "packages" },
    ])
    expect(body.error.message).toContain('Did you mean "packages"?')
  })

  test("a search takes its words as `query`, too", async () => {
    const { body } = await app.get("/api/search?query=hotels&limit=0")
    expect(body.error.details).toMatchObject([{ field: "limit" }])
  })

  test("POST to a scraper names the route for POST", async () => {
    const { status, body } = await app.post("/api/scrape/pypi-package-scraper", { body: {} })
    expect(status).toBe(405)
    expect(body.error.message).toContain("POST /api/agent/scrape")
  })
})
