/** Crawls the site whose address is given, as a run of the server; prints its figures as JSON. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadConfig } from "../../src/config.ts"
import { sharedServices } from "../../src/engine/environment/services.ts"
import { workerFrom } from "../../src/engine/workers/handle.ts"
import { createSupervisor } from "../../src/engine/workers/supervisor.ts"
import { openThreadedStore } from "../../src/store/store.ts"
import { peakMemory } from "./peak.ts"
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
const started = performance.now()
const run = await supervisor.start({
  scraper: crawler,
  input: { url: process.argv[2]! },
  accountId: null,
  origin: "cli",
})
const end = await supervisor.wait(run.id, 300_000)
const seconds = (performance.now() - started) / 1000
if (end?.status !== "succeeded")
  throw new Error(`The run ended ${end?.status}: ${end?.error_message}`)
console.log(JSON.stringify({ pages: end.item_count, seconds, megabytes: peakMemory() }))
await supervisor.stop(1000)
await shared.stop()
await store.close()
rmSync(dataDir, { recursive: true })
process.exit(0)
