import { messageOf } from "../../../base/error-message.ts"
import { type RequeueCause, requeueCauseOf } from "../../../store/runs/requeue.ts"
import {
  isOver,
  orphanedRuns,
  type QueuedRun,
  queuedRuns,
  type ReservedSlot,
} from "../../../store/runs/runs.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { CheckOrder, CheckResult } from "../../ops/health/check.ts"
import { type Hands, SharedWork } from "../shared/shared-work.ts"
import { Attempts } from "./attempts.ts"
import type { DispatcherOptions } from "./dispatcher-options.ts"
import { folderName } from "./folder-name.ts"
import { NoFreeSlot, type WorkerPool } from "./pool.ts"
import { poolFor } from "./pool-for.ts"
import type { RunEvents } from "./run-events.ts"
import type { WorkState } from "./runs.ts"
import { isKeyless, tenantOf } from "./shares.ts"
import { type Holding, runsToSetBack, type SlotUse } from "./slot-givers.ts"
import { SlotTimer } from "./slot-timer.ts"
import { type Slot, Slots } from "./slots.ts"

type InHand = Slot & Holding

/** Interval for checking whether a run has to free its slot. */
const freeSlotsMs = 250
/** Delay of the check for a newly queued run, so that many are handled together. */
const newcomerMs = 20
/** Pause after a worker that failed to start. */
const startAgainMs = 5000
/** Additional milliseconds at shutdown for the last commits of running targets. */
const stopSlackMs = 2000

/** Assigns queued runs to workers fairly, and requeues those that they could not finish. */
export class Dispatcher {
  private readonly slots: Slots
  private readonly inHand = new Map<string, InHand>()
  private readonly slotTimer = new SlotTimer(() => {
    this.freeSlots(this.slots.waitingTenants())
    this.dispatch()
  })
  private readonly pool: WorkerPool
  private readonly attempts: Attempts
  /** Set if several processes share the database. */
  private readonly shared: SharedWork | undefined
  /** Runs taken from the shared queue that have not started. */
  private readonly claimed = new Map<string, RunRow>()
  private readonly sliceMs: number
  private stopping = false
  private resting = false
  private onEmptyHanded?: () => void

  constructor(
    private readonly options: DispatcherOptions,
    private readonly events: RunEvents,
    private readonly onError: (message: string) => void,
  ) {
    this.sliceMs = options.sliceMs ?? 10_000
    this.attempts = new Attempts(options.store)
    this.pool = poolFor(options, (runs, reason) => void this.noted(this.recover(runs, reason)))
    this.slots = new Slots(
      this.pool,
      (account) => options.runsAtOnceOf?.(account) ?? options.config.runsPerAccount,
    )
    if (options.store.isShared) this.shared = this.sharing()
  }

  private sharing(): SharedWork {
    const { store, config } = this.options
    return new SharedWork({
      store,
      directUrl: config.databaseDirectUrl,
      folder: folderName(config.dataDir),
      events: this.events,
      hands: this.hands(),
      onRequeued: (runs) => this.options.onRequeued?.("process", runs),
      onError: this.onError,
    })
  }

  /** Requeues the runs of an earlier process, and queues all waiting runs. */
  async claimOrphans(): Promise<void> {
    const { store } = this.options
    if (this.shared) return this.shared.start()
    for (const { id, attempt } of await orphanedRuns(store.db)) {
      const run = await this.attempts.abandon(id, attempt, "process")
      if (run?.status === "queued") this.options.onRequeued?.("process", 1)
    }
    for (const run of await queuedRuns(store.db)) this.enqueue(run)
    this.dispatch()
  }

  /** Announces a queued run for workers of this process or of any that shares the database. */
  queued(run: QueuedRun, tenant?: string): void {
    if (this.shared) {
      this.shared.queued(run.id, tenant)
      return
    }
    this.enqueue(run, tenant)
    this.dispatch()
    if (this.slots.has(run.id)) this.slotTimer.within(newcomerMs)
  }

  /**
   * Reserves a slot for a run that is about to be stored, so that it is stored as running. Returns
   * undefined if the run has to wait: for a ready worker, behind other runs, or for other
   * processes.
   */
  reserve(id: string, tenant: string): Slot | undefined {
    if (this.stopping || this.resting) return undefined
    if (this.shared && !(isKeyless(tenant) && this.shared.isIdle)) return undefined
    return this.slots.reserve({ id, tenant }, true)
  }

  /** Returns the part of a reserved slot for the store. */
  stored(slot: Slot | undefined): ReservedSlot | null {
    return slot ? { processId: this.processId } : null
  }

  /** Returns the ID of this process among those that share the database; null if there are no others. */
  get processId(): string | null {
    return this.shared?.processId ?? null
  }

  /** Queues a run; `dispatch` assigns it to a worker. */
  private enqueue(run: QueuedRun, tenant = tenantOf(run)): void {
    // With many processes, one ends now and then, which is not necessarily the fault of its runs.
    const isSuspicious = run.suspicion > (this.shared ? 1 : 0)
    // The run was resumed before the worker reported its end.
    if (this.inHand.has(run.id)) this.settle(run.id, undefined)
    this.slots.add({ id: run.id, tenant, priority: run.priority, isSuspicious })
  }

  /** Removes a queued run that has ended or is being aborted. */
  drop(run: RunRow): void {
    if (isOver(run.status)) this.slots.remove(run.id)
    if (run.status === "aborting") this.abort(run.id)
  }

  private abort(id: string): void {
    const waiting = this.claimed.get(id)
    if (waiting) this.giveBack(waiting)
    else this.inHand.get(id)?.worker.abort(id)
  }

  /**
   * Releases a claimed run that no worker has: it is queued again, or ends if that was requested.
   */
  private giveBack({ id, attempt }: Pick<RunRow, "id" | "attempt">): void {
    this.forget(id)
    const ended = this.attempts.abandon(id, attempt, "stop").then((run) => {
      if (run) this.events.changed(run)
    })
    void this.noted(ended)
  }

  private forget(id: string): void {
    this.claimed.delete(id)
    this.slots.remove(id)
  }

  /** Returns this process's runs for the shared work. */
  private hands(): Hands {
    return {
      room: () => {
        const waiting = [...this.claimed.values()]
        const keyless = waiting.filter(({ account_id }) => account_id === null).length
        return {
          slots: this.stopping ? 0 : this.slots.tenants.placesLeft - waiting.length,
          keyless: this.slots.tenants.keylessLeft - keyless,
        }
      },
      limits: () => ({
        perAccount: this.options.config.runsPerAccount,
        limits: this.options.runLimits?.() ?? {},
      }),
      take: (runs) => {
        for (const run of runs) {
          this.claimed.set(run.id, run)
          this.enqueue(run, this.shared?.tenantOf(run.id) ?? tenantOf(run))
        }
        this.dispatch()
      },
      ids: () => [...this.inHand.keys(), ...this.claimed.keys()],
      has: (id) => this.inHand.has(id) || this.claimed.has(id),
      abort: (id) => this.abort(id),
      lose: (id) => {
        if (this.claimed.has(id)) this.forget(id)
        else this.inHand.get(id)?.worker.setBack(id)
      },
      putBack: (run) => this.giveBack(run),
      freeSlots: (tenants) => {
        const names = tenants.map((tenant) =>
          tenantOf({ account_id: tenant === "" ? null : tenant }),
        )
        this.freeSlots(names.filter((tenant) => this.slots.tenants.mayRunMore(tenant)))
      },
    }
  }

  state(): WorkState {
    return {
      queued: this.slots.waiting,
      running: this.inHand.size,
      workers: this.pool.all.length,
      heaps: this.pool.all.flatMap(({ heapBytes }) => heapBytes ?? []),
      workerIssue: this.pool.startIssue,
    }
  }

  renewWorkers(): void {
    this.pool.renew()
  }

  async stop(milliseconds: number): Promise<void> {
    this.stopping = true
    await this.shared?.stopTaking()
    for (const run of [...this.claimed.values()]) this.giveBack(run)
    this.slotTimer.stop()
    this.pool.halt(milliseconds)
    if (!this.slots.tenants.isEmpty) {
      const emptyHanded = new Promise<void>((done) => {
        this.onEmptyHanded = done
      })
      await Promise.race([emptyHanded, Bun.sleep(milliseconds + stopSlackMs)])
    }
    await this.pool.end()
    const left = [...this.inHand.keys()]
    await Promise.all(left.map((id) => this.noted(this.requeue(id, "stop"))))
    if (this.shared) await this.noted(this.shared.leave())
  }

  /**
   * Assigns as many queued runs as the workers can take.
   * @param ended The slot of a tenant whose run has ended: its next run may use the rest of the time
   * slice.
   */
  private dispatch(ended?: SlotUse): void {
    if (this.slots.waiting === 0 || this.stopping) return
    if (!this.resting) for (const slot of this.slots.next(ended)) void this.launch(slot)
    if (this.slots.waiting > 0) this.slotTimer.within(freeSlotsMs)
  }

  /**
   * Runs a scraper's health probe on a low-priority worker.
   * @throws NoRoom while all of them are busy
   */
  async check(order: CheckOrder, signal: AbortSignal): Promise<CheckResult> {
    const id = `check ${order.slug}`
    const worker = this.pool.assign({ id, isSuspicious: false, isFree: true })
    if (!worker || this.stopping) throw new NoFreeSlot(order.slug)
    try {
      await worker.ready
      return await worker.check(order, signal)
    } finally {
      this.pool.release(worker, id)
      this.dispatch()
    }
  }

  private freeSlots(waiting: readonly string[]): void {
    const at = Date.now()
    const { inHand, sliceMs } = this
    const { tenants } = this.slots
    const { shares } = tenants
    const loads = tenants.loads(waiting)
    for (const [id, held] of runsToSetBack({ shares, sliceMs }, { inHand, loads, waiting, at })) {
      held.leavingSince = at
      held.worker.setBack(id)
    }
  }

  private async launch(slot: Slot): Promise<void> {
    const { id, tenant, worker } = slot
    try {
      await worker.ready
      if (this.stopping) return this.release(slot)
      const run = this.shared ? this.claimed.get(id) : await this.attempts.begin(id, tenant)
      if (!run) return this.release(slot)
      this.begin(slot, run)
    } catch (error) {
      this.report(`Run ${id} could not be started: `, error)
      this.release(slot)
      await this.startLater(slot, messageOf(error))
    }
  }

  /** Executes a claimed run in its slot. */
  begin(slot: Slot, run: RunRow): void {
    const { id, worker } = slot
    const held = { ...slot, attempt: run.attempt, movedAt: Date.now() }
    this.inHand.set(id, held)
    this.claimed.delete(id)
    this.events.changed(run)
    this.options.onRun?.(run)
    // The run may have been stored during shutdown, or while the worker crashed.
    if (this.stopping) void this.noted(this.requeue(id, "stop"))
    else if (worker.dead) void this.noted(this.requeue(id, "worker"))
    else void this.noted(this.attempt(run, held))
  }

  /**
   * Defers a run that cannot start. If nothing can be written or no worker starts, all runs wait.
   */
  private async startLater(slot: Slot, reason: string): Promise<void> {
    const { id } = slot
    try {
      const run = this.pool.startIssue ? undefined : await this.attempts.defer(id, reason)
      if (run) {
        this.claimed.delete(id)
        this.events.changed(run)
        if (isOver(run.status)) this.options.onRun?.(run)
        else this.options.onRequeued?.("start", 1)
        return
      }
    } catch {
      // The store takes no change at present.
    }
    this.slots.add(slot)
    this.rest()
  }

  /** Pauses all starts briefly, because the run is not the cause of the failure. */
  private rest(): void {
    if (this.resting) return
    this.resting = true
    setTimeout(() => {
      this.resting = false
      this.dispatch()
    }, startAgainMs)
  }

  /** Frees a slot. @param ended Set if the tenant's next run may use the rest of its time slice. */
  release(slot: Slot, ended?: SlotUse): void {
    this.slots.free(slot, ended !== undefined)
    if (this.slots.tenants.isEmpty) this.onEmptyHanded?.()
    this.dispatch(ended)
    this.shared?.slotsFreed()
  }

  private async attempt(run: RunRow, held: InHand): Promise<void> {
    const { id } = run
    const isPresent = () => this.inHand.get(id) === held
    try {
      await held.worker.execute(run, (hasMovedOn, tallies, spans) => {
        if (tallies.length > 0) this.options.onTargets?.(run.slug, tallies)
        if (spans.length > 0) this.options.onSpans?.(spans)
        if (hasMovedOn) held.movedAt = Date.now()
        this.events.changed({ id })
      })
    } catch (error) {
      // The runs of a dead worker are requeued together.
      if (held.worker.dead) return
      this.report(`Run ${id}: `, error)
      if (isPresent()) await this.requeue(id, "worker")
      return
    }
    const ended = await this.attempts.stored(id)
    if (isPresent()) this.settle(id, ended)
  }

  private async recover(runs: string[], reason: string): Promise<void> {
    this.onError(`A worker was replaced: ${reason}.`)
    for (const id of runs) await this.requeue(id, "worker")
  }

  private async requeue(id: string, cause: RequeueCause): Promise<void> {
    const held = this.inHand.get(id)
    if (!held) return
    const run = await this.attempts.abandon(id, held.attempt, cause)
    if (this.inHand.get(id) === held) this.settle(id, run)
  }

  /** Handles the end of an attempt; the run may be queued for another one. */
  private settle(id: string, run: RunRow | undefined): void {
    const held = this.inHand.get(id)
    if (!held) return
    this.inHand.delete(id)
    const cause = run?.status === "queued" && requeueCauseOf(run)
    if (cause) this.options.onRequeued?.(cause, 1)
    // A deferred run is queued when its time has come.
    if (run?.status === "queued" && run.not_before === null) this.again(run, held.tenant)
    if (run) {
      this.events.changed(run)
      this.options.onRun?.(run)
    }
    const isLeft = held.leavingSince === undefined && Date.now() - held.since < this.sliceMs
    this.release(held, isLeft ? held : undefined)
  }

  private again(run: RunRow, tenant: string): void {
    if (this.shared) this.shared.queued(run.id, tenant)
    else if (!this.stopping) this.enqueue(run, tenant)
  }

  /** Tracks work that is not awaited, and reports its failure to the operator. */
  private noted(work: Promise<void>): Promise<void> {
    return work.catch((error) => this.report("", error))
  }

  private report(what: string, error: unknown): void {
    if (!this.options.store.hasReported(error)) this.onError(what + messageOf(error))
  }
}
