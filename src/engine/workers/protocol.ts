import type { NewLogLine } from "../../store/runs/run-log.ts"
import type { RunRow } from "../../store/tables/schema.ts"

/** What a worker is started with. */
export interface WorkerStart {
  type: "start"
  dataDir: string
  /** What its environment is made from (src/worker.ts): plain data. */
  settings: unknown
  /** For a run that was told to end and does not: after this time it is left alone. */
  stubbornMs: number
  /** For runs that nobody pays for: the thread stands back behind the others. */
  isFree: boolean
  /** To the writer of the store. */
  writer: MessagePort
  /** To the services in the main thread that all workers share (pace, Chrome), by name. */
  services: Record<string, MessagePort>
}

export type WorkerCommand =
  | WorkerStart
  | { type: "execute"; run: RunRow }
  /** The run's account asked for its end. */
  | { type: "abort"; id: string }
  /** The run is to make room for those of others: it is put back, and goes on later. */
  | { type: "setBack"; id: string }
  /** No target is to be begun any more; those still under way after a time are given up. */
  | { type: "halt"; milliseconds: number }
  | { type: "ping" }
  /** Close everything and end; only sent when no run is in hand. */
  | { type: "end" }

export type WorkerReport =
  /** With the thread's number, where the system gives one. */
  | { type: "ready"; thread: number | null }
  | { type: "pong" }
  /** A commit was made; at most every half second for each run. */
  | { type: "progress"; id: string }
  | { type: "log"; id: string; lines: NewLogLine[] }
  /** The attempt is over, and the store says how. */
  | { type: "ended"; id: string; attempt: number }
  /** The worker cannot go on with the run, for no fault of the run's. */
  | { type: "gaveUp"; id: string; attempt: number; message: string }
