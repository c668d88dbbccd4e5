/** The load of a tenant: an account, or the IP address of anonymous callers. */
export interface TenantLoad {
  tenant: string
  running: number
}

/** The number of tenants of each kind with running or waiting runs. */
export interface Tenants {
  accounts: number
  keyless: number
}

/** Tenants of which one has to free a slot. */
export interface Givers {
  tenants: string[]
  /** Whether none has more than its share, because there are more tenants than slots. */
  byQueueOrder: boolean
}

const keylessPrefix = "keyless:"

export function tenantOf(run: { account_id: string | null }, caller = ""): string {
  return run.account_id ?? keylessPrefix + caller
}

export function isKeyless(tenant: string): boolean {
  return tenant.startsWith(keylessPrefix)
}

/** Maximum share of slots for keyless runs, so that accounts always have some. */
const keylessMax = 0.75
/** Minimum share of slots that accounts together leave to keyless runs. */
const keylessMin = 0.25

/**
 * Decides which tenant frees a slot for another. Free slots go to the first tenant that wants one.
 * If none are free, each account has an equal share, which shrinks with every contender, and
 * anonymous callers divide one share among their IP addresses.
 */
export class Shares {
  readonly keylessPlaces: number

  constructor(private readonly slots: number) {
    this.keylessPlaces = Math.ceil(slots * keylessMax)
  }

  /** Returns how many slots a tenant may have while others wait. */
  shareOf(tenant: string, tenants: Tenants): number {
    const keyless = this.keylessShare(tenants)
    return isKeyless(tenant)
      ? part(keyless, tenants.keyless)
      : part(this.slots - keyless, tenants.accounts)
  }

  /** Returns the tenants that free a slot for a waiting tenant; null if none has to. */
  givers(newcomer: string, loads: readonly TenantLoad[]): Givers | null {
    const own = loads.find(({ tenant }) => tenant === newcomer)
    const keyless = loads.filter(({ tenant }) => isKeyless(tenant))
    const accounts = loads.filter(({ tenant }) => !isKeyless(tenant))
    const tenants = { keyless: keyless.length, accounts: accounts.length }
    const share = this.shareOf(newcomer, tenants)
    if (!own || own.running >= share) return null
    const keylessRunning = running(keyless)
    const isFull = keylessRunning + running(accounts) >= this.slots
    const keylessShare = this.keylessShare(tenants)
    if (isKeyless(newcomer)) {
      if (!isFull && keylessRunning < this.keylessPlaces) return null
      const over = maximum(keyless, share)
      if (over) return over
      if (keylessRunning >= keylessShare) return giversInOrder(own, keyless)
      return maximum(accounts, part(this.slots - keylessShare, tenants.accounts))
    }
    if (!isFull) return null
    const over = maximum(accounts, share)
    if (over) return over
    return keylessRunning > keylessShare ? maximum(keyless, 0) : giversInOrder(own, accounts)
  }

  private keylessShare({ keyless, accounts }: Tenants): number {
    if (keyless === 0) return 0
    const share = Math.floor(Math.max(this.slots * keylessMin, this.slots / (accounts + 1)))
    return Math.min(Math.max(1, share), this.keylessPlaces)
  }
}

function part(slots: number, tenants: number): number {
  return Math.max(1, Math.floor(slots / Math.max(1, tenants)))
}

function running(loads: readonly TenantLoad[]): number {
  return loads.reduce((total, load) => total + load.running, 0)
}

/** Returns the tenants with the most slots, if that is more than `share`. */
function maximum(loads: readonly TenantLoad[], share: number): Givers | null {
  const top = loads.reduce((max, load) => Math.max(max, load.running), 0)
  if (top <= share) return null
  const tenants = loads.filter((load) => load.running === top).map(({ tenant }) => tenant)
  return { tenants, byQueueOrder: false }
}

/** With more tenants than slots, a tenant without a slot replaces one that has some. */
function giversInOrder(own: TenantLoad, loads: readonly TenantLoad[]): Givers | null {
  if (own.running > 0) return null
  const tenants = loads.filter((load) => load.running > 0).map(({ tenant }) => tenant)
  return tenants.length > 0 ? { tenants, byQueueOrder: true } : null
}
