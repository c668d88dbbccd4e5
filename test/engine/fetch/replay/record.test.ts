import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Type } from "@sinclair/typebox"
import { systemClock } from "../../../../src/base/clock.ts"
import { type Context, defineScraper } from "../../../../src/catalogue/kit/index.ts"
import type { Browser, Environment } from "../../../../src/engine/fetch/environment.ts"
import { readCase } from "../../../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../../../src/engine/fetch/replay/environment.ts"
import { expectationsOf } from "../../../../src/engine/fetch/replay/expectations.ts"
import { Recorder } from "../../../../src/engine/fetch/replay/recorder.ts"
import { recordEnvironment } from "../../../../src/engine/fetch/replay/recording.ts"
import { EgressFilter } from "../../../../src/engine/net/egress/filter.ts"
import { LiveTransport } from "../../../../src/engine/net/http/live.ts"
import { HttpResponse } from "../../../../src/engine/net/http/response.ts"
import { executeRun } from "../../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../../src/engine/runtime/run/memory-checkpoints.ts"

let requests = 0
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request): Promise<Response> {
    requests++
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === "/robots.txt") return new Response("user-agent: *\ndisallow: /closed")
    if (pathname === "/page") {
      return new Response(`<h1>A page for ${searchParams.get("key")}</h1>`, {
        headers: [
          ["content-type", "text/html"],
          ["set-cookie", "session=very-private; Path=/; HttpOnly"],
        ],
      })
    }
    if (pathname === "/old") return Response.redirect(`http://127.0.0.1:${server.port}/new`, 301)
    if (pathname === "/new") return Response.json({ new: true })
    if (pathname === "/echo") return new Response((await request.text()).toUpperCase())
    if (pathname === "/euro") {
      return new Response(Buffer.from([0x80]), {
        headers: { "content-type": "text/plain; charset=windows-1252" },
      })
    }
    return new Response("no such page", { status: 404 })
  },
})
const root = `http://127.0.0.1:${server.port}`
const folder = mkdtempSync(join(tmpdir(), "trawl-record-"))
afterAll(() => {
  server.stop(true)
  rmSync(folder, { recursive: true })
})

/** A fake Chrome whose page changes on a click. */
const chrome: Browser = {
  lease(_lease, steps) {
    let clicks = 0
    const page = (url: string, html: string) =>
      Object.assign(
        new HttpResponse({
          url,
          requestedUrl: url,
          status: 200,
          headers: new Headers({ "content-type": "text/html" }),
          via: "browser",
          bytes: new TextEncoder().encode(html),
        }),
        { captured: [] },
      )
    const read = async () => page(`${root}/app/home`, `<p>${clicks} clicks</p>`)
    return steps({
      goto: read,
      read,
      next: async () => null,
      finish: read,
      waitFor: async () => true,
      click: async () => Boolean(++clicks),
      scroll: async () => {},
      fetch: async (url) => page(url, "fetched in the page"),
    })
  },
}

const visits: Record<string, (ctx: Context) => Promise<unknown>> = {
  page: async (ctx) =>
    (await ctx.page(`${root}/page`, { query: { key: ctx.secret("YELP_API_KEY") } })).document
      .querySelector("h1")
      ?.textContent?.startsWith("A page for"),
  old: async (ctx) => (await ctx.get(`${root}/old`)).url.endsWith("/new"),
  echo: async (ctx) => {
    const first = await ctx.post(`${root}/echo`, { body: "one" })
    const second = await ctx.post(`${root}/echo`, { body: "two" })
    return [first.text(), second.text()]
  },
  euro: async (ctx) => (await ctx.get(`${root}/euro`)).text(),
  missing: async (ctx) => (await ctx.get(`${root}/missing`)).text(),
  closed: async (ctx) => (await ctx.get(`${root}/closed`, { robots: true })).text(),
  refused: async (ctx) => (await ctx.get("http://127.0.0.1:1/", { retries: 0 })).text(),
  denied: async (ctx) => (await ctx.get("http://10.0.0.1/")).text(),
  dns: (ctx) => ctx.dns("a.test", "MX"),
  tls: async (ctx) => (await ctx.tls("a.test")).protocol,
  app: (ctx) =>
    ctx.browse(async (tab) => {
      await tab.goto(`${root}/app`)
      await tab.click("button")
      const inPage = await tab.fetch("/api")
      const { document } = await tab.read()
      return [document.querySelector("p")?.textContent, inPage.text()]
    }),
}

const scraper = defineScraper({
  slug: "visitor",
  name: "Visitor",
  tagline: "Visits the given pages",
  category: "web",
  tier: "free",
  input: Type.Object({ visits: Type.Array(Type.String()) }),
  item: Type.Object({ visit: Type.String(), found: Type.Unknown() }),
  example: { visits: ["page"] },
  targets: (input) => input.visits,
  async *scrape(visit: string, ctx) {
    yield { visit, found: await visits[visit]!(ctx) }
  },
})

const input = { visits: Object.keys(visits) }

async function itemsOf(environment: Environment) {
  const checkpoint = new MemoryCheckpoints(scraper.targets(input), () => {})
  const { signal } = new AbortController()
  await executeRun({ scraper, input, checkpoint, environment, signal })
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  return items
}

describe("a recorded run", () => {
  const live: Environment = {
    clock: systemClock,
    http: new LiveTransport(new EgressFilter(["127.0.0.1"])),
    browser: chrome,
    dns: async () => [{ exchange: "mx.a.test", priority: 1 }],
    tls: async () => ({ authorized: true, authorizationError: null, protocol: "TLSv1.3" }),
    env: { YELP_API_KEY: "a-very-secret-key", TRAWL_CONTACT: "me@a.test" },
  }

  test("returns the same items again, without the network and without secrets", async () => {
    for (const file of ["901.html", "notes.txt"]) await Bun.write(join(folder, file), "before")
    const recording = recordEnvironment(live, folder, { slug: scraper.slug, input })
    const items = await itemsOf(recording.environment)
    await recording.save(expectationsOf(items))
    expect(items.map((item) => item.found ?? (item.error as { code: string }).code)).toEqual([
      true,
      true,
      ["ONE", "TWO"],
      "€",
      "not_found",
      "robots_disallowed",
      "connection",
      "egress_denied",
      [{ exchange: "mx.a.test", priority: 1 }],
      "TLSv1.3",
      ["1 clicks", "fetched in the page"],
    ])

    const requested = requests
    const recorded = readCase(folder)
    expect(await itemsOf(replayEnvironment(recorded))).toEqual(items)
    expect(requests).toBe(requested)

    const written = readdirSync(folder).map((file) => readFileSync(join(folder, file), "latin1"))
    expect(written.join("\n")).not.toMatch(/a-very-secret-key|very-private|me@a\.test/)
    expect(recorded.env).toEqual({ YELP_API_KEY: "recorded-YELP_API_KEY" })
    const last = items.length - 1
    expect(recorded.expect).toEqual([
      { path: "items.length", equals: items.length },
      { path: "items[0].visit", equals: items[0]!.visit },
      { path: "items[0].found", equals: true },
      { path: `items[${last}].visit`, equals: items[last]!.visit },
    ])
    const stored = readdirSync(folder).filter((file) => !/^(?:0\d\d\.|page-|case\.json)/.test(file))
    expect(stored, "an earlier recording's bodies go, nothing else").toEqual(["notes.txt"])
    const page = recorded.exchanges.find(({ url }) => url.includes("/page"))
    expect(page?.headers["set-cookie"]).toEqual(["session=masked; Path=/; HttpOnly"])
  })
})

describe("the client's own IP address", () => {
  const written = async (bodies: [body: string, headers?: Record<string, string>][]) => {
    const recorder = new Recorder(join(folder, "addresses"))
    for (const [body, headers] of bodies) {
      const exchange = recorder.begin("GET", `${root}/where`, "http")
      const bytes = new TextEncoder().encode(body)
      await recorder.fill(exchange, { status: 200, headers: new Headers(headers), bytes })
    }
    await recorder.save({ slug: "x", case: "y", input: {}, clock: "", env: {} }, [])
    const files = readdirSync(join(folder, "addresses"))
    return files.map((file) => readFileSync(join(folder, "addresses", file), "utf8")).join("\n")
  }

  test.each([
    ["in a page's data", `{"clientIp": "9.9.9.9"}`],
    ["in a script", `window.user_ip_address = '9.9.9.9'`],
    ["in a trace", "fl=1\nip=9.9.9.9\nts=1"],
  ])("is replaced %s, and in the bodies before", async (_, body) => {
    const text = await written([["seen by 9.9.9.9"], [body]])
    expect(text).not.toContain("9.9.9.9")
    expect(text).toContain("seen by 192.0.2.1")
  })

  test("is replaced in headers, also as IPv6", async () => {
    const headers = { "x-client-ip": "2a00:1450::99" }
    expect(await written([["seen by 2a00:1450::99", headers]])).not.toContain("2a00:1450::99")
  })

  test("is only replaced itself", async () => {
    expect(await written([[`{"ip": "9.9.9.9", "client_ip": "10.0.0.1"}`]])).toContain(
      `{"ip": "9.9.9.9", "client_ip": "10.0.0.1"}`,
    )
  })
})

test("requests with a time or a random ID in their query are matched by path", async () => {
  const at = join(folder, "moment")
  const recorder = new Recorder(at)
  const clock = "2026-11-28T12:00:00.000Z"
  const queries: [query: string, match: "path" | undefined][] = [
    ["q=tides", undefined],
    [`_=${Date.parse(clock) + 1234}`, "path"],
    // Another day, and a hash that a site uses as an ID.
    ["_=1500000000000", undefined],
    ["id=9e107d9d372bb6826bd81d3542a419d6", undefined],
    ["visitor_id=BA4105EBAC8D49A3BD03170166ADF158", "path"],
    ["session=018f4a5e-7c1b-4d7a-9d3e-0a1b2c3d4e5f", "path"],
  ]
  for (const [query] of queries) {
    const exchange = recorder.begin("GET", `https://site.test/data?${query}`, "http")
    await recorder.fill(exchange, { status: 200, headers: new Headers(), bytes: new Uint8Array() })
  }
  await recorder.save({ slug: "a", case: "b", input: {}, clock, env: {} }, [])
  const { exchanges } = JSON.parse(readFileSync(join(at, "case.json"), "utf8"))
  expect(exchanges.map(({ match }: { match?: string }) => match)).toEqual(
    queries.map(([, match]) => match),
  )
})
