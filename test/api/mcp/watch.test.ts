import { afterAll, beforeAll, expect, test } from "bun:test"
import { catalogue } from "../../../src/catalogue/index.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open({}, catalogue)
  key = (await app.account()).key
})
afterAll(() => app.close())

const scraper = "npm-package-scraper"

async function watch(as: string | undefined) {
  const { body } = await app.post("/api/mcp", {
    ...(as && { key: as }),
    headers: { accept: "application/json, text/event-stream" },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "watch",
        arguments: { scraper, input: { packages: ["left-pad"] }, every: "day" },
      },
    },
  })
  const { isError = false, content } = body.result as {
    isError?: boolean
    content: { text: string }[]
  }
  return { isError, text: content[0]!.text }
}

test("a key without limits creates a schedule", async () => {
  expect((await watch(key)).isError).toBe(false)
  expect((await app.get("/api/v1/schedules", { key })).body.total).toBe(1)
})

test.each([
  ["expires", { expiresAt: "2099-01-31T00:00:00.000Z" }, "expires on 2099-01-31"],
  ["has a credit limit", { creditLimit: 7 }, "may spend only 7 credits"],
])("a key that %s may not, and the error names the limit and the fix", async (_, terms, limit) => {
  const made = await app.post("/api/v1/keys", { key, body: { name: "agent", ...terms } })
  const { isError, text } = await watch(made.body.apiKey)
  expect(isError).toBe(true)
  expect(text).toContain(limit)
  expect(text).toContain("never expires and has no credit limit")
})

test("without a key, the error names the sign-up", async () => {
  const { isError, text } = await watch(undefined)
  expect(isError).toBe(true)
  expect(text).toContain("/signup")
})
