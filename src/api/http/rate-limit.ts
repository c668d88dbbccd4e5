import { BoundedMap } from "../../base/bounded-map.ts"

/** The state of a caller's rate limit. */
export interface RateLimitState {
  limit: number
  remaining: number
  /** Seconds until the full limit is available again. */
  resetSeconds: number
  /** Seconds to wait; 0 if the call is allowed. */
  retryAfter: number
}

interface Bucket {
  tokens: number
  at: number
}

const rememberedBuckets = 50_000

/** A token bucket per caller: up to `limit` calls at once, refilled over each period. */
export class RateLimit {
  private readonly buckets = new BoundedMap<string, Bucket>(rememberedBuckets)

  private readonly limitNow: () => number

  /** `limit`: maximum calls; 0 for no limit. A function if it may change. */
  constructor(
    limit: number | (() => number),
    private readonly periodSeconds = 60,
  ) {
    this.limitNow = typeof limit === "number" ? () => limit : limit
  }

  private get limit(): number {
    return this.limitNow()
  }

  /** Counts a call. Returns undefined if there is no limit. `limit` is the caller's own limit. */
  take(caller: string, now = Date.now(), limit = this.limit): RateLimitState | undefined {
    if (limit === 0) return undefined
    const perSecond = limit / this.periodSeconds
    const bucket = this.bucket(caller, now, limit)
    bucket.tokens = Math.min(limit, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens--
    return {
      limit,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil((limit - bucket.tokens) / perSecond),
      retryAfter: allowed ? 0 : (1 - bucket.tokens) / perSecond,
    }
  }

  /** Returns a token for a call that must not count. */
  refund(caller: string): void {
    const bucket = this.buckets.get(caller)
    if (bucket) bucket.tokens = Math.min(this.limit, bucket.tokens + 1)
  }

  private bucket(caller: string, now: number, limit: number): Bucket {
    const known = this.buckets.get(caller)
    if (known) return known
    const bucket = { tokens: limit, at: now }
    this.buckets.set(caller, bucket)
    return bucket
  }
}
