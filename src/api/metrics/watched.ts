import type { Config } from "../../config.ts"
import type { LeasingStats } from "../../engine/net/browser/pool/leasing.ts"
import type { HealthFigures } from "../../engine/ops/health/health-service.ts"
import type { WorkState } from "../../engine/runtime/workers/runs.ts"
import type { TargetCounts } from "../../engine/runtime/workers/worker-interface.ts"
import type { OwnStore } from "../../store/store.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { Minute } from "./curves.ts"

/** Receives events while the service works; each costs next to nothing. */
export interface Watched {
  /** `route`: with the names of its parameters in their places. */
  called(method: string, route: string, status: number, seconds: number): void
  /** Targets of a scraper came to their ends. */
  tallied(scraper: string, tallies: readonly TargetCounts[]): void
  /** A run was started or resumed, or an attempt has finished. */
  run(run: RunRow): void
  /** Runs were queued again. */
  requeued(cause: string, runs: number): void
}

/** The current state of the process. */
export interface RuntimeStats {
  /** Runs as the supervisor has them in hand. */
  runs(): WorkState
  /** Hosts that are left alone, and those where requests wait. */
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
  /** What is known of the scrapers. */
  health(): HealthFigures
  /** Time of the last backup, in milliseconds; undefined if there is none. */
  lastBackup(): number | undefined
}
