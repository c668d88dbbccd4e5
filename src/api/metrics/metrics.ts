import { Counter, Gauge, Histogram, Registry } from "prom-client"
import type { TargetCounts } from "../../engine/runtime/workers/worker-interface.ts"
import { priorityName } from "../../store/runs/priority.ts"
import { requeueCauses } from "../../store/runs/requeue.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { LoopLag } from "./loop-lag.ts"
import { type Reading, readNow } from "./readings.ts"
import type { MetricsSources, Watched } from "./watched.ts"

/** Milliseconds for which readings of the store and the system are cached, so that requests cost little. */
const retentionMs = 1000
const calls = [0.005, 0.02, 0.1, 0.5, 2, 10, 60]
const waits = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600, 3600]
const lags = [0.001, 0.005, 0.02, 0.1, 0.5, 2]

/** The content of /metrics; created only if access is configured. */
export class Metrics implements Watched {
  private readonly registry = new Registry()
  private readonly registers = [this.registry]
  private readonly callSeconds = new Histogram({
    name: "trawl_http_request_duration_seconds",
    help: "Seconds until the response started.",
    labelNames: ["method", "route", "status"],
    buckets: calls,
    registers: this.registers,
  })
  private readonly runsEnded = this.counter("trawl_runs_ended_total", "Finished runs.", [
    "scraper",
    "status",
    "code",
  ])
  private readonly targets = this.counter(
    "trawl_targets_total",
    "Targets by outcome, and by the most capable fetch method that they needed.",
    ["scraper", "code", "fetch_method"],
  )
  private readonly pages = this.counter("trawl_pages_total", "Pages charged.", ["scraper"])
  private readonly bytes = this.counter("trawl_page_bytes_total", "Bytes of fetched pages.", [
    "scraper",
  ])
  private readonly lag = new Histogram({
    name: "trawl_event_loop_lag_seconds",
    help: "Delay of the main thread.",
    buckets: lags,
    registers: this.registers,
  })
  private readonly waitSeconds = new Histogram({
    name: "trawl_run_wait_seconds",
    help: "Seconds that runs waited for their first start.",
    labelNames: ["tenant", "priority"],
    buckets: waits,
    registers: this.registers,
  })
  private readonly requeues = this.counter(
    "trawl_requeues_total",
    "Runs that were queued again, by cause: stop, room, worker, lost, process, start.",
    ["cause"],
  )
  private readonly gauges = new Map<string, Gauge>()
  private readonly watch = new LoopLag((seconds) => this.lag.observe(seconds))
  private reading?: { at: number; done: Promise<void> }

  constructor(private readonly sources: MetricsSources) {
    // A rate needs an initial value.
    for (const cause of requeueCauses) this.requeues.inc({ cause }, 0)
  }

  private counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: this.registers })
  }

  called(method: string, route: string, status: number, seconds: number): void {
    this.callSeconds.observe({ method, route, status: String(status) }, seconds)
  }

  tallied(scraper: string, tallies: readonly TargetCounts[]): void {
    for (const { code, fetchMethod, targets, pages, bytes } of tallies) {
      this.targets.inc({ scraper, code, fetch_method: fetchMethod }, targets)
      if (pages > 0) this.pages.inc({ scraper }, pages)
      if (bytes > 0) this.bytes.inc({ scraper }, bytes)
    }
  }

  run(run: RunRow): void {
    const { slug, status, error_code } = run
    if (status === "running") this.began(run)
    if (status === "running" || status === "queued" || status === "aborting") return
    this.runsEnded.inc({ scraper: slug, status, code: error_code ?? "" })
  }

  private began({ attempt, started_at, created_at, account_id, priority }: RunRow): void {
    if (attempt > 1 || started_at === null) return
    const tenant = account_id === null ? "anonymous" : "account"
    const seconds = Math.max(0, (Date.parse(started_at) - Date.parse(created_at)) / 1000)
    this.waitSeconds.observe({ tenant, priority: priorityName(priority) }, seconds)
  }

  requeued(cause: string, runs: number): void {
    this.requeues.inc({ cause }, runs)
  }

  /** Returns the metrics in Prometheus format. */
  async text(): Promise<{ type: string; body: string }> {
    const now = performance.now()
    if (!this.reading || now - this.reading.at > retentionMs) {
      this.reading = { at: now, done: this.read() }
    }
    await this.reading.done
    return { type: this.registry.contentType, body: await this.registry.metrics() }
  }

  private async read(): Promise<void> {
    for (const gauge of this.gauges.values()) gauge.reset()
    for (const reading of await readNow(this.sources)) this.set(reading)
  }

  private set({ name, help, labels = {}, value }: Reading): void {
    const known = this.gauges.get(name)
    const gauge =
      known ?? new Gauge({ name, help, labelNames: Object.keys(labels), registers: this.registers })
    if (!known) this.gauges.set(name, gauge)
    gauge.set(labels, value)
  }

  stop(): void {
    this.watch.stop()
  }
}
