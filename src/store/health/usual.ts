/** The usual share of a probe's items in which each field has a value. */
export interface Usual {
  /** Number of checks with items. */
  checks: number
  shares: Record<string, number>
}

export const nothingUsual: Usual = { checks: 0, shares: {} }

/** Weight of the last check in the usual shares. */
const weight = 0.2
/** Number of checks from which on a share counts as usual. */
const minChecks = 3
/** Fields with a lower usual share are never reported as missing. */
const minShare = 0.3

/**
 * Returns the usual shares after one more check. A field that is permanently missing stops being
 * usual after some checks.
 */
export function usualWith({ checks, shares }: Usual, counts: Record<string, number>): Usual {
  const part = checks === 0 ? 1 : weight
  const names = new Set([...Object.keys(shares), ...Object.keys(counts)])
  const next = [...names].map((name) => {
    const share = (shares[name] ?? 0) * (1 - part) + (counts[name] ?? 0) * part
    return [name, Math.round(share * 1000) / 1000] as const
  })
  return {
    checks: Math.min(checks + 1, 1000),
    shares: Object.fromEntries(next.filter(([, share]) => share > 0.01)),
  }
}

/** Returns the shares that count as missed if a check falls below half of them. */
export function missedShares({ checks, shares }: Usual): Record<string, number> {
  if (checks < minChecks) return {}
  return Object.fromEntries(Object.entries(shares).filter(([, share]) => share >= minShare))
}
