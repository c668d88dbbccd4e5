/**
 * A waiting caller: an account, or all anonymous callers together, with one of them as `member`.
 */
export interface Tenant {
  id: string
  member?: string
}

interface Waiting {
  running: number
  /** Waiting calls by member, in order of arrival. */
  members: Map<string, Set<() => void>>
}

export interface FairGateLimits {
  /** Slots in total. */
  slots: number
  /** Maximum slots per tenant: fewer than all, so that another tenant always finds one. */
  slotsOfTenant: number
  /** Maximum waiting calls per tenant. */
  maxWaiting: number
}

/** The tenant has its maximum of waiting calls. */
export class TooManyWaiting extends Error {
  readonly code = "too_many_waiting"
}

/** Admits a limited number at a time: tenants take turns, and so do the members of a tenant. */
export class FairGate {
  private free: number
  private readonly tenants = new Map<string, Waiting>()

  constructor(private readonly limits: FairGateLimits) {
    this.free = limits.slots
  }

  /**
   * Waits for a slot. Returns a function that releases it, once.
   *
   * @throws TooManyWaiting, or the signal's reason
   */
  async take({ id, member = "" }: Tenant, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    const tenant = this.tenants.get(id) ?? { running: 0, members: new Map() }
    this.tenants.set(id, tenant)
    await this.slot(tenant, member, signal).finally(() => this.forget(id))
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      tenant.running--
      this.free++
      this.forget(id)
      this.admit()
    }
  }

  private slot(tenant: Waiting, member: string, signal?: AbortSignal): Promise<void> {
    let count = 0
    for (const queue of tenant.members.values()) count += queue.size
    if (count >= this.limits.maxWaiting) {
      throw new TooManyWaiting("Too many of your calls are waiting; try again later.")
    }
    return new Promise((resolve, reject) => {
      const queue = tenant.members.get(member) ?? new Set()
      tenant.members.set(member, queue)
      const leave = () => {
        queue.delete(enter)
        if (queue.size === 0) tenant.members.delete(member)
        signal?.removeEventListener("abort", abort)
      }
      const enter = () => {
        leave()
        resolve()
      }
      const abort = () => {
        leave()
        reject(signal?.reason)
      }
      queue.add(enter)
      signal?.addEventListener("abort", abort, { once: true })
      this.admit()
    })
  }

  /** Admits the next call of a member, then moves the member and its tenant to the end. */
  private admit(): void {
    for (const [id, tenant] of this.tenants) {
      if (this.free === 0) return
      const [next] = tenant.members
      if (!next || tenant.running >= this.limits.slotsOfTenant) continue
      const [member, queue] = next
      const [enter] = queue
      if (!enter) continue
      this.free--
      tenant.running++
      enter()
      if (queue.size > 0) {
        tenant.members.delete(member)
        tenant.members.set(member, queue)
      }
      this.tenants.delete(id)
      this.tenants.set(id, tenant)
    }
  }

  private forget(id: string): void {
    const tenant = this.tenants.get(id)
    if (tenant && tenant.running === 0 && tenant.members.size === 0) this.tenants.delete(id)
  }
}
