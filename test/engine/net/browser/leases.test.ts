import { afterAll, beforeAll, expect, test } from "bun:test"
import { CookieJar } from "tough-cookie"
import { Aborted, Unreachable } from "../../../../src/catalogue/kit/index.ts"
import type { Contexts } from "../../../../src/engine/net/browser/pool/contexts.ts"
import { failureOf, lean, lease, site, testBrowser } from "./setup.ts"

let opened = 0
/** Resolves when a page gets its script that never ends. */
const looping = Promise.withResolvers<void>()
const server = site({
  "/good": "<h1>good</h1>",
  "/counted": () => {
    opened++
    return new Response("<h1>counted</h1>", { headers: { "content-type": "text/html" } })
  },
  "/loop": () =>
    new Response(`<h1>loop</h1><script src="/looping.js"></script>`, {
      headers: { "content-type": "text/html" },
    }),
  "/looping.js": () => {
    looping.resolve()
    return new Response("while (true) {}", { headers: { "content-type": "text/javascript" } })
  },
})
const root = `http://127.0.0.1:${server.port}`
const chrome = testBrowser(() => [server.port!], { ...lean, tabs: 1 })
const good = (jar = new CookieJar()) =>
  chrome.browser.lease(lease({ jar }), (tab) => tab.goto(`${root}/good`, { waitFor: "h1" }))

beforeAll(good as () => Promise<unknown>, 30_000)
afterAll(async () => {
  await chrome.stop()
  server.stop(true)
})

/** Half a second is the goal. A loaded machine takes longer, but less than the deadline of a lease. */
const soon = 20_000

/** Aborts work that has started, and returns its failure and the milliseconds until then. */
async function aborted(start: (signal: AbortSignal) => Promise<unknown>, begun: () => unknown) {
  const control = new AbortController()
  const failure = failureOf(start(control.signal))
  await begun()
  const from = performance.now()
  control.abort(new Aborted())
  return { failure: await failure, took: performance.now() - from }
}

test("a run that waits for a tab is aborted at once, opens no page, and lets the next one in", async () => {
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  const holder = chrome.browser.lease(lease(), () => free)
  const before = opened
  const { failure, took } = await aborted(
    (signal) => chrome.browser.lease(lease({ signal }), (tab) => tab.goto(`${root}/counted`)),
    () => Bun.sleep(200),
  )
  expect(failure).toBeInstanceOf(Aborted)
  expect(took).toBeLessThan(soon)
  const next = good()
  release()
  await holder
  expect((await next).text()).toContain("good")
  expect(opened).toBe(before)
  expect(chrome.pool.stats().leases).toBe(0)
}, 120_000)

test("a run whose page hangs is aborted at once, and its tab is free", async () => {
  const jar = new CookieJar()
  const { failure, took } = await aborted(
    (signal) => chrome.browser.lease(lease({ jar, signal }), (tab) => tab.goto(`${root}/loop`)),
    () => looping.promise.then(() => Bun.sleep(300)),
  )
  expect(failure).toBeInstanceOf(Aborted)
  const from = performance.now()
  await chrome.browser.release(jar)
  expect(took + performance.now() - from).toBeLessThan(soon)
  expect((await good()).text()).toContain("good")
}, 120_000)

test("a run that has ended requests nothing", async () => {
  const control = new AbortController()
  control.abort(new Aborted())
  const before = opened
  const failure = failureOf(
    chrome.browser.lease(lease({ signal: control.signal }), (tab) => tab.goto(`${root}/counted`)),
  )
  expect(await failure).toBeInstanceOf(Aborted)
  expect(opened).toBe(before)
})

test("tabs that cannot be opened do not raise the limit of open ones", async () => {
  const small = testBrowser(() => [server.port!], { ...lean, tabs: 2 })
  const { contexts } = small.pool as unknown as { contexts: Contexts }
  const contextOf = contexts.of.bind(contexts)
  let failing = 2
  contexts.of = async (...requested) => {
    const owner = await contextOf(...requested)
    if (failing-- > 0) {
      owner.context.newPage = () => Promise.reject(new Unreachable("no page", "connection"))
    }
    return owner
  }
  let inside = 0
  let most = 0
  let failed = 0
  // However long a tab takes to open, two are there at once.
  const both = Promise.withResolvers<void>()
  await Promise.all(
    Array.from({ length: 12 }, () =>
      small.browser
        .lease(lease(), async () => {
          most = Math.max(most, ++inside)
          if (inside === 2) both.resolve()
          await both.promise
          await Bun.sleep(50)
          inside--
        })
        .catch(() => {
          failed++
        }),
    ),
  )
  expect([most, failed]).toEqual([2, 2])
  expect(small.pool.stats().leases).toBe(0)
  await small.stop()
}, 120_000)
