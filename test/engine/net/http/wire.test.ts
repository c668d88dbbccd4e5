import { afterAll, describe, expect, test } from "bun:test"
import { createServer, type Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { replayClock } from "../../../../src/base/clock.ts"
import { Unreachable } from "../../../../src/catalogue/kit/index.ts"
import { EgressFilter, type Lookup } from "../../../../src/engine/net/egress/filter.ts"
import { HttpClient } from "../../../../src/engine/net/http/client.ts"
import type { Transport } from "../../../../src/engine/net/http/exchange.ts"
import { LiveTransport } from "../../../../src/engine/net/http/live.ts"
import { ProxyTransport, RotatingTransport } from "../../../../src/engine/net/http/proxies.ts"
import { readProxyRule } from "../../../../src/engine/net/http/proxy-rules.ts"
import { CertificateAuthority, openssl } from "../../../catalogue/certificates/certificates.ts"

const closing: (() => unknown)[] = []
afterAll(() => {
  for (const close of closing) close()
})

/** A server below HTTP: each path with the bytes that it returns before the connection ends. */
async function rawServer(answers: Record<string, string | ((socket: Socket) => void)>) {
  const requested: string[] = []
  const server = createServer((socket) => {
    socket.on("error", () => {})
    socket.once("data", (data) => {
      const path = String(data).split(" ")[1]!
      requested.push(path)
      const response = answers[path]
      if (typeof response === "function") response(socket)
      else socket.end(Buffer.from(response ?? "HTTP/1.1 404 Not Found\r\n\r\n", "utf8"))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(() => server.close())
  return { port: (server.address() as { port: number }).port, requested }
}

const here: Lookup = async () => ["127.0.0.1"]
const open = new EgressFilter(["127.0.0.1"], here)

function client(
  transport: Transport = new LiveTransport(open),
  signal = new AbortController().signal,
) {
  return new HttpClient({ transport, clock: replayClock(0), signal })
}

const scrapeError = (response: Promise<{ status: number }>) =>
  response.then(
    ({ status }) => `answered ${status}`,
    (error: { code: string }) => error.code,
  )

describe("invalid responses", () => {
  test("cut off, flooded with headers, or not HTTP", async () => {
    const gzip = gzipSync("word ".repeat(1000))
    const { port } = await rawServer({
      "/chunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
      "/packed": (socket) => {
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${gzip.length}\r\n\r\n`,
        )
        socket.end(gzip.subarray(0, 20))
      },
      "/flood": (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n")
        const timer = setInterval(() => socket.write(`X-A: ${"y".repeat(60_000)}\r\n`), 1)
        socket.on("close", () => clearInterval(timer))
      },
      "/garbage": "SSH-2.0-OpenSSH\r\n",
      "/lengths": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
    })
    for (const path of ["/chunked", "/packed", "/flood", "/garbage", "/lengths"]) {
      const response = client().request("GET", `http://127.0.0.1:${port}${path}`, { retries: 0 })
      expect(await scrapeError(response), path).toBe("connection")
    }
  })

  test("304 has no body, whatever its length header", async () => {
    const { port } = await rawServer({
      "/same": "HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\nConnection: close\r\n\r\n",
    })
    const response = await client().request("GET", `http://127.0.0.1:${port}/same`)
    expect([response.status, response.bytes.length]).toEqual([304, 0])
  })

  test("a POST that was cut off is not sent again, a GET is", async () => {
    const { port, requested } = await rawServer({ "/cut": (socket) => socket.destroy() })
    const url = `http://127.0.0.1:${port}/cut`
    expect(await scrapeError(client().request("POST", url, { body: "x" }))).toBe("connection")
    expect(requested).toHaveLength(1)
    expect(await scrapeError(client().request("GET", url))).toBe("connection")
    expect(requested).toHaveLength(4)
    expect(await scrapeError(client().request("POST", url, { body: "x", retries: 1 }))).toBe(
      "connection",
    )
    expect(requested).toHaveLength(6)
  })
})

test("a body larger than its Content-Length is cut at the limit", async () => {
  const chunk = `186a0\r\n${"x".repeat(100_000)}\r\n`
  const { port } = await rawServer({
    "/": (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n")
      const timer = setInterval(() => socket.write(chunk), 1)
      socket.on("close", () => clearInterval(timer))
    },
  })
  const response = client().request("GET", `http://127.0.0.1:${port}/`, {
    maxBytes: 1_000_000,
    timeoutMs: 5000,
    retries: 0,
  })
  expect(await scrapeError(response)).toMatch(/too_large|connection/)
})

test("a redirect in raw UTF-8 is followed as in a browser", async () => {
  const { port, requested } = await rawServer({
    "/": "HTTP/1.1 302 Found\r\nLocation: /über/日本?q=ü\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "/%C3%BCber/%E6%97%A5%E6%9C%AC?q=%C3%BC": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
  })
  const response = await client().request("GET", `http://127.0.0.1:${port}/`)
  expect(response.text()).toBe("ok")
  expect(requested).toHaveLength(2)
})

describe("waiting", () => {
  test("for a resolver that does not answer counts in the deadline", async () => {
    const silent = new LiveTransport(new EgressFilter([], () => new Promise(() => {})))
    const response = client(silent).request("GET", "http://a.test/", { timeoutMs: 50, retries: 0 })
    expect(await scrapeError(response)).toBe("timeout")
  })

  test("ends with the run, before the response and during it", async () => {
    const { port } = await rawServer({
      "/never": () => {},
      "/half": (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
    })
    for (const path of ["/never", "/half"]) {
      const control = new AbortController()
      const response = client(undefined, control.signal).request(
        "GET",
        `http://127.0.0.1:${port}${path}`,
      )
      setTimeout(() => control.abort(new Error("the run has ended")), 30)
      expect(await response.catch((error) => error.message), path).toBe("the run has ended")
    }
  })
})

/** 127.0.0.2 acts as a public host, which the operator allowed; 127.0.0.1 as a private one. */
describe.if(process.platform === "linux")("names that change their IP address", () => {
  let probe = 0
  const inside = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      probe++
      return new Response("private")
    },
  })
  const { port } = inside
  const outside = Bun.serve({
    port,
    hostname: "127.0.0.2",
    fetch(request) {
      const target = new URL(request.url).searchParams.get("to")
      return target ? Response.redirect(target, 302) : new Response("public")
    },
  })
  closing.push(
    () => inside.stop(true),
    () => outside.stop(true),
  )

  test("never reach private ones", async () => {
    let lookUps = 0
    const rebinding: Lookup = async () => [lookUps++ % 2 === 0 ? "127.0.0.2" : "127.0.0.1"]
    const seen = new Set<string>()
    for (let round = 0; round < 40; round++) {
      const filter = new EgressFilter(["127.0.0.2"], rebinding)
      const http = client(new LiveTransport(filter))
      seen.add(await scrapeError(http.request("GET", `http://rebind.test:${port}/`)))
      seen.add(await scrapeError(http.request("GET", `http://rebind.test:${port}/again`)))
    }
    expect([...seen].sort()).toEqual(["answered 200", "egress_denied"])
    expect(probe).toBe(0)
  })

  test("nor do redirects to any spelling of one", async () => {
    const filter = new EgressFilter(["127.0.0.2"], async () => ["127.0.0.1"])
    const spellings = [
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "[::ffff:127.0.0.1]",
      "localhost",
      "x.test",
    ]
    for (const host of spellings) {
      const to = encodeURIComponent(`http://${host}:${port}/`)
      const response = client(new LiveTransport(filter)).request(
        "GET",
        `http://127.0.0.2:${port}/?to=${to}`,
      )
      expect(await scrapeError(response), host).toBe("egress_denied")
    }
    expect(probe).toBe(0)
  })

  test("with several, try the next if one does not listen", async () => {
    const filter = new EgressFilter(["127.0.0.0/8"], async () => ["127.0.0.3", "127.0.0.2"])
    const response = await client(new LiveTransport(filter)).request(
      "GET",
      `http://a.test:${port}/`,
    )
    expect(response.text()).toBe("public")
  })
})

test("https to a port without TLS is an error with the right URL", async () => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  closing.push(() => server.stop(true))
  const { port } = server
  const url = `https://a.test:${port}/`
  const failure = await client(new LiveTransport(open))
    .request("GET", url, { retries: 0 })
    .catch((error) => error)
  expect([failure.code, failure.message]).toEqual([
    "tls",
    `The encrypted connection to a.test:${port} failed: the port does not support TLS (use http://), or only an outdated version.`,
  ])
})

describe.if(openssl !== null)("encrypted", () => {
  test("the certificate is verified by name, although the connection uses an IP address", async () => {
    const authority = new CertificateAuthority()
    closing.push(() => authority.close())
    const { key, cert } = authority.issue("a.test", {
      extension: "subjectAltName=DNS:a.test,DNS:b.test",
    })
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls: { key, cert: cert + authority.authority.cert },
      fetch: (request) => new Response(request.headers.get("host")),
    })
    closing.push(() => server.stop(true))
    const trusting = new LiveTransport(open, { ca: authority.root.cert })
    const ask = (host: string, transport: Transport) =>
      client(transport).request("GET", `https://${host}:${server.port}/`, { retries: 0 })
    for (const host of ["a.test", "b.test", "a.test", "b.test"]) {
      expect((await ask(host, trusting)).text()).toBe(`${host}:${server.port}`)
    }
    const wrong = await ask("c.test", trusting).catch((error) => error)
    expect([wrong.code, wrong.message]).toEqual([
      "tls",
      `The encrypted connection to c.test:${server.port} failed: its certificate is for another host name.`,
    ])
    expect(await scrapeError(ask("a.test", new LiveTransport(open)))).toBe("tls")
  })
})

describe("several proxies", () => {
  const proxyOf = (status: number) => {
    const requested: string[] = []
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        requested.push(request.url)
        return new Response("by proxy", { status })
      },
    })
    closing.push(() => server.stop(true))
    return { url: `http://user:secret@127.0.0.1:${server.port}`, requested }
  }
  const filter = new EgressFilter([], () => Promise.reject(new Error("resolved here")), true)
  const rotating = (urls: string[], clock: { now(): number }) =>
    new RotatingTransport(
      urls.map(readProxyRule),
      (url) => (url === null ? nowhere : new ProxyTransport(filter, url)),
      clock,
    )
  const nowhere = {
    send: () => Promise.reject(new Unreachable("asked without a proxy", "connection")),
  }

  test("take turns; an unreachable one is skipped for a while, and its requests go to the next", async () => {
    let now = 0
    const [one, two] = [proxyOf(200), proxyOf(200)]
    const http = client(rotating([one.url, "http://127.0.0.1:1", two.url], { now: () => now }))
    const ask = async (times: number) => {
      for (let time = 0; time < times; time++) {
        expect((await http.request("GET", "http://a.test/", { retries: 0 })).text()).toBe(
          "by proxy",
        )
      }
    }
    await ask(6)
    expect([
      one.requested.length + two.requested.length,
      one.requested.length > 1,
      two.requested.length > 1,
    ]).toEqual([6, true, true])
    now = 40_000
    await ask(3)
  })

  test("are chosen by their rules: host first, then the run's own", async () => {
    const [general, shop, other] = [proxyOf(200), proxyOf(200), proxyOf(200)]
    const transport = rotating(
      [`${general.url}#sticky=run`, `${other.url}#sticky=run`, `${shop.url}#hosts=shop.test`],
      { now: () => 0 },
    )
    const ask = (url: string, run: string) =>
      transport.send({
        method: "GET",
        url,
        headers: new Headers(),
        maxBytes: 1000,
        timeoutMs: 5000,
        signal: new AbortController().signal,
        exit: { run, account: "a" },
      })
    await ask("http://shop.test/", "run_1")
    await ask("http://www.shop.test/", "run_2")
    expect(shop.requested).toHaveLength(2)
    for (let time = 0; time < 4; time++) await ask("http://a.test/", "run_1")
    expect([general.requested.length, other.requested.length].sort()).toEqual([0, 4])
  })

  test("for other hosts leave a host to the direct connection", async () => {
    const http = client(rotating([`${proxyOf(200).url}#hosts=shop.test`], { now: () => 0 }))
    const requested = http.request("GET", "http://a.test/", { retries: 0 })
    await expect(requested).rejects.toThrow("asked without a proxy")
  })

  test("that refuse us are named without their password", async () => {
    const http = client(rotating([proxyOf(407).url], { now: () => 0 }))
    const error = await http
      .request("GET", "http://a.test/", { retries: 0 })
      .catch((caught) => caught)
    expect(error.code).toBe("connection")
    expect(error.message).toContain("407")
    expect(error.message).not.toContain("secret")
  })
})
