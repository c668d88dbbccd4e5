import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({}, [])
})
afterAll(() => app.close())

describe("a call of an unknown route names the nearest", () => {
  const rows: [method: string, path: string, nearest: string | undefined][] = [
    ["GET", "/api/scrapers", "GET /api/scrape?"],
    ["GET", "/scrape", "GET /api/scrape?"],
    ["GET", "/api/v1/runz", "GET /api/v1/runs?"],
    ["GET", "/api/v1/dataset/dst_1/items", "GET /api/v1/datasets/dst_1/items?"],
    ["POST", "/api/scrape", "POST /api/agent/scrape?"],
    ["GET", "/nothing-of-the-kind", undefined],
    ["GET", `/api/${"a".repeat(5000)}`, undefined],
  ]
  for (const [method, path, nearest] of rows) {
    test(`${method} ${path.slice(0, 40)}`, async () => {
      const { body } = await app.call(method, path)
      const { error } = body as { error: { message: string } }
      if (nearest) expect(error.message).toContain(`Did you mean ${nearest}`)
      else expect(error.message).not.toContain("Did you mean")
    })
  }
})
