import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { CookieJar } from "tough-cookie"
import { isRunningAll } from "../../../samples.ts"
import { lean, lease, site, testBrowser } from "./setup.ts"

const server = site({
  "/good": "<h1>good</h1>",
  "/endless": () =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode("<p>more</p>"))
          await Bun.sleep(100)
        },
      }),
      { headers: { "content-type": "text/html" } },
    ),
  "/silent": () => new Promise<Response>(() => {}),
  "/loop": "<h1>loop</h1><script>while (true) {}</script>",
  "/alert": "<script>alert('hello'); confirm('sure?'); prompt('name?')</script><h1>after</h1>",
  "/unload":
    "<script>addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'x' })</script><h1>stay</h1>",
  "/frames":
    "<script>for (let i = 0; i < 10000; i++) document.body?.append(document.createElement('iframe')) ?? document.write('<iframe></iframe>')</script>",
  "/memory":
    "<h1>memory</h1><script>const kept = []; while (true) kept.push(new Float64Array(1e7).fill(1))</script>",
  "/crash":
    "<h1>crash</h1><script>setInterval(() => { const all = []; for (;;) all.push(new ArrayBuffer(2 ** 31)) })</script>",
  "/windows": "<script>setInterval(() => window.open('/good'), 1)</script><h1>windows</h1>",
  "/download": () =>
    new Response("x".repeat(1000), {
      headers: {
        "content-disposition": "attachment; filename=a.bin",
        "content-type": "application/octet-stream",
      },
    }),
  "/reload": "<script>location.reload()</script>",
  "/print": "<script>print()</script><h1>printed</h1>",
})
const root = `http://127.0.0.1:${server.port}`
const chrome = testBrowser(() => [server.port!], lean)
afterAll(async () => {
  await chrome.stop()
  server.stop(true)
})

/** For this time, some of the pages keep all cores busy. */
const deadlineMs = 1500
/**
 * Far beyond the deadline, for a busy machine; without a deadline, these pages hold a tab for 30 s
 * and more.
 */
const endedMs = 20_000

// The start of Chrome does not count as a page's time.
beforeAll(() => chrome.browser.lease(lease(), (tab) => tab.goto(`${root}/good`)), 60_000)

/** Pages that keep a tab waiting, several at a time. */
const waiting = ["/endless", "/silent", "/alert", "/unload", "/download", "/reload", "/print"]
const greedy = ["/crash", ...(isRunningAll ? ["/loop", "/frames", "/memory", "/windows"] : [])]

describe("a bad page ends within its deadline, and the next one is served", () => {
  for (const path of [...waiting, ...greedy]) {
    const run = waiting.includes(path) ? test.concurrent : test
    run(
      path,
      async () => {
        const jar = new CookieJar()
        const started = performance.now()
        await chrome.browser
          .lease(lease({ jar, deadlineMs }), (tab) =>
            tab.goto(`${root}${path}`, { timeoutMs: 1000 }),
          )
          .catch(() => {})
        expect(performance.now() - started).toBeLessThan(endedMs)
        const response = await chrome.browser.lease(lease({ jar }), (tab) =>
          tab.goto(`${root}/good`, { waitFor: "h1" }),
        )
        expect(response.text()).toContain("good")
        await chrome.browser.release(jar)
        if (greedy.includes(path)) expect(chrome.pool.stats().leases).toBe(0)
      },
      60_000,
    )
  }

  test("and none of them keeps its tab", () => expect(chrome.pool.stats().leases).toBe(0))
})

test("a page that reloads endlessly does not take the next one's slot", async () => {
  const pages = await chrome.browser.lease(lease(), async (tab) => {
    const texts: string[] = []
    // It takes the place of one in a few.
    for (let time = 0; time < (isRunningAll ? 12 : 5); time++) {
      await tab.goto(`${root}/reload`, { timeoutMs: 200 }).catch(() => {})
      const response = await tab.goto(`${root}/good`, { waitFor: "h1" })
      texts.push(response.text())
    }
    return texts
  })
  for (const text of pages) expect(text).toContain("good")
}, 120_000)

test("a killed Chrome fails its leases as retryable, and another takes over", async () => {
  const jar = new CookieJar()
  const notes: string[] = []
  let first = true
  const response = await chrome.browser.lease(
    lease({ jar, log: (line) => notes.push(line) }),
    async (tab) => {
      await tab.goto(`${root}/good`, { waitFor: "h1" })
      if (first) {
        first = false
        for (const pid of chrome.pool.stats().pids) process.kill(-pid, "SIGKILL")
      }
      return tab.goto(`${root}/good`, { waitFor: "h1" })
    },
  )
  expect(response.text()).toContain("good")
  expect(notes.join()).toContain("Chrome ended")
}, 120_000)

test("no more tabs than allowed are open at once, and a Chrome is closed after its number of pages", async () => {
  const small = testBrowser(() => [server.port!], { ...lean, tabs: 2, pagesPerChrome: 3 })
  let most = 0
  const pids = new Set<number>()
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      small.browser.lease(lease(), async (tab) => {
        most = Math.max(most, small.pool.stats().leases)
        const response = await tab.goto(`${root}/good`, { waitFor: "h1" })
        for (const pid of small.pool.stats().pids) pids.add(pid)
        return response.text()
      }),
    ),
  )
  // The leases of an ended browser go to the next.
  for (const text of answers) expect(text).toContain("good")
  expect(most).toBe(2)
  expect(pids.size).toBe(2)
  await small.stop()
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow()
}, 120_000)
