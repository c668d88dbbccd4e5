import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { sql } from "kysely"
import { checkedSettings } from "../../../src/cli/common/checked-settings.ts"
import {
  operatorRateLimitOf,
  readRateLimit,
} from "../../../src/engine/net/rate-limits/configured-limits.ts"
import { LiveSettings } from "../../../src/engine/ops/settings/live.ts"
import { TestApp } from "../app.ts"

const operator = { key: "trawl_fortheoperatoralone" }
const base = "/api/admin/v1/settings"
let app: TestApp
beforeAll(async () => {
  const env = { TRAWL_RATE_LIMIT: "0", TRAWL_SIGNUPS_DAILY: "0", GITHUB_TOKEN: "from-environment" }
  const { dataDir: _, baseUrl: __, ...settings } = checkedSettings(env)
  app = await TestApp.open({ ...settings, workers: 1 }, undefined, operator.key)
})
afterAll(() => app.close())

const put = (name: string, value: string) =>
  app.call("PUT", `${base}/${name}`, { ...operator, body: { value } })
const drop = (name: string) => app.call("DELETE", `${base}/${name}`, operator)
const list = async () =>
  Object.fromEntries(
    (await app.get(base, operator)).body.items.map((one: { name: string }) => [one.name, one]),
  )
const free = async () => (await app.get("/api/scrape/words-scraper")).body.free.limit

describe("a setting", () => {
  test("applies at once, until it is reset", async () => {
    expect(await free()).toBe(50)
    const set = await put("TRAWL_FREE_DAILY", "7")
    expect(set.body).toMatchObject({ value: "7", source: "database", locked: false })
    expect(await free()).toBe(7)
    expect((await drop("TRAWL_FREE_DAILY")).body).toMatchObject({ value: "50", source: "default" })
    expect(await free()).toBe(50)
  })

  test("opens sign-up, and closes it", async () => {
    const signUp = (email: string) =>
      app.post("/api/account", { body: { email, password: "correct horse" } })
    await put("TRAWL_SIGNUP", "closed")
    expect((await signUp("a@example.com")).status).toBe(403)
    await put("TRAWL_SIGNUP", "open")
    expect((await signUp("a@example.com")).status).toBe(201)
    await put("TRAWL_SIGNUP", "closed")
    expect((await signUp("b@example.com")).status).toBe(403)
  })

  test("from the environment wins, and is shown as locked", async () => {
    const known = await list()
    expect(known.TRAWL_RATE_LIMIT).toMatchObject({
      value: "0",
      source: "environment",
      locked: true,
    })
    expect(known.TRAWL_PORT).toMatchObject({ source: "default", locked: true })
    const refused = await put("TRAWL_RATE_LIMIT", "5")
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      "TRAWL_RATE_LIMIT is set in the environment, which takes precedence. Change it there.",
    ])
    expect((await put("TRAWL_PORT", "1")).status).toBe(409)
  })

  const bad: [name: string, value: string, says: string][] = [
    ["TRAWL_FREE_DAILY", "many", "must be an integer"],
    ["TRAWL_SIGNUP", "maybe", "one of unowned, open, closed"],
    ["TRAWL_HOST_RATE_LIMITS", "shop.com", "for example shop.com=0.5"],
    ["TRAWL_PROXY_URLS", "nowhere", "entry 1"],
    ["TRAWL_TOOLS_LIMIT_STATUS", "300", "200 or 429"],
  ]
  for (const [name, value, says] of bad) {
    test(`refused: ${name}=${value}`, async () => {
      const before = (await list())[name]
      const refused = await put(name, value)
      expect(refused.status).toBe(400)
      expect(refused.body.error.message).toContain(says)
      expect((await list())[name]).toEqual(before)
    })
  }

  test("with an unknown name is refused with the nearest name", async () => {
    const refused = await put("TRAWL_FREE_DAYLY", "5")
    expect([refused.status, refused.body.error.message]).toEqual([
      404,
      `There is no setting "TRAWL_FREE_DAYLY". Did you mean TRAWL_FREE_DAILY? \`trawl config\` lists all settings.`,
    ])
  })
})

describe("a secret", () => {
  test("is encrypted at rest, never returned, and available to scrapers", async () => {
    const secret = "a-very-secret-token"
    const set = await put("YELP_API_KEY", secret)
    expect(set.body).toMatchObject({ value: null, isSet: true, secret: true })
    expect((await app.get(base, operator)).text).not.toContain(secret)
    expect(app.service.config.env.YELP_API_KEY).toBe(secret)
    const rows = await app.store.db.selectFrom("settings").selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    // The next start reads it from the database.
    const config = checkedSettings({ TRAWL_FREE_DAILY: "9" })
    const next = await LiveSettings.open(config, app.store)
    expect([next.sourceOf("YELP_API_KEY"), config.env.YELP_API_KEY]).toEqual(["database", secret])
    expect(config.freeDaily).toBe(9)
    await drop("YELP_API_KEY")
    expect(app.service.config.env.YELP_API_KEY).toBeUndefined()
    expect(app.service.config.env.GITHUB_TOKEN).toBe("from-environment")
  })

  test("whose key file is lost is left out, and reported", async () => {
    await put("YELP_API_KEY", "sealed-once")
    await app.direct((db) =>
      sql`UPDATE settings SET value = replace(value, 'sealed:', 'sealed:x') WHERE encrypted = 1`.execute(
        db,
      ),
    )
    const reported: string[] = []
    const config = checkedSettings({})
    await LiveSettings.open(config, app.store, (message) => reported.push(message))
    expect(reported).toEqual([expect.stringContaining("YELP_API_KEY is encrypted with a lost key")])
    expect(config.env.YELP_API_KEY).toBeUndefined()
    await drop("YELP_API_KEY")
  })
})

test("the operator's rate limit of a host includes its subdomains", () => {
  const rateLimit = readRateLimit(["shop.com=2", "a.shop.com=0.5"])
  const requested = ["shop.com", "www.shop.com", "a.shop.com", "x.a.shop.com", "myshop.com", "com"]
  expect(requested.map((host) => operatorRateLimitOf(host, rateLimit))).toEqual([
    2,
    2,
    0.5,
    0.5,
    undefined,
    undefined,
  ])
})
