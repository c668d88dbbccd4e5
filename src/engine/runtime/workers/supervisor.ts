import { messageOf } from "../../../base/error-message.ts"
import { every, type Loop } from "../../../base/every.ts"
import { secondMs } from "../../../base/time.ts"
import type { Quota } from "../../../store/accounts/free-quota.ts"
import { storeTime } from "../../../store/db/dialect.ts"
import { newId } from "../../../store/db/ids.ts"
import { lockFolder } from "../../../store/folder-lock.ts"
import {
  isOver,
  isTimeForQueued,
  type NewRun,
  type QueuedRun,
  runById,
} from "../../../store/runs/runs.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { CheckOrder, CheckResult } from "../../ops/health/check.ts"
import { targetRows } from "../run/checkpoints.ts"
import { currentTraceparent } from "../traces/calls.ts"
import { Dispatcher } from "./dispatcher.ts"
import type { DispatcherOptions } from "./dispatcher-options.ts"
import { RunEvents } from "./run-events.ts"
import type { RunListener, RunService, StartRun, WorkState } from "./runs.ts"
import { tenantOf } from "./shares.ts"
import type { Slot } from "./slots.ts"
import { sessionOf, workOf } from "./work-of.ts"

export type { WorkerService } from "./worker-context.ts"

export interface SupervisorOptions extends DispatcherOptions {
  /** Unlocks the data folder at the end, if the caller has locked it. Default: it is locked here. */
  unlock?(): void
  /** Receives messages for the operator. Default: standard error. */
  onError?(message: string): void
}

export interface Supervisor extends RunService {
  /** Resolves when the runs of an earlier process are queued again. */
  readonly ready: Promise<void>
  /** ID of this process among those that share the database; null if it does not share it. */
  readonly processId: string | null
  /** Current work, for metrics and health. */
  state(): WorkState
  /** Called when settings have changed: runs are taken by new workers with the new settings. */
  renewWorkers(): void
}

/** The service is shutting down and accepts no runs. */
export class Stopping extends Error {
  constructor() {
    super("The service is shutting down and accepts no new runs.")
  }
}

/** An anonymous caller has used its daily free quota; no run was stored. */
export class QuotaExhausted extends Error {}

const defaultTimeoutSeconds = 3600

/**
 * Executes runs durably in worker threads, and takes up what an earlier process left behind:
 *
 *     const { dataDir } = config
 *     const supervisor = createSupervisor({ store: openThreadedStore(dataDir), config })
 *     await supervisor.ready
 *     …
 *     await supervisor.stop(30_000)
 *     await store.close()
 *
 * @throws when another process serves from the same data folder.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  return new RunSupervisor(options)
}

class RunSupervisor implements Supervisor {
  readonly ready: Promise<void>
  private readonly events = new RunEvents()
  private readonly dispatcher: Dispatcher
  private readonly stopped = new AbortController()
  private readonly unlock: () => void
  private readonly advancing: Loop

  constructor(private readonly options: SupervisorOptions) {
    const { config, onError = console.error } = options
    this.unlock = options.unlock ?? lockFolder(config.dataDir)
    this.dispatcher = new Dispatcher(options, this.events, onError)
    this.ready = this.dispatcher.claimOrphans()
    this.advancing = every(secondMs, () => this.advance(), {
      onError(error) {
        if (options.store.hasReported(error)) return
        onError(`Queued runs could not be advanced: ${messageOf(error)}`)
      },
    })
  }

  async start(request: StartRun): Promise<RunRow> {
    await this.ready
    if (this.stopped.signal.aborted) throw new Stopping()
    const { quota = null } = request
    const id = request.id ?? newId("run")
    const tenant = tenantOf({ account_id: request.accountId }, request.caller)
    const run = newRun(id, request)
    // The response to an API call shows the run as queued.
    const slot = request.origin === "keyless" ? this.dispatcher.reserve(id, tenant) : undefined
    const started = await this.stored(run, quota, slot)
    if (slot && started.status === "running") this.dispatcher.begin(slot, started)
    else {
      if (slot) this.dispatcher.release(slot)
      this.dispatcher.queued(started, tenant)
    }
    return started
  }

  /** Stores a run. @throws QuotaExhausted, or if the run cannot be stored */
  private async stored(run: NewRun, quota: Quota | null, slot: Slot | undefined): Promise<RunRow> {
    try {
      const started = await this.options.store.write("runs.start", {
        ...{ run, quota, slot: this.dispatcher.stored(slot) },
        // Without an account, no client knows of it before its response is stored or sent.
        soft: run.accountId === null,
      })
      if (!started) throw new QuotaExhausted()
      return started
    } catch (error) {
      if (slot) this.dispatcher.release(slot)
      throw error
    }
  }

  queued(runs: readonly QueuedRun[]): void {
    for (const run of runs) this.dispatcher.queued(run)
  }

  /** Queues deferred runs whose time has come, and ends expired ones. */
  private async advance(): Promise<void> {
    const { store } = this.options
    const at = (await storeTime(store.db)).toISOString()
    if (!(await isTimeForQueued(store.db, at))) return
    const { due, expired } = await store.write("runs.advance", { at })
    this.queued(due)
    for (const run of expired) {
      this.dispatcher.drop(run)
      this.events.changed(run)
      this.options.onRun?.(run)
    }
  }

  async wait(id: string, milliseconds: number, signal?: AbortSignal): Promise<RunRow | undefined> {
    await this.ready
    const signals = [this.stopped.signal, ...(signal ? [signal] : [])]
    return this.events.whenOver(id, () => this.find(id), { milliseconds, signals })
  }

  async abort(id: string): Promise<RunRow | undefined> {
    await this.ready
    const before = await this.find(id)
    if (!before || isOver(before.status)) return before
    const run = await this.options.store.write("runs.abort", { id, at: now() })
    if (!run) return undefined
    this.dispatcher.drop(run)
    this.events.changed(run)
    return run
  }

  resume(id: string, keyId?: string | null): Promise<RunRow | undefined> {
    return this.again("runs.resume", id, keyId)
  }

  retry(id: string, keyId?: string | null): Promise<RunRow | undefined> {
    return this.again("runs.retry", id, keyId)
  }

  private async again(
    command: "runs.resume" | "runs.retry",
    id: string,
    keyId?: string | null,
  ): Promise<RunRow | undefined> {
    await this.ready
    if (this.stopped.signal.aborted) throw new Stopping()
    const run = await this.options.store.write(command, { id, ...(keyId && { keyId }) })
    if (run?.status === "queued") {
      this.events.changed(run)
      this.dispatcher.queued(run)
    }
    return run
  }

  subscribe(id: string, listener: RunListener): () => void {
    return this.events.subscribe(id, listener)
  }

  renewWorkers(): void {
    this.dispatcher.renewWorkers()
  }

  async check(order: CheckOrder, signal: AbortSignal): Promise<CheckResult> {
    await this.ready
    return this.dispatcher.check(order, signal)
  }

  get processId(): string | null {
    return this.dispatcher.processId
  }

  state(): WorkState {
    return this.dispatcher.state()
  }

  async stop(milliseconds: number): Promise<void> {
    await this.ready
    if (this.stopped.signal.aborted) return
    this.stopped.abort()
    await this.advancing.stop()
    await this.dispatcher.stop(milliseconds)
    this.unlock()
  }

  private find(id: string): Promise<RunRow | undefined> {
    return runById(this.options.store.db, id)
  }
}

/** Returns the run of a request for storage. */
function newRun(id: string, request: StartRun): NewRun {
  const {
    scraper: requested,
    caller: _caller,
    quota: _quota,
    expiresAfterSeconds,
    ...terms
  } = request
  const { scraper, input, recipe } = workOf(requested, terms.input)
  const createdAt = Date.now()
  const session = terms.session ?? undefined
  return {
    ...terms,
    id,
    datasetId: newId("ds"),
    slug: scraper.slug,
    recipe,
    input,
    maxItems: terms.maxItems ?? null,
    maxPages: terms.maxPages ?? null,
    session: terms.accountId === null ? null : sessionOf(requested, session),
    timeoutSeconds: terms.timeoutSeconds ?? defaultTimeoutSeconds,
    expiresAt: expiresAfterSeconds ? timeAt(createdAt + expiresAfterSeconds * 1000) : null,
    traceParent: currentTraceparent(),
    createdAt: timeAt(createdAt),
    targets: targetRows(scraper.targets(input)),
  }
}

const timeAt = (milliseconds: number) => new Date(milliseconds).toISOString()
const now = () => timeAt(Date.now())
