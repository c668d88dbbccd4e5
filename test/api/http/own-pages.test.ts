import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { TestApp } from "../app.ts"

/** A service with default settings: on 127.0.0.1, for this machine only. */
let local: TestApp
let published: TestApp
let behind: TestApp
beforeAll(async () => {
  const plain = { baseUrl: undefined } as unknown as { baseUrl: string }
  local = await TestApp.open(plain)
  published = await TestApp.open({ baseUrl: "https://trawl.example" })
  behind = await TestApp.open({ ...plain, trustProxy: ["127.0.0.1"] })
})
afterAll(async () => {
  for (const app of [local, published, behind]) await app.close()
})

const scrape = "http://127.0.0.1:8080/api/scrape/words-scraper?words=hi"
const own = { host: "127.0.0.1:8080" }

describe("on loopback without a public URL", () => {
  const rows: [string, Record<string, string>, number][] = [
    ["a client that is not a browser", own, 200],
    ["our own page", { ...own, origin: "http://127.0.0.1:8080" }, 200],
    ["our own page by another name", { ...own, origin: "http://localhost:8080" }, 200],
    ["a page of elsewhere", { ...own, origin: "https://evil.example" }, 403],
    [
      "our own form, which keeps its address to itself",
      { ...own, origin: "null", "sec-fetch-site": "same-origin" },
      200,
    ],
    ["a page without a name", { ...own, origin: "null" }, 403],
    ["a name that was rebound to this machine", { host: "evil.example:8080" }, 403],
    [
      "our own page behind an unconfigured proxy",
      { host: "trawl.example", origin: "https://trawl.example" },
      200,
    ],
    [
      "a page of elsewhere behind such a proxy",
      { host: "trawl.example", origin: "https://evil.example" },
      403,
    ],
    [
      "an image on a page of another site",
      { ...own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
      403,
    ],
    [
      "a form on a page of another site",
      { ...own, origin: "null", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
      403,
    ],
    [
      "a link on a page of another site",
      { ...own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
      403,
    ],
    [
      "a link on a page of another site, in a browser without fetch metadata",
      { ...own, referer: "https://evil.example/page" },
      403,
    ],
    [
      "an address that the user types",
      { ...own, "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
      200,
    ],
  ]
  for (const [name, headers, status] of rows) {
    test(name, async () => {
      const response = await local.get(scrape, { headers })
      expect(response.status).toBe(status)
      if (status === 200) return
      expect(response.body.error.message).toMatch(
        /pages? (?:of|from)|does not belong to this server/,
      )
      expect(response.headers.get("access-control-allow-origin")).toBeNull()
    })
  }

  test.each(["/", "/healthz", "/api/scrape", "/api/scrape/words-scraper"])(
    "a link of another site may open %s, which has no effect",
    async (path) => {
      const headers = { ...own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }
      const { status } = await local.get(`http://127.0.0.1:8080${path}`, { headers })
      expect(status).toBe(200)
    },
  )

  const evil = { ...own, origin: "https://evil.example" }
  const paths = ["/api/scrape", "/api/tools/scrape", "/llms.txt", "/api/v1/scrapers", "/healthz"]
  for (const path of paths) {
    test(`a page of another site cannot read ${path}`, async () => {
      const response = await local.get(`http://127.0.0.1:8080${path}`, { headers: evil })
      expect(response.status).toBe(403)
    })
  }

  test("and CORS does not allow it to", async () => {
    const response = await local.call("OPTIONS", scrape, { headers: evil })
    expect(response.status).toBe(403)
    expect(response.headers.get("access-control-allow-origin")).toBeNull()
  })
})

test("a public service allows pages of every site", async () => {
  const headers = { host: "trawl.example", origin: "https://someone.example" }
  const response = await published.get(scrape, { headers })
  expect(response.status).toBe(200)
  expect(response.headers.get("access-control-allow-origin")).toBe("*")
})

test("so does one that a trusted proxy publishes", async () => {
  const headers = {
    host: "trawl.example",
    origin: "https://someone.example",
    "x-forwarded-for": "203.0.113.9",
  }
  expect((await behind.get(scrape, { headers })).status).toBe(200)
})
