/**
 * Measures how long one account waits while others flood the service: `bun run bench trust fair
 * [runs] [floods]`. Sequential runs of one page are timed alone, then next to accounts with
 * hundreds of runs that never end and constant keyless requests, then alone again.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { trawlCommand } from "../../test/trawl.ts"
import { quantile, startService } from "./service.ts"

const runs = Number(process.argv[2] ?? 300)
const floods = Number(process.argv[3] ?? 5)
const most = 2
const dataDir = mkdtempSync(join(tmpdir(), "trawl-fair-"))
const page = "<title>page</title><h1>Page</h1><p>Text of the page.</p>"
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  fetch({ url }): Response | Promise<Response> {
    // The pages of the flooding accounts never load.
    if (url.includes("/never")) return new Promise(() => {})
    return new Response(page, { headers: { "content-type": "text/html" } })
  },
})
const keys = Array.from({ length: floods + 1 }, (_, n) => {
  const made = Bun.spawnSync(
    [...trawlCommand, "account", "create", `a${n}@example.com`, "--unlimited"],
    {
      env: { PATH: process.env.PATH ?? "", HOME: dataDir, TRAWL_DATA_DIR: dataDir },
    },
  )
  return /trawl_live_\w+/.exec(made.stdout.toString())![0]
})
const [own, ...others] = keys
const serving = await startService(dataDir, {
  TRAWL_EGRESS_ALLOW: "127.0.0.1",
  TRAWL_HOST_RATE_LIMITS: "127.0.0.1=1000",
  TRAWL_FREE_DAILY: "1000000",
  TRAWL_KEYLESS_WAIT: "1",
  TRAWL_WORKERS: "2",
})
const post = (key: string, path: string, body: unknown) =>
  fetch(serving.root + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  })
const start = "/api/v1/scrapers/url-to-markdown-scraper/runs"

async function timed(name: string): Promise<number[]> {
  const found: number[] = []
  for (let n = 0; n < runs; n++) {
    const began = performance.now()
    const response = await post(own!, `${start}?waitForFinish=60`, {
      urls: [`${site.url}${name}/${n}`],
    })
    const { status } = (await response.json()) as { status: string }
    if (status !== "succeeded") throw new Error(`A run is ${status}.`)
    found.push(performance.now() - began)
  }
  return found
}
const reported = (list: number[]) =>
  [0.5, 0.95, 0.99].map((part) => Math.round(quantile(list, part)))

await timed("warm")
const before = await timed("before")
let finished = false
let flooding = 0
const floodings = others.map(async (key) => {
  const urls = Array.from({ length: 100 }, (_, n) => `${site.url}never/${n}`)
  for (let n = 0; n < 100 && !finished; n++) {
    await (await post(key, start, { urls })).text()
    flooding++
  }
})
const keyless = (async () => {
  while (!finished) {
    const call = fetch(`${serving.root}/api/scrape?url=${site.url}never/keyless`)
    // The service stops before the last of them.
    await call.then((response) => response.text()).catch(() => {})
  }
})()
await Promise.all(floodings)
const loaded = await timed("with others")
finished = true
await serving.end("SIGKILL")
await keyless
rmSync(dataDir, { recursive: true, force: true })
const ratio = quantile(loaded, 0.99) / quantile(before, 0.99)
console.log(
  `${runs} runs alone, ms at p50, p95, p99: ${reported(before)}; with ${flooding} runs of ${floods} accounts and keyless calls: ${reported(loaded)}; p99 is ${ratio.toFixed(1)} times as long`,
)
site.stop(true)
process.exit(ratio > most ? 1 : 0)
