import { every, type Loop } from "../../../base/every.ts"
import { retryAfterSeconds } from "../../../extract/core/index.ts"
import {
  type DueDelivery,
  type DueNow,
  dueDeliveries,
  pendingWebhooks,
  type TriedDelivery,
} from "../../../store/notifications/deliveries.ts"
import type { OwnStore } from "../../../store/store.ts"
import { DeliveryQueue } from "./delivery-queue.ts"
import type { Answered, WebhookDispatcher } from "./dispatcher.ts"
import { Rates } from "./rates.ts"
import { pauseAfter } from "./retries.ts"

const pollEveryMs = 1_000
/** Pause before the next poll while there are more deliveries than one poll reads. */
const pollAgainMs = 100
/** Milliseconds for which a delivery is claimed; longer than any attempt. */
const claimedForMs = 60_000
/** Milliseconds for running deliveries at shutdown; the rest are due again at the next start. */
const farewellMs = 1_000
/** Maximum webhooks per poll, and deliveries of each. */
const webhooksAtOnce = 500
const eachWebhook = 20

export interface WebhookSenderParts {
  store: OwnStore
  dispatcher: Pick<WebhookDispatcher, "carry">
  /** Default: a new one. */
  rates?: Rates
  onError(message: string): void
  /** Called after each attempt. */
  onSent?(sent: SentDelivery): void
  now?(): Date
  random?(): number
}

export interface SentDelivery {
  runId: string | null
  event: string
  /** Milliseconds since 1970. */
  startMs: number
  status: number | null
  /** Error message; null on success. */
  error: string | null
}

/**
 * Sends due deliveries from the store's queue, each at least once: if the process ends between
 * sending and recording, the same ID is sent again.
 */
export class WebhookSender {
  private loop?: Loop
  private sent = 0
  private closing = false
  private readonly stopped = new AbortController()
  private readonly queue = new DeliveryQueue()
  private readonly running = new Set<Promise<void>>()
  private readonly rates: Rates
  private readonly now: () => Date
  private readonly random: () => number

  constructor(private readonly parts: WebhookSenderParts) {
    this.now = parts.now ?? (() => new Date())
    this.rates = parts.rates ?? new Rates(this.now)
    this.random = parts.random ?? Math.random
  }

  start(): void {
    const poll = async () => ((await this.poll()) ? pollAgainMs : pollEveryMs)
    this.loop = every(pollEveryMs, poll, { onError: (error) => this.failed(error) })
  }

  /**
   * Waits briefly for running deliveries, so that a receiver that does not respond does not delay
   * the shutdown.
   */
  async stop(): Promise<void> {
    this.closing = true
    await Promise.race([this.allSent(), Bun.sleep(farewellMs)])
    this.stopped.abort()
    await this.loop?.stop()
    await this.allSent()
  }

  /** Sends all due deliveries; returns their number. */
  async sendDue(): Promise<number> {
    const before = this.sent
    for (let again = true; again; ) {
      const sentBefore = this.sent
      await this.poll()
      await this.allSent()
      again = this.sent > sentBefore
    }
    return this.sent - before
  }

  private async allSent(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running)
  }

  /**
   * Reads due deliveries and starts those with a free slot; returns whether a webhook may have
   * more.
   */
  private async poll(): Promise<boolean> {
    const { db } = this.parts.store
    const now = this.now().toISOString()
    const due: DueNow[] = []
    for (let after: string | undefined = ""; after !== undefined && !this.closing; ) {
      const webhooks = await pendingWebhooks(db, { after, limit: webhooksAtOnce })
      due.push(...(await dueDeliveries(db, { webhooks, now, each: eachWebhook })))
      after = webhooks.length < webhooksAtOnce ? undefined : webhooks.at(-1)
      // An account with very many webhooks must not delay others.
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.queue.set(await this.withinRates(due, now))
    await this.sendNext()
    const byWebhook = Map.groupBy(due, ({ webhookId }) => webhookId).values()
    return byWebhook.some((own) => own.length === eachWebhook)
  }

  /**
   * Applies the channels' rate limits: of deliveries over a limit, all but the first are merged
   * into a digest.
   */
  private async withinRates(due: readonly DueNow[], at: string): Promise<DueNow[]> {
    const stored: DueNow[] = []
    for (const [webhookId, own] of Map.groupBy(due, (one) => one.webhookId)) {
      const { perMinute } = own[0]!
      const left = perMinute === null ? own.length : this.rates.left(webhookId, perMinute)
      if (own.length <= left || left === 0) {
        if (left > 0) stored.push(...own)
        continue
      }
      const immediate = own.slice(0, left - 1)
      const but = immediate.map(({ id }) => id)
      const digest = await this.parts.store.write("deliveries.gather", { webhookId, but, at })
      stored.push(...immediate, digest ? { ...own[0]!, id: digest.id, nextAt: at } : own[left - 1]!)
    }
    return stored
  }

  /** Sends the next deliveries; called again when one finishes. */
  private async sendNext(): Promise<void> {
    if (this.closing) return
    const next = this.queue.take()
    if (next.length === 0) return
    this.sent += next.length
    const now = this.now()
    const claim = {
      ids: next.map(({ id }) => id),
      now: now.toISOString(),
      until: new Date(now.getTime() + claimedForMs).toISOString(),
    }
    const claimed = await this.parts.store.write("deliveries.claim", claim).catch((error) => {
      this.failed(error)
      return []
    })
    const claims = new Map(claimed.map((delivery) => [delivery.id, delivery]))
    for (const due of next) {
      const delivery = claims.get(due.id)
      if (!delivery) {
        this.sent--
        this.queue.end(due)
        continue
      }
      if (due.perMinute !== null) this.rates.note(due.webhookId)
      const sending: Promise<void> = this.send(delivery)
        .catch((error) => this.failed(error))
        .then(() => {
          this.queue.end(due)
          return this.sendNext()
        })
        .finally(() => this.running.delete(sending))
      this.running.add(sending)
    }
  }

  private failed(error: unknown): void {
    if (this.parts.store.hasReported(error)) return
    this.parts.onError(`A webhook could not be sent: ${error}`)
  }

  private async send(delivery: DueDelivery): Promise<void> {
    const at = this.now()
    const started = performance.now()
    const startMs = Date.now()
    const response = await this.parts.dispatcher.carry(delivery, at, this.stopped.signal)
    if (response.error !== null && this.stopped.signal.aborted) {
      const { id } = delivery
      await this.parts.store.write("deliveries.release", { id, at: at.toISOString() })
      return
    }
    const { status, error } = response
    this.parts.onSent?.({ runId: delivery.run_id, event: delivery.event, startMs, status, error })
    const milliseconds = Math.round(performance.now() - started)
    await this.parts.store.write("deliveries.tried", {
      id: delivery.id,
      at: at.toISOString(),
      milliseconds,
      ...this.resultOf(delivery, response, at),
    })
  }

  /** Decides on the next attempt. A receiver that no longer exists disables the channel. */
  private resultOf(
    { tries }: DueDelivery,
    { status, headers, error, isGone }: Answered,
    at: Date,
  ): Pick<TriedDelivery, "status" | "error" | "state" | "nextAt" | "disable"> {
    if (error === null) return { status, error, state: "delivered", nextAt: null, disable: null }
    if (status === 410 || isGone) {
      const disable = isGone
        ? `The browser has unsubscribed: its push service returned ${status}. Add the browser again.`
        : "The receiver returned 410, so it wants no more deliveries."
      return { status, error, state: "failed", nextAt: null, disable }
    }
    const requested = retryAfterSeconds(headers, at.getTime())
    const pause = pauseAfter(tries + 1, requested, this.random())
    if (pause === null) return { status, error, state: "failed", nextAt: null, disable: null }
    const nextAt = new Date(at.getTime() + pause).toISOString()
    return { status, error, state: "pending", nextAt, disable: null }
  }
}
