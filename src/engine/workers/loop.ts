import { messageOf } from "../../base/error-message.ts"
import { Aborted, type AnyScraper, Timeout } from "../../catalogue/kit/index.ts"
import { connectStore, type Store } from "../../store/store.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { PortWriter } from "../../store/writer/writer-port.ts"
import { type Environment, keylessWorld } from "../environment/environment.ts"
import { executeRun, type RunEnd } from "../run/execute.ts"
import { persist } from "../run/persist.ts"
import { StoreJournal } from "../run/store-journal.ts"
import type { TurnLimits } from "../run/turns.ts"
import { Deadline } from "./deadline.ts"
import { watchHeap } from "./heap-watch.ts"
import type { WorkerCommand, WorkerReport, WorkerStart } from "./protocol.ts"
import { standBack, threadId } from "./thread-time.ts"

/** What a worker executes with; given by the thread's entry (src/worker.ts). */
export interface WorkerParts {
  scraperBySlug(slug: string): AnyScraper | undefined
  environment(settings: unknown, services: Record<string, MessagePort>): Promise<Environment>
}

const progressMs = 500

declare const self: Worker

/** Turns this thread into a worker: executes the runs that the supervisor hands to it. */
export function serveAsWorker(parts: WorkerParts): void {
  let worker: RunWorker | undefined
  self.onmessage = async ({ data }: MessageEvent<WorkerCommand>) => {
    if (data.type === "start") {
      worker = await RunWorker.start(parts, data, (report) => self.postMessage(report))
      return
    }
    if (data.type === "ping") self.postMessage({ type: "pong" } satisfies WorkerReport)
    else if (data.type === "execute") void worker!.execute(data.run)
    else if (data.type === "abort") worker!.abort(data.id)
    else if (data.type === "setBack") worker!.setBack(data.id)
    else if (data.type === "halt") worker!.halt(data.milliseconds)
    else await worker!.end()
  }
}

/** Why a run ends here that is to go on later. */
class SetBack extends Aborted {}

class RunWorker {
  private readonly runs = new Map<string, AbortController>()
  private readonly halting = new AbortController()
  private stopWatching?: () => void

  private constructor(
    private readonly parts: WorkerParts,
    private readonly store: Store,
    private readonly environment: Environment,
    private readonly stubbornMs: number,
    private readonly report: (report: WorkerReport) => void,
  ) {}

  static async start(
    parts: WorkerParts,
    { dataDir, settings, writer, services, stubbornMs, isFree }: WorkerStart,
    report: (report: WorkerReport) => void,
  ): Promise<RunWorker> {
    if (isFree) standBack()
    const store = connectStore(dataDir, new PortWriter(writer))
    const environment = await parts.environment(settings, services)
    const worker = new RunWorker(parts, store, environment, stubbornMs, report)
    report({ type: "ready", thread: threadId() })
    return worker
  }

  async execute(run: RunRow): Promise<void> {
    const control = new AbortController()
    const { id, attempt } = run
    this.runs.set(id, control)
    this.stopWatching ??= watchHeap()
    try {
      await this.attempt(run, control)
      this.report({ type: "ended", id, attempt })
    } catch (error) {
      const message = messageOf(error)
      this.report({ type: "gaveUp", id, attempt, message })
    } finally {
      if (this.runs.get(id) === control) this.runs.delete(id)
      if (this.runs.size === 0) this.rest()
    }
  }

  private rest(): void {
    this.stopWatching?.()
    this.stopWatching = undefined
  }

  private async attempt(run: RunRow, control: AbortController): Promise<void> {
    const scraper = this.parts.scraperBySlug(run.slug)
    if (!scraper) {
      const error = { code: "bad_input", message: `There is no scraper "${run.slug}" any more.` }
      return this.finish(run, { status: "failed", error, capped: null })
    }
    const seconds = run.timeout_seconds
    const deadline = new Deadline(seconds * 1000 - run.worked_ms, () =>
      control.abort(new Timeout(`The run took longer than ${seconds} s.`)),
    )
    const journal = this.journal(run, scraper, deadline)
    try {
      const end = await Promise.race([
        executeRun({
          scraper,
          input: JSON.parse(run.input),
          journal,
          environment: run.account_id === null ? keylessWorld(this.environment) : this.environment,
          signal: control.signal,
          turns: turnLimits(run, deadline),
          halt: this.halting.signal,
          ...(run.max_items === null ? {} : { maxItems: run.max_items }),
          ...(run.max_pages === null ? {} : { maxPages: run.max_pages }),
        }),
        stubborn(control.signal, this.stubbornMs),
      ])
      await journal.settle()
      if (end.status === "aborted" && control.signal.reason instanceof SetBack) {
        await this.putBack(run, "room", deadline.spentMs)
      } else await this.finish(run, end)
    } finally {
      deadline.clear()
    }
  }

  private journal(run: RunRow, scraper: AnyScraper, deadline: Deadline): StoreJournal {
    let reported = 0
    let reporting = false
    const report = () => {
      reporting = false
      reported = Date.now()
      this.report({ type: "progress", id: run.id })
    }
    return new StoreJournal({
      store: this.store,
      run,
      tier: scraper.tier,
      // The last commit is told, too, not only the first of each half second.
      onProgress: () => {
        if (reporting) return
        reporting = true
        setTimeout(report, Math.max(0, reported + progressMs - Date.now()))
      },
      onLog: (lines) => this.report({ type: "log", id: run.id, lines }),
      writing: (work) => deadline.spare(work),
    })
  }

  private async finish({ id, attempt }: RunRow, end: RunEnd): Promise<void> {
    const at = new Date().toISOString()
    const { status, error, capped } = end
    await persist(async () => {
      // A run that was cut off by the stop of the service is no aborted one.
      if (status === "halted" || (status === "aborted" && this.halting.signal.aborted)) {
        await this.store.write("runs.putBack", { id, attempt, cause: "stop", at })
      } else await this.store.write("runs.finish", { id, attempt, status, error, capped, at })
    })
  }

  private async putBack({ id, attempt }: RunRow, cause: "room", workedMs: number): Promise<void> {
    const at = new Date().toISOString()
    await persist(() => this.store.write("runs.putBack", { id, attempt, cause, workedMs, at }))
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
      for (const control of this.runs.values()) control.abort(new Aborted("The service stops."))
    }, milliseconds)
  }

  async end(): Promise<void> {
    await this.store.close()
    process.exit(0)
  }
}

/** Of a keyless run's time, the part for which it may keep the processor busy. */
const keylessBusyShare = 0.25

/** Reading pages counts against a run's time, too, and nobody's page may hold the thread beyond it. */
function turnLimits({ account_id, timeout_seconds }: RunRow, deadline: Deadline): TurnLimits {
  const timeLeftMs = () => deadline.timeLeftMs
  if (account_id !== null) return { timeLeftMs }
  return { timeLeftMs, totalMs: timeout_seconds * 1000 * keylessBusyShare }
}

/** The end of a run whose scraper does not heed its signal. */
function stubborn(signal: AbortSignal, milliseconds: number): Promise<RunEnd> {
  return new Promise((resolve) => {
    const giveUp = () =>
      setTimeout(() => {
        const reason = signal.reason as Aborted | Timeout
        const status = reason instanceof Timeout ? "timed_out" : "aborted"
        const error = status === "timed_out" ? { code: reason.code, message: reason.message } : null
        resolve({ status, error, capped: null })
      }, milliseconds)
    signal.addEventListener("abort", giveUp, { once: true })
  })
}
