/**
 * Names that resolve to an allowed address at the first look-up and to an internal one at each
 * later one: `bun run bench trust rebind [names] [names in Chrome]`. Each is requested, expires in
 * the filter's cache, and is requested again: directly, by a redirect, and as an image, a frame, a
 * fetch and a socket of a page in Chrome.
 */
import { createSocket } from "node:dgram"
import { createServer } from "node:net"
import { CookieJar } from "tough-cookie"
import { EgressFilter } from "../../src/engine/net/egress/filter.ts"
import { LiveTransport } from "../../src/engine/net/http/live.ts"
import { browserInThread } from "../../test/engine/net/browser/in-thread.ts"

const names = Number(process.argv[2] ?? 10_000)
const inChrome = Number(process.argv[3] ?? 2000)
/** More than the filter caches. */
const turn = 1250
const atOnce = 50
let served = 0
const site: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request): Response {
    served++
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === "/leads") {
      const location = `http://${searchParams.get("to")}:${site.port}/`
      return new Response(null, { status: 302, headers: { location } })
    }
    if (pathname !== "/page")
      return new Response("<title>open</title>", { headers: { "content-type": "text/html" } })
    const hosts = searchParams
      .get("hosts")!
      .split(",")
      .map((name) => `${name}:${site.port}`)
    const parts = hosts.map(
      (host, at) =>
        [
          `<img src="http://${host}/i">`,
          `<iframe src="http://${host}/f"></iframe>`,
          `<script>fetch("http://${host}/x", { mode: "no-cors" }).catch(() => {})</script>`,
          `<script>try { new WebSocket("ws://${host}/s") } catch {}</script>`,
          `<script>{ const peer = new RTCPeerConnection({ iceServers: ["${host}", "127.0.0.2:${site.port}", "[::1]:${site.port}"].map((server) => ({ urls: "stun:" + server })) }); peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer)) }</script>`,
        ][at % 5],
    )
    return new Response(`<title>page</title>${parts.join("")}`, {
      headers: { "content-type": "text/html" },
    })
  },
})
let reached = 0
/** The same port of another address of this machine: the internal target of the names. */
const probe = createServer((socket) => {
  reached++
  socket.destroy()
})
await new Promise<void>((resolve) => probe.listen(site.port!, "127.0.0.2", resolve))
/** WebRTC sends UDP, which must not arrive at the allowed address either. */
const udp = ["127.0.0.1", "127.0.0.2", "::1"].map((address) =>
  createSocket(address.includes(":") ? "udp6" : "udp4")
    .on("message", () => reached++)
    // A machine may lack IPv6.
    .on("error", (error) => console.log(`${address} is not listened on: ${error.message}`))
    .bind(site.port!, address),
)

const lookUps = new Map<string, number>()
const resolver = async (name: string) => {
  const times = (lookUps.get(name) ?? 0) + 1
  lookUps.set(name, times)
  return name === "site.test" || times === 1 ? ["127.0.0.1"] : ["127.0.0.2"]
}
const egressFilter = new EgressFilter([`127.0.0.1:${site.port}`], resolver)
const transport = new LiveTransport(egressFilter)
const reported = { open: 0, refused: 0, other: 0 }

async function ask(url: string): Promise<Response | undefined> {
  try {
    const { status, headers } = await transport.send({
      method: "GET",
      url,
      headers: new Headers(),
      maxBytes: 10_000,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
    })
    reported.open++
    return new Response(null, { status, headers })
  } catch (error) {
    if ((error as { code?: string }).code === "egress_denied") reported.refused++
    else reported.other++
    return undefined
  }
}

async function use(name: string, plainly: boolean): Promise<void> {
  if (plainly) return void (await ask(`http://${name}:${site.port}/`))
  const leading = await ask(`http://site.test:${site.port}/leads?to=${name}`)
  reported.open--
  await ask(leading!.headers.get("location")!)
}

for (let first = 0; first < names; first += turn) {
  const some = Array.from(
    { length: Math.min(turn, names - first) },
    (_, at) => `n${first + at}.test`,
  )
  for (let pass = 0; pass < 2; pass++) {
    for (let at = 0; at < some.length; at += atOnce) {
      await Promise.all(some.slice(at, at + atOnce).map((name, n) => use(name, n % 2 === 0)))
    }
  }
}
const plain = { ...reported, reached }

const chrome = browserInThread({
  ...(process.env.TRAWL_CHROME ? { chrome: process.env.TRAWL_CHROME } : {}),
  dataDir: "/nonexistent",
  tabs: 2,
  pagesPerChrome: 500,
  idleMs: 60_000,
  proxyUrls: [],
  resolve: (host, port) => egressFilter.resolve(host, port),
})
const servedBefore = served
let requested = 0
if (inChrome > 0) {
  const open = (hosts: string[]) =>
    chrome.browser.lease(
      {
        signal: new AbortController().signal,
        jar: new CookieJar(),
        unlocker: false,
        log: () => {},
        deadlineMs: 60_000,
      },
      (tab) =>
        tab.goto(`http://site.test:${site.port}/page?hosts=${hosts.join(",")}`, {
          block: [],
          timeoutMs: 20_000,
        }),
    )
  const each = 40
  for (let first = 0; first < inChrome; first += turn) {
    const some = Array.from(
      { length: Math.min(turn, inChrome - first) },
      (_, at) => `c${first + at}.test`,
    )
    for (let pass = 0; pass < 2; pass++) {
      for (let at = 0; at < some.length; at += each) {
        const hosts = some.slice(at, at + each)
        requested += hosts.length
        await open(hosts).catch((error) => console.log(`a page: ${error}`))
      }
    }
  }
}
const again = [...lookUps].filter(([name, times]) => name.startsWith("c") && times > 1).length
await chrome.stop()
console.log(
  `${names} names, each asked for twice, half of them behind a redirect: ${plain.open} answers of the open address, ${plain.refused} refused, ${plain.other} failed otherwise; ${plain.reached} connections inside`,
)
console.log(
  `${inChrome} names in Chrome, ${requested} uses, ${served - servedBefore} answers of the open address, ${again} names looked up again: ${reached - plain.reached} connections inside`,
)
site.stop(true)
probe.close()
for (const socket of udp) socket.close()
process.exit(reached > 0 || plain.open !== names || plain.refused !== names ? 1 : 0)
