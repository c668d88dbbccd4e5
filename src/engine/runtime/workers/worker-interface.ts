import type { RunRow } from "../../../store/tables/schema.ts"
import type { FileSettings } from "../../net/files/files.ts"
import type { CheckOrder, CheckResult } from "../../ops/health/check.ts"
import type { Span } from "../traces/span.ts"

/** Parameters of a worker's start. */
export interface WorkerStart {
  /** Path or URL of the store's database. */
  database: string
  /** Settings from which it creates its environment (src/worker.ts), as plain data. */
  settings: unknown
  /** Settings of files of runs. */
  files: FileSettings
  /** Milliseconds after which a run that does not end on request is abandoned. */
  unresponsiveMs: number
  /** Whether it executes free runs at low priority. */
  isFree: boolean
  /** Whether runs are traced: their spans come with their changes. */
  isTraced: boolean
  /** Port to the store's writer. */
  writer: MessagePort
  /** Ports to services of the main thread that workers share (rate limits, Chrome), by name. */
  services: Record<string, MessagePort>
}

/** A worker, for the main thread. */
export interface WorkerInterface {
  /** Resolves when it is ready, with the thread's ID if the system has one. */
  start(start: WorkerStart): Promise<number | null>
  /**
   * Resolves when the attempt has ended; the store has the result. @throws errors outside the run
   */
  execute(run: RunRow, onChange: OnChange): Promise<void>
  /** Runs a scraper's health probe. */
  check(order: CheckOrder, signal: AbortSignal): Promise<CheckResult>
  /** Aborts the run on request. */
  abort(id: string): void
  /** Requeues the run to free its slot for other tenants; it continues later. */
  setBack(id: string): void
  /** Starts no further target, and aborts targets that still run after `milliseconds`. */
  halt(milliseconds: number): void
  /** Responds to a heartbeat with the bytes of its heap. */
  ping(): number
  /** Closes everything and ends the thread; only called without runs. */
  end(): Promise<void>
}

/** Number of targets with one result, `ok` or an error code, by one fetch method. */
export interface TargetCounts {
  code: string
  fetchMethod: string
  targets: number
  pages: number
  bytes: number
}

/**
 * Reports that something of a run was stored. `hasMovedOn`: more than log lines. `tallies`: targets
 * that finished since the last report. `spans`: spans since then, if runs are traced.
 */
export type OnChange = (hasMovedOn: boolean, tallies: TargetCounts[], spans: Span[]) => void
