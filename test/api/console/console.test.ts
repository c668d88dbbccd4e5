import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { catalogue } from "../../../src/catalogue/index.ts"
import { routes } from "../../../src/console/routing/routes.ts"
import { TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({}, catalogue)
})
afterAll(() => app.close())

const html = { headers: { accept: "text/html" } }

test("every scraper has a screen with its whole definition", async () => {
  const { body } = await app.get("/console/catalogue")
  expect(body.scrapers.map(({ slug }: { slug: string }) => slug)).toEqual(
    catalogue.map(({ slug }) => slug),
  )
  // No scraper has been checked here.
  expect(new Set(body.scrapers.map(({ state }: { state: string }) => state))).toEqual(
    new Set(["unknown"]),
  )
  for (const { slug, item } of catalogue) {
    const { status, body } = await app.get(`/console/scrapers/${slug}`)
    expect(status, slug).toBe(200)
    expect(body.recorded, slug).toMatchObject({ input: {}, item: {} })
    expect(Object.keys(body.item.properties ?? {})).toEqual(Object.keys(item.properties ?? {}))
  }
})

test("every screen has a page", async () => {
  for (const { path } of routes) {
    const { status } = await app.get(path.replace(":id", "pypi-package-scraper"), html)
    expect([path, status]).toEqual([path, 200])
  }
})

test("an unknown screen returns 404, to programs too", async () => {
  expect((await app.get("/scrapers/pypi-package-scraper", html)).status).toBe(200)
  expect((await app.get("/scrapers/no-such-thing", html)).status).toBe(404)
  const { status, body } = await app.get("/console/scrapers/pypi-package")
  expect([status, body.slug]).toEqual([200, "pypi-package-scraper"])
  const missing = await app.get("/console/scrapers/no-such-thing")
  expect([missing.status, missing.body.error.message]).toEqual([
    404,
    expect.stringContaining("no-such-thing"),
  ])
  expect((await app.get("/console/console-000000000000.js")).status).toBe(404)
})

test("the scrapers made for a URL, with it filled in", async () => {
  const which = async (url: string) =>
    (await app.get(`/console/which?url=${encodeURIComponent(url)}`)).body
  expect((await which("pypi.org/project/flask")).scrapers[0]).toMatchObject({
    slug: "pypi-package-scraper",
    input: { packages: ["https://pypi.org/project/flask"] },
  })
  expect(await which("https://unknown.example/")).toEqual({ scrapers: [] })
  expect(await which("http://[")).toEqual({ scrapers: [] })
  expect((await which("x".repeat(3_000))).error.message).toContain("url")
  expect((await app.get("/console/which")).status).toBe(400)
})

test("a page shows who is signed in only to that user", async () => {
  const made = await app.post("/api/account", {
    body: { email: "ada@example.com", password: "long enough" },
  })
  const cookie = made.headers.get("set-cookie")!.split(";")[0]!
  const own = await app.get("/", { headers: { ...html.headers, cookie } })
  expect(own.text).toContain('data-account="ada@example.com"')
  expect(own.headers.get("cache-control")).toBe("private, no-cache")
  expect((await app.get("/", html)).text).not.toContain("data-account")
})

test("the tokens that tools cost a model, and the error of an unknown tool", async () => {
  const cost = async (query: string) => (await app.get(`/console/tools?${query}`)).body
  const [found, one, all] = await Promise.all(
    ["set=meta", "tools=pypi-package-scraper", "set=all"].map(cost),
  )
  expect(found.tokens).toBeLessThan(all.tokens / 5)
  expect([one.tools, all.tools - one.tools]).toEqual([8, catalogue.length + 4])
  const refused = await app.get("/console/tools?tools=nothing-of-this-name")
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringContaining("nothing-of-this-name"),
  ])
})

test("the next times of a cron expression in a time zone, or its error", async () => {
  const times = (cron: string, timeZone: string) =>
    app.get(`/console/times?${new URLSearchParams({ cron, timeZone })}`)
  const { body } = await times("0 9 * * 1-5", "Europe/Berlin")
  expect(body.times).toHaveLength(5)
  for (const at of body.times) {
    const visible = new Date(at).toLocaleTimeString("en-GB", { timeZone: "Europe/Berlin" })
    expect(visible).toBe("09:00:00")
  }
  expect((await times("0 9 31 2 *", "UTC")).body.error.message).toContain("never matches a date")
  expect((await times("0 9 * * *", "Europe/Nowhere")).body.error.message).toContain(
    "Unknown time zone",
  )
})

test("the screen of a scraper with a watch lists the watched fields", async () => {
  const watchOf = async (slug: string) => (await app.get(`/console/scrapers/${slug}`)).body.watch
  expect(await watchOf("page-change-monitor")).toMatchObject({
    conditions: [{ when: "changed" }],
    lines: { added: "addedLines", removed: "removedLines" },
  })
  expect(await watchOf("pypi-package-scraper")).toBeNull()
})

describe("picked fields are read as a run reads them", () => {
  const html = `<base href="/shop/"><table><tr><th>Width<td>20 cm<tr><th>Weight<td>0.1 kg</table>
    <ul><li><a href=a>One</a><li><a href=b>Two</a></ul>`
  const picked = (fields: [string, string][], rows = "", page = html) =>
    app.post("/console/fields", {
      body: {
        html: page,
        url: "https://shop.example/p/1",
        fields: fields.map(([name, take]) => ({ name, take })),
        rows,
      },
    })

  test("from the page, with a tbody that only browsers have", async () => {
    const { body } = await picked([
      ["weight", 'th:contains("Weight") + td'],
      ["by_place", "tbody > tr:nth-of-type(2) > td"],
      ["links", "li a @href"],
      ["none", ".none"],
    ])
    expect(body).toEqual({
      fields: {
        weight: { count: 1, values: ["0.1 kg"] },
        by_place: { count: 1, values: ["0.1 kg"] },
        links: { count: 2, values: ["https://shop.example/shop/a", "https://shop.example/shop/b"] },
        none: { count: 0, values: [] },
      },
    })
  })

  test("from each row", async () => {
    const { body } = await picked([["name", "a"]], "li")
    expect(body.fields).toEqual({ name: { count: 2, values: ["One", "Two"] } })
  })

  test("invalid selectors, an empty body and too much are refused with a message", async () => {
    expect((await picked([["bad", "a["]])).body.issue).toContain('"a["')
    expect((await picked([])).status).toBe(400)
    expect((await picked([["a", "a"]], "", "x".repeat(9_000_000))).status).toBe(413)
    const text = await app.post("/console/fields", {
      body: "{}",
      headers: { "content-type": "text/plain" },
    })
    expect(text.status).toBe(415)
  })

  test("a page with too many elements is refused by name", async () => {
    const { status, body } = await app.post("/console/fields", {
      body: {
        html: "<p>".repeat(200_001),
        url: "https://shop.example/p/1",
        fields: [{ name: "title", take: "h1" }],
        rows: "",
      },
    })
    expect([status, body.error.message]).toEqual([413, "The page has more than 200,000 elements."])
  })
})
