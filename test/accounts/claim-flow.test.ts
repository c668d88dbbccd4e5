import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Answered, root, TestApp } from "../api/app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 1 })
})
afterAll(() => app.close())

const url = "/api/scrape/words-scraper?words=claimed"
const form = { "content-type": "application/x-www-form-urlencoded" }

/** A minimal browser: it keeps cookies and sends forms. */
class Browser {
  private readonly cookies = new Map<string, string>()

  async open(path: string): Promise<Answered> {
    return this.keep(await app.get(path, { headers: this.headers() }))
  }

  async send(path: string, fields: Record<string, string>, headers = {}): Promise<Answered> {
    return this.keep(
      await app.post(path, {
        body: new URLSearchParams(fields).toString(),
        headers: { ...form, ...this.headers(), ...headers },
      }),
    )
  }

  headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    return cookie === "" ? {} : { cookie }
  }

  private keep(response: Answered): Answered {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      this.cookies.set(name!, value!)
    }
    return response
  }
}

const fieldsOf = (page: Answered) =>
  Object.fromEntries(
    [...page.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map((match) => [
      match[1]!,
      match[2]!,
    ]),
  )

async function spent(): Promise<Answered["body"]> {
  const answers = [await app.get(url), await app.get(url)]
  return answers.at(-1)!.body
}
const pathOf = (address: string) => address.slice(root.length)

describe("from a used-up quota to a key", () => {
  test("the whole path", async () => {
    const refused = await spent()
    expect(refused).toMatchObject({ status: "PAYMENT_REQUIRED", limitReached: true, items: [] })
    expect(refused.free).toMatchObject({ limit: 1, used: 1, remaining: 0 })
    expect(typeof refused.error).toBe("string")
    const waiting = `Or wait until 00:00 UTC (${refused.free.resetsAt})`
    for (const text of [refused.claimUrl, refused.claimStatusUrl, "token=", waiting]) {
      expect(refused.agentGuidance).toContain(text)
    }
    // Neither secret is equal to the other, or part of it.
    const claim = new URL(refused.claimUrl).searchParams.get("claim")!
    expect(refused.claimStatusUrl).not.toContain(claim)
    const rows = JSON.stringify(await app.store.db.selectFrom("claims").selectAll().execute())
    expect(rows).not.toContain(claim)
    expect(rows).not.toContain(refused.claimStatusUrl.split("/").at(-1))

    const poll = () => app.get(pathOf(refused.claimStatusUrl))
    expect((await poll()).body).toEqual({ status: "pending" })

    const browser = new Browser()
    const page = await browser.open(pathOf(refused.claimUrl))
    expect(page.status).toBe(200)
    expect(page.text).toContain("<form")
    expect(page.text).not.toContain("<script")
    expect((await poll()).body).toEqual({ status: "pending" })
    const done = await browser.send("/signup", {
      ...fieldsOf(page),
      action: "sign-up",
      email: "Ada@Example.com",
      password: "correct horse",
    })
    expect(done.status).toBe(200)
    expect(done.text).toContain("Your agent gets the key")
    expect(done.text).not.toContain("trawl_live_")

    const polls = await Promise.all(Array.from({ length: 100 }, poll))
    expect(polls.every(({ body }) => body.status === "ready")).toBe(true)
    const keys = polls.filter(({ body }) => body.apiKey !== undefined)
    expect(keys).toHaveLength(1)
    const apiKey = keys[0]!.body.apiKey
    expect(apiKey).toStartWith("trawl_live_")
    expect((await poll()).body).toEqual({ status: "ready" })

    const again = await app.get(`${url}&token=${apiKey}`)
    expect(again.body).toMatchObject({
      status: "SUCCEEDED",
      free: { billedTo: "account", creditsCharged: 1, creditsRemaining: 199 },
    })
    const me = await app.get("/api/v1/me", { key: apiKey })
    expect(me.body).toMatchObject({ email: "ada@example.com", credits: { balance: 199 } })
    // The human is signed in as well.
    const account = await app.get("/api/account", { headers: browser.headers() })
    expect(account.body.id).toBe(me.body.id)
    // The link has expired.
    const stale = await new Browser().open(pathOf(refused.claimUrl))
    expect(stale.text).toContain("has expired or was already used")
  })

  test("shows the key and a configuration to the human once, not to the agent", async () => {
    const refused = await spent()
    const browser = new Browser()
    const page = await browser.open(pathOf(refused.claimUrl))
    const done = await browser.send("/signup", {
      ...fieldsOf(page),
      action: "sign-in",
      email: "ada@example.com",
      password: "correct horse",
    })
    // A user who is not signed in to that account gets nothing.
    const fields = { ...fieldsOf(done), action: "take-key" }
    const anonymousCaller = new Browser()
    const other = await anonymousCaller.open("/signup")
    const denied = await anonymousCaller.send("/signup", {
      ...fieldsOf(other),
      ...fields,
      formToken: fieldsOf(other).formToken!,
    })
    expect([denied.status, denied.text.includes("trawl_live_")]).toEqual([401, false])
    const duplicate = await browser.send("/signup", fields)
    const [key] = /trawl_live_\w+/.exec(duplicate.text)!
    expect(duplicate.text).toContain(`${root}/api/mcp?set=meta`)
    expect((await app.get("/api/v1/me", { key })).body.email).toBe("ada@example.com")
    expect((await app.get(pathOf(refused.claimStatusUrl))).body).toEqual({ status: "ready" })
    expect((await browser.send("/signup", fields)).text).not.toContain("trawl_live_")
  })

  test("with an existing account: sign in, or already be signed in", async () => {
    const first = await spent()
    const browser = new Browser()
    const page = await browser.open(pathOf(first.claimUrl))
    const wrong = await browser.send("/signup", {
      ...fieldsOf(page),
      action: "sign-in",
      email: "ada@example.com",
      password: "wrong horse",
    })
    expect(wrong.status).toBe(401)
    expect((await app.get(pathOf(first.claimStatusUrl))).body.status).toBe("pending")
    const done = await browser.send("/signup", {
      ...fieldsOf(wrong),
      action: "sign-in",
      email: "ada@example.com",
      password: "correct horse",
    })
    expect(done.text).toContain("Your agent gets the key")
    expect((await app.get(pathOf(first.claimStatusUrl))).body.apiKey).toBeDefined()

    const second = await spent()
    const signedIn = await browser.open(pathOf(second.claimUrl))
    expect(signedIn.text).toContain("ada@example.com")
    const confirmed = await browser.send("/signup", { ...fieldsOf(signedIn), action: "confirm" })
    expect(confirmed.text).toContain("Your agent gets the key")
    expect((await app.get(pathOf(second.claimStatusUrl))).body.apiKey).toBeDefined()
  })

  test("the human sees who asks, and can limit the key or refuse", async () => {
    const refused = (await app.get(url, { headers: { "user-agent": "Robot/1 <b>" } })).body
    const browser = new Browser()
    const page = await browser.open(pathOf(refused.claimUrl))
    for (const reported of ["127.0.0.1", "Robot/1 &lt;b&gt;", "words-scraper", "UTC"]) {
      expect(page.text).toContain(reported)
    }
    const signIn = {
      ...fieldsOf(page),
      action: "sign-in",
      email: "ada@example.com",
      password: "correct horse",
      keyName: "Robot",
      keyDays: "7",
    }
    const wrong = await browser.send("/signup", { ...signIn, keyCredits: "some" })
    expect(wrong.status).toBe(400)
    expect((await app.get(pathOf(refused.claimStatusUrl))).body).toEqual({ status: "pending" })
    await browser.send("/signup", { ...signIn, ...fieldsOf(wrong), keyCredits: "5" })
    const { apiKey } = (await app.get(pathOf(refused.claimStatusUrl))).body
    const keys = await app.get("/api/v1/keys", { headers: browser.headers() })
    const [made] = keys.body.items
    expect(apiKey).toEndWith(made.hint.slice(-4))
    expect(made).toMatchObject({ name: "Robot", creditLimit: 5, scopes: ["run", "read"] })
    const days = (Date.parse(made.expiresAt) - Date.now()) / 86_400_000
    expect([days > 6.9, days <= 7]).toEqual([true, true])

    // Refusing needs no sign-in, and is final.
    const second = await spent()
    const anonymousCaller = new Browser()
    const requested = await anonymousCaller.open(pathOf(second.claimUrl))
    const done = await anonymousCaller.send("/signup", { ...fieldsOf(requested), action: "refuse" })
    expect(done.text).toContain("gets no key")
    const reported = await app.get(pathOf(second.claimStatusUrl))
    expect(reported.body).toEqual({ status: "refused", error: { message: expect.any(String) } })
    const late = await browser.send("/signup", { ...fieldsOf(requested), action: "confirm" })
    expect(late.status).toBe(403)
    const again = await browser.open("/signup")
    const claim = fieldsOf(requested).claim!
    const confirmed = await browser.send("/signup", {
      ...fieldsOf(again),
      claim,
      action: "confirm",
    })
    expect(confirmed.status).toBe(409)
  })

  test("100 polls during the sign-up return one key", async () => {
    const refused = await spent()
    const claim = new URL(refused.claimUrl).searchParams.get("claim")!
    const account = await app.account()
    const [polls] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => app.get(pathOf(refused.claimStatusUrl)))),
      app.service.claims.complete(claim, account.id, new Date()),
    ])
    const late = await Promise.all(
      Array.from({ length: 100 }, () => app.get(pathOf(refused.claimStatusUrl))),
    )
    const keys = [...polls, ...late].filter(({ body }) => body.apiKey !== undefined)
    expect(keys).toHaveLength(1)
  })

  test("a claim expires after 24 hours", async () => {
    const { claims } = app.service
    const made = new Date("2026-01-31T12:00:00Z")
    const later = (ms: number) => new Date(made.getTime() + ms)
    const { claim, status } = await claims.open(made)
    expect(await claims.isOpen(claim, later(86_399_000))).toBe(true)
    expect(await claims.isOpen(claim, later(86_400_000))).toBe(false)
    expect(await claims.complete(claim, "acc_x", later(86_400_000))).toBe(false)
    expect(await claims.poll(status, later(86_400_000))).toBeUndefined()
  })

  test("TRAWL_TOOLS_LIMIT_STATUS=429 applies to the fixed tools only", async () => {
    const own = await TestApp.open({ freeDaily: 0, toolsLimitStatus: 429 })
    const tool = await own.get("/api/tools/markdown?url=https://example.com")
    expect([tool.status, tool.body.status]).toEqual([429, "PAYMENT_REQUIRED"])
    expect(tool.body.claimUrl).toBeDefined()
    expect((await own.get(url)).status).toBe(200)
    await own.close()
  })

  test("behind a trusted proxy each caller has a quota; a forged header gives none", async () => {
    const own = await TestApp.open({ freeDaily: 1, trustProxy: ["127.0.0.1"] })
    const from = (address: string) => own.get(url, { headers: { "x-forwarded-for": address } })
    expect((await from("203.0.113.1")).body.status).toBe("SUCCEEDED")
    expect((await from("203.0.113.1")).body.status).toBe("PAYMENT_REQUIRED")
    expect((await from("9.9.9.9, 203.0.113.1")).body.status).toBe("PAYMENT_REQUIRED")
    expect((await from("203.0.113.2")).body.status).toBe("SUCCEEDED")
    await own.close()
    const open = await TestApp.open({ freeDaily: 1 })
    const forged = (address: string) => open.get(url, { headers: { "x-forwarded-for": address } })
    expect((await forged("203.0.113.1")).body.status).toBe("SUCCEEDED")
    expect((await forged("203.0.113.2")).body.status).toBe("PAYMENT_REQUIRED")
    await open.close()
  })

  test("links use the public root URL", async () => {
    const own = await TestApp.open({ baseUrl: "https://trawl.example.com/", freeDaily: 0 })
    const { body } = await own.get(url)
    expect(body.claimUrl).toStartWith("https://trawl.example.com/signup?claim=")
    expect(body.links.docs).toBe("https://trawl.example.com/docs")
    await own.close()
    const proxied = await TestApp.open({ trustProxy: ["127.0.0.1"] })
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "public.example.com" }
    const there = await proxied.get("/api/scrape", { headers })
    expect(there.body.links.docs).toBe("https://public.example.com/docs")
    await proxied.close()
    const here = await app.get("/api/scrape", { headers })
    expect(here.body.links.docs).toBe(`${root}/docs`)
  })
})

describe("the sign-up page", () => {
  const good = { action: "sign-up", email: "grace@example.com", password: "long enough" }
  const cases: [name: string, fields: Record<string, string>, headers: object, status: number][] = [
    ["a form that it did not give", { formToken: "x" }, {}, 403],
    ["a page of another site", {}, { origin: "https://evil.example" }, 403],
    ["a page of another site, by fetch metadata", {}, { "sec-fetch-site": "cross-site" }, 403],
    ["a short password", { password: "short" }, {}, 400],
    ["an invalid email address", { email: "grace" }, {}, 400],
    ["an expired claim", { claim: "gone" }, {}, 409],
    ["a confirmation without signing in", { action: "confirm" }, {}, 401],
    ["JSON", {}, { "content-type": "application/json" }, 415],
  ]
  for (const [name, fields, headers, status] of cases) {
    test(name, async () => {
      const browser = new Browser()
      const page = await browser.open("/signup")
      const response = await browser.send(
        "/signup",
        { ...fieldsOf(page), ...good, ...fields },
        headers,
      )
      expect(response.status).toBe(status)
      expect(response.text).toContain('role="alert"')
      expect(response.text).not.toContain("long enough")
      expect(
        await app.store.db
          .selectFrom("accounts")
          .where("email", "=", good.email)
          .selectAll()
          .execute(),
      ).toEqual([])
    })
  }

  test("refuses an email address that has an account", async () => {
    const browser = new Browser()
    const page = await browser.open("/signup")
    await browser.send("/signup", { ...fieldsOf(page), ...good })
    const response = await browser.send("/signup", {
      ...fieldsOf(await browser.open("/signup")),
      ...good,
      email: "GRACE@example.com",
    })
    expect(response.status).toBe(409)
  })

  test("escapes scripts in values that it shows again", async () => {
    const browser = new Browser()
    const page = await browser.open("/signup?claim=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
    expect(page.text).not.toContain("<script")
    const response = await browser.send("/signup", {
      ...fieldsOf(page),
      action: "sign-up",
      email: '"><script>alert(1)</script>',
      password: "x",
      claim: '"><script>alert(1)</script>',
    })
    expect(response.text).not.toContain("<script")
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
  })

  test("refuses sign-up when it is closed, and allows signing in", async () => {
    const own = await TestApp.open({ signup: "closed" })
    await own.service.accounts.create({ email: "op@example.com", password: "long enough" })
    const page = await own.get("/signup")
    expect(page.text).not.toContain('value="sign-up"')
    const refused = await own.post("/api/account", {
      body: { email: "x@example.com", password: "long enough" },
    })
    expect(refused.status).toBe(403)
    const signedIn = await own.post("/api/session", {
      body: { email: "op@example.com", password: "long enough" },
    })
    expect(signedIn.status).toBe(200)
    await own.close()
  })
})

test("a sign-up without an agent shows the first key once", async () => {
  const browser = new Browser()
  const page = await browser.open("/signup")
  const done = await browser.send("/signup", {
    ...fieldsOf(page),
    action: "sign-up",
    email: "hedy@example.com",
    password: "frequency hopping",
  })
  const apiKey = /trawl_live_[a-z0-9]+/.exec(done.text)![0]
  expect((await app.get("/api/v1/me", { key: apiKey })).body.credits.balance).toBe(200)
})
