import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type CallOptions, root, TestApp } from "../api/app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open()
  await app.post("/api/account", { body: { email: "ada@example.com", password: "long enough" } })
})
afterAll(() => app.close())

const body = { email: "ada@example.com", password: "long enough" }
const sessionOf = (headers: Headers) =>
  /trawl_session=([^;]*)/.exec(headers.get("set-cookie") ?? "")

describe("accounts over JSON", () => {
  const refusals: [name: string, path: string, options: CallOptions, status: number][] = [
    ["known address", "/api/account", { body }, 409],
    [
      "known address in capitals",
      "/api/account",
      { body: { ...body, email: " ADA@example.com " } },
      409,
    ],
    ["no address", "/api/account", { body: { password: "long enough" } }, 400],
    ["no address at all", "/api/account", { body: { ...body, email: "ada" } }, 400],
    ["short password", "/api/account", { body: { ...body, password: "short" } }, 400],
    ["long password", "/api/account", { body: { ...body, password: "x".repeat(201) } }, 400],
    ["unlimited by a wish", "/api/account", { body: { ...body, unlimited: true } }, 400],
    ["credits by a wish", "/api/account", { body: { ...body, balance: 1e6 } }, 400],
    ["an unknown claim", "/api/account", { body: { ...body, claim: "x" } }, 409],
    ["no JSON", "/api/account", { body: "{" }, 400],
    ["a form", "/api/account", { body: "a=b", headers: { "content-type": "text/plain" } }, 415],
    ["another site", "/api/account", { body, headers: { origin: "https://evil.example" } }, 403],
    ["wrong password", "/api/session", { body: { ...body, password: "wrong horse" } }, 401],
    [
      "an unknown email address",
      "/api/session",
      { body: { ...body, email: "no@example.com" } },
      401,
    ],
  ]
  for (const [name, path, options, status] of refusals) {
    test(`refused: ${name}`, async () => {
      const response = await app.post(path, options)
      expect(response.status).toBe(status)
      expect(response.body).toEqual({
        error: {
          code: expect.any(String),
          message: expect.any(String),
          status,
          ...(status === 400 && { details: expect.any(Array) }),
        },
      })
      expect(response.headers.get("set-cookie")).toBeNull()
      // A password is never repeated, not even a wrong one.
      for (const secret of ["short", "x".repeat(201), "wrong horse"]) {
        expect(response.text).not.toContain(`"${secret}"`)
      }
    })
  }

  test("gives the same error for a wrong password and an unknown email address", async () => {
    const wrong = await app.post("/api/session", { body: { ...body, password: "wrong horse" } })
    const nobody = await app.post("/api/session", { body: { ...body, email: "no@example.com" } })
    expect(nobody.text).toBe(wrong.text)
  })

  test("sign in, create a key, revoke it, sign out", async () => {
    const signedIn = await app.post("/api/session", { body })
    expect(signedIn.status).toBe(200)
    expect(signedIn.body.email).toBe("ada@example.com")
    const set = signedIn.headers.get("set-cookie")!
    expect(set).toContain("HttpOnly")
    expect(set).toContain("SameSite=Lax")
    expect(set).not.toContain("Secure")
    const cookie = `trawl_session=${sessionOf(signedIn.headers)![1]}`
    const headers = { cookie }
    const made = await app.post("/api/v1/keys", { body: { name: "Laptop" }, headers })
    expect(made.status).toBe(201)
    expect(made.body.apiKey).toStartWith("trawl_live_")
    expect(made.body.hint).toBe(`trawl_live_…${made.body.apiKey.slice(-4)}`)
    const key = made.body.apiKey
    expect((await app.get("/api/v1/me", { key })).status).toBe(200)
    // A proxy in front asks for its own password, and the browser sends it with each request.
    const behind = { ...headers, authorization: "Basic YWRhOnNlY3JldA==" }
    expect((await app.get("/api/v1/me", { headers: behind })).body.email).toBe("ada@example.com")
    const list = await app.get("/api/v1/keys", { headers })
    expect(list.text).not.toContain(key)
    expect(list.body.items).toHaveLength(1)
    expect((await app.call("DELETE", `/api/v1/keys/${made.body.id}`, { headers })).status).toBe(204)
    expect((await app.get("/api/v1/me", { key })).status).toBe(401)
    expect((await app.call("DELETE", `/api/v1/keys/${made.body.id}`, { headers })).status).toBe(404)
    expect((await app.call("DELETE", "/api/session", { headers })).status).toBe(204)
    expect((await app.get("/api/account", { headers })).status).toBe(401)
    expect((await app.get("/api/v1/me", { headers })).status).toBe(401)
  })

  test("a page of another site cannot use the session", async () => {
    const signedIn = await app.post("/api/session", { body })
    const cookie = `trawl_session=${sessionOf(signedIn.headers)![1]}`
    const from = (origin: object) => ({ cookie, ...origin })
    const act = (headers: Record<string, string>) => app.post("/api/v1/keys", { body: {}, headers })
    expect((await act(from({ origin: "https://evil.example" }))).status).toBe(403)
    expect((await act(from({ "sec-fetch-site": "same-site" }))).status).toBe(403)
    expect((await act(from({ origin: root }))).status).toBe(201)
  })

  const browsers: [name: string, headers: Record<string, string>, isOwn: boolean][] = [
    ["no browser", {}, true],
    ["an own page", { origin: root, "sec-fetch-site": "same-origin" }, true],
    ["an own page without a referrer", { origin: "null", "sec-fetch-site": "same-origin" }, true],
    [
      "an own page behind a proxy that the service does not know",
      { origin: "https://public.example", "sec-fetch-site": "same-origin" },
      true,
    ],
    ["an own page of a browser without fetch metadata", { origin: root }, true],
    ["a hidden origin", { origin: "null" }, false],
    ["a hidden origin of another site", { origin: "null", "sec-fetch-site": "cross-site" }, false],
    ["a neighbour", { origin: "http://other.trawl.test", "sec-fetch-site": "same-site" }, false],
    [
      "another site that says it is this one",
      { origin: root, "sec-fetch-site": "cross-site" },
      false,
    ],
    ["another site without fetch metadata", { origin: "https://evil.example" }, false],
    ["another port", { origin: `${root}:8443` }, false],
    ["no origin from another site", { "sec-fetch-site": "cross-site" }, false],
  ]
  for (const [name, headers, isOwn] of browsers) {
    test(`${isOwn ? "accepts" : "refuses"}: ${name}`, async () => {
      expect((await app.post("/api/session", { body, headers })).status).toBe(isOwn ? 200 : 403)
    })
  }

  test("the cookie is Secure behind https", async () => {
    const own = await TestApp.open({ baseUrl: "https://trawl.example.com" })
    const response = await own.post("/api/account", { body })
    expect(response.headers.get("set-cookie")).toContain("Secure")
    await own.close()
  })

  test("secrets are stored as hashes, passwords by argon2id", async () => {
    const account = await app.account()
    const { db } = app.store
    const keys = JSON.stringify(await db.selectFrom("keys").selectAll().execute())
    expect(keys).not.toContain(account.key)
    const rows = await db.selectFrom("accounts").select("password_hash").execute()
    const hashes = rows.map((row) => row.password_hash).filter((hash) => hash !== null)
    expect(hashes.length).toBeGreaterThan(0)
    for (const hash of hashes) expect(hash).toStartWith("$argon2id$")
    const sessions = JSON.stringify(await db.selectFrom("sessions").selectAll().execute())
    expect(sessions).toMatch(/"hash":"[0-9a-f]{64}"/)
  })

  test("sign-in is limited to 30 attempts in ten minutes", async () => {
    const own = await TestApp.open({ rateLimit: 600 })
    const statuses = []
    for (let call = 0; call < 31; call++) {
      statuses.push((await own.post("/api/session", { body: {} })).status)
    }
    expect(statuses.slice(0, 30).every((status) => status === 400)).toBe(true)
    expect(statuses[30]).toBe(429)
    await own.close()
  })
})
