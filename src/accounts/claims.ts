import { dayMs } from "../base/time.ts"
import { claimByHash, claimByStatusHash } from "../store/accounts/claims.ts"
import type { Store } from "../store/store.ts"
import { freshKey } from "./keys.ts"
import { newSecret, sha256 } from "./secrets.ts"

/**
 * How an agent comes by a key: it hands `claim` to a human, who signs up with it, and polls with
 * `status`. Neither secret tells the other, so that the human's link gives nobody the key.
 */
export class Claims {
  constructor(private readonly store: Store) {}

  async open(now: Date): Promise<{ claim: string; status: string }> {
    const claim = newSecret()
    const status = newSecret()
    await this.store.write("claims.open", {
      claimHash: sha256(claim),
      statusHash: sha256(status),
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + dayMs).toISOString(),
    })
    return { claim, status }
  }

  /** Whether a human can still finish the claim. */
  async isOpen(claim: string, now: Date): Promise<boolean> {
    const row = await claimByHash(this.store.db, sha256(claim), now.toISOString())
    return row !== undefined && row.account_id === null
  }

  /** False when the claim is unknown, over or finished. */
  complete(claim: string, accountId: string, now: Date): Promise<boolean> {
    return this.store.write("claims.complete", {
      claimHash: sha256(claim),
      accountId,
      at: now.toISOString(),
    })
  }

  /** Undefined when the claim is unknown or over. The key comes with one answer only. */
  async poll(
    status: string,
    now: Date,
  ): Promise<{ status: "pending" } | { status: "ready"; apiKey?: string } | undefined> {
    const at = now.toISOString()
    const statusHash = sha256(status)
    const row = await claimByStatusHash(this.store.db, statusHash, at)
    if (!row) return undefined
    if (row.account_id === null) return { status: "pending" }
    if (row.delivered_at !== null) return { status: "ready" }
    const { apiKey, row: key } = freshKey("Agent", now)
    const first = await this.store.write("claims.deliver", { statusHash, at, key })
    return first ? { status: "ready", apiKey } : { status: "ready" }
  }
}
