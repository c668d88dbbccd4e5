import type { HostRateLimit } from "../../../catalogue/kit/index.ts"

/** For hosts of which a scraper says nothing: what any site bears. */
const usual: HostRateLimit = { perSecond: 5, concurrency: 2 }

/** Loopback is reached only where the owner opened it; it needs no care. */
const loopback = /^(?:127\.|\[?::1\]?$|localhost$)/

export interface HostLimits {
  /** Whose requests are counted together: the row's name, so that subdomains share their domain's. */
  host: string
  limits: HostRateLimit
}

/** The limits of a host: its own row, then its parent domains', then `*`, then the usual. */
export function limitsOf(
  host: string,
  rateLimit: Record<string, HostRateLimit> | undefined,
): HostLimits | null {
  if (loopback.test(host)) return null
  for (let name = host; name !== ""; name = parentOf(name)) {
    const limits = rateLimit?.[name]
    if (limits) return { host: name, limits }
  }
  return { host, limits: rateLimit?.["*"] ?? usual }
}

const parentOf = (name: string) => (name.includes(".") ? name.slice(name.indexOf(".") + 1) : "")

/** The stricter of the limits and a robots.txt's Crawl-delay in seconds. */
export function withDelay(limits: HostRateLimit, delaySeconds: number | undefined): HostRateLimit {
  if (!delaySeconds) return limits
  return {
    ...limits,
    concurrency: 1,
    perSecond: Math.min(limits.perSecond ?? Number.POSITIVE_INFINITY, 1 / delaySeconds),
  }
}

/** Returns the limits without the quotas of anonymous clients if the operator's secret is sent. */
export function withSecrets(
  rateLimit: Record<string, HostRateLimit> | undefined,
  env: Record<string, string | undefined>,
): Record<string, HostRateLimit> | undefined {
  if (!rateLimit) return undefined
  const rows = Object.entries(rateLimit).map(
    ([host, { quota, ...limits }]): [string, HostRateLimit] => [
      host,
      quota && !env[quota.without] ? { ...limits, quota } : limits,
    ],
  )
  return Object.fromEntries(rows)
}
