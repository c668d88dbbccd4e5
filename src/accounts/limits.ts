import { limitedAccounts } from "../store/accounts/accounts.ts"
import type { Db } from "../store/db/database.ts"

/** An account's own limits instead of those in the settings. */
export interface Limits {
  /** Maximum calls per minute of each of its keys; 0 means no limit. */
  callsPerMinute?: number
  /** Maximum concurrent runs. */
  runsAtOnce?: number
}

/** The accounts with their own limits. They are few, and read for each call and run. */
export class AccountLimits {
  private readonly known = new Map<string, Limits>()

  static async open(db: Db): Promise<AccountLimits> {
    const limits = new AccountLimits()
    await limits.reload(db)
    return limits
  }

  of(accountId: string): Limits | undefined {
    return this.known.get(accountId)
  }

  /** Returns the accounts with their own maximum of runs. */
  runsAtOnce(): Record<string, number> {
    const all = [...this.known].map(([id, { runsAtOnce }]) => [id, runsAtOnce] as const)
    return Object.fromEntries(all.filter(([, runs]) => runs !== undefined)) as Record<
      string,
      number
    >
  }

  /** Reads the limits again, because another process may have changed them. */
  async reload(db: Db): Promise<void> {
    const stored = await limitedAccounts(db)
    this.known.clear()
    for (const { id, limits } of stored) this.changed(id, limits)
  }

  /** `json`: the stored limits, or null if there are none. */
  changed(accountId: string, json: string | null): void {
    if (json === null) this.known.delete(accountId)
    else this.known.set(accountId, JSON.parse(json))
  }
}

/** Applies changes to limits; null removes one. Returns null if none is left. */
export function changedLimits(
  json: string | null,
  change: { [Name in keyof Limits]?: number | null },
): string | null {
  const all = { ...(json === null ? {} : JSON.parse(json)), ...change }
  const set = Object.entries(all).filter(([, value]) => value !== null)
  return set.length === 0 ? null : JSON.stringify(Object.fromEntries(set))
}
