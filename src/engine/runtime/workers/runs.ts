import type { AnyScraper } from "../../../catalogue/kit/index.ts"
import type { Quota } from "../../../store/accounts/allowance.ts"
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
  /** The API key that requested it, if any. */
  keyId?: string | null
  /** Whose memory a check without an account compares with (store/runs/memory.ts). */
  memoryOwner?: string
  /** Identifies anonymous callers, so that they share slots fairly; not stored. */
  caller?: string
  /** The daily free quota from which the start takes one call. Default: the call is paid for. */
  quota?: Quota | null
  origin: "api" | "keyless" | "mcp" | "schedule" | "batch" | "cli"
  /** Caps in addition to the scraper's. */
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
  /** Name of the destination that receives its items. */
  destination?: string
  /** Name of the account's session with which pages are fetched. Default: its recipe's. */
  session?: string | undefined
  /** Default 3,600. */
  timeoutSeconds?: number
  /** Default: the priority of an API call that does not wait. */
  priority?: Priority
  /** Seconds after which it times out if no worker has started it. Default: never. */
  expiresAfterSeconds?: number
}

/** Called when a run has changed, with whether it has finished; its state is in the store. */
export type RunListener = (isOver: boolean) => void

/** What is going on now. */
export interface WorkState {
  queued: number
  running: number
  workers: number
  /** Bytes of the workers' heaps, as far as they are known. */
  heaps: number[]
  /** Why workers cannot be started, where that is so. */
  workerIssue?: string | undefined
}

/** Runs as the API sees them; implemented by the supervisor. */
export interface RunService {
  /** Resolves when the run is on disk. @throws QuotaExhausted, Stopping */
  start(request: StartRun): Promise<RunRow>
  /** Runs were queued by a change to the store: workers may take them. */
  queued(runs: readonly QueuedRun[]): void
  /**
   * Returns the run when it has finished, or its state after `milliseconds` (run-events.ts); undefined
   * for an unknown ID.
   */
  wait(id: string, milliseconds: number, signal?: AbortSignal): Promise<RunRow | undefined>
  /** Requests the end of a queued or running run; returns its new state. */
  abort(id: string): Promise<RunRow | undefined>
  /**
   * Queues a failed, aborted or timed-out run again; finished targets are kept. `keyId` is charged
   * from then on; without one, the run keeps its key.
   */
  resume(id: string, keyId?: string | null): Promise<RunRow | undefined>
  /** Queues the failed targets of a finished run again; their items go to the same dataset. */
  retry(id: string, keyId?: string | null): Promise<RunRow | undefined>
  /** Calls `listener` with each change from now on, until the function that it returns is called. */
  subscribe(id: string, listener: RunListener): () => void
  /** Runs a scraper's health probe: not a run, and not stored. */
  check(order: CheckOrder, signal: AbortSignal): Promise<CheckResult>
  /** Takes no new runs, gives running targets up to `milliseconds`, puts the rest back. */
  stop(milliseconds: number): Promise<void>
}
