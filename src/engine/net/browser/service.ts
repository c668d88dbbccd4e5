import type { Cookie } from "puppeteer-core"
import { Aborted } from "../../../catalogue/kit/index.ts"
import { chromeGone } from "./lease/lease-end.ts"
import {
  type BrowserPort,
  type OpenRequest,
  responseToMessage,
  type Step,
} from "./lease/protocol.ts"
import type { Lease, NetLeaseRequest } from "./pool/lease.ts"
import type { Leasing } from "./pool/leasing.ts"

/** An open or waiting lease. */
interface Held {
  control: AbortController
  lease?: Lease
  onScreenshot?: ((png: Uint8Array) => void) | undefined
}

/** Serves a pool to one worker. When the worker is gone, everything that it had open is closed. */
export class BrowserService implements BrowserPort {
  private readonly leases = new Map<number, Held>()
  private readonly owners = new Set<string>()
  /** Aborted when the worker is gone. */
  private readonly gone = new AbortController()

  constructor(private readonly pool: Leasing) {}

  fetch(request: Omit<NetLeaseRequest, "signal">, signal: AbortSignal) {
    this.owners.add(request.owner)
    return this.pool.fetch({ ...request, signal: AbortSignal.any([signal, this.gone.signal]) })
  }

  async open(number: number, { screenshots, ...request }: OpenRequest): Promise<void> {
    this.owners.add(request.owner)
    const held: Held = { control: new AbortController() }
    this.leases.set(number, held)
    try {
      held.lease = await this.pool.lease({
        ...request,
        signal: held.control.signal,
        ...(screenshots ? { onScreenshot: (png) => held.onScreenshot?.(png) } : {}),
      })
    } catch (error) {
      this.leases.delete(number)
      throw error
    }
    // The lease was cancelled while it was opened.
    if (held.control.signal.aborted) await held.lease.close()
  }

  async step(
    number: number,
    step: Step,
    args: unknown[],
    onScreenshot?: (png: Uint8Array) => void,
  ): Promise<unknown> {
    const held = this.leases.get(number)
    // The lease belonged to a thread that is gone.
    if (!held?.lease) throw chromeGone()
    held.onScreenshot = onScreenshot
    const { visit } = held.lease
    const value = await (visit[step] as (...args: unknown[]) => Promise<unknown>).apply(visit, args)
    const answers = ["goto", "read", "next", "finish", "fetch"].includes(step)
    return answers && value !== null
      ? responseToMessage(value as Parameters<typeof responseToMessage>[0])
      : value
  }

  async close(number: number): Promise<Cookie[]> {
    const held = this.leases.get(number)
    this.leases.delete(number)
    return (await held?.lease?.close()) ?? []
  }

  async cancel(number: number): Promise<void> {
    this.leases.get(number)?.control.abort(new Aborted())
    await this.close(number)
  }

  async release(owner: string): Promise<void> {
    this.owners.delete(owner)
    await this.pool.releaseOwner(owner)
  }

  /** Called when the worker's thread is gone. */
  async drop(): Promise<void> {
    this.gone.abort(new Aborted())
    await Promise.all([...this.leases.keys()].map((number) => this.cancel(number)))
    for (const owner of this.owners) await this.pool.releaseOwner(owner)
    this.owners.clear()
  }
}
