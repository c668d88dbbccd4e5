import { abortable } from "../../../base/clock.ts"
import { connect, type Port, serve } from "../../../base/rpc.ts"
import type { HostRateLimit } from "../../../catalogue/kit/index.ts"
import type { Permit, RateLimiter, RateLimitReport, RateLimitRequest } from "./rate-limiter.ts"

/** What a client asks for a request; the pacer itself, or the way to it. */
export interface RateLimitBroker {
  acquire(request: RateLimitRequest, signal?: AbortSignal): Promise<Permit>
}

/** The pacer as it is served to one worker: permits stay here, and are known by number over there. */
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

/** Serves the pacer to one worker; the function that it returns frees all that the worker holds. */
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

/** The pacer as a worker has it. */
export function connectRateLimit(port: Port): RateLimitBroker {
  const { calls, tells } = connect<RateLimitPort>(port)
  return {
    async acquire(request, signal = new AbortController().signal) {
      const { host, limits, isRendered = false, onWait } = request
      const granted = calls.acquire(host, limits, isRendered, onWait, signal)
      try {
        const number = await abortable(granted, signal)
        return { release: (report, holdMs) => tells.release(number, report, holdMs) }
      } catch (error) {
        // It may have been granted just as it was given up.
        granted.then(
          (number) => tells.release(number, "failed"),
          () => {},
        )
        throw error
      }
    },
  }
}
