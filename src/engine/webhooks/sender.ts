import { retryAfterSeconds } from "../../extract/retry-after.ts"
import { type DueDelivery, deliveryIsDue, type TriedDelivery } from "../../store/deliveries.ts"
import type { OwnStore } from "../../store/store.ts"
import type { Transport } from "../http/exchange.ts"
import { pauseAfter } from "./retries.ts"
import { signatureHeaders } from "./signature.ts"

const lookEveryMs = 1_000
const atOnce = 20
const timeoutMs = 20_000
/** For as long, nobody else takes a delivery; longer than any try. */
const takenForMs = 60_000

export interface WebhookSenderParts {
  store: OwnStore
  /** Guarded: receivers inside the private network are refused. */
  transport: Transport
  onTrouble(message: string): void
  now?(): Date
  random?(): number
}

/**
 * Sends what is due in the store's queue. A delivery is sent at least once: when the process ends
 * between sending and noting it, the same id is sent again.
 */
export class WebhookSender {
  private timer?: ReturnType<typeof setTimeout>
  private looking: Promise<void> = Promise.resolve()
  private stopped = false
  private readonly now: () => Date
  private readonly random: () => number

  constructor(private readonly parts: WebhookSenderParts) {
    this.now = parts.now ?? (() => new Date())
    this.random = parts.random ?? Math.random
  }

  start(): void {
    this.timer = setTimeout(() => {
      this.looking = this.sendDue()
        .then(() => {})
        .catch((error) => this.parts.onTrouble(`A webhook could not be sent: ${error}`))
        .finally(() => {
          if (!this.stopped) this.start()
        })
    }, lookEveryMs)
  }

  /** Those under way are noted first. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.looking
  }

  /** Sends all that is due now; how many there were. */
  async sendDue(): Promise<number> {
    let sent = 0
    while (!this.stopped) {
      const now = this.now()
      // Reading is free; a look at an empty queue must not take the writer's time.
      if (!(await deliveryIsDue(this.parts.store.db, now.toISOString()))) break
      const due = await this.parts.store.write("deliveries.claim", {
        now: now.toISOString(),
        until: new Date(now.getTime() + takenForMs).toISOString(),
        limit: atOnce,
      })
      await Promise.all(due.map((delivery) => this.send(delivery)))
      sent += due.length
      if (due.length < atOnce) break
    }
    return sent
  }

  private async send(delivery: DueDelivery): Promise<void> {
    const at = this.now()
    const started = performance.now()
    const answer = await this.post(delivery, at)
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
        "user-agent": "Trawl-Webhooks/1.0",
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
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  /** @throws KeyLost */
  private secretsOf(delivery: DueDelivery, at: Date): string[] {
    const { webhook_id, secret, previous_secret, previous_until } = delivery
    const { seal } = this.parts.store
    const both =
      previous_secret !== null &&
      previous_until! > at.toISOString() &&
      // One that was lost is why it was replaced.
      seal.opens(previous_secret)
    return (both ? [secret, previous_secret] : [secret]).map((one) => seal.open(one, webhook_id))
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
