import { version } from "../../../config/version.ts"
import { retryAfterSeconds } from "../../../extract/core/index.ts"
import type { Transport } from "../../net/http/exchange.ts"
import { signatureHeaders } from "../notifications/signature.ts"
import {
  type DestinationOptions,
  type DestinationSecret,
  defaultBatchSize,
} from "./model/options.ts"
import { type Delivering, DestinationError, type Part, requestMs, type Sink } from "./model/sink.ts"

const maxCharacters = 1_000_000

/** Delivers parts as signed requests; the ID of a part is the same at each attempt. */
export class WebhookSink implements Sink {
  readonly bounds: Sink["bounds"]

  constructor(
    private readonly transport: Transport,
    options: DestinationOptions,
    private readonly secret: DestinationSecret,
    private readonly delivering: Delivering,
  ) {
    this.bounds = { items: options.batchSize ?? defaultBatchSize, characters: maxCharacters }
  }

  async put({ items }: Part, index: number, signal: AbortSignal): Promise<string[]> {
    const { destination, delivery, run } = this.delivering
    const id = `${delivery.id}.${index}`
    const data = {
      destination: destination.name,
      runId: run.id,
      scraper: run.recipe ?? run.slug,
      part: index,
      items: items.map(({ row }) => row),
    }
    await sendSigned(this.transport, this.secret, { id, type: "items", data }, signal)
    return []
  }

  async close(): Promise<void> {}
}

/** Sends one signed request. @throws DestinationError unless the receiver responds with 2xx */
export async function sendSigned(
  transport: Transport,
  { url = "", signingSecret = "" }: DestinationSecret,
  { id, type, data }: { id: string; type: string; data: object },
  signal: AbortSignal,
): Promise<void> {
  const at = new Date()
  const payload = JSON.stringify({ type, timestamp: at.toISOString(), data })
  const response = await transport.send({
    method: "POST",
    url,
    headers: new Headers({
      "content-type": "application/json",
      "user-agent": `Trawl-Webhooks/${version}`,
      "idempotency-key": id,
      ...signatureHeaders({ id, payload, at, secrets: [signingSecret] }),
    }),
    body: payload,
    maxBytes: 64 * 1024,
    truncate: true,
    timeoutMs: requestMs,
    signal,
  })
  const { status, headers } = response
  // Redirects are not followed.
  if (status >= 200 && status < 300) return
  throw new DestinationError(`The receiver responded with ${status}.`, {
    isFinal: status === 410,
    retryAfterSeconds: retryAfterSeconds(headers, at.getTime()),
  })
}
