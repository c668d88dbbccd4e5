import { loadConfig } from "../../../../src/config/config.ts"
import { workerFrom } from "../../../../src/engine/runtime/workers/handle.ts"
import { createSupervisor } from "../../../../src/engine/runtime/workers/supervisor.ts"
import { openServedStore } from "../../../../src/store/store.ts"
import { isRunningAll } from "../../../samples.ts"
import { scraperBySlug } from "./scrapers.ts"

/** The process that the crash test kills: a supervisor with a small HTTP API. */
const [, , dataDir = "", workerUrl = "", databaseUrl] = process.argv
const store = await openServedStore({ dataDir, databaseUrl })
const supervisor = createSupervisor({
  store,
  // Anonymous runs have one more worker. To start a worker takes more than the runs of a test.
  config: { ...loadConfig({}), dataDir, workers: isRunningAll ? 2 : 1, runsPerAccount: 50 },
  startWorker: workerFrom(workerUrl),
})
await supervisor.ready

interface Start {
  slug: string
  input: Record<string, unknown>
  accountId: string | null
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  // A run may be waited for.
  idleTimeout: 0,
  async fetch(request) {
    const [, command, id] = new URL(request.url).pathname.split("/")
    if (command === "start") {
      const { slug, input, accountId } = (await request.json()) as Start
      const scraper = scraperBySlug(slug)!
      return Response.json(await supervisor.start({ scraper, input, accountId, origin: "api" }))
    }
    if (command === "abort") return Response.json((await supervisor.abort(id!)) ?? null)
    if (command === "wait") return Response.json((await supervisor.wait(id!, 30_000)) ?? null)
    return Response.json(supervisor.state())
  },
})
console.log(server.url.href)
