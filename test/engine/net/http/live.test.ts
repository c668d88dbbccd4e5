import { afterAll, describe, expect, test } from "bun:test"
import { createServer, type Socket } from "node:net"
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib"
import { abortable, replayClock } from "../../../../src/base/clock.ts"
import type { RequestOptions } from "../../../../src/catalogue/kit/index.ts"
import { EgressFilter } from "../../../../src/engine/net/egress/filter.ts"
import { HttpClient } from "../../../../src/engine/net/http/client.ts"
import { LiveTransport } from "../../../../src/engine/net/http/live.ts"
import { ProxyTransport } from "../../../../src/engine/net/http/proxies.ts"

const zeros = new Uint8Array(64 * 1024 * 1024)
/**
 * Created once, and quickly: the server is in this thread, and compression at the highest level
 * takes seconds.
 */
const bombs = {
  gzip: gzipSync(zeros, { level: 1 }),
  br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: zstdCompressSync(zeros),
}
const packed = (name: string, bytes: Uint8Array) =>
  new Response(bytes as BodyInit, {
    headers: { "content-encoding": name, "content-type": "text/plain" },
  })

const requested: Record<string, number> = {}
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 60,
  async fetch(request): Promise<Response> {
    const url = new URL(request.url)
    requested[url.pathname] = (requested[url.pathname] ?? 0) + 1
    const count = requested[url.pathname]!
    switch (url.pathname) {
      case "/host":
        return new Response(request.headers.get("host"))
      case "/gzip":
        return packed("gzip", gzipSync("packed"))
      case "/br":
        return packed("br", brotliCompressSync("packed"))
      case "/zstd":
        return packed("zstd", zstdCompressSync("packed"))
      case "/deflate":
        return packed("deflate", deflateSync("packed"))
      case "/deflate-raw":
        return packed("deflate", deflateRawSync("packed"))
      case "/twice":
        return packed("gzip, br", brotliCompressSync(gzipSync("packed")))
      case "/broken-gzip":
        return packed("gzip", gzipSync("packed".repeat(1000)).subarray(0, 30))
      case "/bomb-gzip":
        return packed("gzip", bombs.gzip)
      case "/bomb-br":
        return packed("br", bombs.br)
      case "/bomb-zstd":
        return packed("zstd", bombs.zstd)
      case "/large":
        return new Response("x".repeat(2_000_000))
      case "/echo":
        return Response.json({
          method: request.method,
          body: await request.text(),
          type: request.headers.get("content-type"),
          cookie: request.headers.get("cookie"),
          authorization: request.headers.get("authorization"),
        })
      case "/set":
        return new Response(null, {
          status: 302,
          headers: [
            ["location", "/echo"],
            ["set-cookie", "a=1; Path=/"],
            ["set-cookie", "b=2"],
          ],
        })
      case "/303":
        return new Response(null, { status: 303, headers: { location: "/echo" } })
      case "/307":
        return new Response(null, { status: 307, headers: { location: "/echo" } })
      case "/elsewhere":
        return new Response(null, {
          status: 302,
          headers: { location: `http://other.test:${server.port}/echo` },
        })
      case "/circle":
        return new Response(null, { status: 302, headers: { location: "/circle" } })
      case "/private":
        return new Response(null, { status: 302, headers: { location: "http://192.168.1.1/" } })
      case "/file":
        return new Response(null, { status: 302, headers: { location: "file:///etc/passwd" } })
      case "/later":
        return count < 3
          ? new Response("wait", { status: 429, headers: { "retry-after": "7" } })
          : new Response("now")
      case "/date":
        return count < 2
          ? new Response("wait", {
              status: 503,
              headers: { "retry-after": "Wed, 01 May 2024 00:00:10 GMT" },
            })
          : new Response("now")
      case "/always-429":
        return new Response("no", { status: 429 })
      case "/flaky":
        return count < 3 ? new Response("oops", { status: 500 }) : new Response("fine")
      case "/down":
        return new Response("oops", { status: 500 })
      case "/missing":
        return new Response("no", { status: 404 })
      case "/drip":
        return new Response(
          new ReadableStream({
            async pull(controller) {
              await Bun.sleep(100)
              controller.enqueue(new TextEncoder().encode("."))
            },
          }),
        )
      case "/never":
        return new Promise<Response>(() => {})
    }
    return new Response("nothing", { status: 404 })
  },
})

/** Sockets that break the protocol below HTTP. */
const raw = createServer((socket: Socket) => {
  socket.on("error", () => {})
  socket.once("data", (data) => {
    const path = String(data).split(" ")[1]
    if (path === "/cut") socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it")
    else if (path === "/garbage") socket.end("this is not HTTP\r\n\r\n")
    else socket.destroy()
  })
})
await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve))
const rawPort = (raw.address() as { port: number }).port
const root = `http://site.test:${server.port}`
afterAll(() => {
  server.stop(true)
  raw.close()
})

const filter = new EgressFilter(
  ["site.test", "other.test", `127.0.0.1:${server.port}`, `127.0.0.1:${rawPort}`],
  async (name) => (name === "rebind.test" ? ["127.0.0.1"] : ["127.0.0.1"]),
)

function client() {
  const clock = replayClock(Date.parse("2024-05-01T00:00:00Z"))
  const waits: string[] = []
  const http = new HttpClient({
    transport: new LiveTransport(filter),
    clock,
    signal: new AbortController().signal,
    log: (line) => waits.push(line),
  })
  return { http, clock, waits }
}

const text = async (path: string, options?: RequestOptions) =>
  (await client().http.request("GET", root + path, options)).text()
const codeOf = (path: string, options?: RequestOptions) =>
  client()
    .http.request("GET", path.startsWith("http") ? path : root + path, options)
    .then(
      (response) => `answered ${response.status}`,
      (error) => error.code as string,
    )

describe("the filtered fetch", () => {
  test("connects to the checked IP address and sends the host's name", async () => {
    const response = await client().http.request("GET", `${root}/host`)
    expect(response.text()).toBe(`site.test:${server.port}`)
    expect(response.ip).toBe("127.0.0.1")
  })

  for (const path of ["/gzip", "/br", "/zstd", "/deflate", "/deflate-raw", "/twice"]) {
    test(`decompresses ${path}`, async () => expect(await text(path)).toBe("packed"))
  }

  const failures: [string, RequestOptions, string][] = [
    ["/bomb-gzip", {}, "too_large"],
    ["/bomb-br", {}, "too_large"],
    ["/bomb-zstd", {}, "too_large"],
    ["/large", { maxBytes: 1_000_000 }, "too_large"],
    ["/broken-gzip", { retries: 0 }, "connection"],
    ["/drip", { timeoutMs: 600, retries: 0 }, "timeout"],
    ["/never", { timeoutMs: 300, retries: 0 }, "timeout"],
    ["/missing", {}, "not_found"],
    ["/down", {}, "upstream_error"],
    ["/always-429", {}, "rate_limited"],
    ["/circle", {}, "too_many_redirects"],
    ["/private", {}, "egress_denied"],
    ["/file", {}, "http_error"],
    [`http://127.0.0.1:${rawPort}/cut`, { retries: 0 }, "connection"],
    [`http://127.0.0.1:${rawPort}/garbage`, { retries: 0 }, "connection"],
    [`http://127.0.0.1:${rawPort}/drop`, { retries: 0 }, "connection"],
    ["http://site.test:1/", { retries: 0 }, "connection"],
    ["https://site.test:1/", { retries: 0 }, "connection"],
    ["ftp://site.test/", {}, "invalid_input"],
    ["no address", {}, "invalid_input"],
  ]
  for (const [path, options, code] of failures) {
    test(`${path.replace(/:\d+/, "")} is ${code}`, async () =>
      expect(await codeOf(path, options)).toBe(code))
  }

  test("keeps the beginning of a body that is wanted in part", async () => {
    const response = await client().http.request("GET", `${root}/large`, {
      maxBytes: 1000,
      truncate: true,
    })
    expect(response.bytes.length).toBe(1000)
  })

  test("TLS to a plain port is a tls or connection failure", async () => {
    expect(["tls", "connection"]).toContain(
      await codeOf(`https://site.test:${server.port}/host`, { retries: 0 }),
    )
  })
})

describe("redirects", () => {
  test("are followed with cookies, and recorded", async () => {
    const { http } = client()
    const response = await http.request("GET", `${root}/set`)
    expect(response.json<{ cookie: string }>().cookie).toBe("a=1; b=2")
    expect(response.redirects).toEqual([
      { url: `${root}/set`, status: 302, location: `${root}/echo` },
    ])
  })

  test("a POST becomes a GET after 303 and stays one after 307", async () => {
    const { http } = client()
    const after303 = (await http.request("POST", `${root}/303`, { json: { a: 1 } })).json<{
      method: string
      body: string
    }>()
    expect(after303).toMatchObject({ method: "GET", body: "" })
    const after307 = (await http.request("POST", `${root}/307`, { form: { a: "1 2" } })).json<{
      method: string
      body: string
      type: string
    }>()
    expect(after307).toMatchObject({
      method: "POST",
      body: "a=1+2",
      type: "application/x-www-form-urlencoded",
    })
  })

  test("credentials are not sent to another host", async () => {
    const { http } = client()
    const headers = { authorization: "Bearer secret", cookie: "session=1" }
    const response = await http.request("GET", `${root}/elsewhere`, { headers })
    expect(response.json()).toMatchObject({ authorization: null, cookie: null })
  })

  test("manual returns the redirect itself", async () => {
    const response = await client().http.request("GET", `${root}/circle`, { redirect: "manual" })
    expect(response.status).toBe(302)
  })
})

describe("retries", () => {
  test("wait as long as Retry-After asks", async () => {
    const { http, clock, waits } = client()
    const before = clock.now()
    expect((await http.request("GET", `${root}/later`)).text()).toBe("now")
    expect(clock.now() - before).toBe(14_000)
    expect(waits).toHaveLength(2)
  })

  test("understand a date", async () => {
    const { http, clock } = client()
    const before = clock.now()
    await http.request("GET", `${root}/date`)
    expect(clock.now() - before).toBe(10_000)
  })

  test("come after a 500, not after a 404", async () => {
    expect(await text("/flaky")).toBe("fine")
    requested["/missing"] = 0
    await codeOf("/missing")
    expect(requested["/missing"]).toBe(1)
    requested["/down"] = 0
    await codeOf("/down")
    expect(requested["/down"]).toBe(3)
  })

  test("a POST that was answered with an error is not sent again", async () => {
    requested["/down"] = 0
    await client()
      .http.request("POST", `${root}/down`, { json: {} })
      .catch(() => {})
    expect(requested["/down"]).toBe(1)
  })
})

test("an attempt may have its own deadline, which includes its wait for the rate limit", async () => {
  expect(await codeOf("/never", { withinMs: 50, retries: 0 })).toBe("timeout")
  const turnless = new HttpClient({
    transport: { send: ({ signal }) => abortable(new Promise<never>(() => {}), signal) },
    clock: replayClock(0),
    signal: new AbortController().signal,
  })
  const failure = turnless.request("GET", root, { withinMs: 50, retries: 0 })
  expect(await failure.catch((error) => error.message)).toBe(
    `${new URL(root).host} did not respond within 0.05 s.`,
  )
  expect(await text("/echo", { withinMs: 20_000 })).toContain("GET")
})

test("a name that changes its IP address is resolved once, and connected as checked", async () => {
  let lookUps = 0
  const rebinding = new EgressFilter([], async () => {
    lookUps++
    return lookUps === 1 ? ["93.184.215.14"] : ["127.0.0.1"]
  })
  const addresses = await rebinding.resolve("rebind.test", 80)
  expect(addresses).toEqual(["93.184.215.14"])
  expect(await rebinding.resolve("rebind.test", 80)).toEqual(["93.184.215.14"])
  expect(lookUps).toBe(1)
})

describe("through a proxy", () => {
  const seen: string[] = []
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      seen.push(request.url)
      return new Response("by proxy")
    },
  })
  afterAll(() => {
    proxy.stop(true)
  })

  test("names are left to a proxy that may resolve them, literal private IP addresses are not", async () => {
    const http = new HttpClient({
      transport: new ProxyTransport(
        new EgressFilter(
          [],
          () => {
            throw new Error("a name was resolved here")
          },
          true,
        ),
        `http://127.0.0.1:${proxy.port}`,
      ),
      clock: replayClock(0),
      signal: new AbortController().signal,
    })
    const response = await http.request("GET", "http://anything.test/path")
    expect(response.text()).toBe("by proxy")
    expect(response.ip).toBeNull()
    expect(seen.join()).toContain("anything.test/path")
    const refused = await http.request("GET", "http://10.0.0.1/").catch((error) => error.code)
    expect(refused).toBe("egress_denied")
    const local = await http.request("GET", "http://localhost/").catch((error) => error.code)
    expect(local).toBe("egress_denied")
  })
})
