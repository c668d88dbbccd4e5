import type { HostPace } from "../../catalogue/define.ts"
import { blockVendor } from "./block.ts"
import type { Transport, WireAnswer, WireRequest } from "./exchange.ts"
import type { PaceBroker } from "./pace-channel.ts"
import { limitsOf, withDelay } from "./pace-limits.ts"
import type { PaceReport } from "./pacer.ts"

export interface Pacing {
  broker: PaceBroker
  pace?: Record<string, HostPace>
  owner: string
  /** The Crawl-delay of the host's robots.txt, once it is known. */
  delayOf?(url: string): number | undefined
  log?(message: string): void
}

const reasons = {
  pace: "its pace",
  concurrency: "requests under way",
  suspension: "it refused requests before",
}

/** Every request of a run waits here for its host's turn. */
export class PacedTransport implements Transport {
  constructor(
    private readonly inner: Transport,
    private readonly pacing: Pacing,
  ) {}

  async send(request: WireRequest): Promise<WireAnswer> {
    const host = new URL(request.url).hostname
    const limits = limitsOf(host, this.pacing.pace)
    if (!limits) return this.inner.send(request)
    const permit = await this.pacing.broker.acquire(
      {
        host,
        limits: withDelay(limits, this.pacing.delayOf?.(request.url)),
        owner: this.pacing.owner,
        onWait: (reason, milliseconds) =>
          this.pacing.log?.(
            `Waiting ${(milliseconds / 1000).toFixed(1)} s for ${host}: ${reasons[reason]}.`,
          ),
      },
      request.signal,
    )
    let report: PaceReport = "ok"
    try {
      const answer = await this.inner.send(request)
      report = reportOf(answer, request.url)
      return answer
    } finally {
      permit.release(report)
    }
  }
}

function reportOf({ status, headers, bytes }: WireAnswer, url: string): PaceReport {
  if (status === 429) return "slow-down"
  if (status !== 403 && status !== 503) return "ok"
  const html = new TextDecoder().decode(bytes.subarray(0, 100_000))
  return blockVendor({ url, status, headers, html }) ? "refused" : "ok"
}
