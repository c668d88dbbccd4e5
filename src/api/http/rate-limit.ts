import { BoundedMap } from "../../base/bounded-map.ts"

/** What a caller may still do in this minute. */
export interface Standing {
  limit: number
  remaining: number
  /** Seconds until the full limit is there again. */
  resetSeconds: number
  /** Seconds to wait; 0 when the call may go on. */
  retryAfter: number
}

interface Bucket {
  tokens: number
  at: number
}

const rememberedBuckets = 50_000

/** A token bucket for each caller: `limit` calls at once, and as many again in each period. */
export class RateLimit {
  private readonly buckets = new BoundedMap<string, Bucket>(rememberedBuckets)

  private readonly limitNow: () => number

  /** `limit` 0 means that there is none; one that may change is a function. */
  constructor(
    limit: number | (() => number),
    private readonly periodSeconds = 60,
  ) {
    this.limitNow = typeof limit === "number" ? () => limit : limit
  }

  private get limit(): number {
    return this.limitNow()
  }

  /** Counts one call. Undefined when there is no limit. `limit`: where this caller has its own. */
  take(caller: string, now = Date.now(), limit = this.limit): Standing | undefined {
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

  /** Gives a call back that is not to count. */
  giveBack(caller: string): void {
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
