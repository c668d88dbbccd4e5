import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CookieJar } from "tough-cookie"
import { connect, serve } from "../../../../src/base/rpc.ts"
import { directLink } from "../../../../src/engine/net/browser/lease/link.ts"
import type { BrowserPort } from "../../../../src/engine/net/browser/lease/protocol.ts"
import { openLeasing } from "../../../../src/engine/net/browser/open-leasing.ts"
import { RemoteBrowser } from "../../../../src/engine/net/browser/remote-browser.ts"
import { decode, encode } from "../../../../src/engine/net/browser/served/codec.ts"
import type { ServedBrowser } from "../../../../src/engine/net/browser/served/protocol.ts"
import { SocketPort } from "../../../../src/engine/net/browser/served/socket-port.ts"
import { BrowserService } from "../../../../src/engine/net/browser/service.ts"
import { removeAfterUse } from "../../../chrome.ts"
import { testOfAll } from "../../../samples.ts"
import { trawlCommand } from "../../../trawl.ts"
import { Probe } from "../../../trust/forbidden.ts"
import { failureOf, lean, lease, site } from "./setup.ts"

// Also the temporary folder of the processes that are killed. Short, because Chrome's socket is in it.
const folder = mkdtempSync(join(tmpdir(), "ts-"))
const probe = await Probe.open()
const requested = new Map<string, number>()
const server = site({
  "/page": (request) => {
    const number = new URL(request.url).searchParams.get("n")!
    requested.set(number, (requested.get(number) ?? 0) + 1)
    return page(`<h1>page ${number}</h1>`)
  },
  "/login": () =>
    new Response("<h1>in</h1>", {
      headers: { "content-type": "text/html", "set-cookie": "session=s1" },
    }),
  "/inside": () =>
    page(`<img src="http://127.0.0.1:${probe.port}/x.png">${probe.webRtc}<h1>inside</h1>`),
  "/away": () => Response.redirect(`http://127.0.0.1:${probe.port}/`),
})
const page = (html: string) => new Response(html, { headers: { "content-type": "text/html" } })
const at = (path: string) => `http://127.0.0.1:${server.port}${path}`

const token = "a-token-of-the-tests"

/** Starts `trawl browser serve` as a separate process, at a free or a given port. */
async function served(port = 0, tabs = 3) {
  const child = Bun.spawn(
    [...trawlCommand, "browser", "serve", "--listen", `127.0.0.1:${port}`, "--tabs", `${tabs}`],
    {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        TMPDIR: folder,
        TRAWL_DATA_DIR: folder,
        TRAWL_EGRESS_ALLOW: `127.0.0.1:${server.port}`,
        TRAWL_BROWSER_TOKEN: token,
        ...(lean.chrome ? { TRAWL_CHROME: lean.chrome } : {}),
      },
      stderr: "pipe",
    },
  )
  children.push(child)
  let reported = ""
  for await (const chunk of child.stderr) {
    reported += new TextDecoder().decode(chunk)
    const found = /ws:\/\/(127\.0\.0\.1:(\d+))\/trawl/.exec(reported)
    if (found) {
      const address = `ws://${found[1]}/trawl?token=${token}`
      return { child, address, root: `http://${found[1]}`, port: Number(found[2]) }
    }
  }
  throw new Error(`The browser did not start: ${reported}`)
}

/** Returns what a worker has if all browsers are on other machines. */
function worker(chromeWs: string[], tabs = 6) {
  const notes: string[] = []
  const pool = openLeasing({
    chromeWs,
    dataDir: "/nonexistent",
    tabs,
    pagesPerChrome: 500,
    idleMs: 60_000,
    proxyUrls: [],
    resolve: () => Promise.reject(new Error("No connections are allowed from here.")),
    onNote: (note) => notes.push(note),
  })
  const { port1, port2 } = new MessageChannel()
  const service = new BrowserService(pool)
  serve<BrowserPort>(port1, service)
  const stop = async () => {
    await service.drop()
    await pool.stop()
    port1.close()
    port2.close()
  }
  return { browser: new RemoteBrowser(directLink(port2), true), pool, notes, stop }
}

/**
 * Started by a hook: if a filter leaves no test of this file, none is started, and none remains.
 */
let first: Awaited<ReturnType<typeof served>>
let second: typeof first
const children: Bun.Subprocess[] = []
beforeAll(async () => {
  const started = [served(), served()] as const
  ;[first, second] = await Promise.all(started)
})
const workers: ReturnType<typeof worker>[] = []
const connected = (...args: Parameters<typeof worker>) => {
  const made = worker(...args)
  workers.push(made)
  return made
}
afterEach(async () => {
  for (const { stop } of workers.splice(0)) await stop()
})
afterAll(() => {
  for (const child of children) child.kill("SIGKILL")
  server.stop(true)
  probe.close()
  return removeAfterUse(folder)
}, 60_000)

/** A client that sends what Trawl never would. */
async function anonymousCaller(provided = token) {
  const headers = { authorization: `Bearer ${provided}` }
  const socket = new WebSocket(`ws://127.0.0.1:${first.port}/trawl`, { headers } as never)
  socket.binaryType = "arraybuffer"
  const port = new SocketPort((bytes) => socket.send(bytes))
  const connection = connect<ServedBrowser>(port)
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code)
  })
  socket.onmessage = ({ data }) => port.receive(new Uint8Array(data as ArrayBuffer))
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  return {
    socket,
    closed,
    calls: connection.calls as Record<string, (...args: unknown[]) => Promise<unknown>>,
  }
}

test("posted bodies arrive unchanged, and cut ones are refused", () => {
  const value = {
    args: ["a", undefined, /x\n/gi, null, new Uint8Array([1, 2, 3]), { $: "bytes", size: 9 }],
    more: { bytes: new Uint8Array(0), deep: [[new Uint8Array([4])]] },
  }
  const bytes = encode(value)
  expect(decode(bytes)).toEqual(value)
  for (let size = 0; size < bytes.length; size++) {
    expect(() => decode(bytes.subarray(0, size)), String(size)).toThrow()
  }
}, 120_000)

test("a client without the token is refused, and health does not reveal it", async () => {
  for (const provided of [undefined, "Bearer ", "Bearer a-token-of-the-testz", token]) {
    const headers = new Headers(provided === undefined ? {} : { authorization: provided })
    const response = await fetch(`${first.root}/trawl`, { headers })
    expect(response.status).toBe(401)
  }
  const withIt = { authorization: `Bearer ${token}` }
  expect((await fetch(`${first.root}/trawl`, { headers: withIt })).status).toBe(426)
  expect((await fetch(`${first.root}/json/version`, { headers: withIt })).status).toBe(404)
  const health = await fetch(`${first.root}/healthz`)
  expect(await health.json()).toMatchObject({ status: "ok", tabs: 3, chromes: 1, leases: 0 })
  const { browser, notes } = connected([first.address.replace(token, "another-token-here")])
  const control = new AbortController()
  const failing = failureOf(browser.lease(lease({ signal: control.signal }), (tab) => tab.read()))
  while (notes.length === 0) await Bun.sleep(10)
  control.abort(new Error("enough"))
  await failing
  expect(notes.join()).toContain("refused the token")
  expect(notes.join()).not.toContain("another-token-here")
}, 120_000)

test("a client can do with a tab what a scraper can, and nothing else", async () => {
  const { calls, socket } = await anonymousCaller()
  const ours = { owner: "o", unlocker: false, cookies: [], deadlineMs: 20_000, screenshots: false }
  const refused = async (work: Promise<unknown> | undefined) =>
    ((await failureOf(work!)) as Error)?.message
  expect(await refused(calls.open!(1, { ...ours, deadlineMs: 1e9 }))).toContain("/deadlineMs")
  expect(await refused(calls.open!(1, { ...ours, cookies: "none" }))).toContain("/cookies")
  await calls.open!(1, ours)
  for (const step of ["leave", "constructor", "__proto__", "race", "evaluate"]) {
    expect(await refused(calls.step!(1, step, []))).toContain("Unknown step")
  }
  for (const url of ["file:///etc/passwd", "chrome://version", "data:text/html,x", "about:blank"]) {
    expect(await refused(calls.step!(1, "goto", [url])), url).toContain("not an http or https URL")
  }
  expect(await refused(calls.step!(1, "goto", [{ toString: "x" }]))).toContain("Argument 1 of goto")
  for (const method of ["constructor", "__defineGetter__", "learn", "connect", "stop"]) {
    expect(await refused(calls[method]!(1, 2)), method).toBeTruthy()
  }
  // Its tab still exists.
  expect(await calls.step!(1, "goto", [at("/page?n=kept")])).toMatchObject({ status: 200 })
  await calls.close!(1)
  socket.close()
  for (const message of [
    "text",
    new Uint8Array([0, 0, 0, 9, 1]),
    encode({ id: 1, method: "ping" }),
  ]) {
    const { socket, closed } = await anonymousCaller()
    socket.send(message)
    expect(await closed).toBe(1002)
  }
  expect((await fetch(`${first.root}/healthz`)).status).toBe(200)
}, 120_000)

test("the remote egress filter refuses private addresses, and its message arrives", async () => {
  const { browser } = connected([first.address])
  const inside = `http://127.0.0.1:${probe.port}/`
  for (const url of [inside, at("/away")]) {
    const failure = await failureOf(browser.lease(lease(), (tab) => tab.goto(url)))
    expect(failure).toMatchObject({ kind: "EgressDenied", code: "egress_denied" })
    expect(String(failure)).toContain("private or reserved IP address")
  }
  const wire = {
    method: "GET",
    url: inside,
    headers: new Headers(),
    maxBytes: 1000,
    timeoutMs: 9000,
  }
  const { signal } = new AbortController()
  const exchange = browser.fetch(lease(), { ...wire, signal } as never)
  expect(await failureOf(exchange)).toMatchObject({ code: "egress_denied" })
  const opened = await browser.lease(lease(), (tab) =>
    tab.goto(at("/inside"), { block: [], waitFor: "[data-webrtc]" }),
  )
  expect(opened.text()).toContain("inside")
  expect(probe.reached).toBe(0)
}, 120_000)

test("cookies, screenshots and responses of a page are transferred", async () => {
  const { browser } = connected([first.address])
  const jar = new CookieJar()
  const shots: Uint8Array[] = []
  const options = { jar, onScreenshot: (png: Uint8Array) => void shots.push(png) }
  const [response, fetched] = await browser.lease(lease(options), async (tab) => {
    const screenshot = { type: "png" as const }
    const response = await tab.goto(at("/login"), { screenshot, capture: /\/page/ })
    return [response, await tab.fetch(at("/page?n=fetched"))] as const
  })
  expect(response.shots?.screenshot?.bytes.length).toBeGreaterThan(100)
  expect(shots[0]?.subarray(1, 4)).toEqual(new TextEncoder().encode("PNG"))
  expect(fetched.text()).toContain("page fetched")
  expect(await jar.getCookieString(at("/"))).toBe("session=s1")
}, 120_000)

/** Opens the given number of pages; during one of them something happens. */
async function crawl({ browser }: ReturnType<typeof worker>, count: number, midway: () => unknown) {
  requested.clear()
  let done = 0
  const jar = new CookieJar()
  const open = async (number: number) => {
    const response = await browser.lease(lease({ jar }), (tab) => tab.goto(at(`/page?n=${number}`)))
    if (++done === Math.floor(count / 3)) await midway()
    return response.text().includes(`page ${number}`)
  }
  const opened = await Promise.all(Array.from({ length: count }, (_, number) => open(number)))
  await browser.release(jar)
  return opened.filter(Boolean).length
}

test("killing one of two retries its open pages, and loses none", async () => {
  const both = connected([first.address, `${second.address}#weight=2`], 6)
  const pages = 12
  let killed: { leases: number } | undefined
  const good = await crawl(both, pages, () => {
    killed = both.pool.stats().remotes?.[1]
    second.child.kill("SIGKILL")
  })
  expect(good).toBe(pages)
  expect(killed!.leases).toBeGreaterThan(0)
  const executions = [...requested.values()].reduce((sum, times) => sum + times, 0)
  expect(requested.size).toBe(pages)
  expect(executions).toBeLessThanOrEqual(pages + killed!.leases)
  expect(both.pool.stats().remotes?.map(({ isAway, leases }) => [isAway, leases])).toEqual([
    [false, 0],
    [true, 0],
  ])
}, 120_000)

testOfAll(
  "if all are killed, pages wait until one is back",
  async () => {
    const both = connected([first.address, second.address], 4)
    const good = await crawl(both, 8, async () => {
      first.child.kill("SIGKILL")
      await first.child.exited
      first = await served(first.port)
    })
    expect(good).toBe(8)
  },
  120_000,
)

test("a stopping one finishes its pages, and accepts no others", async () => {
  // The last test: nothing uses it afterwards.
  const { child, address, root } = first
  const { browser } = connected([address])
  const control = new AbortController()
  const response = await browser.lease(lease(), async (tab) => {
    child.kill("SIGTERM")
    while ((await fetch(`${root}/healthz`)).status !== 503) await Bun.sleep(20)
    void failureOf(
      browser.lease(lease({ signal: control.signal }), (tab) => tab.goto(at("/page?n=late"))),
    )
    return tab.goto(at("/page?n=ending"))
  })
  expect(response.text()).toContain("page ending")
  expect(await child.exited).toBe(0)
  control.abort(new Error("enough"))
  expect(requested.get("late")).toBeUndefined()
}, 120_000)
