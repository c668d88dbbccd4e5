import type {
  FetchMethod,
  FileToKeep,
  ScrapeError,
  StoredFile,
  Target,
} from "../../../catalogue/kit/index.ts"
import type { CookieStore } from "../../net/cookies/run-cookies.ts"

/** A target of a run. `seq` is its position in the run. */
export interface QueuedTarget {
  seq: number
  target: Target
  /** Reason why it must not be tried again. */
  refused?: ScrapeError
}

export interface Note {
  seq: number
  pages: number
  unlockerPages: number
  value: unknown
}

export interface FollowedTarget {
  key: string
  target: Target
}

/** The result of a finished target, stored in one transaction. */
export interface TargetResult {
  /** Items that were not staged, in order. Items with an `error` field count as errors. */
  items: Record<string, unknown>[]
  followed: FollowedTarget[]
  /** Whether there is only an error item. */
  failed: boolean
  /** Pages to charge, and how many of them were fetched by the unlocker. */
  pages: number
  unlockerPages: number
  /** Responses of the operator's model. */
  modelAnswers?: number
  /** Bytes of all its pages, charged or not. */
  bytes: number
  /** The most capable fetch method that it needed. */
  fetchMethod?: FetchMethod
  /** Values for the scraper's memory, by key. */
  remembered: Record<string, unknown>
  /** Sites whose site constants were confirmed by this success, if it should be recorded. */
  tables: string[]
}

export interface Progress {
  itemCount: number
  errorCount: number
  pageCount: number
  targetsDone: number
  targetsTotal: number
  targetsFailed: number
  /** Whether the account could not pay for this target. */
  outOfCredit: boolean
}

export interface LogLine {
  at: number
  level: "info" | "warning" | "error"
  message: string
  /** Whether it is the reason why the run waits. */
  waits?: boolean
}

/**
 * The durable state of a run: its targets, items, notes and log, from which an interrupted run is
 * resumed. Only the executor (execute.ts) uses it. Every promise resolves when the change is on
 * disk.
 */
export interface CheckpointStore {
  /** Returns the next queued targets in order, each only once. */
  take(limit: number): Promise<QueuedTarget[]>
  /** Records that a target is running, as a possible cause of a crash. */
  begin(seq: number): void
  /** Stores items of a running target; they become visible when it has finished. */
  stage(seq: number, items: Record<string, unknown>[]): Promise<void>
  /** Deletes the staged items before the target is retried. */
  discard(seq: number): Promise<void>
  /** Stores a note of a running target, at the latest when the target finishes. */
  note(note: Note): void
  /**
   * Stores a file of a running target, with retries while the storage is unavailable. @throws
   * TooLarge
   */
  keepFile(seq: number, file: FileToKeep, signal?: AbortSignal): Promise<StoredFile>
  /** Returns the notes of a target and of finished targets, in order. */
  notes(seq: number): Promise<Note[]>
  finish(seq: number, result: TargetResult): Promise<Progress>
  progress(): Progress
  /** Returns the errors of all error items so far, including earlier attempts at the run. */
  errors(): Promise<{ code: string; message: string }[]>
  log(line: LogLine): void
  /** Stores cookies beyond the run; missing if nothing is stored. */
  readonly cookies?: CookieStore
  memoryGet(key: string): Promise<unknown>
  /** Returns the ID of the run's schedule or recipe; "" if there is none. */
  series?(): Promise<string>
}

/** The key that identifies a target; the same target is processed once per run. */
export function targetKey(target: Target): string {
  return typeof target === "string" ? target : JSON.stringify(target)
}

/** Returns targets for storage, in order and without duplicates. */
export function targetRows(targets: Iterable<Target>): { key: string; target: string }[] {
  const rows = new Map<string, string>()
  for (const target of targets) {
    const key = targetKey(target)
    if (!rows.has(key)) rows.set(key, JSON.stringify(target))
  }
  return [...rows].map(([key, target]) => ({ key, target }))
}

/** Whether an item is an error item. */
export function isErrorItem(item: Record<string, unknown>): boolean {
  const error = item.error
  return typeof error === "object" && error !== null && "code" in error
}
