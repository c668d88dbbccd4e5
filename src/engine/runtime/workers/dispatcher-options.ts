import type { Config } from "../../../config/config.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { FileSettings } from "../../net/files/files.ts"
import type { Span } from "../traces/span.ts"
import type { StartWorker } from "./handle.ts"
import type { WorkerContextOptions } from "./worker-context.ts"
import type { TargetCounts } from "./worker-interface.ts"

export interface DispatcherOptions extends WorkerContextOptions {
  config: FileSettings &
    Pick<Config, "dataDir" | "workers" | "runsPerAccount"> &
    Partial<Pick<Config, "databaseDirectUrl">>
  /** Default 16. */
  runsPerWorker?: number
  /**
   * Milliseconds of its own processor time without a heartbeat after which a worker is replaced.
   * Default: 20,000.
   */
  hangMs?: number
  /**
   * Memory of the process at which the largest worker is ended. Default: by the machine's memory.
   */
  memoryBytes?: number
  /** Milliseconds after which idle workers end. Default: 60,000. */
  idleMs?: number
  /** Milliseconds for which a tenant within its share keeps a slot. Default 10,000. */
  sliceMs?: number
  /** Called when a worker starts a run, and when its attempt has ended. */
  onRun?(run: RunRow): void
  /** Called with the number of requeued runs and the cause. */
  onRequeued?(cause: string, runs: number): void
  /** Returns an account's own maximum of concurrent runs, if it has one. */
  runsAtOnceOf?(accountId: string): number | undefined
  /** Returns all accounts with their own maximum. */
  runLimits?(): Record<string, number>
  /** Called with counts of finished targets, a few times a second. */
  onTargets?(slug: string, tallies: readonly TargetCounts[]): void
  /** Receives the spans of runs' targets a few times a second. Without it, runs are not traced. */
  onSpans?(spans: readonly Span[]): void
  /** Default: a thread of src/worker.ts; tests and benchmarks use their own. */
  startWorker?: StartWorker
}
