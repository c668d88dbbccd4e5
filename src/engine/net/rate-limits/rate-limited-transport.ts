import {
  type AttemptMethod,
  type HostRateLimit,
  ScrapeError,
} from "../../../catalogue/kit/index.ts"
import { retryAfterSeconds } from "../../../extract/core/index.ts"
import { blockVendor, challengeStatuses } from "../http/challenge/detect.ts"
import type { Transport, WireRequest, WireResponse } from "../http/exchange.ts"
import { maxWaitMs } from "../http/retry.ts"
import type { RateLimitBroker } from "./channel.ts"
import { type OperatorRateLimit, operatorRateLimitOf } from "./configured-limits.ts"
import { limitsOf, withDelay } from "./limits.ts"
import type { Permit, RateLimitReport, RateLimitRequest, WaitReason } from "./rate-limiter.ts"

export interface Pacing {
  broker: RateLimitBroker
  rateLimit?: Record<string, HostRateLimit>
  /** The operator's rate limits, which take precedence. */
  hostRateLimit?: OperatorRateLimit | undefined
  owner: string
  /** Fetch method; a block of one method does not suspend the others. Default: http. */
  fetchMethod?: AttemptMethod
  /** Returns the Crawl-delay of the host's robots.txt, if it is known. */
  delayOf?(url: string): number | undefined
  log?(message: string): void
  /**
   * Whether a refusal does not count for the host's pages: images may be refused although pages are
   * not.
   */
  isAside?: boolean
}

type Seen = Pick<WireResponse, "status" | "headers" | "bytes">

/**
 * Waits for the host's rate limit, makes the request and reports the result.
 * @throws Blocked or RateLimited while the host is backed off
 */
export async function withinRateLimit<A extends Seen>(
  pacing: Pacing,
  url: string,
  signal: AbortSignal,
  load: () => Promise<A>,
): Promise<A> {
  const permit = await waitForSlot(pacing, url, signal)
  if (!permit) return load()
  let report: RateLimitReport = "failed"
  let holdMs = 0
  try {
    const response = await load()
    report = reportOf(response, url)
    if (report === "refused" && pacing.isAside) report = "failed"
    if (report === "slow-down") holdMs = holdOf(response)
    return response
  } catch (error) {
    if (!signal.aborted && isHostsFailure(error)) report = "failing"
    throw error
  } finally {
    permit.release(report, holdMs)
  }
}

/** Waits for a permit; returns undefined if the host is not limited. */
async function waitForSlot(
  { broker, rateLimit, hostRateLimit, owner, fetchMethod = "http", delayOf, log }: Pacing,
  url: string,
  signal: AbortSignal,
): Promise<Permit | undefined> {
  const { hostname } = new URL(url)
  const hostLimits = limitsOf(hostname, rateLimit)
  if (!hostLimits) return undefined
  const perSecond = operatorRateLimitOf(hostname, hostRateLimit)
  const limits = perSecond === undefined ? hostLimits.limits : { ...hostLimits.limits, perSecond }
  const delay = delayOf?.(url)
  const request: RateLimitRequest = {
    host: fetchMethod === "http" ? hostLimits.host : `${hostLimits.host} (${fetchMethod})`,
    limits: withDelay(limits, delay),
    owner,
    isRendered: fetchMethod === "browser",
    onWait: (reason, milliseconds) =>
      log?.(waitLine(hostname, reason, milliseconds, delay !== undefined)),
  }
  return broker.acquire(request, signal)
}

/** Every request of a run waits here for its host's rate limit. */
export class RateLimitedTransport implements Transport {
  constructor(
    private readonly inner: Transport,
    private readonly pacing: Pacing,
  ) {}

  send(request: WireRequest): Promise<WireResponse> {
    return withinRateLimit(this.pacing, request.url, request.signal, () => this.inner.send(request))
  }
}

function waitLine(host: string, reason: WaitReason, milliseconds: number, byRobots: boolean) {
  if (reason === "concurrency") return `Waiting for other requests to ${host} to end.`
  const why = {
    rateLimit: byRobots ? "the Crawl-delay of its robots.txt" : "its pace",
    suspension: "it refused earlier requests",
  }[reason]
  return `Waiting ${(milliseconds / 1000).toFixed(1)} s for ${host}: ${why}.`
}

/** Maximum bytes searched for a challenge: one with status 200 is a small page. */
const maxChallengeBytes = 64_000

const mayBeChallenge = ({ status, headers, bytes }: Seen) =>
  challengeStatuses.has(status) ||
  (status === 200 &&
    bytes.length <= maxChallengeBytes &&
    /html/i.test(headers.get("content-type") ?? ""))

/** Whether the response was truncated or timed out. */
const isHostsFailure = (error: unknown) =>
  error instanceof ScrapeError && (error.kind === "Timeout" || error.code === "connection")

function reportOf(response: Seen, url: string): RateLimitReport {
  if (!mayBeChallenge(response)) return response.status >= 500 ? "failing" : "ok"
  const { status, headers, bytes } = response
  const html = new TextDecoder().decode(bytes.subarray(0, 100_000))
  if (blockVendor({ url, status, headers, html })) return "refused"
  if (status === 429 || (status === 503 && headers.has("retry-after"))) return "slow-down"
  return status >= 500 ? "failing" : "ok"
}

/**
 * Returns the Retry-After in milliseconds, which applies to all requests if it is short enough to
 * wait for.
 */
function holdOf({ headers }: Seen): number {
  const retryAfterMs = (retryAfterSeconds(headers, Date.now()) ?? 0) * 1000
  return retryAfterMs <= maxWaitMs ? retryAfterMs : 0
}
