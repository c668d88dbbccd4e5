import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { root, TestApp } from "../api/app.ts"

const operator = { key: "trawl_fortheoperatoralone" }
let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({}, undefined, operator.key)
})
afterAll(() => app.close())

const password = "correct horse battery"
const cookieOf = (headers: Headers) => ({
  cookie: /trawl_session=[^;]*/.exec(headers.get("set-cookie") ?? "")![0],
})
let people = 0

/** Signs up a user, who is then signed in. */
async function person() {
  const email = `person${++people}@example.com`
  const made = await app.post("/api/account", { body: { email, password } })
  const headers = cookieOf(made.headers)
  const { body } = await app.post("/api/v1/keys", { headers, body: {} })
  return { id: made.body.id as string, email, headers, key: body.apiKey as string }
}
const signIn = (email: string, password: string) =>
  app.post("/api/session", { body: { email, password } })

describe("the password", () => {
  test("can be changed by its user, which signs out other browsers", async () => {
    const { email, headers } = await person()
    const other = cookieOf((await signIn(email, password)).headers)
    const change = (body: object) => app.post("/api/account/password", { headers, body })
    expect((await change({ password: "wrong", newPassword: "another one" })).status).toBe(403)
    const short = await change({ password, newPassword: "short" })
    expect([short.status, short.text.includes('"short"')]).toEqual([400, false])
    expect((await change({ password, newPassword: "another one" })).status).toBe(204)
    expect((await app.get("/api/account", { headers })).status).toBe(200)
    expect((await app.get("/api/account", { headers: other })).status).toBe(401)
    expect((await signIn(email, password)).status).toBe(401)
    expect((await signIn(email, "another one")).status).toBe(200)
  })

  test("can be set once by a link of the operator", async () => {
    const { id, email, headers } = await person()
    const made = await app.post(`/api/admin/v1/accounts/${id}/password-link`, operator)
    const path = made.body.url.slice(root.length)
    const page = await app.get(path)
    expect(page.text).toContain(`value="${email}"`)
    const hidden = [...page.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]))
    const cookie = /trawl_form=[^;]*/.exec(page.headers.getSetCookie().join())![0]
    const send = (typed: string) =>
      app.post("/signup", {
        headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          ...fields,
          action: "set-password",
          password: typed,
        }).toString(),
      })
    expect((await send("short")).status).toBe(400)
    const done = await send("a new one by link")
    expect(done.text).toContain("The password is set.")
    expect((await app.get("/api/account", { headers: cookieOf(done.headers) })).body.id).toBe(id)
    expect((await app.get("/api/account", { headers })).status).toBe(401)
    expect((await signIn(email, "a new one by link")).status).toBe(200)
    expect((await send("and once more")).status).toBe(409)
    expect((await app.get(path)).text).toContain("has expired or was already used")
  })
})

test("signing out everywhere ends every browser session", async () => {
  const { email, headers } = await person()
  const other = cookieOf((await signIn(email, password)).headers)
  expect((await app.call("DELETE", "/api/sessions", { headers: other })).status).toBe(204)
  for (const browser of [headers, other]) {
    expect((await app.get("/api/account", { headers: browser })).status).toBe(401)
  }
})

test("an account's export has all its data and no secret", async () => {
  const { id, headers, key } = await person()
  const run = await app.run(key, ["one", "two"])
  await app.post("/api/v1/schedules", {
    key,
    body: { scraper: "words-scraper", input: { words: ["a"] }, cron: "0 0 1 1 *" },
  })
  await app.post("/api/v1/webhooks", {
    key,
    body: { url: "https://example.com/hook", events: ["run.succeeded"] },
  })
  const response = await app.get("/api/account/export", { headers })
  expect(response.headers.get("content-disposition")).toContain("attachment")
  const lines = response.text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ type: "account", id })
  const count = (type: string) => lines.filter((line) => line.type === type).length
  expect(["key", "run", "item", "schedule", "webhook", "usage"].map(count)).toEqual([
    1, 1, 2, 1, 1, 1,
  ])
  const usage = lines.find((line) => line.type === "usage")
  expect(usage).toMatchObject({ scraper: "words-scraper", pages: 2, items: 2, credits: 2 })
  expect(lines.find((line) => line.type === "run").id).toBe(run.id)
  for (const secret of [key, "whsec_", "argon2"]) expect(response.text).not.toContain(secret)
})

describe("a deleted account", () => {
  test("loses its runs, keys and sessions, and its email address is free again", async () => {
    const { id, email, headers, key } = await person()
    const run = await app.run(key, ["one"])
    const remove = (body: object) => app.call("DELETE", "/api/account", { headers, body })
    expect((await remove({ password: "wrong" })).status).toBe(403)
    const hanging = await app.post("/api/v1/scrapers/words-scraper/runs", {
      key,
      body: { words: ["slow"] },
    })
    expect((await remove({ password })).status).toBe(204)
    expect((await app.get("/api/account", { headers })).status).toBe(401)
    expect((await app.get("/api/v1/me", { key })).status).toBe(401)
    expect((await signIn(email, password)).status).toBe(401)
    expect((await app.get(`/api/admin/v1/accounts/${id}`, operator)).status).toBe(404)
    await app.purge()
    const { db } = app.store
    const left = await db
      .selectFrom("runs")
      .select("id")
      .where("id", "in", [run.id, hanging.body.id])
      .execute()
    expect(left).toEqual([])
    const stored = await db.selectFrom("accounts").selectAll().where("id", "=", id).execute()
    expect(stored).toMatchObject([{ email: null, password_hash: null }])
    const again = await app.post("/api/account", { body: { email, password } })
    expect(again.status).toBe(201)
    expect(again.body.id).not.toBe(id)
  })

  test("cannot be the last administrator's", async () => {
    const owner = await app.post("/api/admin/v1/accounts", {
      ...operator,
      body: { email: "last@example.com", password, role: "owner" },
    })
    const { id } = owner.body.account
    const path = `/api/admin/v1/accounts/${id}`
    expect((await app.call("DELETE", path, operator)).status).toBe(409)
    expect((await app.get("/api/v1/me", { key: owner.body.apiKey })).status).toBe(200)
    const { id: other } = await person()
    const member = `/api/admin/v1/accounts/${other}`
    expect((await app.call("DELETE", member, operator)).status).toBe(204)
    expect((await app.call("DELETE", member, operator)).status).toBe(404)
  })
})

test("a key cannot change the account", async () => {
  const { key } = await person()
  const answers = [
    await app.post("/api/account/password", { key, body: { password, newPassword: "12345678" } }),
    await app.call("DELETE", "/api/sessions", { key }),
    await app.get("/api/account/export", { key }),
    await app.call("DELETE", "/api/account", { key, body: { password } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
})
