import { freshKey } from "../../src/accounts/keys.ts"
import { createApi } from "../../src/api/api.ts"
import { createLog } from "../../src/api/log/log.ts"
import { Service } from "../../src/api/service.ts"
import { sharedServices } from "../../src/app/environment-services.ts"
import { loadConfig } from "../../src/config/config.ts"
import { workerFrom } from "../../src/engine/runtime/workers/handle.ts"
import { createSupervisor } from "../../src/engine/runtime/workers/supervisor.ts"
import { openThreadedStore } from "../../src/store/store.ts"
import { scrapers, waitingScraper } from "./scraper.ts"

/**
 * Serves the whole API over a data folder, logging as in production. Prints its port, keys and a
 * run ID.
 */
const dataDir = process.argv[2]!
const config = { ...loadConfig({}), dataDir, rateLimit: 0, egressAllow: ["127.0.0.1"] }
const store = openThreadedStore(dataDir)
const shared = sharedServices(config)
const runs = createSupervisor({
  store,
  config,
  settings: shared.settings,
  services: shared.services,
  startWorker: workerFrom(new URL("worker.ts", import.meta.url).href),
})
const { log } = createLog(config)
const service = await Service.open({ config, store, runs, log, catalogue: scrapers })
const api = createApi(service).compile()
// The same options as in src/app/app.ts.
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  idleTimeout: 120,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  fetch: (request) => api.fetch(request),
})
api.server = server

const account = await service.accounts.create({
  email: "bench@example.com",
  password: null,
  unlimited: true,
})
const { apiKey, row } = freshKey("bench", new Date())
await store.write("keys.create", { ...row, accountId: account!.id })
const run = await runs.start({
  scraper: waitingScraper,
  input: { urls: ["https://example.com/"] },
  accountId: account!.id,
  origin: "api",
})
// The crawl belongs to another account: the first one's slots are all used.
const other = await service.accounts.create({
  email: "crawl@example.com",
  password: null,
  unlimited: true,
})
const second = freshKey("bench", new Date())
await store.write("keys.create", { ...second.row, accountId: other!.id })
console.log(
  JSON.stringify({
    pid: process.pid,
    port: server.port,
    key: apiKey,
    crawlKey: second.apiKey,
    runId: run.id,
  }),
)
