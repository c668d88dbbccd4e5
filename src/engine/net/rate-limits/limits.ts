import type { HostRateLimit } from "../../../catalogue/kit/index.ts"

/** Default limits for hosts without a scraper's own, tolerated by any site. */
const usual: HostRateLimit = { perSecond: 5, concurrency: 2 }

/** Loopback is reachable only if the operator allows it, and is not limited. */
const loopback = /^(?:127\.|\[?::1\]?$|localhost$)/

export interface HostLimits {
  /**
   * Host under which requests are counted: the name of the row, so that subdomains share their
   * domain's limit.
   */
  host: string
  limits: HostRateLimit
}

/** Returns the limits of a host: its own, then its parent domains', then `*`, then the default. */
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

/** Returns the stricter of the limits and a robots.txt's Crawl-delay in seconds. */
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
