import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Server } from "bun"
import { createApi } from "./api/api.ts"
import { type OpenApiDocument, openApiDocument } from "./api/docs/openapi.ts"
import { createLog } from "./api/http/log.ts"
import { onceAMinute } from "./api/http/troubles.ts"
import { ThreadReader } from "./api/reading/thread-reader.ts"
import { Service } from "./api/service.ts"
import { every } from "./base/every.ts"
import { minuteMs, secondMs } from "./base/time.ts"
import { upstreamTables } from "./catalogue/upstreams.ts"
import { type Config, publicRoot } from "./config.ts"
import { purge } from "./engine/background/purge.ts"
import { EgressGuard } from "./engine/egress/guard.ts"
import { sharedServices } from "./engine/environment/services.ts"
import { LiveTransport } from "./engine/http/live.ts"
import { ScheduleClock } from "./engine/schedules/clock.ts"
import { watchUpstreams } from "./engine/upstreams/watch.ts"
import { WebhookSender } from "./engine/webhooks/sender.ts"
import type { RunService } from "./engine/workers/runs.ts"
import { createSupervisor } from "./engine/workers/supervisor.ts"
import { databasePath, openStore, openThreadedStore } from "./store/store.ts"

/** Streams that never end by themselves have so long to say that they end now. */
const farewellMs = 1_000

export interface App {
  /** The public root. */
  url: string
  port: number
  /** Ends in order: running targets have up to `milliseconds`, the rest goes back to the queue. */
  stop(milliseconds?: number): Promise<void>
}

/**
 * The whole service: store, engine, background work, API. `words` makes of a line of the log, which
 * is JSON, what a person reads.
 * @throws when the address is taken, or another process serves from the same data folder.
 */
export async function startApp(config: Config, words?: (line: string) => string): Promise<App> {
  const { log, flush } = createLog(config, words)
  const onError = onceAMinute((message) => log.error(message))

  const store = openThreadedStore(config.dataDir)
  store.watch((level, message) => log[level](message))
  const shared = sharedServices(config, (message) => log.warn(message))
  const runs = createSupervisor({
    store,
    config,
    settings: shared.settings,
    services: shared.services,
    onError,
  })

  const database = databasePath(config.dataDir)
  const readers = { lists: new ThreadReader(database), exports: new ThreadReader(database) }
  const service = await Service.open({ config, store, runs, log, readers })
  const api = createApi(service)
  api.listen({
    hostname: config.host,
    port: config.port,
    // A second Trawl on the same port must fail, not share it.
    reusePort: false,
    development: false,
    idleTimeout: 120,
    // Larger bodies than are read are refused by the routes, in the body of every refusal.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  })
  const server = api.server as Server<unknown>
  const port = server.port ?? config.port
  const url = publicRoot(config, port)

  const { plans } = service
  const webhooks = new WebhookSender({
    store,
    transport: new LiveTransport(new EgressGuard(config.egressAllow)),
    onError,
  })
  webhooks.start()
  const clock = new ScheduleClock({ store, plans, scraper: (slug) => service.scraper(slug) })
  const failing = (what: string) => ({ onError: (error: unknown) => onError(`${what}: ${error}`) })
  const schedules = every(secondMs, (stopped) => clock.poll(stopped), {
    ...failing("A schedule could not be fired"),
  })
  // The first time is at once: an earlier process may have left something behind.
  const upkeep = [
    every(minuteMs, () => plans.recover(), {
      firstMs: 0,
      ...failing("A promised run could not be started"),
    }),
    every(minuteMs, (stopped) => purge(store, config, stopped), {
      firstMs: 0,
      ...failing("What is over could not be deleted"),
    }),
  ]
  for (const warning of store.warnings) log.warn(warning)
  const leaveUpstreams = watchUpstreams(shared.upstreams, upstreamTables, (level, message) =>
    log[level](message),
  )
  log.info({ url, dataDir: config.dataDir }, "listening")

  let stopping: Promise<void> | undefined
  const stop = async (milliseconds: number) => {
    log.info("stopping")
    service.stopping = true
    leaveUpstreams()
    await schedules.stop()
    await runs.stop(milliseconds)
    await Promise.all([webhooks.stop(), ...upkeep.map((loop) => loop.stop())])
    service.ending.abort()
    await service.feeds.left(farewellMs)
    await server.stop(true)
    for (const reader of Object.values(readers)) reader.stop()
    await shared.stop()
    await store.close()
    log.info("stopped")
    await flush()
  }
  return { url, port, stop: (milliseconds = 30_000) => (stopping ??= stop(milliseconds)) }
}

/** The OpenAPI document of this version, without starting anything. */
export async function describeApi(config: Config, root: string): Promise<OpenApiDocument> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-openapi-"))
  const store = openStore(folder)
  try {
    const { log } = createLog({ logLevel: "silent" })
    // Routes are described, none is called.
    const runs = undefined as unknown as RunService
    return openApiDocument(createApi(await Service.open({ config, store, runs, log })), root)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
