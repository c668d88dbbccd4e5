import { messageOf } from "../../../base/error-message.ts"
import { every, type Loop } from "../../../base/every.ts"
import { secondMs } from "../../../base/time.ts"
import { storeTime } from "../../../store/db/dialect.ts"
import {
  type DueRunDelivery,
  dueRunDeliveries,
  newLease,
  type RunDeliveryRow,
} from "../../../store/destinations/run-deliveries.ts"
import { runById } from "../../../store/runs/runs.ts"
import type { Store } from "../../../store/store.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { pauseAfter } from "../notifications/retries.ts"
import type { DeliveryJob, DeliveryResult, DeliveryTransport, RowShape } from "./transport.ts"

const pollEveryMs = 2 * secondMs
const pollAgainMs = 500
/** Maximum waiting deliveries read between two yields. */
const lookedAtOnce = 500
/** Maximum concurrent destinations: in total, and per account. */
const atOnce = { all: 4, account: 2 }
/** Consecutive failures after which the pauses of a destination no longer increase. */
const maxFailuresCounted = 4

export interface DelivererParts {
  store: Store
  transport: DeliveryTransport
  /** How items of a run become rows. */
  shapeOf(run: RunRow): Promise<RowShape>
  onError(message: string): void
  /** Set if no other process delivers: existing leases belong to a process that has ended. */
  isSoleProcess?: boolean
  /** Returns the ID of this process among those that share the database. Default: there are no others. */
  processId?(): string | null
  random?(): number
}

/**
 * Delivers the items of runs to destinations. One process at a time delivers to a destination, by a
 * lease in the store; destinations and accounts take turns.
 */
export class Deliverer {
  private loop?: Loop
  private readonly stopped = new AbortController()
  private readonly running = new Map<string, { accountId: string; done: Promise<void> }>()
  private readonly random: () => number
  /** Order in which destinations had their last turn. */
  private readonly served = new Map<string, number>()
  private turns = 0

  constructor(private readonly parts: DelivererParts) {
    this.random = parts.random ?? Math.random
  }

  start(): void {
    let isFirst = this.parts.isSoleProcess ?? false
    const poll = async () => {
      if (isFirst) await this.parts.store.write("destinations.free", null)
      isFirst = false
      return (await this.poll()) ? pollAgainMs : pollEveryMs
    }
    this.loop = every(pollEveryMs, poll, {
      onError: (error) => this.report("Deliveries could not be read", error),
    })
  }

  async stop(): Promise<void> {
    this.stopped.abort()
    await this.loop?.stop()
    await this.settled()
  }

  /** Delivers all that is due now. */
  async deliverDue(): Promise<void> {
    while (await this.poll()) await this.settled()
  }

  private async settled(): Promise<void> {
    while (this.running.size > 0) {
      await Promise.all([...this.running.values()].map(({ done }) => done))
    }
  }

  /** Starts due deliveries while slots are free; returns whether there were any. */
  private async poll(): Promise<boolean> {
    const first = await this.firstOfEach()
    const inOrder = [...first.values()].sort(
      (one, other) => this.lastServed(one) - this.lastServed(other),
    )
    for (const due of inOrder) if (this.hasSlot(due)) this.begin(due)
    for (const id of this.served.keys()) if (!first.has(id)) this.served.delete(id)
    return first.size > 0 || this.running.size > 0
  }

  /** Returns the oldest waiting delivery of each destination. */
  private async firstOfEach(): Promise<Map<string, DueRunDelivery>> {
    const { db } = this.parts.store
    const now = (await storeTime(db)).toISOString()
    const first = new Map<string, DueRunDelivery>()
    for (
      let after: string | undefined = "";
      after !== undefined && !this.stopped.signal.aborted;
    ) {
      const page = await dueRunDeliveries(db, { after, limit: lookedAtOnce, now })
      for (const due of page.due) {
        if (!first.has(due.destinationId)) first.set(due.destinationId, due)
      }
      after = page.after
      await new Promise((resolve) => setImmediate(resolve))
    }
    return first
  }

  private lastServed({ destinationId }: DueRunDelivery): number {
    return this.served.get(destinationId) ?? 0
  }

  private hasSlot({ destinationId, accountId }: DueRunDelivery): boolean {
    if (this.running.size >= atOnce.all || this.running.has(destinationId)) return false
    const own = this.running.values().filter((other) => other.accountId === accountId)
    return [...own].length < atOnce.account
  }

  private begin({ id, destinationId, accountId }: DueRunDelivery): void {
    this.served.set(destinationId, ++this.turns)
    const done = this.deliver(id)
      .catch((error) => this.report("Items could not be delivered", error))
      .finally(() => this.running.delete(destinationId))
    this.running.set(destinationId, { accountId, done })
  }

  private report(what: string, error: unknown): void {
    if (this.parts.store.hasReported(error)) return
    this.parts.onError(`${what}: ${messageOf(error)}`)
  }

  private async deliver(deliveryId: string): Promise<void> {
    const { store, transport: deliveryTransport, shapeOf, processId } = this.parts
    const lease = newLease(processId?.() ?? null)
    const claimed = await store.write("destinations.claim", { deliveryId, lease })
    if (!claimed) return
    const { signal } = this.stopped
    let result: DeliveryResult
    try {
      const run = await runById(store.db, claimed.delivery.run_id)
      const shape = run ? await shapeOf(run) : { schema: { type: "object" } as never, own: [] }
      result = await deliveryTransport.deliver({ ...claimed, shape, lease }, signal)
    } catch (error) {
      const message = messageOf(error)
      result = { state: "waiting", failure: { message, isFinal: false, retryAfterSeconds: null } }
    }
    await this.end({ ...claimed, lease }, result)
  }

  private async end(
    { destination, delivery, lease }: Omit<DeliveryJob, "shape">,
    { state, seen, pauseMs = 0, failure }: DeliveryResult,
  ): Promise<void> {
    if (state === "lost") return
    const { store } = this.parts
    const now = await storeTime(store.db)
    const after = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString()
    const ids = { destinationId: destination.id, deliveryId: delivery.id, lease }
    const ended = { ...ids, at: now.toISOString(), ...(seen !== undefined && { seen }) }
    if (!failure || this.stopped.signal.aborted) {
      await store.write("destinations.endDelivery", { ...ended, state, nextAt: after(pauseMs) })
      return
    }
    const { message, isFinal, retryAfterSeconds } = failure
    const current = await this.triesOf(delivery)
    const pause = isFinal ? null : pauseAfter(current + 1, retryAfterSeconds, this.random())
    const failures = Math.min(destination.failures + 1, maxFailuresCounted)
    const left = isFinal ? 0 : pauseAfter(failures, retryAfterSeconds, this.random())!
    await store.write("destinations.endDelivery", {
      ...ended,
      state: pause === null ? "failed" : "waiting",
      ...(pause !== null && { nextAt: after(pause) }),
      failure: { message, retryAt: after(left) },
    })
  }

  /** Returns the number of attempts, which is reset by parts that were delivered in the turn. */
  private async triesOf({ id, tries, parts }: RunDeliveryRow): Promise<number> {
    const row = await this.parts.store.db
      .selectFrom("run_deliveries")
      .select(["tries", "parts"])
      .where("id", "=", id)
      .executeTakeFirst()
    return row && row.parts > parts ? row.tries : tries
  }
}
