/**
 * Crawls the site of the given URL as a run of the server; prints its figures as JSON. Measures
 * from when the worker has loaded its code, as for the other crawlers: bench/start measures the
 * start.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sharedServices } from "../../src/app/environment-services.ts"
import { loadConfig } from "../../src/config/config.ts"
import { workerFrom } from "../../src/engine/runtime/workers/handle.ts"
import { createSupervisor } from "../../src/engine/runtime/workers/supervisor.ts"
import { openThreadedStore } from "../../src/store/store.ts"
import { peakMemory, processorTime } from "./peak.ts"
import { crawler } from "./scraper.ts"

const dataDir = mkdtempSync(join(tmpdir(), "trawl-bench-"))
const config = loadConfig({ TRAWL_DATA_DIR: dataDir, TRAWL_EGRESS_ALLOW: "127.0.0.1" })
const store = openThreadedStore(dataDir)
const shared = sharedServices(config)
const supervisor = createSupervisor({
  store,
  config,
  settings: shared.settings,
  services: shared.services,
  startWorker: workerFrom(new URL("./worker.ts", import.meta.url).href),
})

async function crawl(url: string, maxPages?: number): Promise<number> {
  const run = await supervisor.start({
    scraper: crawler,
    input: { url },
    accountId: null,
    origin: "cli",
    ...(maxPages === undefined ? {} : { maxPages }),
  })
  const end = await supervisor.wait(run.id, 300_000)
  if (end?.status !== "succeeded")
    throw new Error(`The run ended ${end?.status}: ${end?.error_message}`)
  return end.item_count
}

const url = process.argv[2]!
await crawl(url, 1)
const started = performance.now()
const processor = processorTime()
const pages = await crawl(url)
const seconds = (performance.now() - started) / 1000
console.log(JSON.stringify({ pages, seconds, processorMs: processor(), megabytes: peakMemory() }))
await supervisor.stop(1000)
await shared.stop()
await store.close()
rmSync(dataDir, { recursive: true })
process.exit(0)
