/** Milliseconds for which a slot stays reserved for its tenant after a run. */
const retentionMs = 250

/**
 * Slots that tenants within their share have just left. Without a reservation, a tenant that runs
 * one run after another would lose its slot to a tenant with a long queue.
 */
export class ReservedSlots {
  private readonly until = new Map<string, number>()

  keep(tenant: string): void {
    this.until.set(tenant, performance.now() + retentionMs)
  }

  /** Ends the reservation, because the tenant has a run again. */
  use(tenant: string): void {
    this.until.delete(tenant)
  }

  get size(): number {
    const at = performance.now()
    for (const [tenant, until] of this.until) if (until <= at) this.until.delete(tenant)
    return this.until.size
  }

  /** Returns the tenants with a reserved slot. */
  tenants(): string[] {
    return this.size > 0 ? [...this.until.keys()] : []
  }
}
