import { isKeyless, Shares, type TenantLoad, type Tenants } from "./shares.ts"

/** The number of running runs of each tenant, and whether it may have more. */
export class TenantLoads {
  readonly shares: Shares
  private readonly runs = new Map<string, number>()
  private all = 0
  private keyless = 0

  constructor(
    private readonly slots: number,
    /** Returns the maximum of concurrent runs of an account. */
    private readonly maxOf: (account: string) => number,
  ) {
    this.shares = new Shares(slots)
  }

  get isEmpty(): boolean {
    return this.all === 0
  }

  get placesLeft(): number {
    return this.slots - this.all
  }

  get keylessLeft(): number {
    return this.shares.keylessPlaces - this.keyless
  }

  has(tenant: string): boolean {
    return this.runs.has(tenant)
  }

  /** Called when a run has a worker, or is about to. */
  begin(tenant: string): void {
    this.runs.set(tenant, this.of(tenant) + 1)
    this.all++
    if (isKeyless(tenant)) this.keyless++
  }

  end(tenant: string): void {
    const left = this.of(tenant) - 1
    if (left > 0) this.runs.set(tenant, left)
    else this.runs.delete(tenant)
    this.all--
    if (isKeyless(tenant)) this.keyless--
  }

  mayRunMore(tenant: string): boolean {
    return isKeyless(tenant) ? this.keylessLeft > 0 : this.of(tenant) < this.maxOf(tenant)
  }

  isBelowShare(tenant: string, tenants: Tenants): boolean {
    return this.of(tenant) < this.shares.shareOf(tenant, tenants)
  }

  /** Returns the number of tenants of each kind, including waiting ones. */
  with(waiting: Iterable<string>): Tenants {
    const tenants = { accounts: 0, keyless: 0 }
    const count = (tenant: string) => tenants[isKeyless(tenant) ? "keyless" : "accounts"]++
    for (const tenant of this.runs.keys()) count(tenant)
    for (const tenant of waiting) if (!this.runs.has(tenant)) count(tenant)
    return tenants
  }

  /** Returns the load of each tenant, including waiting ones. */
  loads(waiting: readonly string[]): TenantLoad[] {
    const names = new Set([...this.runs.keys(), ...waiting])
    return [...names].map((tenant) => ({ tenant, running: this.of(tenant) }))
  }

  private of(tenant: string): number {
    return this.runs.get(tenant) ?? 0
  }
}
