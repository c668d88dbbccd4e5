import type { Config } from "../../config/config.ts"
import type { LeasingStats } from "../../engine/net/browser/pool/leasing.ts"
import type { HealthFigures } from "../../engine/ops/health/health-service.ts"
import type { WorkState } from "../../engine/runtime/workers/runs.ts"
import type { TargetCounts } from "../../engine/runtime/workers/worker-interface.ts"
import type { OwnStore } from "../../store/store.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { Minute } from "./curves.ts"

/** Receives events of the service. Each must cost next to nothing. */
export interface Watched {
  /** `route`: the path with parameter names. */
  called(method: string, route: string, status: number, seconds: number): void
  /** Targets of a scraper have finished. */
  tallied(scraper: string, tallies: readonly TargetCounts[]): void
  /** A run was started or resumed, or an attempt has finished. */
  run(run: RunRow): void
  /** Runs were queued again. */
  requeued(cause: string, runs: number): void
}

/** The current state of the process. */
export interface RuntimeStats {
  /** Runs of the supervisor. */
  runs(): WorkState
  /** Hosts that are backed off, and hosts with waiting requests. */
  hosts(): {
    suspended: { host: string; reason: string; seconds: number }[]
    waiting: number
    inFlight: number
    quotas: { host: string; requests: number; left: number; endsAt: string; without: string }[]
  }
  /** Pages, failures and memory by the minute. */
  curves(): readonly Minute[]
  /** Undefined if no Chrome is running. */
  chrome(): Promise<LeasingStats | undefined>
}

/** Sources that are read when the metrics are requested. */
export interface MetricsSources extends Omit<RuntimeStats, "curves"> {
  store: OwnStore
  config: Pick<Config, "dataDir" | "backupTo">
  /** Health of the scrapers. */
  health(): HealthFigures
  /** Time of the last backup, in milliseconds; undefined if there is none. */
  lastBackup(): number | undefined
}
