/**
 * Measures the console in a real Chrome against its documented figures: bytes transferred, time
 * until a screen can be used, a dataset of a million rows, and ten thousand lines of a log. Frame
 * times are meaningful on a quiet machine only; the processor time of a frame is meaningful on any.
 * `ROWS` sets fewer rows.
 */
import { Database } from "bun:sqlite"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { launch } from "puppeteer-core"
import { startApp } from "../../src/app/app.ts"
import { loadConfig } from "../../src/config/config.ts"
import { leanChrome } from "../../test/chrome.ts"

const rows = Number(process.env.ROWS ?? 1_000_000)
const logLines = 10_000
const replay = join(import.meta.dir, "../../test/cases/pypi-package-scraper/old-times-two-licences")
const person = { email: "ada@example.com", password: "correct horse battery" }

const dataDir = mkdtempSync(join(tmpdir(), "trawl-bench-console-"))
const config = loadConfig({ TRAWL_SIGNUP: "open", TRAWL_REPLAY: replay, TRAWL_LOG_LEVEL: "error" })
const app = await startApp({ ...config, dataDir, port: 0, host: "127.0.0.1" }, () => "")
const root = `http://127.0.0.1:${app.port}`
const browser = await launch({ executablePath: leanChrome()!, args: ["--no-sandbox"] })
const tab = await browser.newPage()
await tab.setViewport({ width: 1280, height: 900 })

const wire = await tab.createCDPSession()
// The time in which the tab's main thread had the processor: the clock includes the work of other programs.
await wire.send("Performance.enable", { timeDomain: "threadTicks" })

const call = (path: string, body: unknown) =>
  tab.evaluate(
    async (path, body) => {
      const headers = { "content-type": "application/json" }
      return (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json()
    },
    path,
    body,
  )
await tab.goto(`${root}/scrapers`)
await call("/api/account", person)
const slug = "pypi-package-scraper"
const first = await call(`/api/v1/scrapers/${slug}/runs?waitForFinish=60`, {
  packages: ["tidecharts"],
})
const run = `run_${"1".repeat(32)}`
const dataset = `ds_${"1".repeat(32)}`
fill(first.id)

for (const path of ["/", "/scrapers", `/scrapers/${slug}`, "/bulk", `/runs/${run}`])
  await screen(path)
await scrolled()
await reported()
await browser.close()
await app.stop(0)
rmSync(dataDir, { recursive: true, force: true })
process.exit(0)

/** Copies the run, with the given number of items and lines. */
function fill(model: string): void {
  const db = new Database(join(dataDir, "trawl.db"))
  db.run("PRAGMA busy_timeout = 30000")
  const { n: _, ...copy } = db.query("SELECT * FROM runs WHERE id = ?").get(model) as Record<
    string,
    string | number
  >
  Object.assign(copy, { id: run, dataset_id: dataset, item_count: rows, error_count: 0 })
  const names = Object.keys(copy)
  const places = names.map(() => "?").join(", ")
  db.query(`INSERT INTO runs (${names}) VALUES (${places})`).run(...Object.values(copy))
  const { n } = db.query("SELECT n FROM runs WHERE id = ?").get(run) as { n: number }
  const item = db.query("INSERT INTO items VALUES (?, ?, 0, 0, ?)")
  const line = db.query("INSERT INTO run_log (run_n, at, level, message) VALUES (?, ?, 'info', ?)")
  const all = db.transaction(() => {
    for (let index = 0; index < rows; index++) {
      const name = `tidecharts-${index}`
      item.run(
        n,
        index,
        JSON.stringify({
          input: name,
          name,
          version: "1.1",
          url: `https://pypi.org/project/${name}`,
        }),
      )
    }
    for (let index = 0; index < logLines; index++) {
      line.run(n, new Date().toISOString(), `Page ${index} was fetched and read.`)
    }
  })
  all.immediate()
  db.close()
}

/**
 * Loads a screen with an empty cache. Returns the bytes transferred and the time until it can be
 * used.
 */
async function screen(path: string): Promise<void> {
  const page = await browser.newPage()
  const wire = await page.createCDPSession()
  await wire.send("Network.enable")
  await wire.send("Network.setCacheDisabled", { cacheDisabled: true })
  let bytes = 0
  wire.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.evaluateOnNewDocument(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector("main h1:not(.muted)")) return
      observer.disconnect()
      Object.assign(globalThis, { usableMs: performance.now() })
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(root + path, { waitUntil: "networkidle2" })
  const usable = await page.evaluate(() => (globalThis as unknown as { usableMs: number }).usableMs)
  const { TaskDuration } = await page.metrics()
  console.log(
    `${path.slice(0, 30).padEnd(30)} ${(bytes / 1000).toFixed(0).padStart(4)} kB, usable after ${usable.toFixed(0)} ms by the clock, ${((TaskDuration ?? 0) * 1000).toFixed(0)} ms of the tab's processor`,
  )
  await page.close()
}

async function scrolled(): Promise<void> {
  await tab.goto(`${root}/datasets/${dataset}`, { waitUntil: "networkidle2" })
  for (const step of [30, 300, 5_000]) {
    const before = await worked()
    const { frames, seconds } = await tab.evaluate(async (step) => {
      const box = document.querySelector(".item-grid")!
      const start = performance.now()
      let frames = 0
      while (performance.now() - start < 5_000) {
        box.scrollTop += step
        await new Promise((resolve) => requestAnimationFrame(resolve))
        frames++
      }
      return { frames, seconds: (performance.now() - start) / 1000 }
    }, step)
    const after = await worked()
    const [all, ...parts] = after.map((ms, index) => ((ms - before[index]!) / frames).toFixed(1))
    console.log(
      `${rows} rows, ${step} px a frame: ${(frames / seconds).toFixed(0)} frames a second; a frame takes ${all} ms of the main thread's processor (50 a second leave 20), of them ${parts.join(", ")} for script, style, layout`,
    )
  }
  for (let jump = 1; jump <= 60; jump++) {
    await tab.evaluate(
      (jump) => (document.querySelector(".item-grid")!.scrollTop = 100_000 * jump),
      jump,
    )
    await tab.waitForNetworkIdle({ idleTime: 100 })
  }
  console.log(`after 60 jumps: ${ownMegabytes()} MB private in the largest tab`)
}

async function reported(): Promise<void> {
  await tab.evaluateOnNewDocument(() => {
    Object.assign(globalThis, { longest: 0 })
    new PerformanceObserver((list) => {
      const all = globalThis as unknown as { longest: number }
      for (const { duration } of list.getEntries()) all.longest = Math.max(all.longest, duration)
    }).observe({ type: "longtask", buffered: true })
  })
  const start = performance.now()
  await tab.goto(`${root}/runs/${run}`)
  const last = `Page ${logLines - 1} was`
  await tab.waitForFunction(
    (text) => document.querySelector(".log")?.textContent?.includes(text),
    {},
    last,
  )
  const longest = await tab.evaluate(() => (globalThis as unknown as { longest: number }).longest)
  console.log(
    `${logLines} lines at once: displayed after ${(performance.now() - start).toFixed(0)} ms, longest task ${longest.toFixed(0)} ms by the clock, ${(await worked())[0]!.toFixed(0)} ms of the main thread's processor in all`,
  )
}

/**
 * Returns the processor time of the tab's main thread so far in milliseconds: in total, and by
 * part.
 */
async function worked(): Promise<number[]> {
  const { metrics } = await wire.send("Performance.getMetrics")
  const reported = new Map(metrics.map(({ name, value }) => [name, value * 1000]))
  return ["Task", "Script", "RecalcStyle", "Layout"].map(
    (name) => reported.get(`${name}Duration`) ?? 0,
  )
}

/** Returns the memory of this Chrome's tabs, as Linux reports it. */
function ownMegabytes(): number {
  const own = browser.process()!.pid!
  const parents = new Map<number, number>()
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [, rest] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")
      parents.set(Number(name), Number(rest!.split(" ")[1]))
    } catch {}
  }
  const isOwn = (pid: number): boolean => pid === own || (pid > 1 && isOwn(parents.get(pid) ?? 0))
  let most = 0
  for (const pid of parents.keys()) {
    if (!isOwn(pid)) continue
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("type=renderer")) continue
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
      const kilobytes = [...text.matchAll(/Private_\w+:\s+(\d+)/g)].map(([, size]) => Number(size))
      most = Math.max(
        most,
        kilobytes.reduce((sum, size) => sum + size, 0),
      )
    } catch {}
  }
  return Math.round(most / 1000)
}
