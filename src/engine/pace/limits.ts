import type { HostPace } from "../../catalogue/kit/index.ts"

/** For hosts of which a scraper says nothing: what any site bears. */
const usual: HostPace = { perSecond: 5, concurrency: 2 }

/** Loopback is reached only where the owner opened it; it needs no care. */
const loopback = /^(?:127\.|\[?::1\]?$|localhost$)/

export interface HostLimits {
  /** Whose requests are counted together: the row's name, so that subdomains share their domain's. */
  host: string
  limits: HostPace
}

/** The limits of a host: its own row, then its parent domains', then `*`, then the usual. */
export function limitsOf(
  host: string,
  pace: Record<string, HostPace> | undefined,
): HostLimits | null {
  if (loopback.test(host)) return null
  for (let name = host; name !== ""; name = parentOf(name)) {
    const limits = pace?.[name]
    if (limits) return { host: name, limits }
  }
  return { host, limits: pace?.["*"] ?? usual }
}

const parentOf = (name: string) => (name.includes(".") ? name.slice(name.indexOf(".") + 1) : "")

/** The stricter of the limits and a robots.txt's Crawl-delay in seconds. */
export function withDelay(limits: HostPace, delaySeconds: number | undefined): HostPace {
  if (!delaySeconds) return limits
  return {
    ...limits,
    concurrency: 1,
    perSecond: Math.min(limits.perSecond ?? Number.POSITIVE_INFINITY, 1 / delaySeconds),
  }
}

/** The limits without the quotas of strangers where the operator's secret is sent along. */
export function withSecrets(
  pace: Record<string, HostPace> | undefined,
  env: Record<string, string | undefined>,
): Record<string, HostPace> | undefined {
  if (!pace) return undefined
  const rows = Object.entries(pace).map(([host, { quota, ...limits }]): [string, HostPace] => [
    host,
    quota && !env[quota.without] ? { ...limits, quota } : limits,
  ])
  return Object.fromEntries(rows)
}
