import { abortable } from "../../../base/clock.ts"
import { connect, type Port, serve } from "../../../base/rpc.ts"
import type { HostRateLimit } from "../../../catalogue/kit/index.ts"
import type { Permit, RateLimiter, RateLimitReport, RateLimitRequest } from "./rate-limiter.ts"

/** Grants permits for requests: the rate limiter, or a connection to it. */
export interface RateLimitBroker {
  acquire(request: RateLimitRequest, signal?: AbortSignal): Promise<Permit>
}

/** The rate limiter as it is served to a worker: permits stay here and have numbers there. */
interface RateLimitPort {
  acquire(
    host: string,
    limits: HostRateLimit,
    isRendered: boolean,
    onWait?: RateLimitRequest["onWait"],
    signal?: AbortSignal,
  ): Promise<number>
  release(permit: number, report: RateLimitReport, holdMs?: number): void
}

/**
 * Serves the rate limiter to one worker; returns a function that releases all permits of the
 * worker.
 */
export function serveRateLimit(rateLimiter: RateLimiter, port: Port, owner: string): () => void {
  const permits = new Map<number, Permit>()
  let last = 0
  const end = serve<RateLimitPort>(port, {
    async acquire(host, limits, isRendered, onWait, signal) {
      const request = { host, limits, owner, isRendered, ...(onWait && { onWait }) }
      const permit = await rateLimiter.acquire(request, signal)
      permits.set(++last, permit)
      return last
    },
    release(number, report, holdMs) {
      permits.get(number)?.release(report, holdMs)
      permits.delete(number)
    },
  })
  return () => {
    end()
    rateLimiter.drop(owner)
  }
}

/** The rate limiter for a worker. */
export function connectRateLimit(port: Port): RateLimitBroker {
  const { calls, tells: notify } = connect<RateLimitPort>(port)
  return {
    async acquire(request, signal = new AbortController().signal) {
      const { host, limits, isRendered = false, onWait } = request
      const granted = calls.acquire(host, limits, isRendered, onWait, signal)
      try {
        const number = await abortable(granted, signal)
        return { release: (report, holdMs) => notify.release(number, report, holdMs) }
      } catch (error) {
        // The permit may have been granted when it was cancelled.
        granted.then(
          (number) => notify.release(number, "failed"),
          () => {},
        )
        throw error
      }
    },
  }
}
