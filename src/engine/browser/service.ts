import type { BrowserPool, Lease, PoolSettings } from "./pool.ts"
import {
  answerToMessage,
  type BrowserReply,
  type BrowserRequest,
  outcomeToMessage,
} from "./protocol.ts"

/** The end of a channel, as both kinds of threads have it. */
export interface Port {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => void) | null
}

const steps = ["goto", "read", "waitFor", "click", "scroll", "fetch"] as const
type Step = (typeof steps)[number]

/** Serves a pool to one run's thread; when that thread is gone, so is all that it had open. */
export class BrowserService {
  private readonly leases = new Map<number, Lease>()
  private readonly owners = new Set<string>()
  private nextLease = 1

  constructor(
    private readonly pool: BrowserPool,
    private readonly port: Port,
  ) {
    port.onmessage = (event) => void this.answer(event.data as BrowserRequest)
  }

  async answer(request: BrowserRequest): Promise<void> {
    try {
      const value = await this.serve(request)
      this.reply({ id: request.id, value })
    } catch (error) {
      this.reply({ id: request.id, failure: outcomeToMessage(error) })
    }
  }

  private reply(reply: BrowserReply): void {
    this.port.postMessage(reply)
  }

  private async serve(request: BrowserRequest): Promise<unknown> {
    switch (request.ask) {
      case "open": {
        const number = this.nextLease++
        this.owners.add(request.owner)
        const lease = await this.pool.lease({
          ...request,
          ...(request.screenshots
            ? { onScreenshot: (screenshot) => this.reply({ screenshot, lease: number }) }
            : {}),
        })
        this.leases.set(number, lease)
        return number
      }
      case "step": {
        const lease = this.leases.get(request.lease)
        if (!lease || !steps.includes(request.step as Step))
          throw new Error("No such lease or step")
        const step = lease.visit[request.step as Step] as (...args: unknown[]) => Promise<unknown>
        const value = await step.apply(lease.visit, request.args)
        const answers = ["goto", "read", "fetch"].includes(request.step)
        return answers ? answerToMessage(value as Parameters<typeof answerToMessage>[0]) : value
      }
      case "close": {
        const lease = this.leases.get(request.lease)
        this.leases.delete(request.lease)
        return (await lease?.close()) ?? []
      }
      case "release":
        this.owners.delete(request.owner)
        return this.pool.releaseOwner(request.owner)
    }
  }

  /** The thread at the other end is gone. */
  async drop(): Promise<void> {
    for (const lease of this.leases.values()) await lease.close()
    for (const owner of this.owners) await this.pool.releaseOwner(owner)
    this.leases.clear()
    this.owners.clear()
  }
}

export type { PoolSettings }
