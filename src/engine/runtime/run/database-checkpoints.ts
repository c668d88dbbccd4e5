import { BoundedMap } from "../../../base/bounded-map.ts"
import { Changed, type FileToKeep, type StoredFile } from "../../../catalogue/kit/index.ts"
import { persist } from "../../../store/db/disk/persist.ts"
import type { RunCounts } from "../../../store/db/run-counts.ts"
import { itemErrors, type NewItem } from "../../../store/runs/items.ts"
import { memoryOwner, remembered, seriesOf } from "../../../store/runs/memory.ts"
import { type NewNote, notesFor } from "../../../store/runs/notes.ts"
import { suspiciousTarget } from "../../../store/runs/requeue.ts"
import { storedCookies } from "../../../store/runs/reused-cookies.ts"
import type { NewLogLine } from "../../../store/runs/run-log.ts"
import { type FinishedTarget, queuedTargets } from "../../../store/runs/targets.ts"
import type { Store } from "../../../store/store.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { CookieStore } from "../../net/cookies/run-cookies.ts"
import type { Files } from "../../net/files/files.ts"
import {
  type CheckpointStore,
  type FollowedTarget,
  isErrorItem,
  type LogLine,
  type Note,
  type Progress,
  type QueuedTarget,
  type TargetResult,
} from "./checkpoints.ts"
import { LogBuffer } from "./log-buffer.ts"

export interface StoreCheckpointOptions {
  store: Store
  /** The claimed run; only this attempt may write. */
  run: RunRow
  tier: "free" | "premium"
  /** Maximum targets of the run at a time: those that run, or wait for their commit. */
  concurrency: number
  /** Stores files of the run; missing if another checkpoint store does it. */
  files?: Pick<Files, "put">
  /** Called after each commit, with the targets that it stored. */
  onProgress?(finished: readonly FinishedTarget[]): void
  /** Called when lines of the log were stored. */
  onLog?(): void
  /** Called for each change, which takes long while the disk is full or failing. */
  writing?(change: Promise<unknown>): void
}

interface Finishing {
  target: FinishedTarget
  size: number
  resolve(progress: Progress): void
  reject(reason: unknown): void
}

/** Number of targets read in advance. */
const prefetch = 100
/** Minimum interval between the commits of a run that has other work in the meantime. */
const gatherMs = 5
/** With more running targets than this, a run has other work even if it can start no more. */
const manyRunning = 4
/** Maximum targets of a commit, and characters of their items, before its last target. */
const commitTargets = 256
const commitChars = 4_000_000
const errorsStored = 10_000
/**
 * Maximum remembered target keys, so that a link that is on every page is not sent to the store
 * each time.
 */
const keysStored = 20_000

/**
 * A run's checkpoints in the database. Targets that finish during a commit form the next one, so a
 * run has one change in the writer at a time. If the run has other work meanwhile, they are collected
 * for some milliseconds, because a commit costs more than its contents.
 */
export class DatabaseCheckpoints implements CheckpointStore {
  private readonly known = new BoundedMap<string, true>(keysStored)
  private readonly lines: LogBuffer
  private readonly staged = new Map<number, number>()
  private counts: Progress
  /** Finished targets, whether stored yet or not. */
  private done: number
  private seriesOfRun?: Promise<string>
  private ahead: QueuedTarget[] = []
  private cursor = -1
  private started: number[] = []
  /** Targets that will be marked as running by a change of their own. */
  private starting: number[] = []
  private marking?: Promise<void> | undefined
  private noted: NewNote[] = []
  private finishing: Finishing[] = []
  private committing?: Promise<void>
  /** Whether the run's status contains a reason for waiting. */
  private isWaiting = false
  private running = 0
  private committedAt = 0
  /** Ends the collection of targets for the next commit. */
  private stopGathering?: (() => void) | undefined

  constructor(private readonly options: StoreCheckpointOptions) {
    this.counts = progressOf(options.run)
    this.done = this.counts.targetsDone
    this.lines = new LogBuffer((lines, waits) => this.keepLog(lines, waits))
  }

  async take(limit: number): Promise<QueuedTarget[]> {
    if (this.ahead.length === 0) await this.readAhead(Math.max(limit, prefetch))
    return this.ahead.splice(0, limit)
  }

  private async readAhead(limit: number): Promise<void> {
    const { store, run } = this.options
    const rows = await queuedTargets(store.db, { runN: run.n, after: this.cursor, limit })
    this.cursor = rows.at(-1)?.seq ?? this.cursor
    this.ahead = rows.map(({ seq, target, suspicion }) => ({
      seq,
      target: JSON.parse(target),
      ...(suspicion >= suspiciousTarget ? { refused: crashed() } : {}),
    }))
  }

  /** Sent to the writer immediately, because the target may crash this thread. */
  begin(seq: number): void {
    this.running++
    if (this.options.store.isShared) {
      this.starting.push(seq)
      this.marking ??= this.markAll()
      return
    }
    this.started.push(seq)
    this.commitSoon()
  }

  /**
   * In a shared database, a commit takes several round trips, and results that are ready would wait for that of
   * a start. An attempt that was given up is noticed by its next commit.
   */
  private async markAll(): Promise<void> {
    while (this.starting.length > 0) {
      const seqs = this.starting
      this.starting = []
      await this.write("targets.begin", { ...this.attempt, seqs }).catch(() => {})
    }
    this.marking = undefined
  }

  async stage(seq: number, items: Record<string, unknown>[]): Promise<void> {
    const from = this.staged.get(seq) ?? 0
    await this.write("items.stage", { ...this.attempt, seq, from, items: items.map(toNewItem) })
    this.staged.set(seq, from + items.length)
  }

  async discard(seq: number): Promise<void> {
    if (!this.staged.delete(seq)) return
    await this.write("items.discard", { ...this.attempt, seq })
  }

  note({ value, ...note }: Note): void {
    this.noted.push({ ...note, body: JSON.stringify(value ?? null) })
    // A time slice may be interrupted at any point, and must not interrupt a commit.
    setImmediate(() => this.commitSoon())
  }

  async keepFile(seq: number, file: FileToKeep, signal?: AbortSignal): Promise<StoredFile> {
    const { files, run } = this.options
    if (!files) throw new Error("These checkpoints store no files.")
    const owner = { ...this.attempt, seq, accountId: run.account_id }
    return files.put({ write: this.write }, owner, file, {
      ...(signal && { signal }),
      onWait: (message) => this.log({ at: Date.now(), level: "warning", message, waits: true }),
    })
  }

  async notes(seq: number): Promise<Note[]> {
    await this.committed()
    const { store, run } = this.options
    const notes = await notesFor(store.db, run.n, seq)
    return notes.map(({ body, ...note }) => ({ ...note, value: JSON.parse(body) }))
  }

  finish(seq: number, result: TargetResult): Promise<Progress> {
    this.running--
    const target: FinishedTarget = {
      seq,
      failed: result.failed,
      staged: this.staged.get(seq) ?? 0,
      items: result.items.map(toNewItem),
      followed: this.newTargets(result.followed),
      pages: result.pages,
      unlockerPages: result.unlockerPages,
      modelAnswers: result.modelAnswers ?? 0,
      bytes: result.bytes,
      ...(result.fetchMethod && { fetchMethod: result.fetchMethod }),
      remembered: jsonTexts(result.remembered),
      tables: result.tables,
    }
    this.staged.delete(seq)
    this.starting = this.starting.filter((other) => other !== seq)
    const size = target.items.reduce((total, { body }) => total + body.length, 0)
    return new Promise((resolve, reject) => {
      this.finishing.push({ target, size, resolve, reject })
      this.commitSoon()
    })
  }

  private newTargets(followed: FollowedTarget[]): [string, string][] {
    return followed
      .filter(({ key }) => this.isNew(key))
      .map(({ key, target }) => [key, JSON.stringify(target)])
  }

  private isNew(key: string): boolean {
    if (this.known.get(key)) return false
    this.known.set(key, true)
    return true
  }

  private commitSoon(): void {
    if (this.isBehind) this.committing ??= this.commitAll()
    if (!this.hasOtherWork) this.stopGathering?.()
  }

  private get hasOtherWork(): boolean {
    const { running, finishing, options } = this
    if (running === 0) return false
    return running > manyRunning || running + finishing.length < options.concurrency
  }

  private get isBehind(): boolean {
    return this.started.length + this.noted.length + this.finishing.length > 0
  }

  /** Resolves when everything recorded before is stored. */
  private async committed(): Promise<void> {
    this.commitSoon()
    await this.committing
  }

  private async commitAll(): Promise<void> {
    while (this.isBehind) {
      const wait = this.committedAt + gatherMs - performance.now()
      if (wait > 0 && this.hasOtherWork) await this.gather(wait)
      await this.commit()
      this.committedAt = performance.now()
    }
    // Immediately after the last check, so that a later target starts another commit.
    this.committing = undefined
  }

  private async gather(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, milliseconds)
    this.stopGathering = resolve
    await promise
    clearTimeout(timer)
    this.stopGathering = undefined
  }

  private async commit(): Promise<void> {
    const batch = this.nextBatch()
    const ending = new Set(batch.map(({ target }) => target.seq))
    const started = this.started.filter((seq) => !ending.has(seq))
    const notes = this.noted
    this.started = []
    this.noted = []
    const { run, tier } = this.options
    const isOn = this.isWaiting && batch.length > 0
    if (isOn) this.isWaiting = false
    try {
      const counts = await this.write("targets.commit", {
        ...this.attempt,
        started: started,
        notes,
        finished: batch.map(({ target }) => target),
        runId: run.id,
        accountId: run.account_id,
        memoryOwner: memoryOwner(run),
        keyId: run.key_id,
        maxCredits: run.max_credits,
        slug: run.slug,
        tier,
        ...(isOn && { movesOn: true }),
        at: new Date().toISOString(),
      })
      this.counts = counts
      this.done += batch.length
      for (const { resolve } of batch) resolve({ ...counts })
      if (batch.length > 0) this.options.onProgress?.(batch.map(({ target }) => target))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  private nextBatch(): Finishing[] {
    let size = 0
    let count = 0
    for (const finishing of this.finishing) {
      if (count === commitTargets || size > commitChars) break
      size += finishing.size
      count++
    }
    return this.finishing.splice(0, count)
  }

  progress(): Progress {
    return { ...this.counts }
  }

  get targetsDone(): number {
    return this.done
  }

  errors(): Promise<{ code: string; message: string }[]> {
    const { store, run } = this.options
    return itemErrors(store.db, run.n, errorsStored)
  }

  log(line: LogLine): void {
    this.lines.add(line)
  }

  private async keepLog(lines: NewLogLine[], waits: string | undefined): Promise<void> {
    await this.write("log.append", { runN: this.options.run.n, lines, waits })
    if (waits !== undefined) this.isWaiting = true
    this.options.onLog?.()
  }

  readonly cookies: CookieStore = {
    load: (visit) => storedCookies(this.options.store.db, visit, new Date().toISOString()),
    keep: async (visits) => {
      await this.write("cookies.keep", { visits, at: new Date().toISOString() })
    },
    drop: async (visits) => {
      await this.write("cookies.drop", { visits, at: new Date().toISOString() })
    },
  }

  async memoryGet(key: string): Promise<unknown> {
    const { store, run } = this.options
    return remembered(store.db, { owner: memoryOwner(run), slug: run.slug, key })
  }

  series(): Promise<string> {
    const { store, run } = this.options
    this.seriesOfRun ??= seriesOf(store.db, run)
    return this.seriesOfRun
  }

  /** Resolves when everything recorded is on disk. */
  async settle(): Promise<void> {
    await this.committed()
    await this.lines.flush()
  }

  private get attempt() {
    return { runN: this.options.run.n, attempt: this.options.run.attempt }
  }

  private write: Store["write"] = (command, args) => {
    const { store, run } = this.options
    const requested = { ...(args as object), soft: run.account_id === null } as typeof args
    const change = persist(() => store.write(command, requested))
    this.options.writing?.(change)
    return change
  }
}

function progressOf(run: RunRow): RunCounts {
  return {
    itemCount: run.item_count,
    errorCount: run.error_count,
    pageCount: run.page_count,
    targetsDone: run.targets_done,
    targetsFailed: run.targets_failed,
    targetsTotal: run.targets_total,
    outOfCredit: false,
  }
}

function toNewItem(item: Record<string, unknown>): NewItem {
  return { body: JSON.stringify(item), isError: isErrorItem(item) }
}

function jsonTexts(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, JSON.stringify(value ?? null)]),
  )
}

function crashed(): Changed {
  return new Changed("This target crashed the worker several times and was skipped.", {
    code: "crashed",
  })
}
