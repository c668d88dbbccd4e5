import type { AnyScraper } from "../../../catalogue/kit/index.ts"
import type { Priority } from "../../../store/runs/priority.ts"
import type { QueuedRun } from "../../../store/runs/runs.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { CheckOrder, CheckResult } from "../../ops/health/check.ts"

/** A run to be started; the input is checked and filled with defaults. */
export interface StartRun {
  /**
   * An id reserved before (idempotent calls, batches, schedules), so that a start that is repeated
   * after a crash cannot make a second run. Default: a new one.
   */
  id?: string
  scraper: AnyScraper
  input: Record<string, unknown>
  /** Null for a keyless caller. */
  accountId: string | null
  /** The key that asked for it, where one did. */
  keyId?: string | null
  /** Whose memory a check without an account compares with (store/runs/memory.ts). */
  memoryOwner?: string
  /** Tells callers without an account apart, so that they share places fairly; not stored. */
  caller?: string
  origin: "api" | "keyless" | "mcp" | "schedule" | "batch" | "cli"
  /** Caps beside the scraper's own. */
  maxItems?: number
  maxPages?: number
  /** Credits that the run may cost in all. */
  maxCredits?: number
  /** A dataset of the account, in which the run's items go on. */
  appendedTo?: string
  /** Fields by which an item is known again in its dataset. */
  uniqueBy?: string[]
  /** A name of a dataset: the run begins it, or its items go on in it. */
  datasetName?: string
  /** JSONata by which its dataset is read. */
  transform?: string
  /** Default 3,600. */
  timeoutSeconds?: number
  /** Default: of a call that nobody waits for. */
  priority?: Priority
  /** It times out where no worker has taken it after so many seconds. Default: never. */
  expiresAfterSeconds?: number
}

/** Called when a run has changed, and whether it is over; its state is in the store. */
export type RunListener = (isOver: boolean) => void

/** Runs as the API sees them; implemented by the supervisor. */
/** What is going on now. */
export interface WorkState {
  queued: number
  running: number
  workers: number
  /** Bytes of the workers' heaps, of those that were asked. */
  heaps: number[]
  /** Why workers cannot be started, where that is so. */
  workerIssue?: string | undefined
}

export interface RunService {
  /** Resolves when the run is on disk, queued. */
  start(request: StartRun): Promise<RunRow>
  /** Runs were queued by a change to the store: workers may take them. */
  queued(runs: readonly QueuedRun[]): void
  /**
   * The run when it is over, or as it stands after `milliseconds` (run-events.ts); undefined for an
   * unknown id.
   */
  wait(id: string, milliseconds: number, signal?: AbortSignal): Promise<RunRow | undefined>
  /** Asks for the end of a queued or running run; the run as it stands then. */
  abort(id: string): Promise<RunRow | undefined>
  /**
   * Queues a failed, aborted or timed-out run again; finished targets are kept. `keyId` is charged
   * from then on; without one, the run keeps its key.
   */
  resume(id: string, keyId?: string | null): Promise<RunRow | undefined>
  /** Queues a run that is over again where targets of it failed: these alone, into the same dataset. */
  retry(id: string, keyId?: string | null): Promise<RunRow | undefined>
  /** Calls `listener` with each change from now on, until the function that it returns is called. */
  subscribe(id: string, listener: RunListener): () => void
  /** Has a scraper tried by its canary: no run, and nothing of it is stored. */
  check(order: CheckOrder, signal: AbortSignal): Promise<CheckResult>
  /** Takes no new runs, gives running targets up to `milliseconds`, puts the rest back. */
  stop(milliseconds: number): Promise<void>
}
