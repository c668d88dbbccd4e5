import { describe, expect, test } from "bun:test"
import type { ApiError } from "../../src/api/http/errors.ts"
import { RateLimit } from "../../src/api/http/rate-limit.ts"
import { PasswordGuesses } from "../../src/api/sign-up/password-guesses.ts"
import { TestApp } from "../api/app.ts"

/** A service behind a proxy, so that a test can send requests from any IP address. */
const proxied = { trustProxy: ["127.0.0.1"], freeDaily: 3 }
const from = (address: string, more: Record<string, string> = {}) => ({
  headers: { "x-forwarded-for": address, ...more },
})
const words = (word: string) => `/api/scrape/words-scraper?words=${word}`

describe("an agent ID that others learn", () => {
  test("cannot be used up by them, on this day or another", async () => {
    const app = await TestApp.open(proxied)
    const first = await app.get(words("own"), from("192.0.2.1"))
    const { agentId } = first.body
    const with_ = (name: string) => `${words(name)}&agentId=${agentId}`
    const stolen = []
    for (let call = 0; call < 5; call++) {
      stolen.push((await app.get(with_(`theft${call}`), from("198.51.100.9"))).body.status)
    }
    // The thief has only the quota of its own IP address.
    expect(stolen).toEqual([...Array(3).fill("SUCCEEDED"), ...Array(2).fill("PAYMENT_REQUIRED")])
    const again = await app.get(with_("again"), from("192.0.2.1"))
    expect([again.body.status, again.body.free.used]).toEqual(["SUCCEEDED", 2])
    // Also before the agent's first call of the day.
    const { freeQuota: allowance } = app.service
    const tomorrow = new Date(Date.now() + 86_400_000)
    const thief = allowance.caller("198.51.100.9", agentId, tomorrow)
    for (let call = 0; call < 3; call++) await allowance.take(thief)
    const owner = allowance.caller("192.0.2.1", agentId, tomorrow)
    expect(await allowance.take(owner)).toMatchObject({ used: 1 })
    await app.close()
  })

  test("cannot be used up if the agent made the ID and used it before", async () => {
    const app = await TestApp.open(proxied)
    const call = (word: string, address: string) =>
      app.get(words(word), from(address, { "x-trawl-agent": "my-agent" }))
    expect((await call("a", "192.0.2.1")).body.status).toBe("SUCCEEDED")
    for (let theft = 0; theft < 5; theft++) await call(`theft${theft}`, "198.51.100.9")
    expect((await call("b", "192.0.2.1")).body.status).toBe("SUCCEEDED")
    await app.close()
  })
})

describe("limits count an IPv6 network as one caller", () => {
  const addresses = Array.from({ length: 8 }, (_, host) => `2001:db8:1:2::${host + 1}`)
  const calls: [name: string, path: string, body: unknown][] = [
    ["keyless calls", "/api/agent/scrape", {}],
    ["invalid keys", "/api/v1/webhooks", {}],
    ["sign-ins", "/api/session", {}],
  ]
  for (const [name, path, body] of calls) {
    test(name, async () => {
      const app = await TestApp.open({ ...proxied, rateLimit: 5 })
      const statuses = []
      for (const address of addresses) {
        statuses.push((await app.post(path, { body, ...from(address) })).status)
      }
      expect(statuses.slice(0, 5)).not.toContain(429)
      expect(statuses.slice(5)).toEqual([429, 429, 429])
      expect((await app.post(path, { body, ...from("2001:db8:1:3::1") })).status).not.toBe(429)
      await app.close()
    })
  }

  test("with many callers the limit forgets the oldest, never all", () => {
    const limit = new RateLimit(1)
    limit.take("attacker", 0)
    for (let caller = 0; caller < 200_000; caller++) {
      limit.take(String(caller), 0)
      if (caller % 1000 === 0) expect(limit.take("attacker", 0)!.retryAfter).toBeGreaterThan(0)
    }
  })
})

describe("sign-ups", () => {
  const signUp = (app: TestApp, name: string, address: string) => {
    const body = { email: `${name}@example.com`, password: "long enough" }
    return app.post("/api/account", { body, ...from(address) })
  }

  test("are limited per day and IP address; the first gets the full credits, others a quarter", async () => {
    const app = await TestApp.open({
      ...proxied,
      signupsDaily: 3,
      signupCredits: 200,
    })
    const answers = []
    for (let person = 1; person <= 4; person++) {
      answers.push(await signUp(app, `p${person}`, `2001:db8:1:2::${person}`))
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429])
    const credits = answers.slice(0, 3).map(({ body }) => body.credits.balance)
    expect(credits).toEqual([200, 50, 50])
    const refused = answers[3]!
    expect(refused.body.error.message).toContain("after 00:00 UTC")
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    const elsewhere = await signUp(app, "elsewhere", "2001:db8:1:3::1")
    expect(elsewhere.body.credits.balance).toBe(200)
    await app.close()
  })

  test("that fail are not counted", async () => {
    const app = await TestApp.open({ ...proxied, signupsDaily: 1 })
    await app.service.accounts.create({ email: "known@example.com", password: null })
    for (let time = 0; time < 3; time++) {
      expect((await signUp(app, "known", "192.0.2.1")).status).toBe(409)
    }
    expect((await signUp(app, "new", "192.0.2.1")).status).toBe(201)
    await app.close()
  })
})

describe("password guesses", () => {
  const guesses = () => {
    const all = new PasswordGuesses()
    return async (address: string, isRight: boolean, email = "ada@example.com") => {
      const work = async () => (isRight ? "account" : undefined)
      return all.attempt(email, address, work).catch((error: ApiError) => error)
    }
  }

  test("are limited per account from any IP address; the owner's known IP address stays allowed", async () => {
    const attempt = guesses()
    expect(await attempt("192.0.2.1", true)).toBe("account")
    for (let guess = 0; guess < 20; guess++) {
      expect(await attempt(`198.51.100.${guess}`, false, "ADA@example.com")).toBeUndefined()
    }
    for (const isRight of [false, true]) {
      const refused = (await attempt("203.0.113.7", isRight)) as ApiError
      expect(refused.status).toBe(429)
      expect(refused.message).toContain("Too many wrong passwords for this account")
      // Seconds until the next attempt, but never a permanent lock.
      expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60)
    }
    expect(await attempt("192.0.2.1", true)).toBe("account")
    expect(await attempt("203.0.113.7", false, "other@example.com")).toBeUndefined()
  })

  test("are limited per IP address; right passwords do not count", async () => {
    const attempt = guesses()
    for (let time = 0; time < 30; time++) expect(await attempt("a", true)).toBe("account")
    for (let guess = 0; guess < 10; guess++) expect(await attempt("a", false)).toBeUndefined()
    expect(await attempt("a", true)).toMatchObject({ status: 429 })
  })

  test("are limited over JSON and on the page alike", async () => {
    const app = await TestApp.open(proxied)
    const body = { email: "ada@example.com", password: "wrong guess" }
    for (let guess = 0; guess < 10; guess++) {
      await app.service.guesses.attempt(body.email, "192.0.2.1", async () => undefined)
    }
    const byJson = await app.post("/api/session", { body, ...from("192.0.2.1") })
    expect(byJson.status).toBe(429)
    const page = await app.get("/signup", from("192.0.2.1"))
    const [, formToken] = /name="formToken" value="([^"]+)"/.exec(page.text)!
    const cookie = page.headers.get("set-cookie")!.split(";")[0]!
    const byPage = await app.post("/signup", {
      body: new URLSearchParams({ ...body, action: "sign-in", formToken: formToken! }).toString(),
      ...from("192.0.2.1", { cookie, "content-type": "application/x-www-form-urlencoded" }),
    })
    expect([byPage.status, byPage.headers.get("content-type")]).toEqual([
      429,
      "text/html;charset=utf-8",
    ])
    await app.close()
  })
})
