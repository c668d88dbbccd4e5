import { messageOf } from "../../../base/error-message.ts"
import { heapBytes } from "../../../base/process-usage.ts"
import { serve } from "../../../base/rpc.ts"
import { lowerPriority, threadId } from "../../../base/thread-time.ts"
import { Aborted, type AnyScraper, ScrapeError, Timeout } from "../../../catalogue/kit/index.ts"
import { persist } from "../../../store/db/disk/persist.ts"
import type { EndOfRun } from "../../../store/runs/finish.ts"
import type { FinishedTarget } from "../../../store/runs/targets.ts"
import { connectStore, type Store } from "../../../store/store.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { PortWriter } from "../../../store/writer/writer-port.ts"
import { type Environment, keylessWorld } from "../../fetch/environment.ts"
import { Files } from "../../net/files/files.ts"
import { UploadTransport } from "../../net/files/upload-transport.ts"
import { egressRulesOf } from "../../net/http/egress-route.ts"
import type { CheckOrder, CheckParts, CheckResult } from "../../ops/health/check.ts"
import { DatabaseCheckpoints } from "../run/database-checkpoints.ts"
import { concurrencyOf, type RunEnd } from "../run/execute.ts"
import type { SliceLimits } from "../run/time-slices.ts"
import { executeSignedIn, withoutOthers } from "../sessions/signed-in-run.ts"
import { RunSpans } from "../traces/run-spans.ts"
import { Deadline } from "./deadline.ts"
import { watchHeap } from "./heap-watch.ts"
import { type PreparedRun, prepareRun } from "./prepare-run.ts"
import type { OnChange, TargetCounts, WorkerInterface, WorkerStart } from "./worker-interface.ts"

/** Parts of a worker, provided by the thread's entry (src/worker.ts). */
export interface WorkerParts {
  scraperBySlug(slug: string): AnyScraper | undefined
  environment(
    settings: unknown,
    services: Record<string, MessagePort>,
    store: Store,
  ): Promise<Environment>
  /** Runs a health check; passed in, because it executes runs itself. */
  check(
    order: CheckOrder,
    parts: Pick<CheckParts, "environment" | "scraper" | "signal">,
  ): Promise<CheckResult>
}

/** Minimum milliseconds between two reports of a run's changes. */
const changeMs = 500

declare const self: Worker

/** Turns this thread into a worker that executes the dispatcher's runs. */
export function serveAsWorker(parts: WorkerParts): void {
  serve<WorkerInterface>(self, new RunWorker(parts))
}

/** The run stops here and is requeued. */
class SetBack extends Aborted {}

/** A worker, in a separate thread (serveAsWorker) or in the current one (tests). */
export class RunWorker implements WorkerInterface {
  private readonly runs = new Map<string, AbortController>()
  private readonly halting = new AbortController()
  private store!: Store
  private files!: Files
  private environment!: Environment
  private unresponsiveMs = 0
  private isTraced = false
  private stopWatching?: () => void

  constructor(
    private readonly parts: WorkerParts,
    private readonly hasThread = true,
  ) {}

  async start({
    database,
    settings,
    writer,
    services,
    files,
    unresponsiveMs,
    isFree,
    isTraced,
  }: WorkerStart): Promise<number | null> {
    if (isFree && this.hasThread) lowerPriority()
    this.store = connectStore(database, new PortWriter(writer))
    this.files = new Files(files)
    this.environment = await this.parts.environment(settings, services, this.store)
    this.unresponsiveMs = unresponsiveMs
    this.isTraced = isTraced
    return threadId()
  }

  ping(): number {
    return heapBytes()
  }

  async execute(run: RunRow, onChange: OnChange): Promise<void> {
    const control = new AbortController()
    this.runs.set(run.id, control)
    if (this.hasThread) this.stopWatching ??= watchHeap()
    try {
      await this.attempt(run, control, onChange)
    } finally {
      if (this.runs.get(run.id) === control) this.runs.delete(run.id)
      if (this.runs.size === 0) this.rest()
    }
  }

  private rest(): void {
    this.stopWatching?.()
    this.stopWatching = undefined
  }

  private async attempt(
    claimed: RunRow,
    control: AbortController,
    onChange: OnChange,
  ): Promise<void> {
    const ready = await this.prepared(claimed)
    if (!ready) return
    const { run, scraper, input, ignored } = ready
    const seconds = run.timeout_seconds
    const deadline = new Deadline(seconds * 1000 - run.worked_ms, () =>
      control.abort(new Timeout(`The run took longer than ${seconds} s.`)),
    )
    const spans = this.isTraced ? new RunSpans(run, () => changes.changed(false)) : undefined
    const changes = fewer(onChange, spans)
    const checkpoint = this.checkpoint(run, scraper, deadline, changes)
    if (ignored.length > 0) checkpoint.log(ignoredLine(ignored))
    try {
      const end = await Promise.race([
        executeSignedIn(run, {
          scraper,
          input,
          exit: egressRulesOf({ id: run.id, accountId: run.account_id }, input),
          checkpoint,
          spans,
          environment: this.environmentOf(run),
          signal: control.signal,
          sliceLimits: sliceLimits(run, deadline),
          halt: this.halting.signal,
          ...(run.max_items === null ? {} : { maxItems: run.max_items }),
          ...(run.max_pages === null ? {} : { maxPages: run.max_pages }),
        }),
        unresponsive(control.signal, this.unresponsiveMs),
      ])
      await checkpoint.settle()
      if (end.status === "aborted" && control.signal.reason instanceof SetBack) {
        await this.requeue(run, "room", deadline.spentMs)
      } else await this.finish(run, end, { done: checkpoint.targetsDone })
    } finally {
      changes.end()
      deadline.clear()
    }
  }

  /** Runs of accounts can read documents that are uploaded for them. */
  private environmentOf({ id, account_id, session }: RunRow): Environment {
    const { files } = this
    if (account_id === null) return keylessWorld(this.environment)
    const environment = session === null ? this.environment : withoutOthers(this.environment)
    return { ...environment, http: new UploadTransport(environment.http, files.storages, id) }
  }

  /** Prepares a run; returns undefined if it cannot start and has ended or was deferred. */
  private async prepared(run: RunRow): Promise<PreparedRun | undefined> {
    try {
      return await prepareRun(run, this.parts.scraperBySlug(run.slug), this.store)
    } catch (error) {
      if (error instanceof ScrapeError) {
        const { code, message } = error
        const end = { status: "failed", error: { code, message }, capped: null } as const
        await this.finish(run, end, { isInputRefused: true })
      } else {
        const { id, attempt } = run
        const reason = messageOf(error)
        await persist(() => this.store.write("runs.defer", { id, attempt, reason }))
      }
      return undefined
    }
  }

  private checkpoint(
    run: RunRow,
    scraper: AnyScraper,
    deadline: Deadline,
    { changed }: Changes,
  ): DatabaseCheckpoints {
    return new DatabaseCheckpoints({
      store: this.store,
      run,
      tier: scraper.tier,
      concurrency: concurrencyOf(scraper),
      files: this.files,
      onProgress: (finished) => changed(true, finished),
      onLog: () => changed(false),
      writing: (work) => deadline.spare(work),
    })
  }

  private async finish(
    { id, attempt, account_id }: RunRow,
    end: RunEnd,
    more: Pick<EndOfRun, "done" | "isInputRefused">,
  ): Promise<void> {
    const at = new Date().toISOString()
    const { status, error, capped } = end
    await persist(async () => {
      // A run that the shutdown interrupts is not aborted.
      if (status === "halted" || (status === "aborted" && this.halting.signal.aborted)) {
        await this.store.write("runs.requeue", { id, attempt, cause: "stop", at })
      } else
        await this.store.write("runs.finish", {
          id,
          attempt,
          status,
          error,
          capped,
          ...more,
          at,
          soft: account_id === null,
        })
    })
  }

  private async requeue({ id, attempt }: RunRow, cause: "room", workedMs: number): Promise<void> {
    const at = new Date().toISOString()
    await persist(() => this.store.write("runs.requeue", { id, attempt, cause, workedMs, at }))
  }

  check(order: CheckOrder, signal: AbortSignal): Promise<CheckResult> {
    const scraper = (slug: string) => this.parts.scraperBySlug(slug)
    return this.parts.check(order, { environment: this.environment, scraper, signal })
  }

  abort(id: string): void {
    this.runs.get(id)?.abort(new Aborted())
  }

  setBack(id: string): void {
    this.runs.get(id)?.abort(new SetBack())
  }

  halt(milliseconds: number): void {
    this.halting.abort()
    setTimeout(() => {
      for (const control of this.runs.values())
        control.abort(new Aborted("The service is shutting down."))
    }, milliseconds)
  }

  async end(): Promise<void> {
    await this.store.close()
    if (this.hasThread) process.exit(0)
  }
}

const ignoredLine = (fields: string[]) => ({
  at: Date.now(),
  level: "warning" as const,
  message: `Ignored input fields, which this version of the scraper does not have: ${fields.join(", ")}.`,
})

/** Reports the first change immediately, and later ones combined, including the last. */
function fewer(onChange: OnChange, spans?: RunSpans) {
  let notifiedAt = 0
  let hasMovedOn = false
  let isTelling = false
  let tallies = new Map<string, TargetCounts>()
  const report = () => {
    isTelling = false
    notifiedAt = Date.now()
    onChange(hasMovedOn, [...tallies.values()], spans?.take() ?? [])
    hasMovedOn = false
    tallies = new Map()
  }
  return {
    changed(moved: boolean, finished: readonly FinishedTarget[] = []): void {
      hasMovedOn ||= moved
      for (const target of finished) count(tallies, target)
      if (isTelling) return
      isTelling = true
      setTimeout(report, Math.max(0, notifiedAt + changeMs - Date.now()))
    },
    /** Sends the rest before the call with the reports ends. */
    end(): void {
      if (tallies.size > 0 || spans?.hasSome) report()
    },
  }
}

type Changes = ReturnType<typeof fewer>

function count(tallies: Map<string, TargetCounts>, target: FinishedTarget): void {
  const { failed, items, pages, bytes, fetchMethod = "none" } = target
  const code = failed ? codeOf(items.at(-1)?.body) : "ok"
  const key = `${fetchMethod} ${code}`
  const counts = tallies.get(key) ?? { code, fetchMethod, targets: 0, pages: 0, bytes: 0 }
  tallies.set(key, counts)
  counts.targets++
  counts.pages += pages
  counts.bytes += bytes
}

/** Returns the code of an error item. */
function codeOf(body = "{}"): string {
  return (JSON.parse(body) as { error?: { code?: string } }).error?.code ?? "unknown"
}

/** Maximum share of a keyless run's time that may be processor time. */
const keylessBusyShare = 0.25

/** Returns the limits of a time slice: parsing counts towards the run's timeout. */
function sliceLimits({ account_id, timeout_seconds }: RunRow, deadline: Deadline): SliceLimits {
  const timeLeftMs = () => deadline.timeLeftMs
  if (account_id !== null) return { timeLeftMs }
  return { timeLeftMs, totalMs: timeout_seconds * 1000 * keylessBusyShare }
}

/** Ends a run whose scraper ignores its abort signal. */
function unresponsive(signal: AbortSignal, milliseconds: number): Promise<RunEnd> {
  return new Promise((resolve) => {
    const abandon = () =>
      setTimeout(() => {
        const reason = signal.reason as Aborted | Timeout
        const status = reason instanceof Timeout ? "timed_out" : "aborted"
        const error = status === "timed_out" ? { code: reason.code, message: reason.message } : null
        resolve({ status, error, capped: null })
      }, milliseconds)
    signal.addEventListener("abort", abandon, { once: true })
  })
}
