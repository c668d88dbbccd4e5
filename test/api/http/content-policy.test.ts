import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createApi } from "../../../src/api/api.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
let run: { id: string; datasetId: string }
let routes: { method: string; path: string }[]
beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 10_000 })
  ;({ key } = await app.account({ unlimited: true }))
  run = await app.run(key, ["<script>alert(1)</script>"])
  routes = createApi(app.service).routes.filter(({ method }) => method !== "OPTIONS")
})
afterAll(() => app.close())

/** Trawl's own pages, which have a policy that blocks injected scripts. */
const own = /^default-src '(?:none|self)';(?!.*script-src[^;]*'unsafe-)/

async function expectConfined(method: string, path: string, headers = {}): Promise<void> {
  const response = await app.raw(method, path, { key, headers })
  await response.body?.cancel()
  const where = `${method} ${path}`
  expect(response.headers.get("x-content-type-options"), where).toBe("nosniff")
  const policy = response.headers.get("content-security-policy") ?? ""
  if (/\bsandbox\b/.test(policy)) expect(policy, where).toContain("default-src 'none'")
  else {
    expect(policy, where).toMatch(own)
    expect(path, where).not.toMatch(/^\/(?:api|v1|v2|r)\//)
  }
}

describe("what a response contains cannot run in a browser", () => {
  test("on any route", async () => {
    expect(routes.length).toBeGreaterThan(200)
    for (const { method, path } of routes) {
      const filled = path
        .replaceAll(":runId", method === "GET" ? run.id : "x")
        .replaceAll(":datasetId", method === "GET" ? run.datasetId : "x")
        .replace(/:\w+|\*/g, "x")
      if (!/events|log\/stream/.test(path)) await expectConfined(method, filled)
    }
  }, 120_000)

  test("in any format of the items", async () => {
    const { datasetId } = run
    const { body } = await app.post(`/api/v1/datasets/${datasetId}/links`, { key, body: {} })
    const shared = String(body.url ?? "").replace(/^https?:\/\/[^/]+/, "")
    expect(shared).toStartWith("/")
    for (const format of ["json", "jsonl", "csv", "xlsx", "parquet", "md", "xml", "html", "rss"]) {
      for (const path of [
        `/api/v1/datasets/${datasetId}/items`,
        `/v2/datasets/${datasetId}/items`,
        "/v2/acts/trawl~words-scraper/runs/last/dataset/items",
        `/v2/actor-runs/${run.id}/dataset/items`,
      ]) {
        await expectConfined("GET", `${path}?format=${format}`)
      }
      await expectConfined("GET", `${shared}${shared.includes("?") ? "&" : "?"}format=${format}`)
    }
  })

  test("of Jina's reader, in its formats", async () => {
    for (const form of ["html", "markdown", "text", "screenshot", "pageshot"]) {
      await expectConfined("GET", "/r/https://example.com/", { "x-respond-with": form })
    }
    await expectConfined("GET", "/r/https://example.com/", { accept: "text/event-stream" })
  })
})
