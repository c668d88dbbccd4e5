/**
 * Mixed work for a long time, upstreams that fail and a Chrome that is killed: `bun run bench trust soak
 * [minutes] [rounds a minute]`. Memory, handles and the log of the database are looked at twice a minute;
 * growth is counted from the time when everything has been loaded once.
 */
import { Database } from "bun:sqlite"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { databasePath } from "../../src/store/store.ts"
import { trawlCommand } from "../../test/trawl.ts"
import { random } from "../../test/trust/mutate.ts"
import { startService } from "./service.ts"

const minutes = Number(process.argv[2] ?? 120)
const roundMs = 60_000 / Number(process.argv[3] ?? 30)
const warmMinutes = Math.min(20, minutes / 3)
const next = random(1)
const dataDir = mkdtempSync(join(tmpdir(), "trawl-soak-"))
const reported = {
  events: 0,
  webhooks: 0,
  exports: 0,
  tools: 0,
  keyless: 0,
  rendered: 0,
  runs: 0,
  chromesKilled: 0,
}

const page = (path: string) =>
  `<title>${path}</title><main><h1>Page ${path}</h1>${"<p>A sentence of the page, with a <a href='/a'>link</a>.</p>".repeat(60)}</main>`
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 20,
  development: false,
  error: () => new Response("", { status: 500 }),
  async fetch(request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === "/hook") {
      reported.webhooks++
      return new Response("", { status: next() < 0.1 ? 500 : 200 })
    }
    const chance = next()
    if (chance < 0.03) return new Response("no", { status: 500 })
    if (chance < 0.05) return new Response("no", { status: 404 })
    if (chance < 0.06) await Bun.sleep(5000)
    if (chance < 0.07) {
      const broken = new ReadableStream({ start: (stream) => stream.error(new Error("cut")) })
      return new Response(broken, { headers: { "content-type": "text/html" } })
    }
    return new Response(page(pathname), { headers: { "content-type": "text/html" } })
  },
})

const made = Bun.spawnSync([...trawlCommand, "account", "create", "a@example.com", "--unlimited"], {
  env: { PATH: process.env.PATH ?? "", HOME: dataDir, TRAWL_DATA_DIR: dataDir },
})
const key = /trawl_live_\w+/.exec(made.stdout.toString())![0]
const serving = await startService(dataDir, {
  TRAWL_EGRESS_ALLOW: "127.0.0.1",
  TRAWL_HOST_RATE_LIMITS: "127.0.0.1=500",
  TRAWL_FREE_DAILY: "1000000",
  TRAWL_KEYLESS_WAIT: "20",
  ...(process.env.TRAWL_CHROME && { TRAWL_CHROME: process.env.TRAWL_CHROME }),
})
const { root, pid } = serving
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
const post = (path: string, body: unknown) =>
  fetch(root + path, { method: "POST", headers, body: JSON.stringify(body) })
await post("/api/v1/webhooks", { url: `${site.url}hook` })
await post("/api/v1/schedules", {
  scraper: "meta-tags-scraper",
  cron: "* * * * *",
  input: { urls: [`${site.url}scheduled`] },
})

async function round(n: number): Promise<void> {
  const urls = Array.from({ length: 5 }, (_, at) => `${site.url}r${n}/${at}`)
  const run = (await (
    await post("/api/v1/scrapers/url-to-markdown-scraper/runs", { urls })
  ).json()) as { id: string; datasetId: string }
  reported.runs++
  const events = await fetch(`${root}/api/v1/runs/${run.id}/events`, { headers })
  if ((await events.text()).includes("event:")) reported.events++
  for (const format of ["json", "csv", "xlsx"]) {
    const response = await fetch(
      `${root}/api/v1/datasets/${run.datasetId}/items?format=${format}`,
      {
        headers,
      },
    )
    if ((await response.bytes()).length > 100) reported.exports++
  }
  const keyless = await fetch(`${root}/api/scrape?url=${site.url}k${n}`)
  if (((await keyless.json()) as { status: string }).status === "SUCCEEDED") reported.keyless++
  const params = { name: "meta-tags-scraper", arguments: { urls: [`${site.url}m${n}`] } }
  const tool = await fetch(`${root}/api/mcp`, {
    method: "POST",
    headers: { ...headers, accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  })
  if ((await tool.text()).includes("1 item")) reported.tools++
  if (n % 20 === 0) {
    const body = { urls: [`${site.url}shot${n}`], renderScripts: true, formats: ["screenshot"] }
    const shot = await post("/api/v1/scrapers/url-to-markdown-scraper/runs?waitForFinish=60", body)
    if (((await shot.json()) as { status?: string }).status === "succeeded") reported.rendered++
  }
  if (n % 100 === 50) killChrome()
}

/** The service's own, by its parent. */
function killChrome(): void {
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8")
      const [, , parent] = /\) (\S) (\d+)/.exec(stat) ?? []
      if (Number(parent) !== pid || !/chrom/.test(stat)) continue
      process.kill(Number(name), "SIGKILL")
      reported.chromesKilled++
    } catch {
      // One that has just ended.
    }
  }
}

interface Sample {
  minute: number
  memory: number
  handles: number
  log: number
}
const samples: Sample[] = []
const started = performance.now()
const minute = () => (performance.now() - started) / 60_000
function look(): void {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  samples.push({
    minute: minute(),
    memory: Number(/VmRSS:\s*(\d+)/.exec(status)![1]) / 1000,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    log: statSync(`${databasePath(dataDir)}-wal`, { throwIfNoEntry: false })?.size ?? 0,
  })
}

const looking = setInterval(look, 30_000)
const failed = new Map<string, number>()
for (let n = 0; minute() < minutes; n++) {
  const rested = Bun.sleep(roundMs)
  await round(n).catch((error) => failed.set(String(error), (failed.get(String(error)) ?? 0) + 1))
  await rested
}
clearInterval(looking)
await Bun.sleep(15_000)
look()

/** Per hour, by least squares. */
function slope(list: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(list.map((one) => one.minute)), mean(list.map(of))]
  const above = list.reduce((sum, one) => sum + (one.minute - x) * (of(one) - y), 0)
  const below = list.reduce((sum, one) => sum + (one.minute - x) ** 2, 0)
  return (60 * above) / below
}
const warm = samples.filter((one) => one.minute >= warmMinutes)
const range = (of: (sample: Sample) => number) =>
  `${Math.round(Math.min(...warm.map(of)))} to ${Math.round(Math.max(...warm.map(of)))}`
const database = new Database(databasePath(dataDir), { readonly: true })
const { stuck } = database
  .query(
    `SELECT count(*) AS stuck FROM runs WHERE status IN ('queued', 'running', 'aborting') AND created_at < ?`,
  )
  .get(new Date(Date.now() - 120_000).toISOString()) as { stuck: number }
database.close()
const handles = slope(warm, (one) => one.handles)
console.log(
  `${minute().toFixed(0)} minutes: ${JSON.stringify(reported)}; calls that failed: ${JSON.stringify([...failed])}`,
)
console.log(
  `after ${warmMinutes.toFixed(0)} minutes: memory ${range((one) => one.memory)} MB, ${slope(warm, (one) => one.memory).toFixed(1)} MB an hour`,
)
console.log(
  `handles ${range((one) => one.handles)}, ${handles.toFixed(1)} an hour; log of the database at most ${Math.round(Math.max(...samples.map((one) => one.log)) / 1e6)} MB`,
)
console.log(`runs that hang: ${stuck}; ended with ${await serving.end()}`)
for (const { minute: at, memory, handles } of samples)
  console.log(`  ${at.toFixed(1)} ${memory.toFixed(0)} MB ${handles}`)
site.stop(true)
rmSync(dataDir, { recursive: true, force: true })
process.exit(stuck > 0 ? 1 : 0)
