/**
 * Pages a second at 8 tabs: rendered, beside puppeteer-cluster with its fastest mode on the same pages;
 * by Chrome's connection alone (chrome-net, as documents and as calls); and by the HTTP client. Then
 * Chrome's memory for each request under way, and after 1,000 good and 1,000 hostile pages and a
 * minute of rest.
 */
import { join } from "node:path"
import { CookieJar } from "tough-cookie"
import { browserInThread } from "../../src/engine/browser/in-thread.ts"
import { ChromeNetTransport } from "../../src/engine/browser/net/net-transport.ts"
import { EgressGuard } from "../../src/engine/egress/guard.ts"
import { systemClock } from "../../src/engine/environment/clock.ts"
import { HttpClient } from "../../src/engine/http/client.ts"
import type { Transport } from "../../src/engine/http/exchange.ts"
import { LiveTransport } from "../../src/engine/http/live.ts"
import { processorTime, proportionalMemory, rivals } from "../rivals.ts"

const tabs = 8
const pages = Number(process.env.BENCH_PAGES ?? 1000)
const hostilePages = Number(process.env.BENCH_HOSTILE ?? 1000)
/** Requests without a page that are measured, for each that is rendered. */
const plainPages = 5 * pages
const restMs = Number(process.env.BENCH_REST_MS ?? 60_000)
const filler = "<p>Some words of a paragraph that fills the page a little more.</p>".repeat(250)
const never = () => new Promise<Response>(() => {})
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 255,
  fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === "/never") return never()
    return new Response(hostile[pathname] ?? `<title>${pathname}</title><h1>Page</h1>${filler}`, {
      headers: { "content-type": "text/html" },
    })
  },
})
const hostile: Record<string, string> = {
  "/loop": "<script>while (true) {}</script>",
  "/alert": "<script>for (;;) alert('stay')</script>",
  "/leave":
    "<script>onbeforeunload = (event) => { event.preventDefault(); return 'stay' }</script>",
  "/windows": "<script>setInterval(() => window.open('/1'), 1)</script>",
  "/frames":
    "<body><script>for (let i = 0; i < 500; i++) document.body.append(document.createElement('iframe'))</script>",
  "/memory":
    "<script>const kept = []; setInterval(() => kept.push(new Float64Array(1e7).fill(1)), 1)</script>",
  "/reload": "<script>location.reload()</script>",
  "/timers":
    "<script>for (let i = 0; i < 1e5; i++) setInterval(() => document.title += i, 1)</script>",
}
const address = (page: number) => `http://127.0.0.1:${server.port}/${page}`

async function inParallel(count: number, work: (page: number) => Promise<void>): Promise<number> {
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: tabs }, async () => {
      while (next < count) await work(next++)
    }),
  )
  return count / ((performance.now() - started) / 1000)
}

const { browser, pool, stop } = browserInThread({
  ...(process.env.TRAWL_CHROME ? { chrome: process.env.TRAWL_CHROME } : {}),
  dataDir: "/nonexistent",
  tabs,
  pagesPerChrome: 100_000,
  idleMs: 600_000,
  hangMs: 2000,
  proxyUrls: [],
  resolve: async () => ["127.0.0.1"],
})
const jar = new CookieJar()
const lease = {
  signal: new AbortController().signal,
  jar,
  unlocker: false,
  log: () => {},
}
const memory = () => proportionalMemory(pool.stats().pids)

async function render(page: number): Promise<void> {
  const answer = await browser.lease(lease, (tab) => tab.goto(address(page), { waitFor: "h1" }))
  if (!answer.text().includes("Page")) throw new Error("the page is not there")
}

/** Pages by the HTTP client over this way. */
async function plainly(name: string, transport: Transport, headers = {}): Promise<Speed> {
  const http = new HttpClient({ transport, clock: systemClock, signal: lease.signal, jar })
  const one = async (page: number) => {
    const answer = await http.request("GET", address(page), { identity: "browser", headers })
    if (!answer.text().includes("Page")) throw new Error("the page is not there")
  }
  await inParallel(10, one)
  return measured(name, plainPages, one)
}

interface Speed {
  rate: number
  /** Milliseconds of all processes together; what a busy machine does not change. */
  processor: number
}

async function measured(
  name: string,
  count: number,
  one: (page: number) => Promise<void>,
  pids: () => number[] = () => pool.stats().pids,
): Promise<Speed> {
  const before = processorTime(pids())
  const rate = await inParallel(count, one)
  const processor = (processorTime(pids()) - before) / count
  console.log(
    `${name.padEnd(19)}${rate.toFixed(1)} pages/s, ${processor.toFixed(2)} ms of processor time each`,
  )
  return { rate, processor }
}

/** Chrome's memory for each request that waits for its host. */
async function waiting(name: string, count: number, headers = {}): Promise<void> {
  // A context of its own, so that tabs which others left open are not counted on.
  const own = new CookieJar()
  const control = new AbortController()
  const transport = new ChromeNetTransport(browser, { ...lease, jar: own })
  const http = new HttpClient({ transport, clock: systemClock, signal: control.signal, jar: own })
  await http.request("GET", address(0), { headers })
  const before = memory()
  const asked = Array.from({ length: count }, () =>
    http.request("GET", `${address(0).slice(0, -1)}never`, { headers }).catch(() => {}),
  )
  await Bun.sleep(3000)
  const each = (memory() - before) / count
  control.abort()
  await Promise.all(asked)
  await browser.release(own)
  console.log(`${name.padEnd(19)}${each.toFixed(1)} MB for each of ${count} requests under way`)
}

async function attack(page: number): Promise<void> {
  const paths = Object.keys(hostile)
  const url = `http://127.0.0.1:${server.port}${paths[page % paths.length]}`
  const own = new CookieJar()
  await browser
    .lease({ ...lease, jar: own, deadlineMs: 3000 }, (tab) => tab.goto(url, { timeoutMs: 2000 }))
    .catch(() => {})
  await browser.release(own)
}

function told(what: string, base: number): void {
  const { leases, contexts } = pool.stats()
  const now = memory()
  console.log(
    `Chrome's memory    ${base} MB after 10 pages, ${now} MB after ${what} and a rest (${(now / base).toFixed(2)}); leases ${leases}, contexts ${contexts}`,
  )
}

async function trawl(): Promise<Speed> {
  await inParallel(10, render)
  const base = memory()
  const rendered = await measured("trawl", pages, render)
  const call = { accept: "application/json" }
  // A run of its own: where a page was shown, workers of its site have to be kept out.
  const own = new CookieJar()
  const net = new ChromeNetTransport(browser, { ...lease, jar: own })
  const documents = await plainly("chrome-net pages", net)
  const calls = await plainly("chrome-net calls", net, call)
  const guard = new EgressGuard(["127.0.0.1"])
  await plainly("http", new LiveTransport(guard))
  for (const [name, { rate, processor }] of Object.entries({ pages: documents, calls })) {
    const times = (rate / rendered.rate).toFixed(1)
    const cost = (rendered.processor / processor).toFixed(1)
    console.log(`chrome-net ${name}   ${times} times a render's, ${cost} times by processor time`)
  }
  await browser.release(own)
  await browser.release(jar)
  await Bun.sleep(Math.min(restMs, 10_000))
  await waiting("chrome-net pages", tabs)
  await waiting("chrome-net calls", 4 * tabs, call)
  await Bun.sleep(restMs)
  told(`${pages} pages`, base)
  await inParallel(hostilePages, attack)
  await Bun.sleep(restMs)
  told(`${hostilePages} hostile pages`, base)
  await stop()
  return rendered
}

async function cluster(): Promise<Speed> {
  const folder = rivals("browser", ["puppeteer-cluster@0.25.0"])
  const { Cluster } = await import(join(folder, "node_modules/puppeteer-cluster"))
  const { default: puppeteer } = await import("puppeteer-core")
  const { findChrome } = await import("../../src/engine/browser/find.ts")
  const running = await Cluster.launch({
    concurrency: Cluster.CONCURRENCY_PAGE,
    maxConcurrency: tabs,
    puppeteer,
    puppeteerOptions: {
      executablePath: process.env.TRAWL_CHROME ?? findChrome({ dataDir: "/nonexistent" }),
      args: process.getuid?.() === 0 ? ["--no-sandbox", "--disable-gpu"] : ["--disable-gpu"],
    },
  })
  const task = async ({ page, data }: { page: import("puppeteer-core").Page; data: number }) => {
    await page.goto(address(data), { waitUntil: "domcontentloaded" })
    await page.waitForSelector("h1")
    if (!(await page.content()).includes("Page")) throw new Error("the page is not there")
  }
  await inParallel(10, (page) => running.execute(page, task))
  const speed = await measured(
    "puppeteer-cluster",
    pages,
    (page) => running.execute(page, task),
    () => [running.browser.browser.process()?.pid].flatMap((pid) => pid ?? []),
  )
  await running.idle()
  await running.close()
  return speed
}

const theirs = await cluster()
const ours = await trawl()
console.log(`ratio              ${(ours.rate / theirs.rate).toFixed(2)}`)
server.stop(true)
process.exit(0)
