import { Aborted } from "../../catalogue/kit/index.ts"
import { chromeGone } from "./lease-end.ts"
import type { BrowserPool, Lease, LeaseRequest } from "./pool.ts"
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

/** A lease that is open, or still waits to be. */
interface Held {
  control: AbortController
  lease?: Lease
}

/** Serves a pool to one run's thread; when that thread is gone, so is all that it had open. */
export class BrowserService {
  private readonly leases = new Map<number, Held>()
  private readonly owners = new Set<string>()

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
      case "open":
        this.owners.add(request.owner)
        return this.open(request.lease, {
          ...request,
          ...(request.screenshots
            ? { onScreenshot: (screenshot) => this.reply({ screenshot, lease: request.lease }) }
            : {}),
        })
      case "step": {
        const lease = this.leases.get(request.lease)?.lease
        // It was held by a thread that is gone.
        if (!lease) throw chromeGone()
        if (!steps.includes(request.step as Step)) throw new Error(`No step ${request.step}`)
        const step = lease.visit[request.step as Step] as (...args: unknown[]) => Promise<unknown>
        const value = await step.apply(lease.visit, request.args)
        const answers = ["goto", "read", "fetch"].includes(request.step)
        return answers ? answerToMessage(value as Parameters<typeof answerToMessage>[0]) : value
      }
      case "close":
        return this.close(request.lease)
      case "cancel":
        return this.cancel(request.lease)
      case "release":
        this.owners.delete(request.owner)
        return this.pool.releaseOwner(request.owner)
    }
  }

  private async open(number: number, request: LeaseRequest): Promise<void> {
    const held: Held = { control: new AbortController() }
    this.leases.set(number, held)
    try {
      held.lease = await this.pool.lease({ ...request, signal: held.control.signal })
    } catch (error) {
      this.leases.delete(number)
      throw error
    }
    // Cancelled in the moment in which it was opened.
    if (held.control.signal.aborted) await held.lease.close()
  }

  private async close(number: number) {
    const held = this.leases.get(number)
    this.leases.delete(number)
    return (await held?.lease?.close()) ?? []
  }

  private async cancel(number: number): Promise<void> {
    this.leases.get(number)?.control.abort(new Aborted())
    await this.close(number)
  }

  /** The thread at the other end is gone. */
  async drop(): Promise<void> {
    await Promise.all([...this.leases.keys()].map((number) => this.cancel(number)))
    for (const owner of this.owners) await this.pool.releaseOwner(owner)
    this.owners.clear()
  }
}
