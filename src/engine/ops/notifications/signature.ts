import { Webhook } from "standardwebhooks"

/** Returns a new secret in the format of Standard Webhooks: 24 random bytes. */
export function newWebhookSecret(): string {
  return `whsec_${crypto.getRandomValues(new Uint8Array(24)).toBase64()}`
}

export interface Signed {
  id: string
  payload: string
  at: Date
  /** One secret, or two while it is being rotated. */
  secrets: readonly string[]
}

/** Returns the headers by which a receiver verifies a delivery. */
export function signatureHeaders({ id, payload, at, secrets }: Signed): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets
      .map((secret) => new Webhook(secret).sign(id, at, payload))
      .join(" "),
  }
}
