import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Server } from "bun"
import { AccountLimits } from "../accounts/limits.ts"
import { createApi } from "../api/api.ts"
import { JobHooks } from "../api/compat/firecrawl/job-hooks.ts"
import { rowShapeOf } from "../api/delivery/row-shape.ts"
import { type OpenApiDocument, openApiDocument } from "../api/docs/openapi.ts"
import type { Socket } from "../api/http/sockets.ts"
import { createLog, type Logger } from "../api/log/log.ts"
import type { LogTail } from "../api/log/log-tail.ts"
import { serveMetrics } from "../api/metrics/address.ts"
import { Curves } from "../api/metrics/curves.ts"
import type { Metrics } from "../api/metrics/metrics.ts"
import { logRun } from "../api/metrics/run-log.ts"
import { spanOfCommand, spanOfDelivery, spanOfRun } from "../api/metrics/spans.ts"
import type { MetricsSources, RuntimeStats } from "../api/metrics/watched.ts"
import { ThreadReader } from "../api/reading/thread-reader.ts"
import { scraperFor } from "../api/recipes/own-scrapers.ts"
import { Service } from "../api/service.ts"
import { every } from "../base/every.ts"
import { secondMs } from "../base/time.ts"
import { scraperBySlug } from "../catalogue/index.ts"
import { upstreamTables } from "../catalogue/site-constants.ts"
import type { Config } from "../config/config.ts"
import { watchUpstreams } from "../engine/fetch/site-constants/watch.ts"
import type { Backups } from "../engine/ops/backups/backups.ts"
import { Deliverer } from "../engine/ops/destinations/deliverer.ts"
import { ThreadTransport } from "../engine/ops/destinations/thread-transport.ts"
import { serveCounts } from "../engine/ops/health/channel.ts"
import { HealthService } from "../engine/ops/health/health-service.ts"
import { watchProbes } from "../engine/ops/health/probe-store.ts"
import { MonitorWatcher } from "../engine/ops/monitors/watcher.ts"
import { WebhookSender } from "../engine/ops/notifications/sender.ts"
import type { LiveSettings } from "../engine/ops/settings/live.ts"
import { TraceExporter } from "../engine/ops/traces/exporter.ts"
import { ScheduleClock } from "../engine/runtime/schedules/clock.ts"
import { currentCall } from "../engine/runtime/traces/calls.ts"
import type { RunService } from "../engine/runtime/workers/runs.ts"
import { createSupervisor } from "../engine/runtime/workers/supervisor.ts"
import { runById } from "../store/runs/runs.ts"
import { openStore, type ThreadedStore } from "../store/store.ts"
import type { RunRow } from "../store/tables/schema.ts"
import { keyPath } from "../store/upkeep/data-folder.ts"
import { sharedServices } from "./environment-services.ts"

/** Milliseconds that endless streams get to send their last event. */
const farewellMs = 1_000

/** Interval for comparing a finished scheduled run with the previous one. */
const monitorsEveryMs = 2_000

/** Maximum hosts named in the metrics. */
const maxHosts = 100

export interface WholeParts {
  config: Config
  settings: LiveSettings
  store: ThreadedStore
  log: Logger
  logTail: LogTail
  /** Reports a problem to the operator. */
  onError(message: string): void
  server: Server<Socket>
  backups: Backups
  /** Token by which the command line authenticates to the running service. */
  operatorToken: string
}

export interface WholeService {
  fetch(request: Request): Response | Promise<Response>
  /** Stops everything except the server and the store; running targets get `milliseconds`. */
  stop(milliseconds: number): Promise<void>
}

/** Starts the runs, the background work and the API. */
export async function startWhole(parts: WholeParts): Promise<WholeService> {
  const { config, settings, store, log, logTail, onError, server, backups, operatorToken } = parts
  const shared = sharedServices(config, (message) => log.warn(message), store)
  const health = new HealthService({ store, scraper: scraperBySlug, onError })
  await health.start()
  const limits = await AccountLimits.open(store.db)
  const curves = new Curves()
  const runtimeStats: RuntimeStats = {
    curves: () => curves.read(),
    runs: () => runs.state(),
    hosts: () => shared.rateLimiter.overview(maxHosts),
    chrome: shared.chromeStats,
  }
  const metrics = await metricsOf(config, {
    ...runtimeStats,
    store,
    config,
    health: () => health.figures(),
    lastBackup: () => backups.lastMadeAt,
  })
  const traces = config.otlpEndpoint ? new TraceExporter(config.otlpEndpoint, onError) : undefined
  if (traces) {
    store.onWrite = (command, change) => {
      const call = currentCall()
      if (!call) return
      const startMs = Date.now()
      const add = (failed: boolean) => traces.add(spanOfCommand(call, command, startMs, failed))
      change.then(
        () => add(false),
        () => add(true),
      )
    }
  }
  const runs = createSupervisor({
    store,
    config,
    settings: shared.settings,
    services: { ...shared.services, health: (port) => serveCounts(health, port) },
    onError,
    onRun: (run) => {
      logRun(log, run)
      metrics?.run(run)
      const span = traces && spanOfRun(run)
      if (span) traces.add(span)
    },
    onRequeued: (cause, count) => metrics?.requeued(cause, count),
    runsAtOnceOf: (accountId) => limits.of(accountId)?.runsAtOnce,
    runLimits: () => limits.runsAtOnce(),
    onTargets: (slug, tallies) => {
      curves.tallied(tallies)
      metrics?.tallied(slug, tallies)
    },
    ...(traces && {
      onSpans: (spans) => {
        for (const span of spans) traces.add(span)
      },
    }),
    // The process that starts the service holds the lock.
    unlock: () => {},
  })

  settings.onChange(() => {
    shared.changed()
    runs.renewWorkers()
  })

  const { database } = store
  const readers = { lists: new ThreadReader(database), exports: new ThreadReader(database) }
  const { egressAllow, destinationAllow, destinationFolder } = config
  const transport = new ThreadTransport(
    {
      database,
      keyFile: keyPath(config.dataDir),
      egressAllow,
      destinationAllow,
      destinationFolder,
    },
    () => store.connect(),
  )
  const service = await Service.open({
    config,
    destinations: transport,
    settings,
    store,
    runs,
    log,
    logTail,
    limits,
    metrics,
    runtimeStats,
    hostRateLimits: shared.rateLimiter,
    sessions: shared.sessions,
    browser: shared.browser,
    traces,
    readers,
    backups,
    operatorToken,
    health,
  })
  const api = createApi(service).compile()
  api.server = server

  const ownUrl =
    metrics && config.metricsAddress ? serveMetrics(config.metricsAddress, metrics) : undefined
  const { checker } = service
  checker.start()
  const webhooks = new WebhookSender({
    store,
    dispatcher: service.dispatcher,
    rates: service.rates,
    onError,
    ...(traces && {
      onSent: (sent) => {
        if (sent.runId === null) return
        runById(store.db, sent.runId)
          .then((run) => run && traces.add(spanOfDelivery(run, sent)))
          .catch((error) => onError(`A webhook could not be traced: ${error}`))
      },
    }),
  })
  webhooks.start()
  const shapeOf = (run: RunRow) => rowShapeOf(service, run)
  const deliverer = new Deliverer({
    ...{ store, transport: transport, shapeOf, onError, isSoleProcess: !store.isShared },
    processId: () => runs.processId,
  })
  deliverer.start()
  const clock = new ScheduleClock({
    store,
    runs,
    scraper: (slug, accountId) => scraperFor(service, accountId, slug),
    onError,
  })
  const failing = (what: string) => ({
    onError(error: unknown) {
      if (!store.hasReported(error)) onError(`${what}: ${error}`)
    },
  })
  const schedules = every(secondMs, (stopped) => clock.poll(stopped), {
    ...failing("Schedules could not be read"),
  })
  const watcher = new MonitorWatcher({ store, scraper: (slug) => service.scraper(slug) })
  const watch = async (stopped: AbortSignal) =>
    (await watcher.poll(stopped)) ? 0 : monitorsEveryMs
  const monitors = every(
    monitorsEveryMs,
    watch,
    failing("The watched values of a schedule could not be compared"),
  )
  const jobHooks = new JobHooks(service)
  const hooks = every(
    secondMs,
    async (stopped) => ((await jobHooks.poll(stopped)) ? 100 : secondMs),
    failing("The webhook of a job could not be notified"),
  )
  // Changes that administrators make through another process that shares the database.
  const elsewhere = store.isShared
    ? every(
        2 * secondMs,
        async () => {
          await settings.reload()
          await limits.reload(store.db)
        },
        failing("The changes of another process could not be read"),
      )
    : undefined
  const tables = watchUpstreams(shared.upstreams, upstreamTables, (level, message) =>
    log[level](message),
  )
  const ownProbes = watchProbes(checker.probes, (issue) => log.warn(issue))
  return {
    fetch: (request) => api.fetch(request),
    async stop(milliseconds) {
      service.stopping = true
      await schedules.stop()
      await monitors.stop()
      await hooks.stop()
      await deliverer.stop()
      transport.stop()
      await checker.stop()
      await runs.stop(milliseconds)
      await health.stop()
      await elsewhere?.stop()
      await Promise.all([webhooks.stop(), tables.stop(), ownProbes.stop()])
      service.dispatcher.mailer.stop()
      service.ending.abort()
      service.liveLogins.stop()
      metrics?.stop()
      curves.stop()
      await traces?.stop()
      await ownUrl?.stop(true)
      await service.feeds.left(farewellMs)
      for (const reader of Object.values(readers)) reader.stop()
      await shared.stop()
    },
  }
}

/** Returns undefined without loading the metrics if no client may read them. */
async function metricsOf(config: Config, sources: MetricsSources): Promise<Metrics | undefined> {
  if (!config.metricsToken && !config.metricsAddress) return undefined
  const { Metrics } = await import("../api/metrics/metrics.ts")
  return new Metrics(sources)
}

/** Returns the OpenAPI document of this version without starting anything. */
export async function describeApi(config: Config, root: string): Promise<OpenApiDocument> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-openapi-"))
  const store = openStore(folder)
  try {
    const { log } = createLog({ logLevel: "silent" })
    // Routes are described, not called.
    const runs = undefined as unknown as RunService
    return openApiDocument(createApi(await Service.open({ config, store, runs, log })), root)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
