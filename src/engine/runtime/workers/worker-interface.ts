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
  /** For a run that was told to end and does not: after this time it is left alone. */
  unresponsiveMs: number
  /** For runs that nobody pays for: the thread has low priority. */
  isFree: boolean
  /** Runs are traced: their spans come with their changes. */
  isTraced: boolean
  /** To the writer of the store. */
  writer: MessagePort
  /** To the services in the main thread that all workers share (pace, Chrome), by name. */
  services: Record<string, MessagePort>
}

/** A worker as the main thread has it. */
export interface WorkerInterface {
  /** Resolves when it can take runs, with the thread's number where the system gives one. */
  start(start: WorkerStart): Promise<number | null>
  /** Resolves when the attempt is over, and the store says how. @throws what is no fault of the run */
  execute(run: RunRow, onChange: OnChange): Promise<void>
  /** Tries a scraper by its canary. */
  check(order: CheckOrder, signal: AbortSignal): Promise<CheckResult>
  /** The run's account asked for its end. */
  abort(id: string): void
  /** The run is to make room for those of others: it is requeued, and goes on later. */
  setBack(id: string): void
  /** No target is to be begun any more; those still under way after a time are given up. */
  halt(milliseconds: number): void
  /** A sign of life: the bytes of its heap. */
  ping(): number
  /** Closes everything and ends the thread; only called when no run is in hand. */
  end(): Promise<void>
}

/** Targets that came to one end, `ok` or the code of an error, by one way in. */
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
