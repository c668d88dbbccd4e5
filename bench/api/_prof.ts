import { mkdtempSync } from "node:fs"
import { freshKey } from "../../src/accounts/keys.ts"
import { createApi } from "../../src/api/api.ts"
import { createLog } from "../../src/api/log.ts"
import { Service } from "../../src/api/service.ts"
import { loadConfig } from "../../src/config.ts"
import { newId } from "../../src/store/ids.ts"
import { openStore } from "../../src/store/store.ts"
import { waitingScraper } from "./scraper.ts"

const dataDir = mkdtempSync("/tmp/prof-")
const config = {
  ...loadConfig({}),
  dataDir,
  rateLimit: 0,
  workers: 1,
  logLevel: (process.argv[2] ?? "info") as any,
}
const store = openStore(dataDir)
const { log } = createLog(config)
const service = await Service.open({
  config,
  store,
  runs: {} as any,
  log,
  catalogue: [waitingScraper],
})
const api = createApi(service)
const account = await service.accounts.create({ email: "b@x", password: null, unlimited: true })
const { apiKey, row } = freshKey("bench", new Date())
await store.write("keys.create", { ...row, accountId: account!.id })
const run = await store.write("runs.create", {
  id: newId("run"),
  datasetId: newId("ds"),
  slug: "waiting-scraper",
  input: { urls: ["https://example.com/"] },
  accountId: account!.id,
  origin: "api",
  maxItems: null,
  maxPages: null,
  timeoutSeconds: 60,
  createdAt: new Date().toISOString(),
  targets: [],
})
const url = `http://127.0.0.1:1/api/v1/runs/${run.id}`
const headers = { authorization: `Bearer ${apiKey}` }
async function go(n: number) {
  for (let i = 0; i < n; i++) {
    const r = await api.handle(new Request(url, { headers }))
    if (r.status !== 200) throw new Error(await r.text())
  }
}
await go(20000)
const c0 = process.cpuUsage()
await go(150000)
const c = process.cpuUsage(c0)
console.error(((c.user + c.system) / 150000).toFixed(2), "us per call")
process.exit(0)
