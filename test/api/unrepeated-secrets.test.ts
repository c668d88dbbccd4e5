import { afterAll, beforeAll, expect, test } from "bun:test"
import { TestApp } from "./app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open()
})
afterAll(() => app.close())

const long = "s3cret-".repeat(200)
const steps = [{ type: "goto", url: "https://shop.example/login" }]

test.each([
  ["/api/account", "password", { email: "ada@example.com", password: "s3cret" }],
  ["/api/account", "password", { email: "ada@example.com", password: long }],
  ["/api/account", "password", { email: "ada@example.com", password: ["s3cret"] }],
  [
    "/api/v1/sessions",
    "login.secrets.pin",
    { name: "x", login: { steps, secrets: { pin: long } } },
  ],
  ["/api/v1/notifications", "token", { kind: "ntfy", token: long }],
])("%s does not repeat a refused %s", async (path, field, body) => {
  const { key } = await app.account({ credits: 1 })
  const response = await app.post(path, { key, body })
  expect(response.status).toBe(400)
  const text = JSON.stringify(response.body)
  expect(text).toContain(field)
  expect(text).not.toContain("s3cret")
})

test("other refused values are repeated", async () => {
  const body = { email: "no-address", password: "correct horse battery" }
  const response = await app.post("/api/account", { body })
  expect([response.status, JSON.stringify(response.body)]).toEqual([
    400,
    expect.stringContaining("no-address"),
  ])
})
