import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { CdpCDPSession } from "puppeteer-core/internal/cdp/CdpSession.js"
import { CookieJar } from "tough-cookie"
import { systemClock } from "../../../../src/base/clock.ts"
import { Aborted, EgressDenied, type RequestOptions } from "../../../../src/catalogue/kit/index.ts"
import { ChromeNetTransport } from "../../../../src/engine/net/browser/net/net-transport.ts"
import { HttpClient } from "../../../../src/engine/net/http/client.ts"
import { openssl } from "../../../catalogue/certificates/certificates.ts"
import { fullChrome, openBrowser } from "../../../chrome.ts"
import { testOfAll } from "../../../samples.ts"
import { failureOf, lean, lease, testBrowser } from "./setup.ts"
import { type SeenRequest, tlsSite } from "./tls-site.ts"

const megabyte = Buffer.alloc(1024 * 1024, "x")
/** More than the default maximum size of a body. */
const largeMegabytes = 12
const site = await tlsSite(["a.test", "b.test"], (request, response) => {
  const { pathname } = new URL(request.url, "https://a.test")
  const html = { "content-type": "text/html; charset=windows-1252" }
  switch (pathname) {
    case "/cookies":
      response.writeHead(200, { ...html, "set-cookie": ["seen=1; Path=/", "sid=2; HttpOnly"] })
      return void response.end("<h1>cookies</h1>")
    case "/leads":
      response.writeHead(302, {
        location: `https://b.test:${site.port}/end`,
        "set-cookie": "hop=1",
      })
      return void response.end()
    case "/back":
      response.writeHead(301, { location: "/landed" })
      return void response.end("moved")
    case "/inside":
      response.writeHead(302, { location: "http://192.168.1.1/admin" })
      return void response.end()
    case "/large":
    case "/lies": {
      response.writeHead(200, { ...html, ...(pathname === "/lies" && { "content-length": "10" }) })
      let left = largeMegabytes
      const more = () => {
        while (left-- > 0) if (!response.write(megabyte)) return void response.once("drain", more)
        response.end()
      }
      return more()
    }
    case "/silent":
      return
    case "/stalls":
      response.writeHead(200, html)
      return void response.write("<h1>begins</h1>")
    case "/busy":
      response.writeHead(served++ === 0 ? 503 : 200, { ...html, "retry-after": "0" })
      return void response.end("<h1>now</h1>")
    case "/file":
      response.writeHead(200, {
        "content-type": "application/octet-stream",
        "content-disposition": "attachment; filename=a.bin",
      })
      return void response.end(Buffer.from([0, 255, 128, 10]))
    case "/packed":
      response.writeHead(200, { ...html, "content-encoding": "gzip" })
      return void response.end(gzipSync("<h1>packed</h1>"))
    case "/registers":
      response.writeHead(200, html)
      return void response.end(`<script>navigator.serviceWorker.register("/worker.js")
        navigator.serviceWorker.addEventListener("controllerchange", async () => {
          const heading = document.createElement("h1")
          heading.textContent = await (await fetch("/worked")).text()
          document.body.append(heading)
        })
        </script><body>`)
    case "/worker.js":
      response.writeHead(200, { "content-type": "text/javascript" })
      return void response.end(
        `onactivate = (event) => event.waitUntil(clients.claim())
         onfetch = (event) => event.respondWith(new Response("the worker's"))`,
      )
    default:
      response.writeHead(200, html)
      response.end(Buffer.from("<h1>caf\xe9</h1><script>fetch('/ran')</script>", "latin1"))
  }
})
let served = 0
const root = `https://a.test:${site.port}`

const settings = {
  chromeArgs: site.chromeArgs,
  async resolve(host: string) {
    if (/^[ab]\.test$/.test(host)) return ["127.0.0.1"]
    throw new EgressDenied(`${host} is a private address.`)
  },
}
// `by-hand.test.ts` compares the requests of full Chrome in every run.
const chrome = testBrowser(() => [], { ...settings, ...lean })
afterAll(async () => {
  await chrome.stop()
  site.close()
})

const client = (signal?: AbortSignal, notes?: string[]) => clientOf(chrome, signal, notes)
function clientOf(
  { browser }: typeof chrome,
  signal = new AbortController().signal,
  notes: string[] = [],
) {
  const jar = new CookieJar()
  const log = (line: string) => notes.push(line)
  const transport = new ChromeNetTransport(browser, { jar, unlocker: false, log })
  return { jar, http: new HttpClient({ transport, clock: systemClock, signal, jar, log }) }
}
/** Requests of one run, which has one tab. */
const { http: shared } = client()
const get = (path: string, options: RequestOptions = {}) =>
  shared.request("GET", root + path, { identity: "browser", retries: 0, ...options })
const lastRequest = (path: string) => site.requests.findLast((one) => one.path === path)!
/** Returns the methods of Chrome's protocol that are called meanwhile. */
async function messagesOf(work: () => Promise<void>): Promise<string[]> {
  const send = spyOn(CdpCDPSession.prototype, "send")
  try {
    await work()
    return send.mock.calls.map(([method]) => method)
  } finally {
    send.mockRestore()
  }
}
const cookiesOf = ({ headers }: SeenRequest) =>
  headers.flatMap(([name, value]) => (name === "cookie" ? value.split("; ") : [])).sort()
const names = ({ headers }: SeenRequest) => headers.map(([name]) => name)

// The start of Chrome does not count as a request's time.
beforeAll(() => get("/warm") as Promise<unknown>, 60_000)

describe.if(openssl !== null)("Chrome as a client", () => {
  test("loads a page over HTTP/2", async () => {
    const reply = await get("/fetched")
    expect(reply.via).toBe("browser-http")
    expect(reply.text()).toContain("café")
    expect(lastRequest("/fetched").version).toBe("2.0")
    expect(site.hellos.at(-1)!.alpn).toEqual(["h2", "http/1.1"])
  })

  testOfAll("sends what Chrome sends for a page", async () => {
    const path = fullChrome()!
    const plain = await openBrowser(path, {
      args: ["--host-resolver-rules=MAP a.test 127.0.0.1", "--lang=en-US", ...site.chromeArgs],
    })
    const before = site.hellos.length
    const page = await plain.browser.newPage()
    await page.goto(`${root}/opened`)
    await plain.close()
    const opened = lastRequest("/opened")
    const visible = opened.headers.map(([name, value]) => [
      name,
      value.replaceAll("HeadlessChrome", "Chrome"),
    ])
    const full = testBrowser(() => [], { ...settings, chrome: path })
    await clientOf(full).http.request("GET", `${root}/fetched-by-full`, { identity: "browser" })
    await full.stop()
    expect(lastRequest("/fetched-by-full").headers).toEqual(visible as [string, string][])
    expect(site.hellos.length).toBeGreaterThan(before + 1)
    expect(site.hellos.at(-1)!).toEqual(site.hellos[before]!)
  })

  test("requests many pages of one site like the first, and nothing else", async () => {
    const { http } = client()
    const paths = Array.from({ length: 25 }, (_, page) => `/page/${page}`)
    for (const path of paths) await http.request("GET", root + path, { identity: "browser" })
    const from = site.requests.findLastIndex(({ path }) => path === paths[0])
    const seen = site.requests.slice(from)
    expect(seen.map(({ path }) => path)).toEqual(paths)
    for (const { headers } of seen) expect(headers).toEqual(seen[0]!.headers)
  })

  test("loads many pages by one navigation, whatever they answer or redirect to", async () => {
    const { http, jar } = client()
    const page = (path: string, headers = {}) =>
      http.request("GET", root + path, { identity: "browser", headers, retries: 0 })
    await page("/first")
    const sent = await messagesOf(async () => {
      for (let again = 0; again < 15; again++) expect((await page("/same")).status).toBe(200)
    })
    expect(sent.filter((method) => method === "Page.navigate").length).toBe(1)

    await page("/cookies")
    const redirected = await page("/back")
    expect([redirected.url, redirected.redirects?.length]).toEqual([`${root}/landed`, 1])
    expect(cookiesOf(lastRequest("/landed"))).toEqual(["seen=1", "sid=2"])
    expect((await page("/leads")).url).toBe(`https://b.test:${site.port}/end`)
    const file = await page("/file")
    expect([...file.bytes]).toEqual([0, 255, 128, 10])

    // A page with an additional header needs a separate navigation; the next page does not.
    await page("/with", { "x-own": "1" })
    expect(lastRequest("/with").headers).toContainEqual(["x-own", "1"])
    await page("/without")
    await page("/without-again")
    const plain = lastRequest("/first").headers
    for (const path of ["/without", "/without-again"]) {
      const headers = lastRequest(path).headers.filter(([name]) => name !== "cookie")
      expect(headers).toEqual(plain)
    }
    expect(await jar.getCookieString(root)).toContain("hop=1")
  })

  test("is not answered by a page's service worker", async () => {
    const { http, jar } = client()
    const both = async () => {
      const page = await http.request("GET", `${root}/own-page`, { identity: "browser" })
      const headers = { accept: "application/json" }
      const called = await http.request("GET", `${root}/own-call`, { identity: "browser", headers })
      return [page.text(), called.text()].join()
    }
    expect(await both()).toContain("caf")
    const visible = await chrome.browser.lease(lease({ jar }), async (tab) => {
      const reply = await tab.goto(`${root}/registers`, { waitFor: "h1" })
      return reply.document.querySelector("h1")?.textContent
    })
    expect(visible).toBe("the worker's")
    expect(await both()).not.toContain("the worker's")
  })

  test("runs no script of the page, and loads no subresources", async () => {
    await get("/script")
    await Bun.sleep(300)
    const paths = site.requests.map(({ path }) => path)
    expect(paths).toContain("/script")
    // What the plain Chrome of the other test ran is its own.
    expect(paths.slice(paths.lastIndexOf("/script"))).toEqual(["/script"])
  })

  test("calls as a script of the site's page, with a body", async () => {
    const { http } = client()
    const reply = await http.request("POST", `${root}/call`, {
      identity: "browser",
      json: { a: "ü" },
      headers: { "x-own": "1", referer: `${root}/from` },
    })
    expect(reply.status).toBe(200)
    const seen = lastRequest("/call")
    const headers = Object.fromEntries(seen.headers)
    expect([seen.method, seen.body, seen.version]).toEqual(["POST", '{"a":"ü"}', "2.0"])
    expect(headers).toMatchObject({
      "content-type": "application/json",
      origin: root,
      referer: `${root}/from`,
      "x-own": "1",
      "sec-fetch-mode": "cors",
      "sec-fetch-site": "same-origin",
    })
    expect(headers["user-agent"]).not.toContain("Headless")
  })

  test("sends the origin of another site's page, also after calls that do not", async () => {
    await get("/api/own", { headers: { accept: "application/json" } })
    const from = { origin: "https://www.b.test", referer: "https://www.b.test/quote" }
    const wanted = { accept: "application/json", ...from }
    await client().http.request("POST", `${root}/api/other`, {
      identity: "browser",
      headers: wanted,
      json: {},
    })
    expect(Object.fromEntries(lastRequest("/api/other").headers)).toMatchObject(from)
    await get("/api/other-get", { headers: wanted })
    expect(Object.fromEntries(lastRequest("/api/other-get").headers)).toMatchObject(from)
  })

  test("gives each of many parallel calls of one URL its own response", async () => {
    const { http } = client()
    await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        await http.request("POST", `${root}/many`, { identity: "browser", json: { number } })
      }),
    )
    const bodies = site.requests.filter(({ path }) => path === "/many").map(({ body }) => body)
    expect(new Set(bodies).size).toBe(20)
  })

  test("adds a page's own headers, and keeps Chrome's", async () => {
    await get("/own", { headers: { "x-own": "1", "user-agent": "another" } })
    const seen = lastRequest("/own")
    expect(seen.headers).toContainEqual(["x-own", "1"])
    expect(Object.fromEntries(seen.headers)["user-agent"]).toContain("Chrome/")
    expect(names(seen)).toContain("sec-ch-ua")
  })

  test("syncs cookies with Chrome, over redirects to other hosts", async () => {
    const { http, jar } = client()
    await jar.setCookie("mine=0", root)
    await http.request("GET", `${root}/cookies`, { identity: "browser" })
    expect(await jar.getCookieString(root)).toContain("sid=2")
    const reply = await http.request("GET", `${root}/leads`, { identity: "browser" })
    expect(reply.url).toBe(`https://b.test:${site.port}/end`)
    expect(reply.redirects).toEqual([{ url: `${root}/leads`, status: 302, location: reply.url }])
    expect(cookiesOf(lastRequest("/leads"))).toEqual(["mine=0", "seen=1", "sid=2"])
    expect(cookiesOf(lastRequest("/end"))).toEqual([])
    expect(await jar.getCookieString(root)).toContain("hop=1")
  })

  test("checks each redirect with the egress filter", async () => {
    expect(await failureOf(get("/inside"))).toMatchObject({ code: "egress_denied" })
    const { http } = client()
    for (const address of [`http://127.0.0.1:${site.port}/`, `https://c.test:${site.port}/`]) {
      const requested = http.request("GET", address, { identity: "browser", retries: 0 })
      expect(await failureOf(requested)).toMatchObject({ code: "egress_denied" })
      const called = http.request("POST", address, { identity: "browser", json: {} })
      expect(await failureOf(called)).toMatchObject({ code: "egress_denied" })
    }
  })

  test("reads and decompresses bodies of any kind, up to the limit", async () => {
    expect([...(await get("/file")).bytes]).toEqual([0, 255, 128, 10])
    expect((await get("/packed")).text()).toBe("<h1>packed</h1>")
    expect((await get("/large", { maxBytes: 30_000_000 })).bytes.length).toBe(
      largeMegabytes * 1024 * 1024,
    )
    expect(await failureOf(get("/large"))).toMatchObject({ code: "too_large" })
    // Over HTTP/2, Chrome does not check a body against its content-length.
    expect(await failureOf(get("/lies"))).toMatchObject({ code: "too_large" })
    const cut = await get("/large", { maxBytes: 1000, truncate: true })
    expect(cut.bytes.length).toBe(1000)
    const called = { headers: { accept: "application/json" } }
    expect(await failureOf(get("/large", called))).toMatchObject({ code: "too_large" })
  }, 120_000)

  test("retries a busy host", async () => {
    const reply = await get("/busy", { retries: 1 })
    expect(reply.text()).toContain("now")
  })

  for (const [path, options] of [
    ["/silent", {}],
    ["/stalls", {}],
    ["/silent", { headers: { accept: "application/json" } }],
    ["/stalls", { headers: { accept: "application/json" } }],
  ] satisfies [string, RequestOptions][]) {
    const kind = options.headers ? "a call" : "a page"
    test(`${kind} of ${path} has its timeout, and ends with its run`, async () => {
      const late = get(path, { ...options, timeoutMs: 800 })
      expect(await failureOf(late)).toMatchObject({ code: "timeout" })
      const control = new AbortController()
      const { http } = client(control.signal)
      const requested = failureOf(
        http.request("GET", root + path, { identity: "browser", ...options }),
      )
      await Bun.sleep(500)
      const from = performance.now()
      control.abort(new Aborted())
      expect(await requested).toBeInstanceOf(Aborted)
      // Half a second is the goal; a busy machine gets more. Without the abort it would take 30 s.
      expect(performance.now() - from).toBeLessThan(10_000)
    })
  }

  test("replaces closed tabs by new ones", async () => {
    for (const accept of ["text/html", "application/json"]) {
      const headers = { accept }
      const aborted = Array.from({ length: 3 }, async () => {
        const control = new AbortController()
        const { http } = client(control.signal)
        const requested = failureOf(http.request("GET", `${root}/silent`, { headers }))
        await Bun.sleep(300)
        control.abort(new Aborted())
        await requested
      })
      await Promise.all(aborted)
      expect((await get("/next", { headers })).status).toBe(200)
    }
  })

  test("with Chrome killed meanwhile: a page is requested again, a call is reported as lost", async () => {
    const notes: string[] = []
    const { http } = client(undefined, notes)
    const kill = async (path: string) => {
      while (!site.requests.some((one) => one.path === path)) await Bun.sleep(10)
      for (const pid of chrome.pool.stats().pids) process.kill(-pid, "SIGKILL")
    }
    const call = http.request("POST", `${root}/silent?call`, { identity: "browser", json: {} })
    await kill("/silent?call")
    expect(await failureOf(call)).toMatchObject({ code: "browser_crashed" })
    const page = http.request("GET", `${root}/silent?page`, {
      identity: "browser",
      timeoutMs: 5000,
      retries: 0,
    })
    await kill("/silent?page")
    expect(await failureOf(page)).toMatchObject({ code: "timeout" })
    expect(notes.join()).toContain("Chrome ended")
    expect(site.requests.filter(({ path }) => path === "/silent?page").length).toBe(2)
    expect((await get("/after")).text()).toContain("caf")
  }, 120_000)

  test("and no exchange stays open", async () => {
    expect(chrome.pool.stats().leases).toBe(0)
    // A tab serves a lease as before.
    const visible = await chrome.browser.lease(lease(), (tab) => tab.goto(`${root}/tab`))
    expect(visible.text()).toContain("caf")
  })
})
