import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { root, TestApp } from "../app.ts"

const html = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } }

let app: TestApp
let below: TestApp
const base = "/tools/trawl"
beforeAll(async () => {
  app = await TestApp.open()
  below = await TestApp.open({ baseUrl: `https://example.com${base}/` })
})
afterAll(() => Promise.all([app.close(), below.close()]))

/** URLs within the page's own service. */
const addressesOf = (text: string) =>
  [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map((match) => match[1]!)

describe("GET /", () => {
  test("is a page for browsers, with working links", async () => {
    const page = await app.get("/", html)
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toStartWith("text/html")
    expect(page.headers.get("vary")).toBe("accept, accept-encoding")
    expect(page.text).toContain(`curl '${root}/api/scrape?url=https://example.com'`)
    const addresses = new Set(addressesOf(page.text))
    for (const wanted of ["/docs", "/signup", "/llms.txt", "/openapi.json", "/api/scrape"]) {
      expect(addresses).toContain(wanted)
    }
    expect(addresses).toContain("/api/scrape/words-scraper")
    for (const address of addresses) {
      const { status, body } = await app.get(address)
      expect(status, address).toBe(200)
      // The keyless routes return 200 for everything, so check the body.
      if (address.startsWith("/api/scrape/")) expect(body.status, address).toBe("USAGE")
    }
  })

  test("is a directory for programs", async () => {
    for (const accept of ["*/*", "application/json"]) {
      const { body } = await app.get("/", { headers: { accept } })
      expect(body.service).toBe("Trawl")
      expect(body.links.docs).toBe(`${root}/docs`)
    }
  })

  test("is linked from an unknown URL, in a browser only", async () => {
    for (const path of ["/sign-in", "/docs/guide/nothing", "/<script>"]) {
      const page = await app.get(path, html)
      expect([path, page.status, page.headers.get("content-type")]).toEqual([
        path,
        404,
        "text/html;charset=utf-8",
      ])
      expect(page.text).toContain("<h1>No such page</h1>")
      expect(page.text).toContain('href="/signup"')
      expect(page.text).not.toContain("<script>")
      expect((await app.get(path)).body.error.status).toBe(404)
    }
    expect((await app.get("/api/nothing", html)).body.error.status).toBe(404)
  })

  test("allows only the console's own script and style", async () => {
    const page = await app.get("/", html)
    const policy = page.headers.get("content-security-policy")!
    const rules = new Map(policy.split("; ").map((rule) => rule.split(" ") as [string, string]))
    expect(rules.get("default-src")).toBe("'none'")
    for (const kind of ["script", "style", "img", "connect"]) {
      expect(rules.get(`${kind}-src`)).toBe("'self'")
    }
    expect(page.text.match(/<script[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(/^<script type="module" src="\/console\/console-[\da-f]{12}\.js">$/),
    ])
    expect(page.text).not.toMatch(/<style| style="| on\w+="/)
    expect(page.headers.get("referrer-policy")).toBe("same-origin")
  })

  test("does not link to sign-up if it is closed", async () => {
    const closed = await TestApp.open({ signup: "closed" })
    expect((await closed.get("/", html)).text).not.toContain("Sign up")
    const form = await closed.get("/signup", html)
    expect(form.text).toContain("<h1>Sign in</h1>")
    expect(form.text).not.toContain('value="sign-up"')
    await closed.close()
  })

  test("escapes what the page shows", async () => {
    const page = await app.get("http://trawl.test/", html)
    const hostile = await below.get("/", {
      headers: { ...html.headers, "x-forwarded-host": '"><script>' },
    })
    for (const { text } of [page, hostile]) {
      expect(text.match(/<script/g)).toHaveLength(1)
      expect(text).not.toContain("<script>")
    }
  })

  test("robots are kept out of calls and forms", async () => {
    const { text, headers } = await app.get("/robots.txt")
    expect(headers.get("content-type")).toStartWith("text/plain")
    expect(text).toBe("User-agent: *\nDisallow: /api/\nDisallow: /signup\n")
  })

  test("the icon is an image", async () => {
    const { status, headers, text } = await app.get("/favicon.ico")
    expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"])
    expect(text).toStartWith("<svg ")
  })
})

describe("under a base path", () => {
  test("every link of every page has the base path", async () => {
    for (const path of ["/", "/scrapers", "/signup", "/signup?view=sign-in", "/docs"]) {
      const { text } = await below.get(path, html)
      const addresses = addressesOf(text)
      expect(addresses.length, path).toBeGreaterThan(2)
      for (const address of addresses) expect(address, path).toStartWith(`${base}/`)
    }
    expect((await below.get("/docs/start.js")).text).toContain(`"${base}/openapi.json"`)
  })

  test("links of responses and the OpenAPI document have it too", async () => {
    const { body } = await below.get("/")
    for (const link of Object.values(body.links)) {
      expect(link).toStartWith(`https://example.com${base}/`)
    }
    const document = await below.get("/openapi.json")
    expect(document.body.servers).toEqual([{ url: `https://example.com${base}` }])
  })

  test("cookies are limited to the path", async () => {
    const form = await below.get("/signup")
    expect(form.headers.get("set-cookie")).toContain(`Path=${base}/signup`)
    const made = await below.post("/api/account", {
      body: { email: "ada@example.com", password: "long enough" },
    })
    expect(made.headers.get("set-cookie")).toContain(`Path=${base}/;`)
  })

  test("a proxy that does not remove the path gets a warning", async () => {
    for (const path of [base, `${base}/docs`]) {
      const { status, text } = await below.get(path)
      expect(status).toBe(404)
      expect(text).toContain(`Configure the reverse proxy to remove ${base} from`)
    }
    expect((await below.get("/tools/trawler")).text).not.toContain("proxy")
  })
})

test("X-Forwarded-* of an untrusted client is logged once, with the name of the setting", async () => {
  const own = await TestApp.open()
  const warnings = () => own.logged.filter((line) => line.includes("TRAWL_TRUST_PROXY"))
  await own.get("/api/tools")
  expect(warnings()).toHaveLength(0)
  for (const header of ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"]) {
    await own.get("/api/scrape?url=https://example.com/", { headers: { [header]: "203.0.113.9" } })
  }
  expect(warnings()).toHaveLength(1)
  await own.close()
  const trusting = await TestApp.open({ trustProxy: ["127.0.0.1"] })
  await trusting.get("/api/tools", { headers: { "x-forwarded-host": "trawl.example" } })
  expect(trusting.logged.join("")).not.toContain("TRAWL_TRUST_PROXY")
  await trusting.close()
})
