/** Who waits: an account, or all anonymous callers together, of whom `member` is one. */
export interface Tenant {
  id: string
  member?: string
}

interface Waiting {
  running: number
  /** By member, each in order of arrival. */
  members: Map<string, Set<() => void>>
}

export interface FairGateLimits {
  /** Slots in all. */
  slots: number
  /** Slots that one tenant may hold: fewer than all, so that another one always finds one. */
  slotsOfTenant: number
  /** Calls of one tenant that may wait. */
  maxWaiting: number
}

/** A tenant already has as many calls waiting as it may have. */
export class TooManyWaiting extends Error {
  readonly code = "too_many_waiting"
}

/** Lets a limited number in at a time: tenants in turn, and the members of a tenant in turn. */
export class FairGate {
  private free: number
  private readonly tenants = new Map<string, Waiting>()

  constructor(private readonly limits: FairGateLimits) {
    this.free = limits.slots
  }

  /**
   * Waits for a slot. Returns a function that gives it back, once.
   *
   * @throws TooManyWaiting, or the signal's reason
   */
  async take({ id, member = "" }: Tenant, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    const tenant = this.tenants.get(id) ?? { running: 0, members: new Map() }
    this.tenants.set(id, tenant)
    await this.turn(tenant, member, signal).finally(() => this.forget(id))
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

  private turn(tenant: Waiting, member: string, signal?: AbortSignal): Promise<void> {
    let count = 0
    for (const queue of tenant.members.values()) count += queue.size
    if (count >= this.limits.maxWaiting) {
      throw new TooManyWaiting("Too many of your calls wait for this already; try again later.")
    }
    return new Promise((resolve, reject) => {
      const queue = tenant.members.get(member) ?? new Set()
      tenant.members.set(member, queue)
      const leave = () => {
        queue.delete(enter)
        if (queue.size === 0) tenant.members.delete(member)
        signal?.removeEventListener("abort", giveUp)
      }
      const enter = () => {
        leave()
        resolve()
      }
      const giveUp = () => {
        leave()
        reject(signal?.reason)
      }
      queue.add(enter)
      signal?.addEventListener("abort", giveUp, { once: true })
      this.admit()
    })
  }

  /** Admits the next of a line; then it goes to the end, and so does its tenant. */
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
