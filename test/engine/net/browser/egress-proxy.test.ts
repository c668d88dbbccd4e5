import { afterAll, expect, test } from "bun:test"
import { connect } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { EgressDenied } from "../../../../src/catalogue/kit/index.ts"
import { EgressProxy } from "../../../../src/engine/net/browser/pool/egress-proxy.ts"
import { CertificateAuthority, openssl } from "../../../catalogue/certificates/certificates.ts"
import { failureOf, lease, site, testBrowser } from "./setup.ts"

const served: string[] = []
const page = (body: string) => () =>
  new Response(body, { headers: { "content-type": "text/html" } })
const script = (body: string) => () =>
  new Response(body, { headers: { "content-type": "text/javascript" } })
const server = site({
  "/page": page(`<h1>page</h1><script>
    fetch("/fetched")
    new Worker("/worker.js")
    new SharedWorker("/shared.js")
    navigator.serviceWorker.register("/service.js")
    new WebSocket("ws://" + location.host + "/socket")
    window.open("/window")
  </script>`),
  "/worker.js": script(`fetch("/from-worker")`),
  "/shared.js": script(`fetch("/from-shared")`),
  "/service.js": script(`fetch("/from-service")`),
  ...Object.fromEntries(
    ["/fetched", "/from-worker", "/from-shared", "/from-service", "/socket"].map((path) => [
      path,
      () => {
        served.push(path)
        return new Response("")
      },
    ]),
  ),
  "/denied": () =>
    new Response("no", { status: 407, headers: { "proxy-authenticate": 'Basic realm="trawl"' } }),
  "/private": () =>
    new Response("<h1>who</h1>", {
      status: 401,
      headers: { "www-authenticate": "Basic realm=x", "content-type": "text/html" },
    }),
})
const resolved: string[] = []
const chrome = testBrowser(() => [], {
  async resolve(host, port) {
    resolved.push(host)
    if (port === server.port) return ["127.0.0.1"]
    throw new EgressDenied(`${host} is a private address.`)
  },
})
afterAll(async () => {
  await chrome.stop()
  server.stop(true)
})
const root = `http://127.0.0.1:${server.port}`
const goto = (path: string, until = () => Bun.sleep(0)) =>
  chrome.browser.lease(lease({ deadlineMs: 60_000 }), async (tab) => {
    const response = await tab.goto(`${root}${path}`, {
      waitFor: "h1",
      accept: "any",
      timeoutMs: 20_000,
    })
    await until()
    return response
  })

/** Returns a proxy's response to a request that another user of the machine could send. */
function ask(port: number, head: string): Promise<string> {
  return new Promise((resolve) => {
    let stated = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(`${head}\r\n\r\n`))
    socket.on("data", (chunk) => {
      stated += chunk
    })
    socket.on("close", () => resolve(stated))
    socket.on("error", () => resolve(stated))
  })
}

test("the local proxy needs its password", async () => {
  const requested: string[] = []
  const proxy = await EgressProxy.start({
    password: "word",
    async resolve(host) {
      requested.push(host)
      throw new EgressDenied("no")
    },
  })
  const basic = (words: string) => `Proxy-Authorization: Basic ${btoa(words)}`
  for (const header of [
    "X: y",
    basic("trawl:wore"),
    basic("trawl:"),
    "Proxy-Authorization: Basic",
  ]) {
    for (const line of ["GET http://a.test/ HTTP/1.1", "CONNECT a.test:443 HTTP/1.1"]) {
      expect(await ask(proxy.port, `${line}\r\nHost: a.test\r\n${header}`)).toStartWith(
        "HTTP/1.1 407",
      )
    }
  }
  expect(requested).toEqual([])
  await ask(proxy.port, `CONNECT a.test:443 HTTP/1.1\r\n${basic("trawl:word")}`)
  expect(requested).toEqual(["a.test"])
  await proxy.stop()
})

test("a page's workers and sockets use it as the page does", async () => {
  const wanted = ["/fetched", "/from-service", "/from-shared", "/from-worker", "/socket"]
  const all = () => [...new Set(served)].sort()
  const isServed = async () => {
    while (all().length < wanted.length) await Bun.sleep(50)
  }
  expect((await goto("/page", isServed)).text()).toContain("page")
  expect(all()).toEqual(wanted)
}, 120_000)

test("a site that asks for a password gets none, and delays nothing", async () => {
  expect((await goto("/private")).status).toBe(401)
  await goto("/denied").catch(() => {})
  expect((await goto("/page")).text()).toContain("page")
}, 120_000)

test("Chrome requests nothing but what pages request", async () => {
  // By then, Chrome had sent several requests to its vendor.
  await Bun.sleep(4000)
  expect([...new Set(resolved)]).toEqual(["127.0.0.1"])
}, 120_000)

test.if(openssl !== null)("a proxy of the operator may use TLS", async () => {
  const authority = new CertificateAuthority()
  const { key, cert } = authority.root
  const lines: string[] = []
  const secure = createTlsServer({ key, cert }, (socket) => {
    socket.on("error", () => {})
    socket.once("data", (head: Buffer) => {
      lines.push(head.toString("latin1").split("\r\n")[0]!)
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nby it")
    })
  })
  await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve))
  const { port } = secure.address() as { port: number }
  const guard = await EgressProxy.start({
    resolve: async () => ["192.0.2.1"],
    password: "word",
    route: (_host, use) => use(`https://127.0.0.1:${port}`),
  })
  const ask = () =>
    fetch("http://site.test/page", { proxy: `http://trawl:word@127.0.0.1:${guard.port}` })
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  try {
    // Its certificate is checked.
    expect(await failureOf(ask())).toBeInstanceOf(Error)
    expect(guard.denial("site.test", 80)?.message).toContain(`127.0.0.1:${port}`)
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"
    expect(await (await ask()).text()).toBe("by it")
    expect(lines).toEqual(["GET http://site.test/page HTTP/1.1"])
  } finally {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    await guard.stop()
    secure.close()
    authority.close()
  }
})
