import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { catalogue } from "../../../src/catalogue/index.ts"
import { TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open()
})
afterAll(() => app.close())

const words = ["a", "b", "c", "d", "e", "f"]
const runs = "/api/v1/scrapers/premium-words-scraper/runs"
const estimate = "/api/v1/scrapers/premium-words-scraper/estimate"

describe("a run with maxCredits", () => {
  test("ends before it costs more, and keeps what is paid for", async () => {
    const { key } = await app.account({ credits: 100 })
    // Each word is a page of two credits.
    const path = `${runs}?waitForFinish=300&maxCredits=5`
    const { body: run } = await app.post(path, { key, body: { words } })
    expect(run).toMatchObject({ status: "failed", creditsCharged: 4, itemCount: 2 })
    expect(run.error.code).toBe("out_of_credit")
    expect((await app.get("/api/v1/me", { key })).body.credits.balance).toBe(96)
  })

  test("with enough credits is like any other", async () => {
    const { key } = await app.account({ credits: 100 })
    const path = `${runs}?waitForFinish=300&maxCredits=12`
    const { body: run } = await app.post(path, { key, body: { words } })
    expect(run).toMatchObject({ status: "succeeded", creditsCharged: 12, itemCount: 6 })
  })

  test("must be at least 1", async () => {
    const { key } = await app.account({ credits: 100 })
    for (const most of ["0", "-1", "some"]) {
      const response = await app.post(`${runs}?maxCredits=${most}`, { key, body: { words } })
      expect([response.status, response.body.error.details[0].field]).toEqual([400, "maxCredits"])
    }
  })
})

describe("an estimate", () => {
  test("returns what a run would cost, and starts none", async () => {
    const { key } = await app.account({ credits: 7 })
    const response = await app.post(estimate, { key, body: { words } })
    expect([response.status, response.body]).toEqual([
      200,
      {
        targets: 6,
        creditsPerPage: 2,
        minCredits: 12,
        maxCredits: null,
        creditsAvailable: 7,
        targetsCovered: 3,
      },
    ])
    expect((await app.get("/api/v1/runs", { key })).body.total).toBe(0)
    const unlimited = await app.account({ unlimited: true, credits: 0 })
    const free = await app.post(estimate, { key: unlimited.key, body: { words } })
    expect(free.body).toMatchObject({ creditsAvailable: null, targetsCovered: 6 })
  })

  test.each([
    // Over all start URLs.
    [
      "website-content-crawler",
      { startUrls: ["https://a.test", "https://b.test"], maxPages: 40 },
      40,
    ],
    ["website-content-crawler", { startUrls: ["https://a.test"] }, 50],
    ["docs-crawler-scraper", { startUrl: "https://a.test/docs/" }, 100],
    // For each search, at two credits a page.
    ["amazon-search-scraper", { keywords: ["lamp", "rope"], maxPages: 3 }, 12],
    // A fixed number of pages for each ID.
    ["pypi-package-scraper", { packages: ["requests", "flask"] }, 6],
    ["meta-tags-scraper", { urls: ["https://a.test", "https://b.test"] }, 2],
    // By the number of listed pages.
    ["openalex-scraper", { query: "tides", maxItems: 250 }, 3],
    ["wikipedia-search-scraper", { queries: ["tide", "moon"], resultsPerQuery: 20 }, 2],
    // A page for each item, and for each link.
    ["weworkremotely-jobs-scraper", { fetchJobPages: true, limit: 10 }, null],
    ["broken-link-checker", { startUrl: "https://a.test", maxPages: 3 }, null],
  ])("of %s with %j costs at most %p", async (slug, input, maxCredits) => {
    const whole = await TestApp.open({}, catalogue)
    try {
      const { key } = await whole.account({ credits: 7 })
      const response = await whole.post(`/api/v1/scrapers/${slug}/estimate`, { key, body: input })
      expect([response.status, response.body.maxCredits]).toEqual([200, maxCredits])
    } finally {
      await whole.close()
    }
  })

  test("refuses a wrong input as a run does", async () => {
    const { key } = await app.account({ credits: 7 })
    const response = await app.post(estimate, { key, body: { words: [] } })
    expect(response.status).toBe(400)
  })
})
