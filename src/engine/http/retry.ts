import { type Answer, Outcome, type RequestOptions } from "../../catalogue/kit/index.ts"
import { retryAfterSeconds } from "../../extract/core/index.ts"
import { blockVendor, wallStatuses } from "./challenge/detect.ts"

/** Longest wait for one retry; a host that asks for more is answered as it is. */
export const maxWaitMs = 60_000
const slowRetries = 3
const faultRetries = 2
const timeoutRetries = 1

export interface Attempt {
  method: string
  /** From 0. */
  number: number
  options: RequestOptions
  now: number
  /** Another way in may be let through where this one is not: it is tried sooner than this one again. */
  leadsOn?: boolean
}

/** Milliseconds to wait before the next attempt; null when this result stands. */
export function retryWait(result: Answer | Outcome, attempt: Attempt): number | null {
  return result instanceof Outcome ? afterFailure(result, attempt) : afterAnswer(result, attempt)
}

function afterAnswer(answer: Answer, attempt: Attempt): number | null {
  const { status, headers, url } = answer
  const slow = status === 429 || status === 503
  if (!slow && (status < 500 || status === 501)) return null
  const asked = slow ? retryAfterSeconds(headers, attempt.now) : null
  const usual = !slow ? faultRetries : attempt.leadsOn && asked === null ? 1 : slowRetries
  if (attempt.number >= allowed(attempt, usual, slow)) return null
  // A wall does not fall by knocking.
  if (wallStatuses.has(status) && blockVendor({ url, status, headers, html: answer.text() })) {
    return null
  }
  const wait = asked === null ? backOff(attempt.number, slow ? 2000 : 1000) : asked * 1000
  return wait > maxWaitMs ? null : wait
}

function afterFailure(outcome: Outcome, attempt: Attempt): number | null {
  const less = attempt.leadsOn ? 1 : 0
  const usual =
    outcome.code === "connection"
      ? faultRetries - less
      : outcome.code === "timeout"
        ? timeoutRetries - less
        : 0
  if (usual === 0 || attempt.number >= allowed(attempt, usual, false)) return null
  return backOff(attempt.number, 1000)
}

/**
 * A POST may have done its work although it failed, so it is repeated only where the caller says that
 * this is safe, or where the host says that it did nothing (429, 503).
 */
function allowed({ method, options }: Attempt, usual: number, untouched: boolean): number {
  if (options.retries !== undefined) return options.retries
  return method === "POST" && !untouched ? 0 : usual
}

/** Exponential, with full jitter over its upper half. */
function backOff(attempt: number, base: number): number {
  const full = base * 2 ** attempt
  return full / 2 + (Math.random() * full) / 2
}
