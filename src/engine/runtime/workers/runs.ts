import type { AnyScraper } from "../../../catalogue/kit/index.ts"
import type { Quota } from "../../../store/accounts/free-quota.ts"
import type { NewRun, QueuedRun, RunTerms } from "../../../store/runs/runs.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { CheckOrder, CheckResult } from "../../ops/health/check.ts"

/**
 * A run to start, with a validated input with defaults. An `id` was reserved before (idempotent calls,
 * batches, schedules), so that a repeated start after a crash cannot create a second run.
 */
export interface StartRun
  extends Omit<RunTerms, "maxItems" | "maxPages" | "timeoutSeconds" | "origin">,
    Partial<Pick<NewRun, "id" | "maxItems" | "maxPages" | "timeoutSeconds">> {
  scraper: AnyScraper
  /** Identifies anonymous callers, so that they share slots fairly; not stored. */
  caller?: string
  /** The daily free quota from which the start takes one call. Default: the call is paid for. */
  quota?: Quota | null
  origin: "api" | "keyless" | "mcp" | "schedule" | "batch" | "cli"
  /** Seconds after which it times out if no worker has started it. Default: never. */
  expiresAfterSeconds?: number
}

/**
 * Called when a run has changed; the argument is whether it has finished. Its state is in the
 * store.
 */
export type RunListener = (isOver: boolean) => void

/** The current work. */
export interface WorkState {
  queued: number
  running: number
  workers: number
  /** Bytes of the workers' heaps, if known. */
  heaps: number[]
  /** Reason why workers cannot be started, if any. */
  workerIssue?: string | undefined
}

/** Runs for the API, implemented by the supervisor. */
export interface RunService {
  /** Resolves when the run is on disk. @throws QuotaExhausted, Stopping */
  start(request: StartRun): Promise<RunRow>
  /** Called when a change to the store has queued runs, which workers may take. */
  queued(runs: readonly QueuedRun[]): void
  /**
   * Returns the run when it has finished, or its state after `milliseconds` (run-events.ts);
   * undefined for an unknown ID.
   */
  wait(id: string, milliseconds: number, signal?: AbortSignal): Promise<RunRow | undefined>
  /** Requests the abort of a queued or running run; returns its new state. */
  abort(id: string): Promise<RunRow | undefined>
  /**
   * Queues a failed, aborted or timed-out run again; finished targets are kept. `keyId` is charged
   * from then on; without one, the run keeps its key.
   */
  resume(id: string, keyId?: string | null): Promise<RunRow | undefined>
  /** Queues the failed targets of a finished run again; their items go to the same dataset. */
  retry(id: string, keyId?: string | null): Promise<RunRow | undefined>
  /** Calls `listener` with each change until the returned function is called. */
  subscribe(id: string, listener: RunListener): () => void
  /** Runs a scraper's health probe, which is not a run and is not stored. */
  check(order: CheckOrder, signal: AbortSignal): Promise<CheckResult>
  /** Takes no new runs, waits up to `milliseconds` for running targets, and requeues the rest. */
  stop(milliseconds: number): Promise<void>
}
