import { FairQueue } from "./fair-queue.ts"
import type { WorkerHandle } from "./handle.ts"
import type { WorkerPool } from "./pool.ts"
import { ReservedSlots } from "./reserved-slots.ts"
import { isKeyless } from "./shares.ts"
import type { SlotUse } from "./slot-givers.ts"
import { TenantLoads } from "./tenant-loads.ts"

/** A slot of a worker for one run. */
export interface Slot extends SlotUse {
  id: string
  worker: WorkerHandle
  isSuspicious: boolean
}

export interface WaitingRun {
  id: string
  tenant: string
  priority?: number
  /** Whether the run crashed workers before, so that it gets its own worker. */
  isSuspicious?: boolean
}

/** The waiting runs and the workers' slots: decides which run gets the next slot. */
export class Slots {
  readonly tenants: TenantLoads
  private readonly queue = new FairQueue()
  private readonly reserved = new ReservedSlots()
  private readonly suspicious = new Set<string>()

  /** @param maxOf Returns the maximum of concurrent runs of an account. */
  constructor(
    private readonly pool: WorkerPool,
    maxOf: (account: string) => number,
  ) {
    this.tenants = new TenantLoads(pool.slots, maxOf)
  }

  /** Returns the number of waiting runs. */
  get waiting(): number {
    return this.queue.size
  }

  has(id: string): boolean {
    return this.queue.has(id)
  }

  /** Returns the tenants with waiting runs in the order of their turns. */
  waitingTenants(): string[] {
    return [...this.queue.tenantsInOrder()]
  }

  add({ id, tenant, priority, isSuspicious = false }: WaitingRun): void {
    if (isSuspicious) this.suspicious.add(id)
    else this.suspicious.delete(id)
    const isFresh = !this.tenants.has(tenant)
    this.queue.add(id, tenant, priority === undefined ? { isFresh } : { isFresh, priority })
  }

  remove(id: string): void {
    this.suspicious.delete(id)
    this.queue.remove(id)
  }

  /**
   * Returns a slot for a new run if no run waits and one is free.
   * @param mustBeReady Whether no worker is started for it.
   */
  reserve(run: WaitingRun, mustBeReady: boolean): Slot | undefined {
    if (this.queue.size > 0 || this.tenants.placesLeft <= this.reserved.size) return undefined
    const worker = this.workerFor(run, mustBeReady)
    return worker && this.occupy(run, worker, Date.now())
  }

  /**
   * Takes runs from the queue while there are slots for them.
   * @param ended The slot of a tenant whose run has ended: its next run may use the rest of the time
   * slice.
   */
  *next(ended?: SlotUse): Generator<Slot> {
    let keeping = ended
    const waiting = this.tenants.with([...this.queue.tenantsInOrder(), ...this.reserved.tenants()])
    const isBelowShare = (tenant: string) => this.tenants.isBelowShare(tenant, waiting)
    while (this.queue.size > 0) {
      const slot = this.take(isBelowShare, keeping)
      if (!slot) return
      if (slot.tenant === keeping?.tenant) keeping = undefined
      yield slot
    }
  }

  /** Tenants below their share come before those that use free slots. */
  private take(isBelowShare: (tenant: string) => boolean, keeping?: SlotUse): Slot | undefined {
    const { queue, tenants, reserved } = this
    let worker: WorkerHandle | undefined
    const assign = (id: string, tenant: string) => {
      worker = this.workerFor({ id, tenant, isSuspicious: this.suspicious.has(id) })
      return worker !== undefined
    }
    const next =
      queue.next((id, tenant) => isBelowShare(tenant) && assign(id, tenant), keeping?.tenant) ??
      (tenants.placesLeft > reserved.size ? queue.next(assign) : undefined)
    if (!next || !worker) return undefined
    const since = next.tenant === keeping?.tenant ? keeping.since : Date.now()
    return this.occupy({ ...next, isSuspicious: this.suspicious.delete(next.id) }, worker, since)
  }

  private workerFor(
    { id, tenant, isSuspicious = false }: WaitingRun,
    mustBeReady = false,
  ): WorkerHandle | undefined {
    if (!this.tenants.mayRunMore(tenant)) return undefined
    return this.pool.assign({ id, isSuspicious, isFree: isKeyless(tenant), mustBeReady })
  }

  private occupy(run: WaitingRun, worker: WorkerHandle, since: number): Slot {
    const { id, tenant, isSuspicious = false } = run
    this.tenants.begin(tenant)
    this.reserved.use(tenant)
    return { id, tenant, worker, since, isSuspicious }
  }

  /** Frees a slot. `mayKeep`: it stays reserved for a moment if its tenant is within its share. */
  free({ id, tenant, worker }: Slot, mayKeep: boolean): void {
    this.pool.release(worker, id)
    this.tenants.end(tenant)
    if (mayKeep && this.isWithinShare(tenant)) this.reserved.keep(tenant)
  }

  private isWithinShare(tenant: string): boolean {
    const { queue, tenants } = this
    return (
      queue.size > 0 &&
      !queue.hasTenant(tenant) &&
      tenants.isBelowShare(tenant, tenants.with([tenant, ...queue.tenantsInOrder()]))
    )
  }
}
