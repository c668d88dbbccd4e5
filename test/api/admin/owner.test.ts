import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createLink } from "../../../src/accounts/links.ts"
import { dueSchedules } from "../../../src/store/automation/schedules.ts"
import { root, TestApp } from "../app.ts"

const operatorToken = "trawl_fortheoperatoralone"
let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ signup: "closed", freeDaily: 0 }, undefined, operatorToken)
})
afterAll(() => app.close())

const base = "/api/admin/v1"
const operator = { key: operatorToken }
const password = "correct horse battery"
const pathOf = (url: string) => url.slice(root.length)
const linkIn = (url: string) => new URL(url).searchParams.get("link")!
const join = (email: string, link?: string) =>
  app.post("/api/account", { body: { email, password, ...(link && { link }) } })
const cookieOf = (headers: Headers) => ({
  cookie: /trawl_session=[^;]*/.exec(headers.get("set-cookie") ?? "")![0],
})
const ownerLink = async () => (await app.post(`${base}/owner-link`, operator)).body.url as string

describe("the administrator's account", () => {
  test("is created by a one-time link while sign-up is closed", async () => {
    expect((await join("early@example.com")).status).toBe(403)
    const url = await ownerLink()
    expect(url).toStartWith(`${root}/signup?link=`)
    const page = await app.get(pathOf(url))
    expect(page.text).toContain("creates an administrator")
    const made = await join("owner@example.com", linkIn(url))
    expect(made.status).toBe(201)
    expect(made.body.credits).toEqual({ balance: 0, unlimited: true })
    const list = await app.get(`${base}/accounts`, { headers: cookieOf(made.headers) })
    expect(list.body.items).toMatchObject([{ email: "owner@example.com", role: "owner" }])
    expect((await join("second@example.com", linkIn(url))).status).toBe(409)
    expect((await app.get(pathOf(url))).text).toContain("has expired or was already used")
    expect((await join("early@example.com")).status).toBe(403)
  })

  test("sign-up is open until it exists, and closed from then on", async () => {
    const fresh = await TestApp.open({ signup: "unowned" }, undefined, operatorToken)
    const joined = (email: string, link?: string) =>
      fresh.post("/api/account", { body: { email, password, ...(link && { link }) } })
    expect((await joined("first@example.com")).status).toBe(201)
    expect((await fresh.get("/llms.txt")).text).toContain("A free account has")
    const link = linkIn((await fresh.post(`${base}/owner-link`, operator)).body.url)
    expect((await joined("owner@example.com", link)).status).toBe(201)
    expect((await joined("late@example.com")).status).toBe(403)
    expect((await fresh.get("/llms.txt")).text).not.toContain("A free account has")
    await fresh.close()
  })

  test("a new link replaces the previous one, and each expires", async () => {
    const before = await ownerLink()
    await ownerLink()
    expect((await join("third@example.com", linkIn(before))).status).toBe(409)
    const early = new Date(Date.now() - 30 * 60_000)
    const { link } = await createLink(app.store, { kind: "owner", role: "owner" }, early)
    expect((await join("third@example.com", link)).status).toBe(409)
  })

  test("an existing account becomes administrator by signing in with the link", async () => {
    const { id } = (await made("becomes@example.com")).account
    const link = linkIn(await ownerLink())
    const before = await app.post("/api/session", {
      body: { email: "becomes@example.com", password },
    })
    const refused = await app.get(`${base}/accounts`, { headers: cookieOf(before.headers) })
    expect(refused.status).toBe(403)
    const body = { email: "becomes@example.com", password, link }
    const after = await app.post("/api/session", { body })
    expect(after.body.id).toBe(id)
    const list = await app.get(`${base}/accounts`, { headers: cookieOf(after.headers) })
    expect(list.status).toBe(200)
  })

  test("the last administrator cannot be removed", async () => {
    const owners = (await app.get(`${base}/accounts?role=owner`, operator)).body.items
    const change = (id: string, body: object) =>
      app.call("PATCH", `${base}/accounts/${id}`, { ...operator, body })
    for (const { id } of owners.slice(1)) await change(id, { role: "member" })
    for (const body of [{ role: "member" }, { locked: true }]) {
      expect((await change(owners[0].id, body)).status).toBe(409)
    }
  })
})

/** Creates an account as the operator does. */
async function made(email: string, more: object = {}) {
  const response = await app.post(`${base}/accounts`, {
    ...operator,
    body: { email, password, ...more },
  })
  expect(response.status).toBe(201)
  return response.body as { account: { id: string }; apiKey: string }
}

describe("access to the administration", () => {
  const routes: [method: string, path: string, body?: object][] = [
    ["GET", "/accounts"],
    ["GET", "/accounts/owner@example.com"],
    ["POST", "/accounts", { email: "x@example.com" }],
    ["PATCH", "/accounts/owner@example.com", { role: "member" }],
    ["POST", "/accounts/owner@example.com/credits", { amount: 1 }],
    ["POST", "/invitations", {}],
    ["POST", "/owner-link"],
  ]
  for (const [method, path, body] of routes) {
    test(`is refused to others: ${method} ${path}`, async () => {
      const options = body ? { body } : {}
      const { key } = await app.account()
      const owners = (await made(`${crypto.randomUUID()}@example.com`, { role: "owner" })).apiKey
      const status = async (with_: object) =>
        (await app.call(method, base + path, { ...options, ...with_ })).status
      expect(await status({})).toBe(401)
      expect(await status({ key: `${operatorToken}x` })).toBe(401)
      expect(await status({ key })).toBe(403)
      // An agent with the administrator's key is not the administrator.
      expect(await status({ key: owners })).toBe(403)
    })
  }

  test("the operator's token is not an account's key", async () => {
    expect((await app.get("/api/v1/me", operator)).status).toBe(401)
  })
})

describe("a locked account", () => {
  test("is refused on every surface, and can be unlocked", async () => {
    const { account, apiKey } = await made("locked@example.com")
    const body = { email: "locked@example.com", password }
    const browser = cookieOf((await app.post("/api/session", { body })).headers)
    const lock = (locked: boolean) =>
      app.call("PATCH", `${base}/accounts/${account.id}`, { ...operator, body: { locked } })
    expect((await app.get("/api/v1/me", { key: apiKey })).status).toBe(200)
    expect((await lock(true)).body.lockedAt).toBeString()
    const refused = await app.get("/api/v1/me", { key: apiKey })
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      "The account is locked; ask the operator of this service.",
    ])
    expect((await app.get("/api/account", { headers: browser })).status).toBe(401)
    expect((await app.post("/api/session", { body })).status).toBe(403)
    const keyless = await app.get(`/api/scrape/words-scraper?words=a&token=${apiKey}`)
    expect([keyless.body.status, keyless.body.error.message]).toEqual([
      "ERROR",
      refused.body.error.message,
    ])
    expect((await lock(false)).body.lockedAt).toBeNull()
    expect((await app.get("/api/v1/me", { key: apiKey })).status).toBe(200)
  })

  test("its share links stop working, and its schedules do not run", async () => {
    const { account, apiKey: key } = await made("sharing@example.com")
    const { datasetId } = await app.run(key, ["one"])
    const shared = await app.post(`/api/v1/datasets/${datasetId}/links`, { key, body: {} })
    const monitor = await app.post("/api/v1/schedules", {
      key,
      body: {
        scraper: "words-scraper",
        name: "words",
        cron: "0 0 * * *",
        input: { words: ["a"] },
        conditions: [{ when: "changed", field: "word" }],
      },
    })
    expect(monitor.status).toBe(201)
    const feed = await app.post(`/api/v1/monitors/${monitor.body.id}/links`, { key, body: {} })
    const links = [shared, feed].map(({ body }) => pathOf(body.url))
    const seen = async () => {
      const statuses = await Promise.all(links.map(async (link) => (await app.get(link)).status))
      const now = new Date(Date.now() + 2 * 86_400_000).toISOString()
      const due = await dueSchedules(app.store.db, { now, limit: 10 })
      return [...statuses, due.length]
    }
    const lock = (locked: boolean) =>
      app.call("PATCH", `${base}/accounts/${account.id}`, { ...operator, body: { locked } })
    expect(await seen()).toEqual([200, 200, 1])
    await lock(true)
    expect(await seen()).toEqual([404, 404, 0])
    await lock(false)
    expect(await seen()).toEqual([200, 200, 1])
  })
})

describe("an invitation", () => {
  test("creates one account with the credits that it names", async () => {
    const invited = await app.post(`${base}/invitations`, { ...operator, body: { credits: 7 } })
    const link = linkIn(invited.body.url)
    const made = await join("guest@example.com", link)
    expect(made.body).toMatchObject({ plan: "free", credits: { balance: 7 } })
    expect((await join("guest2@example.com", link)).status).toBe(409)
  })

  test("for one email address is rejected for any other, and remains valid after a sign-up with a known one", async () => {
    const body = { email: "Only@example.com" }
    const invited = await app.post(`${base}/invitations`, { ...operator, body })
    const link = linkIn(invited.body.url)
    expect((await app.get(pathOf(invited.body.url))).text).toContain('value="only@example.com"')
    expect((await join("other@example.com", link)).status).toBe(403)
    const open = linkIn((await app.post(`${base}/invitations`, { ...operator, body: {} })).body.url)
    expect((await join("guest@example.com", open)).status).toBe(409)
    expect((await join("after@example.com", open)).status).toBe(201)
    expect((await join("only@example.com", link)).status).toBe(201)
  })
})
