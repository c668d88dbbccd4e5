import { afterEach, beforeEach, expect, test } from "bun:test"
import { systemClock } from "../../../../src/base/clock.ts"
import type { RequestOptions } from "../../../../src/catalogue/kit/index.ts"
import { keepChromeCookies } from "../../../../src/engine/net/browser/page/cookies.ts"
import { CookieSession } from "../../../../src/engine/net/cookies/cookie-session.ts"
import { RunCookies } from "../../../../src/engine/net/cookies/run-cookies.ts"
import { HttpClient } from "../../../../src/engine/net/http/client.ts"
import { type CookieVisit, storedCookies } from "../../../../src/store/runs/reused-cookies.ts"
import { freshStore, type OpenStore } from "../../../store/harness.ts"

const agent = "Mozilla/5.0 Chrome/150"
const shop = "https://www.shop.com/"
let open: OpenStore
let now: number
beforeEach(() => {
  open = freshStore()
  now = Date.now()
})
afterEach(() => open.close())

const time = () => new Date(now).toISOString()

/** A run whose cookies the store keeps, and a site that sets some. */
function run(sets: string[] = [], settings: { addressChanges?: boolean } = {}) {
  const { store } = open
  const cookies = new RunCookies({
    now: () => now,
    ...settings,
    cookieStore: {
      load: (visit) => storedCookies(store.db, visit, time()),
      keep: async (visits) => void (await store.write("cookies.keep", { visits, at: time() })),
      drop: async (visits) => void (await store.write("cookies.drop", { visits, at: time() })),
    },
  })
  const sent: (string | null)[] = []
  const get = (
    url = shop,
    options: RequestOptions = {},
    client: CookieVisit["fetchMethod"] = "http",
  ) =>
    new HttpClient({
      clock: systemClock,
      signal: new AbortController().signal,
      jar: cookies.jar,
      cookieSession: new CookieSession(cookies, client, agent),
      transport: {
        async send({ headers }) {
          sent.push(headers.get("cookie"))
          const response = new Headers(sets.map((set): [string, string] => ["set-cookie", set]))
          return {
            status: 200,
            headers: response,
            bytes: new Uint8Array(),
            via: client === "chrome" ? "browser-http" : client,
            firstByte: null,
          }
        },
      },
    }).request("GET", url, { headers: { "user-agent": agent }, ...options })
  return { cookies, sent, get, close: () => cookies.close(agent) }
}

/** Returns the cookies that a later run sends automatically. */
async function sentLater(
  client: CookieVisit["fetchMethod"] = "http",
  headers = { "user-agent": agent },
) {
  const later = run()
  await later.get(shop, { headers }, client)
  return later.sent[0]
}

const token = "aws-waf-token=t1; Path=/; Max-Age=3600"

test("a clearance cookie serves later runs of the same user agent and fetch method, a session cookie does not", async () => {
  const first = run([token, "sid=secret; Path=/", "bm_sz=b; Domain=shop.com; Path=/"])
  await first.get()
  expect(await sentLater()).toBeNull()
  await first.close()
  expect((await sentLater())?.split("; ").sort()).toEqual(["aws-waf-token=t1", "bm_sz=b"])
  expect(await sentLater("chrome")).toBeNull()
  expect(await sentLater("http", { "user-agent": "Trawl" })).toBeNull()
  const other = run()
  await other.get("https://other.com/")
  expect(other.sent).toEqual([null])
})

test("it is kept for its lifetime, a session's for half an hour", async () => {
  const first = run([token, "bm_sz=b; Path=/"])
  await first.get()
  await first.close()
  now += 29 * 60_000
  expect((await sentLater())?.split("; ").sort()).toEqual(["aws-waf-token=t1", "bm_sz=b"])
  now += 2 * 60_000
  expect(await sentLater()).toBe("aws-waf-token=t1")
  now += 30 * 60_000
  expect(await sentLater()).toBeNull()
})

const tellings: [string, string, RequestOptions][] = [
  ["cookies", shop, { cookies: { sessionid: "mine" } }],
  ["a cookie header", shop, { headers: { "user-agent": agent, cookie: "a=b" } }],
  ["its own clearance cookie", shop, { cookies: { "aws-waf-token": "mine" } }],
  ["a token", shop, { headers: { "user-agent": agent, authorization: "Bearer x" } }],
  ["a name in the address", "https://me:word@www.shop.com/", {}],
]
for (const [what, url, options] of tellings) {
  test(`a run that identifies itself by ${what} stores none, and gets none`, async () => {
    const anonymous = run([token])
    await anonymous.get()
    const own = run(["aws-waf-token=own; Path=/; Max-Age=3600"])
    await own.get(url, options)
    await own.get("https://api.shop.com/", {})
    expect(own.sent.join()).not.toContain("t1")
    await own.close()
    expect(await sentLater()).toBeNull()
    await anonymous.close()
    const later = run()
    await later.get(url, options)
    expect(later.sent.join()).not.toContain("t1")
  })
}

test("a cookie that Trawl chose identifies no one", async () => {
  const first = run([token])
  await first.get(shop, { headers: { "user-agent": agent }, cookies: { "i18n-prefs": "EUR" } })
  await first.close()
  expect(await sentLater()).toBe("aws-waf-token=t1")
})

test("a run with a secret stores none", async () => {
  const first = run([token])
  first.cookies.personal()
  await first.get()
  await first.close()
  expect(await sentLater()).toBeNull()
})

test("cookies that a challenge rejects are dropped, and later ones kept", async () => {
  const first = run([token])
  await first.get()
  await first.close()
  const second = run(["aws-waf-token=t2; Path=/; Max-Age=3600"])
  await second.cookies.open(shop, "http", agent)
  now++
  await second.cookies.blocked(shop, "http")
  expect(await sentLater()).toBeNull()
  await second.get()
  expect(second.sent).toEqual([null])
  await second.cookies.blocked(shop, "http")
  await second.close()
  expect(await sentLater()).toBeNull()
  await second.get()
  await second.close()
  expect(await sentLater()).toBe("aws-waf-token=t2")
})

test("a challenge of one host drops that host's cookies, and not its neighbours'", async () => {
  const maps = "https://maps.shop.com/"
  const first = run(["aws-waf-token=own; Path=/; Max-Age=3600"])
  await first.get(shop)
  await first.get(maps)
  await first.close()
  const shared = run(["_abck=both; Path=/; Domain=shop.com; Max-Age=3600"])
  await shared.get(maps)
  await shared.close()
  const sent = async (url: string) => {
    const later = run()
    await later.get(url)
    return later.sent[0]?.split("; ").sort().join("; ") ?? null
  }
  expect([await sent(shop), await sent(maps)]).toEqual([
    "_abck=both; aws-waf-token=own",
    "_abck=both; aws-waf-token=own",
  ])
  const challenged = run()
  await challenged.get(maps)
  await challenged.cookies.blocked(maps, "http")
  await challenged.get(shop)
  expect(challenged.sent.at(-1)).toBe("aws-waf-token=own")
  await challenged.close()
  expect([await sent(shop), await sent(maps)]).toEqual(["aws-waf-token=own", null])
})

test("of Chrome's clearance cookies plain HTTP reuses those bound to the user agent only", async () => {
  const first = run()
  const provided = ["aws-waf-token", "cf_clearance", "datadome", "_px3", "sid"].map((name) => ({
    name,
    value: "c",
    domain: "www.shop.com",
    path: "/",
    expires: -1,
    secure: true,
    httpOnly: false,
  }))
  await keepChromeCookies(first.cookies.jar, provided as never)
  await first.get()
  expect(first.sent).toEqual(["aws-waf-token=c; sid=c"])
  await first.close()
  expect(await sentLater()).toBe("aws-waf-token=c")
  const chrome = "aws-waf-token=c; cf_clearance=c; datadome=c; _px3=c"
  expect((await sentLater("chrome"))?.split("; ").sort()).toEqual(chrome.split("; ").sort())

  const moved = run([], { addressChanges: true })
  await keepChromeCookies(moved.cookies.jar, provided as never)
  await open.store.write("cookies.drop", {
    visits: [{ site: "shop.com", agent, fetchMethod: "chrome" }],
    at: time(),
  })
  await moved.close()
  expect(await sentLater("chrome")).toBe("aws-waf-token=c")
})
