import type { HostPace } from "../../catalogue/define.ts"
import { retryAfterSeconds } from "../../extract/retry-after.ts"
import { blockVendor } from "./block.ts"
import type { Transport, WireAnswer, WireRequest } from "./exchange.ts"
import type { PaceBroker } from "./pace-channel.ts"
import { limitsOf, withDelay } from "./pace-limits.ts"
import type { PaceReport, WaitReason } from "./pacer.ts"
import { maxWaitMs } from "./retry.ts"

export interface Pacing {
  broker: PaceBroker
  pace?: Record<string, HostPace>
  owner: string
  /** The Crawl-delay of the host's robots.txt, once it is known. */
  delayOf?(url: string): number | undefined
  log?(message: string): void
}

/** Every request of a run waits here for its host's turn. */
export class PacedTransport implements Transport {
  constructor(
    private readonly inner: Transport,
    private readonly pacing: Pacing,
  ) {}

  async send(request: WireRequest): Promise<WireAnswer> {
    const { hostname } = new URL(request.url)
    const found = limitsOf(hostname, this.pacing.pace)
    if (!found) return this.inner.send(request)
    const { broker, owner, delayOf, log } = this.pacing
    const delay = delayOf?.(request.url)
    const permit = await broker.acquire(
      {
        host: found.host,
        limits: withDelay(found.limits, delay),
        owner,
        onWait: (reason, milliseconds) =>
          log?.(waitLine(hostname, reason, milliseconds, delay !== undefined)),
      },
      request.signal,
    )
    let report: PaceReport = "failed"
    let holdMs = 0
    try {
      const answer = await this.inner.send(request)
      report = reportOf(answer, request.url)
      if (report === "slow-down") holdMs = holdOf(answer)
      return answer
    } finally {
      permit.release(report, holdMs)
    }
  }
}

function waitLine(host: string, reason: WaitReason, milliseconds: number, byRobots: boolean) {
  if (reason === "concurrency") return `Waiting for other requests to ${host} to end.`
  const why = {
    pace: byRobots ? "the Crawl-delay of its robots.txt" : "its pace",
    suspension: "it turned requests away before",
  }[reason]
  return `Waiting ${(milliseconds / 1000).toFixed(1)} s for ${host}: ${why}.`
}

function reportOf({ status, headers, bytes }: WireAnswer, url: string): PaceReport {
  if (status < 400 && status !== 202) return "ok"
  const html = new TextDecoder().decode(bytes.subarray(0, 100_000))
  const mayBeWall = status !== 404 && status !== 410
  if (mayBeWall && blockVendor({ url, status, headers, html })) return "refused"
  return status === 429 || (status === 503 && headers.has("retry-after")) ? "slow-down" : "ok"
}

/** Retry-After holds for everybody, as long as it is one that a request would wait for. */
function holdOf({ headers }: WireAnswer): number {
  const asked = (retryAfterSeconds(headers, Date.now()) ?? 0) * 1000
  return asked <= maxWaitMs ? asked : 0
}
