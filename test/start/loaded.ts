/**
 * Starts the service in this process, and prints which of its modules have been loaded: before the
 * first request, after /healthz, and after a request that needs them. With the argument `start`, it
 * sends no request.
 */
import { startApp } from "../../src/app/app.ts"
import { checkedSettings } from "../../src/cli/common/checked-settings.ts"

const app = await startApp(checkedSettings(process.env))
const isLoaded = () => Object.keys(require.cache).some((path) => path.includes("/src/catalogue/"))
const root = `http://127.0.0.1:${app.port}`
const atStart = isLoaded()
if (process.argv[2] === "start") {
  console.log(JSON.stringify({ atStart }))
  process.exit(0)
}
const alive = await fetch(`${root}/healthz`)
const afterAlive = isLoaded()
const listed = await fetch(`${root}/api/scrape`)
const { scrapers } = await listed.json()
const afterList = isLoaded()
const aliveStill = await fetch(`${root}/healthz`)
const reported = async (response: Response) => ({
  status: response.status,
  type: response.headers.get("content-type"),
  headers: [...response.headers.keys()].sort(),
  body: await response.json(),
})
const report = {
  atStart,
  afterAlive,
  afterList,
  scrapers: scrapers.length,
  alive: await reported(alive),
  aliveStill: await reported(aliveStill),
}
console.log(JSON.stringify(report))
await app.stop(1000)
process.exit(0)
