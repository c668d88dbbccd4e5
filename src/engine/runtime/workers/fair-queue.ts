import { priorities } from "../../../store/runs/priority.ts"
import { TenantQueue } from "./tenant-queue.ts"

export interface QueuePosition {
  /** Whether the tenant has no running run. */
  isFresh?: boolean
  /** Priority. Default: that of an API call that does not wait. */
  priority?: number
}

/**
 * Waiting runs in tenant queues, which take turns; within a queue by priority. A tenant without a
 * running run comes first.
 */
export class FairQueue {
  /** Queues in the order of their turns: those without a running run, then the others. */
  private readonly fresh = new Map<string, TenantQueue>()
  private readonly tenants = new Map<string, TenantQueue>()
  private readonly tenantOf = new Map<string, string>()

  get size(): number {
    return this.tenantOf.size
  }

  has(id: string): boolean {
    return this.tenantOf.has(id)
  }

  hasTenant(tenant: string): boolean {
    return this.waitingIn(tenant) !== undefined
  }

  /** Returns the tenants in the order of their turns. */
  *tenantsInOrder(keeping?: string): Generator<string> {
    yield* this.fresh.keys()
    if (keeping !== undefined && this.tenants.has(keeping)) yield keeping
    yield* this.tenants.keys()
  }

  add(
    id: string,
    tenant: string,
    { isFresh = false, priority = priorities.api }: QueuePosition = {},
  ): void {
    if (this.tenantOf.has(id)) return
    this.tenantOf.set(id, tenant)
    let waiting = this.waitingIn(tenant)
    if (!waiting) {
      waiting = new TenantQueue()
      const tenants = isFresh ? this.fresh : this.tenants
      tenants.set(tenant, waiting)
    }
    waiting.add(id, priority)
  }

  remove(id: string): void {
    const tenant = this.tenantOf.get(id)
    if (tenant === undefined) return
    this.waitingIn(tenant)!.remove(id)
    this.left(id, tenant)
  }

  /**
   * Removes and returns the next run: the first one of the first tenant whose first run is allowed.
   * @param keeping A tenant whose turn has not ended; it comes first.
   */
  next(
    allowed: (id: string, tenant: string) => boolean,
    keeping?: string,
  ): { id: string; tenant: string } | undefined {
    for (const tenant of this.tenantsInOrder(keeping)) {
      const waiting = this.waitingIn(tenant)!
      const id = waiting.first!
      if (!allowed(id, tenant)) continue
      waiting.take(id)
      this.left(id, tenant)
      if (!waiting.isEmpty) this.toTheEnd(tenant, waiting)
      return { id, tenant }
    }
    return undefined
  }

  private left(id: string, tenant: string): void {
    this.tenantOf.delete(id)
    if (!this.waitingIn(tenant)!.isEmpty) return
    this.fresh.delete(tenant)
    this.tenants.delete(tenant)
  }

  private waitingIn(tenant: string): TenantQueue | undefined {
    return this.fresh.get(tenant) ?? this.tenants.get(tenant)
  }

  private toTheEnd(tenant: string, waiting: TenantQueue): void {
    this.fresh.delete(tenant)
    this.tenants.delete(tenant)
    this.tenants.set(tenant, waiting)
  }
}
