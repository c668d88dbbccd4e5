import { afterAll, expect, test } from "bun:test"
import { createServer, connect as dial, type Socket } from "node:net"
import type { Tab } from "../../../../src/catalogue/kit/index.ts"
import { EgressFilter } from "../../../../src/engine/net/egress/filter.ts"
import { ProxyTransport } from "../../../../src/engine/net/http/proxies.ts"
import { isRunningAll } from "../../../samples.ts"
import { failureOf, lean, lease, site, testBrowser } from "./setup.ts"

/** Acts as an internal service: counts every connection, and returns its secret. */
let reached = 0
const probe = createServer((socket) => {
  reached++
  socket.on("error", () => {})
  socket.end("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nSECRET")
})
await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve))
const inside = (probe.address() as { port: number }).port

/** A typical forward proxy: it resolves names itself, and forbids nothing. */
const requested: string[] = []
const proxy = createServer((client) => {
  client.on("error", () => {})
  client.once("data", (chunk: Buffer) => {
    const text = chunk.toString("latin1")
    const [method, target = ""] = text.split(" ")
    requested.push(target)
    const url = new URL(method === "CONNECT" ? `http://${target}` : target)
    const upstream: Socket = dial(Number(url.port || 80), "127.0.0.1", () => {
      if (method === "CONNECT") client.write("HTTP/1.1 200 OK\r\n\r\n")
      else
        upstream.write(Buffer.from(text.replace(target, `${url.pathname}${url.search}`), "latin1"))
      client.pipe(upstream).pipe(client)
    })
    upstream.on("error", () => client.destroy())
  })
})
await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
const proxyUrl = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`

const targets = [
  `127.0.0.1:${inside}`,
  `inner.test:${inside}`,
  `zero.test:${inside}`,
  `[::1]:${inside}`,
]
const html = (body: string) => new Response(body, { headers: { "content-type": "text/html" } })
const target = (request: Request) => new URL(request.url).searchParams.get("to")
const server = site({
  "/fetch": (request) =>
    html(`<script>fetch("http://${target(request)}/f", { mode: "no-cors" }).catch(() => {})
      try { new WebSocket("ws://${target(request)}/s") } catch {}</script>`),
  "/iframe": (request) => html(`<iframe src="http://${target(request)}/i"></iframe>`),
  "/location": (request) => html(`<script>location.href = "http://${target(request)}/l"</script>`),
  "/meta": (request) =>
    html(`<meta http-equiv="refresh" content="0;url=http://${target(request)}/m">`),
  "/form": (request) =>
    html(
      `<form action="http://${target(request)}/p" method="post"></form><script>document.forms[0].submit()</script>`,
    ),
  "/redirect": (request) =>
    new Response(null, { status: 302, headers: { location: `http://${target(request)}/r` } }),
  "/good": "<h1>good</h1>",
})
const root = `http://127.0.0.1:${server.port}`
const names: Record<string, string> = {
  "inner.test": "10.0.0.7",
  "zero.test": "0.0.0.0",
  "public.test": "93.184.215.14",
}
const allow = [`127.0.0.1:${server.port}`]
const lookUp = async (name: string) => [names[name] ?? "192.0.2.1"]
const egressFilter = new EgressFilter(allow, lookUp)
const chrome = testBrowser(() => [], {
  ...lean,
  proxyUrls: [proxyUrl],
  resolve: (host, port) => egressFilter.resolve(host, port),
  checkProxied: (host, port) => egressFilter.checkProxied(host, port),
})
afterAll(async () => {
  await chrome.stop()
  server.stop(true)
  probe.close()
  proxy.close()
})
/** One tab for all that a test opens. */
const inTab = (work: (tab: Tab) => Promise<unknown>) =>
  chrome.browser.lease(lease({ deadlineMs: 110_000 }), work)
const open = (tab: Tab, path: string, to: string) =>
  tab.goto(`${root}${path}?to=${encodeURIComponent(to)}`, { block: [], timeoutMs: 10_000 })

test("behind a proxy of the operator, no page reaches private addresses", async () => {
  await inTab(async (tab) => {
    for (const to of targets) {
      for (const path of ["/fetch", "/iframe"]) await open(tab, path, to)
      const direct = tab.goto(`http://${to}/direct`)
      expect(await failureOf(direct), to).toMatchObject({ code: "egress_denied" })
    }
  })
  expect(reached).toBe(0)
  // The proxy was in use, and never got a request for any of them.
  expect(requested.some((one) => one.startsWith(root))).toBe(true)
  expect(requested.filter((one) => !one.startsWith(root))).toEqual([])
}, 120_000)

test("a page that redirects to a private address is reported as refused, not as Chrome's error page", async () => {
  const [first, second] = targets
  await inTab(async (tab) => {
    for (const path of ["/location", "/meta", "/form", "/redirect"]) {
      for (const to of isRunningAll ? [first!, second!] : [second!]) {
        expect(await failureOf(open(tab, path, to)), `${path} ${to}`).toMatchObject({
          code: "egress_denied",
        })
      }
    }
  })
  expect(reached).toBe(0)
}, 120_000)

test("plain calls through a proxy are checked by name and IP address", async () => {
  const request = (url: string) => ({
    url,
    method: "GET",
    headers: new Headers({ connection: "close" }),
    timeoutMs: 5000,
    maxBytes: 10_000,
    signal: new AbortController().signal,
  })
  const transport = new ProxyTransport(egressFilter, proxyUrl)
  for (const to of targets) {
    const failure = await failureOf(transport.send(request(`http://${to}/plain`)))
    expect(failure, to).toMatchObject({ code: "egress_denied" })
  }
  expect((await transport.send(request(`${root}/good`))).status).toBe(200)
  expect(reached).toBe(0)

  const trusting = new ProxyTransport(new EgressFilter(allow, lookUp, true), proxyUrl)
  for (const to of [`127.0.0.1:${inside}`, `[::1]:${inside}`, `localhost:${inside}`]) {
    const failure = await failureOf(trusting.send(request(`http://${to}/plain`)))
    expect(failure, to).toMatchObject({ code: "egress_denied" })
  }
  expect(reached).toBe(0)
  expect((await trusting.send(request(`http://inner.test:${inside}/plain`))).status).toBe(200)
})
