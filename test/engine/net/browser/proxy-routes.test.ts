import { afterAll, expect, test } from "bun:test"
import { createServer, type Socket } from "node:net"
import { CookieJar } from "tough-cookie"
import { ChromeNetTransport } from "../../../../src/engine/net/browser/net/net-transport.ts"
import { testOfAll } from "../../../samples.ts"
import { failureOf, lean, lease, testBrowser } from "./setup.ts"

/**
 * A proxy of the operator that responds to every request itself, with its name and the user name it
 * received.
 */
function operatorProxy(name: string) {
  const requested: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.once("data", (chunk: Buffer) => {
      const head = chunk.toString("latin1")
      const user = atob(/^proxy-authorization: basic (.*)$/im.exec(head)?.[1] ?? "").split(":")[0]
      requested.push(new URL(head.split(" ")[1]!).host)
      const body = `<h1>${name} ${user}</h1>`
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      )
    })
  })
  return new Promise<{ port: number; requested: string[]; close(): void }>((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const close = () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
      resolve({ port: (server.address() as { port: number }).port, requested, close })
    }),
  )
}

const [shops, german, any] = await Promise.all(["shops", "german", "any"].map(operatorProxy))
const all = [shops!, german!, any!]
const direct = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => new Response("<h1>direct</h1>", { headers: { "content-type": "text/html" } }),
})
const chromes: ReturnType<typeof testBrowser>[] = []
function chromeBy(...proxyUrls: string[]) {
  const chrome = testBrowser(() => [direct.port!], {
    ...lean,
    proxyUrls,
    checkProxied: async () => ["192.0.2.1"],
  })
  chromes.push(chrome)
  return chrome
}
afterAll(async () => {
  for (const chrome of chromes) await chrome.stop()
  for (const proxy of all) proxy.close()
  direct.stop(true)
})

const at = (proxy: { port: number } | undefined, user = "", rules = "") =>
  `http://${user ? `${user}:word@` : ""}127.0.0.1:${proxy!.port}${rules}`
const exitOf = (run: string, country?: string) => ({
  run,
  account: "acc",
  ...(country ? { country } : {}),
})
type Chrome = ReturnType<typeof testBrowser>

/** Returns the text of a page opened in Chrome, and of one that its network stack fetches. */
async function pages({ browser }: Chrome, url: string, exit: ReturnType<typeof exitOf>) {
  const leased = lease({ exit, jar: new CookieJar() })
  const rendered = await browser.lease(leased, (tab) => tab.goto(url))
  const transport = new ChromeNetTransport(browser, leased)
  const { signal } = leased
  const headers = new Headers({ accept: "text/html" })
  const wire = { method: "GET", url, headers, maxBytes: 10_000, timeoutMs: 20_000, signal, exit }
  const fetched = new TextDecoder().decode((await transport.send(wire)).bytes)
  await browser.release(leased.jar)
  return [rendered.text(), fetched].map((text) => /<h1>(.*?)<\/h1>/.exec(text)?.[1])
}

test("Chrome uses the proxy of the host and the country, and none if none is set", async () => {
  const chrome = chromeBy(
    at(shops, "", "#hosts=shop.test"),
    at(german, "u-{country}-{session}", "#hosts=*.news.test|geo.test&country=de|fr&sticky=run"),
    at(any, "", "#hosts=geo.test"),
  )
  expect(await pages(chrome, "http://www.shop.test/", exitOf("r1"))).toEqual(["shops ", "shops "])
  const [one, other] = await pages(chrome, "http://a.news.test/", exitOf("r1", "fr"))
  expect(one).toMatch(/^german u-fr-\w+$/)
  expect(other).toBe(one!)
  expect((await pages(chrome, "http://b.news.test/", exitOf("r1", "fr")))[0]).toBe(one!)
  expect((await pages(chrome, "http://a.news.test/", exitOf("r2", "fr")))[0]).not.toBe(one!)
  expect((await pages(chrome, "http://geo.test/", exitOf("r1", "de")))[0]).toStartWith(
    "german u-de",
  )
  const plain = `http://127.0.0.1:${direct.port}/`
  expect(await pages(chrome, plain, exitOf("r1"))).toEqual(["direct", "direct"])
  // Without a proxy the egress filter connects, and refuses, itself.
  const inside = chrome.browser.lease(lease({ exit: exitOf("r1") }), (tab) =>
    tab.goto("http://127.0.0.1:59999/"),
  )
  expect(await failureOf(inside)).toMatchObject({ code: "egress_denied" })
}, 120_000)

testOfAll(
  "pages of an unreachable proxy go to the next, and it is named if there is none",
  async () => {
    const chrome = chromeBy("http://127.0.0.1:1", at(any))
    expect(await pages(chrome, "http://a.test/", exitOf("r1"))).toEqual(["any ", "any "])
    expect(await pages(chrome, "http://b.test/", exitOf("r2"))).toEqual(["any ", "any "])
    const alone = chromeBy("http://user:word@127.0.0.1:1")
    const failure = await failureOf(
      alone.browser.lease(lease({ exit: exitOf("r1") }), (tab) => tab.goto("http://a.test/")),
    )
    expect(failure).toMatchObject({ code: "connection" })
    expect(String(failure)).toContain("proxy 127.0.0.1:1 failed")
    expect(String(failure)).not.toContain("word")
  },
  120_000,
)
