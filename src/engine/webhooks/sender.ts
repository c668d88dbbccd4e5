import { messageOf } from "../../base/error-message.ts"
import { every, type Loop } from "../../base/every.ts"
import { retryAfterSeconds } from "../../extract/core/index.ts"
import {
  type DueDelivery,
  type DueNow,
  dueDeliveries,
  pendingWebhooks,
  type TriedDelivery,
} from "../../store/automation/deliveries.ts"
import type { OwnStore } from "../../store/store.ts"
import { version } from "../../version.ts"
import type { Transport } from "../http/exchange.ts"
import { pauseAfter } from "./retries.ts"
import { signatureHeaders } from "./signature.ts"
import { Turns } from "./turns.ts"

const pollEveryMs = 1_000
/** While a webhook has more than one poll reads. */
const pollAgainMs = 100
const timeoutMs = 20_000
/** How long a delivery stays claimed; longer than any try. */
const takenForMs = 60_000
/** Grace at shutdown for deliveries under way; the rest are due again at the next start. */
const farewellMs = 1_000
/** What one poll reads: webhooks at once, and deliveries of each. */
const webhooksAtOnce = 500
const eachWebhook = 20

export interface WebhookSenderParts {
  store: OwnStore
  /** Guarded: receivers inside the private network are refused. */
  transport: Transport
  onError(message: string): void
  now?(): Date
  random?(): number
}

/**
 * Sends what is due in the store's queue. A delivery is sent at least once: when the process ends
 * between sending and noting it, the same id is sent again.
 */
export class WebhookSender {
  private loop?: Loop
  private sent = 0
  private closing = false
  private readonly stopped = new AbortController()
  private readonly turns = new Turns()
  private readonly underWay = new Set<Promise<void>>()
  private readonly now: () => Date
  private readonly random: () => number

  constructor(private readonly parts: WebhookSenderParts) {
    this.now = parts.now ?? (() => new Date())
    this.random = parts.random ?? Math.random
  }

  start(): void {
    const poll = async () => ((await this.poll()) ? pollAgainMs : pollEveryMs)
    this.loop = every(pollEveryMs, poll, { onError: (error) => this.failed(error) })
  }

  /** Those under way have a moment; a receiver that does not answer holds up nothing. */
  async stop(): Promise<void> {
    this.closing = true
    await Promise.race([this.allSent(), Bun.sleep(farewellMs)])
    this.stopped.abort()
    await this.loop?.stop()
    await this.allSent()
  }

  /** Sends all that is due now; how many there were. */
  async sendDue(): Promise<number> {
    const before = this.sent
    for (let again = true; again; ) {
      const begun = this.sent
      await this.poll()
      await this.allSent()
      again = this.sent > begun
    }
    return this.sent - before
  }

  private async allSent(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay)
  }

  /** Reads what is due and begins what has a place; whether a webhook may have more than was read. */
  private async poll(): Promise<boolean> {
    const { db } = this.parts.store
    const now = this.now().toISOString()
    const due: DueNow[] = []
    for (let after: string | undefined = ""; after !== undefined && !this.closing; ) {
      const webhooks = await pendingWebhooks(db, { after, limit: webhooksAtOnce })
      due.push(...(await dueDeliveries(db, { webhooks, now, each: eachWebhook })))
      after = webhooks.length < webhooksAtOnce ? undefined : webhooks.at(-1)
      // An account with very many webhooks must not delay anyone else's.
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.turns.set(due)
    await this.sendNext()
    const byWebhook = Map.groupBy(due, ({ webhookId }) => webhookId).values()
    return byWebhook.some((own) => own.length === eachWebhook)
  }

  /** Takes those whose turn it is; called again with each that is over. */
  private async sendNext(): Promise<void> {
    if (this.closing) return
    const next = this.turns.take()
    if (next.length === 0) return
    this.sent += next.length
    const now = this.now()
    const claim = {
      ids: next.map(({ id }) => id),
      now: now.toISOString(),
      until: new Date(now.getTime() + takenForMs).toISOString(),
    }
    const claimed = await this.parts.store.write("deliveries.claim", claim).catch((error) => {
      this.failed(error)
      return []
    })
    const taken = new Map(claimed.map((delivery) => [delivery.id, delivery]))
    for (const due of next) {
      const delivery = taken.get(due.id)
      if (!delivery) {
        this.sent--
        this.turns.end(due)
        continue
      }
      const sending: Promise<void> = this.send(delivery)
        .catch((error) => this.failed(error))
        .then(() => {
          this.turns.end(due)
          return this.sendNext()
        })
        .finally(() => this.underWay.delete(sending))
      this.underWay.add(sending)
    }
  }

  private failed(error: unknown): void {
    this.parts.onError(`A webhook could not be sent: ${error}`)
  }

  private async send(delivery: DueDelivery): Promise<void> {
    const at = this.now()
    const started = performance.now()
    const answer = await this.post(delivery, at)
    if ("error" in answer && this.stopped.signal.aborted) {
      const { id } = delivery
      await this.parts.store.write("deliveries.release", { id, at: at.toISOString() })
      return
    }
    const milliseconds = Math.round(performance.now() - started)
    await this.parts.store.write("deliveries.tried", {
      id: delivery.id,
      at: at.toISOString(),
      milliseconds,
      ...this.judge(delivery, answer, at),
    })
  }

  private async post(
    delivery: DueDelivery,
    at: Date,
  ): Promise<{ status: number; headers: Headers } | { error: string }> {
    const { id, url, payload } = delivery
    try {
      const headers = new Headers({
        "content-type": "application/json",
        "user-agent": `Trawl-Webhooks/${version}`,
        ...signatureHeaders({ id, payload, at, secrets: this.secretsOf(delivery, at) }),
      })
      return await this.parts.transport.send({
        method: "POST",
        url,
        headers,
        body: payload,
        maxBytes: 64 * 1024,
        truncate: true,
        timeoutMs,
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.stopped.signal]),
      })
    } catch (error) {
      return { error: messageOf(error) }
    }
  }

  /** @throws KeyLost */
  private secretsOf(delivery: DueDelivery, at: Date): string[] {
    const { webhook_id, secret, previous_secret, previous_until } = delivery
    const { seal } = this.parts.store
    const both =
      previous_secret !== null &&
      previous_until! > at.toISOString() &&
      // A lost secret may be the reason for the replacement.
      seal.opens(previous_secret)
    return (both ? [secret, previous_secret] : [secret]).map((sealed) =>
      seal.open(sealed, webhook_id),
    )
  }

  /** Only 2xx is success; a redirect is not followed; 410 switches the webhook off. */
  private judge(
    { tries }: DueDelivery,
    answer: { status: number; headers: Headers } | { error: string },
    at: Date,
  ): Pick<TriedDelivery, "status" | "error" | "state" | "nextAt" | "disable"> {
    const status = "status" in answer ? answer.status : null
    if (status !== null && status >= 200 && status < 300) {
      return { status, error: null, state: "delivered", nextAt: null, disable: null }
    }
    const error = "error" in answer ? answer.error : `The receiver answered ${status}.`
    if (status === 410) {
      const disable = "The receiver answered 410: it wants no deliveries any more."
      return { status, error, state: "failed", nextAt: null, disable }
    }
    const asked = "headers" in answer ? retryAfterSeconds(answer.headers, at.getTime()) : null
    const pause = pauseAfter(tries + 1, asked, this.random())
    if (pause === null) return { status, error, state: "failed", nextAt: null, disable: null }
    const nextAt = new Date(at.getTime() + pause).toISOString()
    return { status, error, state: "pending", nextAt, disable: null }
  }
}
