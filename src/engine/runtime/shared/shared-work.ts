import { messageOf } from "../../../base/error-message.ts"
import { Signals } from "../../../store/db/postgres/signals.ts"
import { waitingTenants } from "../../../store/shared/take.ts"
import type { OwnStore } from "../../../store/store.ts"
import type { RunStatus } from "../../../store/tables/run-status.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { RunEvents } from "../workers/run-events.ts"
import { ForeignRuns } from "./foreign-runs.ts"
import { Membership } from "./membership.ts"
import { Taker, type TakerParts } from "./taker.ts"

type HeldRun = Pick<RunRow, "id" | "attempt" | "status">

/** Runs of this process, from the dispatcher. */
export interface Hands extends Pick<TakerParts, "room" | "limits"> {
  take(runs: readonly RunRow[]): void
  ids(): Iterable<string>
  has(id: string): boolean
  /** Called when the run's abort was requested. */
  abort(id: string): void
  /** Called when another process has taken over the run. */
  lose(id: string): void
  /** Requeues a run that the store assigns to this process but that does not run here. */
  putBack(run: HeldRun): void
  /** Frees slots for tenants without a running run. */
  freeSlots(tenants: readonly string[]): void
}

export interface SharedWorkParts {
  store: OwnStore
  /** Direct URL of the database, bypassing a pooler, if there is one. */
  directUrl?: string | undefined
  /** ID of the data folder. */
  folder: string
  events: RunEvents
  hands: Hands
  /** Called when runs of a dead process are queued again. */
  onRequeued(runs: number): void
  onError(message: string): void
}

/** Maximum tenants for which slots are freed at once. */
const newcomersAtOnce = 32

/** This process's part of the work shared by all processes on a database. */
export class SharedWork {
  private readonly taker: Taker
  private readonly membership: Membership
  private readonly signals: Signals
  private readonly foreign: ForeignRuns
  /**
   * Runs on which the store and this process disagreed at the last check; they may have been
   * starting.
   */
  private doubted = new Set<string>()

  constructor(private readonly parts: SharedWorkParts) {
    const { store, folder, events, hands, directUrl } = parts
    const onError = (error: unknown) => {
      if (!store.hasReported(error)) parts.onError(messageOf(error))
    }
    this.taker = new Taker({
      store,
      processId: () => this.membership.id,
      room: () => hands.room(),
      limits: () => hands.limits(),
      onTaken: (runs) => hands.take(runs),
      onError,
    })
    this.membership = new Membership({
      store,
      folder,
      onHeld: (runs) => this.compare(runs),
      onBuried: () => {
        for (const id of [...hands.ids()]) hands.lose(id)
      },
      onWork: (runs) => {
        parts.onRequeued(runs)
        this.sendWork()
      },
      onError,
    })
    this.signals = new Signals({
      url: store.database,
      directUrl,
      onSignal: ({ work, runs }) => {
        for (const [id, status] of runs) this.received(id, status)
        if (work) this.taker.wake()
      },
      onMissed: () => this.taker.wake(),
      onError: parts.onError,
    })
    this.foreign = new ForeignRuns({
      store,
      *listenedTo() {
        for (const id of events.listenedTo()) if (!hands.has(id)) yield id
      },
      onChange: (run) => events.received(run),
      onError,
    })
    // Listeners of a run that continues are notified by polling.
    events.onStatus = (id, status) => {
      if (status !== "running") this.signals.sendRun(id, status)
    }
  }

  async start(): Promise<void> {
    await this.membership.join()
    await this.signals.start()
    this.taker.wake()
  }

  /** Returns the ID of this process for the others. */
  get processId(): string {
    return this.membership.id
  }

  /** Returns whether no run is known to be waiting for any process. */
  get isIdle(): boolean {
    return this.taker.isIdle
  }

  /**
   * Returns the tenant of a claimed run; for anonymous callers, only the process that queued it
   * knows the tenant.
   */
  tenantOf(id: string): string | undefined {
    return this.taker.tenants.get(id)
  }

  /** Announces a queued run, which any process may take. */
  queued(id: string, tenant?: string): void {
    if (tenant !== undefined) this.taker.tenants.set(id, tenant)
    this.sendWork()
  }

  /** Notifies others of runs for which this process has no free slot. */
  private sendWork(): void {
    this.taker.wake()
    this.signals.sendWork()
  }

  /** Called when a slot is free. */
  slotsFreed(): void {
    this.taker.look()
  }

  private received(id: string, status: RunStatus): void {
    if (status === "aborting") this.parts.hands.abort(id)
    this.parts.events.received({ id, status })
  }

  /**
   * Compares the runs that the store assigns to this process with its actual ones, once a second.
   */
  private compare(runs: readonly HeldRun[]): void {
    const { hands } = this.parts
    const stored = new Set(runs.map(({ id }) => id))
    const doubted = new Set<string>()
    const isSure = (id: string) => {
      doubted.add(id)
      return this.doubted.has(id)
    }
    for (const run of runs) {
      if (!hands.has(run.id)) {
        if (isSure(run.id)) hands.putBack(run)
      } else if (run.status === "aborting") hands.abort(run.id)
    }
    for (const id of [...hands.ids()]) if (!stored.has(id) && isSure(id)) hands.lose(id)
    this.doubted = doubted
    this.taker.wake()
    if (hands.room().slots <= 0) void this.lookForNewcomers()
  }

  private async lookForNewcomers(): Promise<void> {
    const { store, hands } = this.parts
    hands.freeSlots(await waitingTenants(store.db, "", newcomersAtOnce).catch(() => []))
  }

  /** Stops taking runs. */
  async stopTaking(): Promise<void> {
    await this.taker.stop()
  }

  /** Leaves when no run is left; returned runs are available to others. */
  async leave(): Promise<void> {
    this.signals.sendWork()
    await this.foreign.stop()
    await this.membership.leave()
    await this.signals.stop()
  }
}
