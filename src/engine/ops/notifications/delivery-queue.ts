import { BoundedMap } from "../../../base/bounded-map.ts"
import type { DueNow } from "../../../store/notifications/deliveries.ts"

/** Maximum concurrent deliveries: in total, for one account, and for one receiving host. */
export const atOnce = { all: 100, account: 5, host: 2 }
/** Maximum accounts whose last turn is remembered. */
const remembered = 10_000

type Due = DueNow & { host: string }

/**
 * Selects the next delivery: accounts take turns, and a receiver that does not respond occupies
 * only its own slots. With many accounts, each has fewer slots, at least one.
 */
export class DeliveryQueue {
  private readonly due = new Map<string, Due[]>()
  private readonly under = new Map<string, number>()
  private readonly hosts = new Map<string, number>()
  /** The last turn of each account. */
  private readonly served = new BoundedMap<string, number>(remembered)
  private round = 0
  private running = 0

  /** Replaces the due deliveries. */
  set(deliveries: readonly DueNow[]): void {
    this.due.clear()
    const inOrder = [...deliveries].sort((a, b) => (a.nextAt < b.nextAt ? -1 : 1))
    for (const delivery of inOrder) {
      const own = this.due.get(delivery.accountId) ?? []
      this.due.set(delivery.accountId, own)
      own.push({ ...delivery, host: new URL(delivery.url).host })
    }
  }

  /** Removes and returns the next deliveries with free slots. */
  take(): Due[] {
    const claims: Due[] = []
    const accounts = [...this.due.keys()].sort((a, b) => this.lastServed(a) - this.lastServed(b))
    const contenders = new Set([...accounts, ...this.under.keys()]).size
    const share = Math.max(1, Math.min(atOnce.account, Math.floor(atOnce.all / contenders)))
    for (let hasMore = true; hasMore; ) {
      hasMore = false
      for (const account of accounts) {
        if (this.running >= atOnce.all) return claims
        if ((this.under.get(account) ?? 0) >= share) continue
        const next = this.nextOf(account)
        if (!next) continue
        hasMore = true
        this.begin(next)
        claims.push(next)
      }
    }
    return claims
  }

  private nextOf(account: string): Due | undefined {
    const own = this.due.get(account) ?? []
    const index = own.findIndex(({ host }) => (this.hosts.get(host) ?? 0) < atOnce.host)
    if (index < 0) return undefined
    const [next] = own.splice(index, 1)
    if (own.length === 0) this.due.delete(account)
    return next
  }

  private begin({ accountId, host }: Due): void {
    this.running++
    this.under.set(accountId, (this.under.get(accountId) ?? 0) + 1)
    this.hosts.set(host, (this.hosts.get(host) ?? 0) + 1)
    this.served.set(accountId, ++this.round)
  }

  /** Marks a delivery as finished. */
  end({ accountId, host }: Due): void {
    this.running--
    lower(this.under, accountId)
    lower(this.hosts, host)
  }

  private lastServed(account: string): number {
    return this.served.get(account) ?? 0
  }
}

function lower(counts: Map<string, number>, name: string): void {
  const left = (counts.get(name) ?? 1) - 1
  if (left > 0) counts.set(name, left)
  else counts.delete(name)
}
