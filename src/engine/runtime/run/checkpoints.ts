import type {
  FetchMethod,
  FileToKeep,
  ScrapeError,
  StoredFile,
  Target,
} from "../../../catalogue/kit/index.ts"
import type { CookieStore } from "../../net/cookies/run-cookies.ts"

/** A target in a run's frontier. `seq` is its place in the run's order. */
export interface QueuedTarget {
  seq: number
  target: Target
  /** Why it must not be tried any more. */
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

/** What a finished target leaves behind; stored in one transaction. */
export interface TargetResult {
  /** Items that were not staged, in order. Those with an `error` field count as errors. */
  items: Record<string, unknown>[]
  followed: FollowedTarget[]
  /** No good item came, only an error item. */
  failed: boolean
  /** Upstream answers to be charged, and how many of them came through the unlocker. */
  pages: number
  unlockerPages: number
  /** Answers of the operator's model. */
  modelAnswers?: number
  /** Of all pages that were read for it, charged or not. */
  bytes: number
  /** The most capable fetch method that it needed. */
  fetchMethod?: FetchMethod
  /** Values for the scraper's memory, by key. */
  remembered: Record<string, unknown>
  /** Sites with whose tables of rotating values it succeeded, where that is news. */
  tables: string[]
}

export interface Progress {
  itemCount: number
  errorCount: number
  pageCount: number
  targetsDone: number
  targetsTotal: number
  targetsFailed: number
  /** The account could not pay for this target. */
  outOfCredit: boolean
}

export interface LogLine {
  at: number
  level: "info" | "warning" | "error"
  message: string
  /** It says what the run waits for. */
  waits?: boolean
}

/**
 * The durable state of one run: its frontier, items, notes and log, by which an interrupted run is
 * resumed. The executor (execute.ts) is the only caller; every promise resolves when the change is
 * on disk.
 */
export interface CheckpointStore {
  /** The next queued targets in order, none of them handed out before. */
  take(limit: number): Promise<QueuedTarget[]>
  /** Notes that a target is running, as a possible cause of a crash. */
  begin(seq: number): void
  /** Stores items of a running target; they count once it has finished. */
  stage(seq: number, items: Record<string, unknown>[]): Promise<void>
  /** Drops the staged items before the target is retried. */
  discard(seq: number): Promise<void>
  /** Stores a note of a running target, soon, and at the latest with the target's end. */
  note(note: Note): void
  /** Stores a file of a running target; waits for a storage that is away. @throws TooLarge */
  keepFile(seq: number, file: FileToKeep, signal?: AbortSignal): Promise<StoredFile>
  /** The notes of a target and of those that are done, in their order. */
  notes(seq: number): Promise<Note[]>
  finish(seq: number, result: TargetResult): Promise<Progress>
  progress(): Progress
  /** The errors of the error items so far: those of earlier attempts at the run. */
  errors(): Promise<{ code: string; message: string }[]>
  log(line: LogLine): void
  /** Stores cookies beyond the run; absent if nothing is stored. */
  readonly cookies?: CookieStore
  memoryGet(key: string): Promise<unknown>
  /** The ID of the run's schedule or recipe; absent or "" without one. */
  series?(): Promise<string>
}

/** The key by which a target is known; the same target is worked on once a run. */
export function targetKey(target: Target): string {
  return typeof target === "string" ? target : JSON.stringify(target)
}

/** Targets as they are stored, in order and each once. */
export function targetRows(targets: Iterable<Target>): { key: string; target: string }[] {
  const rows = new Map<string, string>()
  for (const target of targets) {
    const key = targetKey(target)
    if (!rows.has(key)) rows.set(key, JSON.stringify(target))
  }
  return [...rows].map(([key, target]) => ({ key, target }))
}

/** Items whose place is held by an error. */
export function isErrorItem(item: Record<string, unknown>): boolean {
  const error = item.error
  return typeof error === "object" && error !== null && "code" in error
}
