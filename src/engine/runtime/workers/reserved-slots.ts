/** How long a place stays a lane's own behind its run. */
const retentionMs = 250

/**
 * Places that lanes within their share have just left. Whoever has one run after the other would else lose
 * the place to those who flood, between any two of them, and wait until one of theirs has made room again.
 */
export class ReservedSlots {
  private readonly until = new Map<string, number>()

  keep(tenant: string): void {
    this.until.set(tenant, performance.now() + retentionMs)
  }

  /** The lane has a run again. */
  use(tenant: string): void {
    this.until.delete(tenant)
  }

  /** For whom one is kept at this moment. */
  tenants(): string[] {
    const at = performance.now()
    for (const [tenant, until] of this.until) if (until <= at) this.until.delete(tenant)
    return [...this.until.keys()]
  }
}
