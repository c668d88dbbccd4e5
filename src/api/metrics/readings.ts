import { existsSync, statfsSync, statSync } from "node:fs"
import { cpuSeconds, descriptors } from "../../base/process-usage.ts"
import { tableAgeDays } from "../../catalogue/kit/index.ts"
import { upstreamTables } from "../../catalogue/site-constants.ts"
import { version } from "../../config/version.ts"
import type { RemoteState } from "../../engine/net/browser/pool/leasing.ts"
import { databasePath } from "../../store/store.ts"
import { operatingFigures } from "../../store/upkeep/figures.ts"
import type { MetricsSources } from "./watched.ts"

/** A current value. */
export interface Reading {
  name: string
  help: string
  labels?: Record<string, string>
  value: number
}

/** Returns the values that are read on request, not counted. */
export async function readNow(sources: MetricsSources): Promise<Reading[]> {
  const { store, config } = sources
  const [figures, chrome] = await Promise.all([
    operatingFigures(store.db, new Date()),
    sources.chrome(),
  ])
  return [
    reading("trawl_info", "Version of the service.", 1, { version, bun: Bun.version }),
    ...runReadings(sources, figures),
    ...hostReadings(sources),
    ...healthReadings(sources),
    ...tableReadings(),
    reading("trawl_chrome_processes", "Running Chrome processes.", chrome?.chromes ?? 0),
    reading("trawl_chrome_contexts", "Open browser contexts.", chrome?.contexts ?? 0),
    reading("trawl_chrome_leases", "Tabs in use.", chrome?.leases ?? 0),
    ...(chrome?.remotes ?? []).flatMap(remoteReadings),
    ...memoryReadings(),
    ...processReadings(),
    ...diskReadings(config.dataDir, figures.databaseBytes),
    ...backupReadings(config, sources.lastBackup()),
    reading("trawl_writer_failing", "1 while writes fail.", store.issue ? 1 : 0),
    reading(
      "trawl_database_damaged",
      "1 after a part of the database could not be read, until the next start.",
      store.damage ? 1 : 0,
    ),
  ]
}

function reading(
  name: string,
  help: string,
  value: number,
  labels?: Record<string, string>,
): Reading {
  return { name, help, value, ...(labels && { labels }) }
}

/** Readings of a remote browser. Its name is only host and port. */
function remoteReadings({ name, isAway, leases }: RemoteState): Reading[] {
  const labels = { browser: name }
  return [
    reading("trawl_browser_up", "1 while the remote browser responds.", isAway ? 0 : 1, labels),
    reading("trawl_browser_leases", "Tabs open or waiting in the remote browser.", leases, labels),
  ]
}

type Figures = Awaited<ReturnType<typeof operatingFigures>>

function runReadings(sources: MetricsSources, figures: Figures): Reading[] {
  const { running, workers, heaps } = sources.runs()
  const usage = Object.entries(figures.usageToday)
  return [
    ...queueReadings(figures),
    reading("trawl_process_runs", "Runs that this process executes.", running),
    reading("trawl_workers", "Worker threads.", workers),
    ...heaps.map((bytes, index) =>
      reading("trawl_worker_heap_bytes", "Last reported heap of each worker thread.", bytes, {
        worker: String(index),
      }),
    ),
    ...usage.map(([what, value]) =>
      reading("trawl_usage_today", "Usage today (UTC) of all accounts.", value, { what }),
    ),
    reading("trawl_free_quota_calls_today", "Keyless calls today (UTC).", figures.keylessCalls),
    reading("trawl_deliveries_pending", "Pending webhook deliveries.", figures.deliveriesPending),
    reading(
      "trawl_webhooks_disabled",
      "Webhooks that were disabled because they failed.",
      figures.webhooksDisabled,
    ),
    ...Object.entries(figures.destinationDeliveries).map(([state, count]) =>
      reading(
        "trawl_destination_deliveries",
        "Deliveries of runs to destinations by state.",
        count,
        {
          state,
        },
      ),
    ),
    reading(
      "trawl_destinations_failing",
      "Destinations whose last attempt failed.",
      figures.destinationsFailing,
    ),
    reading("trawl_accounts", "Accounts.", figures.accounts),
  ]
}

/**
 * Counts of the whole database. Every process that shares it reports the same, so they must not be
 * summed.
 */
function queueReadings(figures: Figures): Reading[] {
  const states = "Runs of the whole database by state: take the maximum of the processes."
  const queued = figures.queue.reduce((total, { count }) => total + count, 0)
  return [
    reading("trawl_runs", states, queued, { state: "queued" }),
    reading("trawl_runs", states, figures.runningRuns, { state: "running" }),
    reading("trawl_runs", states, figures.abortingRuns, { state: "aborting" }),
    ...figures.queue.flatMap(({ count, ageSeconds, ...kind }) => [
      reading("trawl_queue_runs", "Queued runs of the whole database by kind.", count, kind),
      reading("trawl_queue_age_seconds", "Age of the oldest queued run by kind.", ageSeconds, kind),
    ]),
    reading(
      "trawl_dead_letters",
      "Dead letters: runs that could not be started, or crashed their workers.",
      figures.deadLetters,
    ),
    reading(
      "trawl_schedules_refused",
      "Schedules whose input the scraper no longer accepts.",
      figures.schedulesRefused,
    ),
    reading(
      "trawl_schedule_lag_seconds",
      "Lateness of the most overdue schedule.",
      figures.scheduleLagSeconds,
    ),
  ]
}

function hostReadings(sources: MetricsSources): Reading[] {
  const { suspended, waiting, inFlight, quotas } = sources.hosts()
  return [
    reading("trawl_host_requests", "Requests by state.", waiting, { state: "waiting" }),
    reading("trawl_host_requests", "Requests by state.", inFlight, { state: "in_flight" }),
    reading("trawl_hosts_suspended", "Hosts that are backed off.", suspended.length),
    ...suspended.map(({ host, reason, seconds }) =>
      reading("trawl_host_suspended_seconds", "Seconds until a host is requested again.", seconds, {
        host,
        reason,
      }),
    ),
    ...quotas.map(({ host, left }) =>
      reading("trawl_host_quota_left", "Requests left for a host without an API key.", left, {
        host,
      }),
    ),
  ]
}

/** Returns no reading for a scraper without a health probe and without runs of users. */
function healthReadings(sources: MetricsSources): Reading[] {
  const { up, shares } = sources.health()
  const known = up.filter(({ state }) => state !== "unknown")
  return [
    ...known.map(({ slug, fetchMethod, state }) =>
      reading(
        "trawl_scraper_up",
        "1 if a scraper works here, at least partly; 0 if it does not.",
        state === "works" || state === "degraded" ? 1 : 0,
        { scraper: slug, fetch_method: fetchMethod, state },
      ),
    ),
    ...shares.map(({ slug, field, share }) =>
      reading(
        "trawl_scraper_field_share",
        "Share of the last day's items in which the field has a value.",
        share,
        { scraper: slug, field },
      ),
    ),
  ]
}

function tableReadings(): Reading[] {
  return upstreamTables.map((table) =>
    reading(
      "trawl_upstream_table_age_days",
      "Days since a site's compiled constants (trawl upstreams) were last confirmed.",
      tableAgeDays(table, new Date()),
      { site: table.site },
    ),
  )
}

function memoryReadings(): Reading[] {
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
  const parts = { rss, heap: heapUsed, external, buffers: arrayBuffers }
  return Object.entries(parts).map(([part, value]) =>
    reading(
      "trawl_memory_bytes",
      "Memory of the process (rss), and parts of the main thread's.",
      value,
      {
        part,
      },
    ),
  )
}

function processReadings(): Reading[] {
  const known = descriptors()
  const files = "File descriptors: open, and the maximum of the process."
  return [
    reading("trawl_cpu_seconds", "Processor time of the process.", cpuSeconds()),
    ...(known
      ? [
          reading("trawl_descriptors", files, known.open, { kind: "open" }),
          reading("trawl_descriptors", files, known.max, { kind: "limit" }),
        ]
      : []),
  ]
}

/** @param bytes Size of a remote database. */
function diskReadings(dataDir: string, bytes?: number): Reading[] {
  const path = databasePath(dataDir)
  const size = (file: string) => (existsSync(file) ? statSync(file).size : 0)
  const { bavail, bsize } = statfsSync(dataDir)
  return [
    reading("trawl_database_bytes", "Size of the database by file.", bytes ?? size(path), {
      file: "database",
    }),
    reading("trawl_database_bytes", "Size of the database by file.", size(`${path}-wal`), {
      file: "wal",
    }),
    reading("trawl_disk_free_bytes", "Free disk space for the data.", bavail * bsize),
  ]
}

function backupReadings({ backupTo }: MetricsSources["config"], at = 0): Reading[] {
  const help = "Time of the last automatic backup (TRAWL_BACKUP_TO); 0 if there was none."
  return backupTo ? [reading("trawl_backup_timestamp_seconds", help, at / 1000)] : []
}
