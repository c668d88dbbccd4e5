import type { RunRow } from "../../../store/tables/schema.ts"
import type { FileSettings } from "../../net/files/files.ts"
import type { CheckOrder, CheckResult } from "../../ops/health/check.ts"
import type { Span } from "../traces/span.ts"

/** What a worker is started with. */
export interface WorkerStart {
  /** The path or the address of the store's. */
  database: string
  /** What its environment is made from (src/worker.ts): plain data. */
  settings: unknown
  /** How files of runs are kept. */
  files: FileSettings
  /** Milliseconds after which a run that does not end on request is abandoned. */
  unresponsiveMs: number
  /** For free runs: the thread has low priority. */
  isFree: boolean
  /** Runs are traced: their spans come with their changes. */
  isTraced: boolean
  /** To the writer of the store. */
  writer: MessagePort
  /** Ports to the services of the main thread that workers share (rate limits, Chrome), by name. */
  services: Record<string, MessagePort>
}

/** A worker as the main thread has it. */
export interface WorkerInterface {
  /** Resolves when it can take runs, with the thread's number where the system gives one. */
  start(start: WorkerStart): Promise<number | null>
  /** Resolves when the attempt has ended; the store has the result. @throws errors outside the run */
  execute(run: RunRow, onChange: OnChange): Promise<void>
  /** Runs a scraper's health probe. */
  check(order: CheckOrder, signal: AbortSignal): Promise<CheckResult>
  /** Ends the run on request. */
  abort(id: string): void
  /** Requeues the run to free its slot for other tenants; it continues later. */
  setBack(id: string): void
  /** Starts no further target, and gives up targets that still run after `milliseconds`. */
  halt(milliseconds: number): void
  /** A sign of life: the bytes of its heap. */
  ping(): number
  /** Closes everything and ends the thread; only called when no run is in hand. */
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
 * Something of a run was stored; it has moved on when that was more than a line of its log.
 * `tallies`: of the targets that ended since the last report. `spans`: since then, if runs are traced.
 */
export type OnChange = (hasMovedOn: boolean, tallies: TargetCounts[], spans: Span[]) => void
