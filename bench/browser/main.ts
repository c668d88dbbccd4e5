/**
 * Measures the fetch methods, eight pages at a time, over TLS and HTTP/2: rendered pages, in turns
 * with puppeteer-cluster in its fastest mode on the same pages; Chrome's network stack only
 * (browser-http, for pages and for API requests); and the HTTP client. Prints pages a second,
 * processor time of all processes but the site's, which varies least on a busy machine, and
 * messages of Chrome's protocol. Then measures Chrome's memory for each concurrent request. Takes
 * about two minutes; `BENCH_PAGES=100` is a short run. Hostile pages: `bun
 * bench/browser/hostile.ts`.
 */
import { join } from "node:path"
import { CookieJar } from "tough-cookie"
import { systemClock } from "../../src/base/clock.ts"
import { ChromeNetTransport } from "../../src/engine/net/browser/net/net-transport.ts"
import { EgressFilter } from "../../src/engine/net/egress/filter.ts"
import { HttpClient } from "../../src/engine/net/http/client.ts"
import type { Transport } from "../../src/engine/net/http/exchange.ts"
import { LiveTransport } from "../../src/engine/net/http/live.ts"
import { record } from "../figures.ts"
import { processorTime, proportionalMemory, rivals } from "../rivals.ts"
import { inParallel, startChrome, tabs } from "./chrome.ts"
import { countMessages } from "./messages.ts"
import { startSite } from "./site.ts"

const pages = Number(process.env.BENCH_PAGES ?? 300)
/** Requests without rendering that are measured for each rendered page. */
const plainPages = 5 * pages
const hangMs = 60_000
const site = await startSite()
const root = `https://127.0.0.1:${site.port}`

interface Speed {
  rate: number
  /** Returns the processor time of all processes together, in milliseconds. */
  processor: number
}

interface Contestant {
  name: string
  one(page: number): Promise<void>
  pids(): number[]
}

async function measured(count: number, contestant: Contestant): Promise<Speed> {
  const [speed] = await inTurns(count, 1, [contestant])
  return speed!
}

/** Measures contestants in turns, so that other work of the machine affects all of them. */
async function inTurns(count: number, turns: number, all: Contestant[]): Promise<Speed[]> {
  const sums = all.map(() => ({ pages: 0, seconds: 0, milliseconds: 0, messages: 0 }))
  for (let turn = 0; turn < turns; turn++) {
    for (const [at, { one, pids }] of all.entries()) {
      const pages = Math.ceil(count / turns)
      const [before, messages] = [processorTime(pids()), countMessages()]
      const seconds = pages / (await inParallel(pages, one))
      const sum = sums[at]!
      sum.milliseconds += processorTime(pids()) - before
      sum.messages += messages()
      sum.pages += pages
      sum.seconds += seconds
    }
  }
  return all.map(({ name }, at) => {
    const { pages, seconds, milliseconds, messages } = sums[at]!
    const [rate, processor] = [pages / seconds, milliseconds / pages]
    record(name, rate, "pages/s")
    record(name, processor, "ms")
    record(name, messages / pages, "messages")
    console.log(
      `${name.padEnd(19)}${rate.toFixed(1).padStart(7)} pages/s ${processor.toFixed(2).padStart(7)} ms of processor time, ${(messages / pages).toFixed(1)} messages each`,
    )
    return { rate, processor }
  })
}

function checked(text: string): void {
  if (!text.includes("Page")) throw new Error("the page does not contain its text")
}

/** Fetches pages with the HTTP client by a fetch method. */
async function measureHttp(
  name: string,
  transport: Transport,
  pids: () => number[],
  { jar = new CookieJar(), headers = {} } = {},
): Promise<Speed> {
  const { signal } = new AbortController()
  const http = new HttpClient({ transport, clock: systemClock, signal, jar })
  const one = async (page: number) => {
    const response = await http.request("GET", `${root}/${page}`, { identity: "browser", headers })
    checked(response.text())
  }
  // Warm up until its tabs are open and all code is compiled.
  await inParallel(30 * tabs, one)
  return measured(plainPages, { name, one, pids })
}

/** Measures rendered pages in these turns. */
const turns = 5

async function compete() {
  const { browser, pool, stop, lease } = startChrome(hangMs, [site.chromeArg])
  const pids = () => pool.stats().pids
  const memory = () => proportionalMemory(pids())
  const render = (page: number) =>
    browser
      .lease(lease, (tab) => tab.goto(`${root}/${page}`, { waitFor: "h1" }))
      .then((response) => checked(response.text()))
  const rival = await cluster()
  await inParallel(2 * tabs, render)
  const [rendered, theirs] = await inTurns(pages, turns, [
    { name: "trawl render", one: render, pids },
    rival,
  ])
  await rival.stop()
  // Closing these tabs does not count as time of the other contestants.
  await browser.release(lease.jar)
  await Bun.sleep(1000)

  const methods = []
  for (const [name, headers] of Object.entries(kinds)) {
    // A separate run: if a page was shown before, workers of its site have to be blocked.
    const jar = new CookieJar()
    const net = new ChromeNetTransport(browser, { ...lease, jar })
    methods.push({
      name,
      speed: await measureHttp(`browser-http ${name}`, net, pids, { jar, headers }),
    })
    await browser.release(jar)
    await Bun.sleep(1000)
  }
  const filter = new EgressFilter(["127.0.0.1"])
  await measureHttp("http", new LiveTransport(filter, { ca: site.ca }), () => [])

  /** Measures Chrome's memory for each request that waits for its host. */
  const waiting = async (name: string, count: number, headers: Record<string, string>) => {
    const jar = new CookieJar()
    const control = new AbortController()
    const { signal } = control
    const transport = new ChromeNetTransport(browser, { ...lease, jar })
    const http = new HttpClient({ transport, clock: systemClock, signal, jar })
    await http.request("GET", `${root}/0`, { headers })
    const before = memory()
    const requested = Array.from({ length: count }, () =>
      http.request("GET", `${root}/never`, { headers }).catch(() => {}),
    )
    await Bun.sleep(3000)
    const each = (memory() - before) / count
    control.abort()
    await Promise.all(requested)
    await browser.release(jar)
    console.log(
      `browser-http ${name}   ${each.toFixed(1)} MB for each of ${count} concurrent requests`,
    )
  }
  await waiting("pages", tabs, kinds.pages)
  await waiting("calls", 4 * tabs, kinds.calls)
  const left = () => pool.stats().leases + pool.stats().contexts
  for (let waited = 0; left() > 0 && waited < 10; waited++) await Bun.sleep(500)
  const { leases, contexts } = pool.stats()
  console.log(`left open          leases ${leases}, contexts ${contexts}`)
  await stop()
  return { rendered: rendered!, theirs: theirs!, methods }
}

const kinds = { pages: {}, calls: { accept: "application/json" } }

async function cluster(): Promise<Contestant & { stop(): Promise<void> }> {
  const folder = rivals("browser", ["puppeteer-cluster@0.25.0"])
  const { Cluster } = await import(join(folder, "node_modules/puppeteer-cluster"))
  const { default: puppeteer } = await import("puppeteer-core")
  const { findChrome } = await import("../../src/engine/net/browser/supply/find.ts")
  const running = await Cluster.launch({
    concurrency: Cluster.CONCURRENCY_PAGE,
    maxConcurrency: tabs,
    puppeteer,
    puppeteerOptions: {
      executablePath: process.env.TRAWL_CHROME ?? findChrome({ dataDir: "/nonexistent" }),
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        site.chromeArg,
      ],
    },
  })
  const task = async ({ page, data }: { page: import("puppeteer-core").Page; data: number }) => {
    await page.goto(`${root}/${data}`, { waitUntil: "domcontentloaded" })
    await page.waitForSelector("h1")
    checked(await page.content())
  }
  const one = (page: number) => running.execute(page, task)
  await inParallel(2 * tabs, one)
  const pids = () => [running.browser.browser.process()?.pid].flatMap((pid) => pid ?? [])
  const stop = async () => {
    await running.idle()
    await running.close()
  }
  return { name: "puppeteer-cluster", one, pids, stop }
}

function compared(name: string, one: Speed, other: Speed): void {
  record(name, one.rate / other.rate, "times")
  const rate = (one.rate / other.rate).toFixed(1)
  const processor = (other.processor / one.processor).toFixed(1)
  console.log(`${name.padEnd(38)}${rate} times the pages, ${processor} by processor time`)
}

const { rendered, theirs, methods } = await compete()
compared("trawl render to puppeteer-cluster", rendered, theirs)
for (const { name, speed } of methods) {
  compared(`browser-http ${name} to trawl render`, speed, rendered)
  compared(`browser-http ${name} to puppeteer-cluster`, speed, theirs)
}
site.stop()
process.exit(0)
