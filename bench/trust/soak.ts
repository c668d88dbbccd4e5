/**
 * Runs mixed work for a long time, with sites that fail and a Chrome that is killed: `bun run bench
 * trust soak [minutes] [rounds a minute] [file]`. Memory, descriptors, threads, files and the
 * database's log are measured four times a minute, and written to the file as JSON Lines, so that
 * you can read a long soak while it runs. Growth is computed from medians of ten minutes, after
 * everything was loaded once. Short soaks use shorter spans.
 */
import { Database } from "bun:sqlite"
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { databasePath } from "../../src/store/store.ts"
import { trawlCommand } from "../../test/trawl.ts"
import { random } from "../../test/trust/mutate.ts"
import { startService } from "./service.ts"
import { growth, type Sample, sample } from "./soak-samples.ts"

const minutes = Number(process.argv[2] ?? 120)
const roundMs = 60_000 / Number(process.argv[3] ?? 30)
const warmMinutes = Math.min(20, minutes / 3)
const spanMinutes = Math.min(10, (minutes - warmMinutes) / 6)
const next = random(1)
const dataDir = mkdtempSync(join(tmpdir(), "trawl-soak-"))
/** Temporary files of the service and of Chrome. */
const temporary = join(dataDir, "temporary")
mkdirSync(temporary)
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
      let pulls = 0
      const broken = new ReadableStream({
        pull(stream) {
          if (pulls++ > 0) return stream.error()
          stream.enqueue(new TextEncoder().encode(page(pathname).slice(0, 1000)))
        },
      })
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
  TMPDIR: temporary,
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

/** Returns the service's own Chromes, by their parent process. */
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

const samples: Sample[] = []
const started = performance.now()
const minute = () => (performance.now() - started) / 60_000
const file = process.argv[4]
const look = () => {
  const one = sample(pid, { minute: minute(), dataDir, folders: [temporary] })
  samples.push(one)
  if (file) appendFileSync(file, `${JSON.stringify(one)}\n`)
}
const looking = setInterval(look, 15_000)
const failed = new Map<string, number>()
for (let n = 0; minute() < minutes; n++) {
  const rested = Bun.sleep(roundMs)
  await round(n).catch((error) => failed.set(String(error), (failed.get(String(error)) ?? 0) + 1))
  await rested
}
clearInterval(looking)
await Bun.sleep(15_000)
look()

const warm = samples.filter((one) => one.minute >= warmMinutes && one.minute <= minutes)
const database = new Database(databasePath(dataDir), { readonly: true })
const { stuck } = database
  .query(
    `SELECT count(*) AS stuck FROM runs WHERE status IN ('queued', 'running', 'aborting') AND created_at < ?`,
  )
  .get(new Date(Date.now() - 120_000).toISOString()) as { stuck: number }
database.close()
console.log(
  `${minute().toFixed(0)} minutes: ${JSON.stringify(reported)}; calls that failed: ${JSON.stringify([...failed])}`,
)
console.log(
  `after ${warmMinutes.toFixed(1)} minutes, medians of ${spanMinutes.toFixed(1)} minutes:`,
)
for (const name of ["memory", "descriptors", "threads", "files"] as const) {
  const { medians, perHour } = growth(warm, spanMinutes, (one) => one[name])
  const list = medians.map((value) => Math.round(value)).join(", ")
  console.log(`  ${name}: ${list}; ${perHour.toFixed(1)} an hour by least squares`)
}
const last = samples.at(-1)!
console.log(
  `log of the database at most ${Math.round(Math.max(...samples.map((one) => one.log)))} MB; 15 s after the load: ${last.memory.toFixed(0)} MB, ${last.descriptors} descriptors, ${last.threads} threads, ${last.files} temporary files`,
)
console.log(`runs that hang: ${stuck}; ended with ${await serving.end()}`)
site.stop(true)
rmSync(dataDir, { recursive: true, force: true })
process.exit(stuck > 0 ? 1 : 0)
