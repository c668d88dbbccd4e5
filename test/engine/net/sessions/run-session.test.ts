import { describe, expect, test } from "bun:test"
import { Forbidden, type UpstreamResponse } from "../../../../src/catalogue/kit/index.ts"
import { HttpResponse } from "../../../../src/engine/net/http/response.ts"
import {
  type LoadedSession,
  RunSession,
  type SessionService,
  withoutCookies,
} from "../../../../src/engine/net/sessions/run-session.ts"
import { layState, sessionJar } from "../../../../src/engine/net/sessions/session-jar.ts"
import {
  changeOf,
  endOf,
  type SessionCookie,
  withinHosts,
} from "../../../../src/engine/net/sessions/state.ts"

const cookie = (name: string, value: string, more: Partial<SessionCookie> = {}): SessionCookie => ({
  ...{ name, value, host: "app.shop.test", hostOnly: true, path: "/" },
  ...{ secure: false, httpOnly: true, expires: null },
  ...more,
})
const names = async (jar: ReturnType<typeof sessionJar>, url: string) =>
  (await jar.getCookies(url)).map((one) => one.cookieString()).sort()

const state = (value: string) => ({ cookies: [cookie("sid", value)], origins: [] })

/** Logs in once, if it can. */
class Service implements SessionService {
  saved: unknown[] = []
  renewals = 0
  constructor(private readonly canRenew: boolean) {}

  private loaded = (revision: number): LoadedSession => ({
    ...{ id: "ses_1", name: "shop", hosts: ["app.shop.test"], revision },
    state: state(`login-${revision}`),
  })

  load = async () => this.loaded(1)
  save = async (...args: unknown[]) => void this.saved.push(args)
  renew = async () => {
    this.renewals++
    await Bun.sleep(5)
    return this.canRenew ? this.loaded(2) : null
  }
}

const url = "http://app.shop.test/orders"
const never = new AbortController().signal
const open = (service: Service) =>
  RunSession.open(service, { accountId: "acc_1", name: "shop" }, Date.now)

const response = (html: string, status = 200) =>
  new HttpResponse({
    ...{ url, requestedUrl: url, status, redirects: [], via: "http" as const, ip: null },
    headers: new Headers({ "content-type": "text/html", "set-cookie": "sid=secret" }),
    bytes: new TextEncoder().encode(html),
    timing: { total: 1, firstByte: 1 },
  })
const signIn = "<title>Sign in</title><form><input type='password'></form>"

describe("the cookies of a session", () => {
  test("a cookie for a parent domain is sent to no other host of that domain", async () => {
    const jar = sessionJar(["app.shop.test", "pay.shop.test"])
    await jar.setCookie("sid=1; Domain=shop.test; Path=/", url)
    await jar.setCookie("ads=1; Domain=ads.test; Path=/", "http://ads.test/")
    expect(await names(jar, url)).toEqual(["sid=1"])
    expect(await names(jar, "http://pay.shop.test/")).toEqual(["sid=1"])
    expect(await names(jar, "http://other.shop.test/")).toEqual([])
    expect(await names(jar, "http://ads.test/")).toEqual(["ads=1"])
  })

  test("cookies of an earlier log-in in an open page are not stored again", async () => {
    const jar = sessionJar(["app.shop.test"])
    await layState(jar, state("old"))
    await layState(jar, state("new"), state("old"))
    await jar.setCookie("sid=old; Path=/", url)
    expect(await names(jar, url)).toEqual(["sid=new"])
    await jar.setCookie("sid=newer; Path=/", url)
    expect(await names(jar, url)).toEqual(["sid=newer"])
  })

  test("hosts, changes and the end of a state", () => {
    const all = {
      cookies: [
        cookie("a", "1", { host: "shop.test", hostOnly: false, expires: 2_000 }),
        cookie("b", "1", { host: "shop.test" }),
        cookie("c", "1", { expires: 5_000 }),
      ],
      origins: [{ origin: "https://evil.test", entries: [["k", "v"]] as [string, string][] }],
    }
    const own = withinHosts(all, ["app.shop.test"])
    expect(own.cookies.map(({ name, host }) => `${name} ${host}`)).toEqual([
      "a app.shop.test",
      "c app.shop.test",
    ])
    expect(own.origins).toEqual([])
    expect(endOf(own)).toBe("1970-01-01T00:00:05.000Z")
    expect(endOf(state("1"))).toBeNull()
    const after = { cookies: [cookie("sid", "2"), cookie("new", "1")], origins: [] }
    expect(changeOf(state("1"), after).cookies).toEqual(after.cookies)
    expect(changeOf(after, state("2")).removed.map(({ name }) => name)).toEqual(["new"])
  })
})

describe("a run with a session", () => {
  test("logs in once for all requests that meet a sign-in page, and repeats them", async () => {
    const service = new Service(true)
    const session = await open(service)
    let requestCount = 0
    const ask = async () => {
      requestCount++
      const [sid] = await names(session.jar, url)
      return response(sid === "sid=login-2" ? "<p>Orders</p>" : signIn)
    }
    const all = await Promise.all([1, 2, 3].map(() => session.keeping(url, never, ask)))
    expect(all.map((one) => one.text())).toEqual(Array(3).fill("<p>Orders</p>"))
    expect([requestCount, service.renewals]).toEqual([6, 1])
    await session.close()
    expect(service.saved).toEqual([])
  })

  const refusals: [string, () => Promise<UpstreamResponse>][] = [
    ["a sign-in page", async () => response(signIn)],
    ["status 401", async () => response("", 401)],
    [
      "the error of a refusal",
      async () => {
        throw new Forbidden("app.shop.test refuses access.", { url, statusCode: 401 })
      },
    ],
  ]
  test.each(refusals)("without a recipe, %s is an error with advice", async (_, ask) => {
    const session = await open(new Service(false))
    const failure = await session.keeping(url, never, ask).catch((error) => error)
    expect(failure).toMatchObject({ kind: "Forbidden", code: "login_required" })
    expect(failure.message).toContain('"shop"')
  })

  test("does not log in for other hosts, and not twice", async () => {
    const service = new Service(true)
    const session = await open(service)
    const elsewhere = await session.keeping("http://other.test/", never, async () =>
      response(signIn),
    )
    expect(elsewhere.text()).toBe(signIn)
    const ask = async () => response(signIn)
    for (const _ of [1, 2]) {
      await session.keeping(url, never, ask).then(
        () => expect.unreachable(),
        (error) => expect(error.code).toBe("login_required"),
      )
    }
    expect(service.renewals).toBe(1)
  })

  test("stores what the site has renewed, and hides cookies from scrapers", async () => {
    const service = new Service(true)
    const session = await open(service)
    await session.jar.setCookie("sid=renewed; Path=/", url)
    await session.jar.setCookie("ads=1", "http://ads.test/")
    await session.close()
    expect(service.saved).toMatchObject([
      ["ses_1", 1, { cookies: [{ name: "sid", value: "renewed" }], removed: [] }],
    ])
    expect(withoutCookies(response("")).headers.get("set-cookie")).toBeNull()
  })
})
