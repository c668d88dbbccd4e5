import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { root, TestApp } from "../app.ts"

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open({ signup: "open" })
  key = (await app.account()).key
})
afterAll(() => app.close())

const input = { words: ["a"] }
const creating: [path: string, list: string, body: unknown][] = [
  ["/api/v1/scrapers/words-scraper/runs", "runs", input],
  ["/api/v1/scrapers/words-scraper/runs?waitForFinish=300", "runs", input],
  ["/api/v1/batches", "batches", { scraper: "words-scraper", inputs: [input] }],
  ["/api/v1/schedules", "schedules", { scraper: "words-scraper", input, cron: "@yearly" }],
  ["/api/v1/webhooks", "webhooks", { url: "https://example.com/hook" }],
]

describe("creations return Location", () => {
  for (const [path, list, body] of creating) {
    test(path, async () => {
      const made = await app.post(path, { key, body })
      expect(made.status).toBe(201)
      const location = made.headers.get("location")
      expect(location).toBe(`${root}/api/v1/${list}/${made.body.id}`)
      expect((await app.get(location!, { key })).body.id).toBe(made.body.id)
    })

    test(`${path}, also if the call is repeated`, async () => {
      const headers = { "idempotency-key": `${path} again` }
      const [one, other] = await Promise.all([
        app.post(path, { key, body, headers }),
        app.post(path, { key, body, headers }),
      ])
      const later = await app.post(path, { key, body, headers })
      expect(later.headers.get("idempotent-replayed")).toBe("true")
      for (const response of [one, other, later]) {
        expect(response.headers.get("location")).toBe(`${root}/api/v1/${list}/${one.body.id}`)
      }
    })
  }

  test("a key, and an account", async () => {
    const made = await app.post("/api/v1/keys", { key, body: {} })
    expect(made.headers.get("location")).toBe(`${root}/api/v1/keys/${made.body.id}`)
    const body = { email: "ada@example.com", password: "correct horse battery" }
    const account = await app.post("/api/account", { body })
    expect([account.status, account.headers.get("location")]).toEqual([201, `${root}/api/account`])
  })
})
