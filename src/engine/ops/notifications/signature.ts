import { Webhook } from "standardwebhooks"

/** A secret as Standard Webhooks writes it: 24 random bytes. */
export function newWebhookSecret(): string {
  return `whsec_${crypto.getRandomValues(new Uint8Array(24)).toBase64()}`
}

export interface Signed {
  id: string
  payload: string
  at: Date
  /** One, or two while a secret is being replaced. */
  secrets: readonly string[]
}

/** The headers by which a receiver knows that a delivery is ours. */
export function signatureHeaders({ id, payload, at, secrets }: Signed): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets
      .map((secret) => new Webhook(secret).sign(id, at, payload))
      .join(" "),
  }
}
