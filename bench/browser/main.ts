/**
 * Rendered pages a second at 8 tabs, beside puppeteer-cluster with its fastest mode on the same
 * pages, and Chrome's memory after 1,000 pages and a minute of rest.
 */
import { join } from "node:path"
import { CookieJar } from "tough-cookie"
import { browserInThread } from "../../src/engine/browser/in-thread.ts"
import { proportionalMemory, rivals } from "../rivals.ts"

const tabs = 8
const pages = Number(process.env.BENCH_PAGES ?? 1000)
const filler = "<p>Some words of a paragraph that fills the page a little more.</p>".repeat(250)
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) =>
    new Response(`<title>${new URL(request.url).pathname}</title><h1>Page</h1>${filler}`, {
      headers: { "content-type": "text/html" },
    }),
})
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

async function trawl(): Promise<number> {
  const { browser, pool, stop } = browserInThread({
    ...(process.env.TRAWL_CHROME ? { chrome: process.env.TRAWL_CHROME } : {}),
    chromeWs: [],
    dataDir: "/nonexistent",
    tabs,
    pagesPerChrome: 100_000,
    idleMs: 600_000,
    proxyUrls: [],
    resolve: async () => ["127.0.0.1"],
  })
  const lease = {
    signal: new AbortController().signal,
    jar: new CookieJar(),
    unlocker: false,
    log: () => {},
  }
  const one = async (page: number) => {
    const answer = await browser.lease(lease, (tab) => tab.goto(address(page), { waitFor: "h1" }))
    if (!answer.text().includes("Page")) throw new Error("the page is not there")
  }
  await inParallel(10, one)
  const before = proportionalMemory(pool.stats().pids)
  const rate = await inParallel(pages, one)
  await Bun.sleep(Number(process.env.BENCH_REST_MS ?? 60_000))
  const after = proportionalMemory(pool.stats().pids)
  const { leases, contexts } = pool.stats()
  console.log(`trawl              ${rate.toFixed(1)} pages/s`)
  console.log(
    `Chrome's memory    ${before} MB after 10 pages, ${after} MB after ${pages} and a rest (${(after / before).toFixed(2)}); leases ${leases}, contexts ${contexts}`,
  )
  await stop()
  return rate
}

async function cluster(): Promise<number> {
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
  const rate = await inParallel(pages, (page) => running.execute(page, task))
  console.log(`puppeteer-cluster  ${rate.toFixed(1)} pages/s`)
  await running.idle()
  await running.close()
  return rate
}

const theirs = await cluster()
const ours = await trawl()
console.log(`ratio              ${(ours / theirs).toFixed(2)}`)
server.stop(true)
process.exit(0)
