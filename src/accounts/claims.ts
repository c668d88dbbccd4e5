import { dayMs } from "../base/time.ts"
import { type ClaimRow, claimByHash, claimByStatusHash } from "../store/accounts/claims.ts"
import type { Store } from "../store/store.ts"
import { freshKey, type KeyTerms } from "./keys.ts"
import { newSecret, sha256 } from "./secrets.ts"

/** What the human is told of who asks. */
export interface Claimant {
  /** From where it called. */
  address: string
  /** The program that it says it is. */
  agent: string | null
  /** What it wanted to run. */
  askedFor: string
}

/** The key as the human gives it. */
export interface ClaimedKey extends KeyTerms {
  name: string
}

export type ClaimStanding =
  | { status: "pending" }
  | { status: "ready"; apiKey?: string }
  | { status: "refused" }

/**
 * How an agent comes by a key: it hands `claim` to a human, who signs up with it, and polls with
 * `status`. Neither secret tells the other, so that the human's link gives nobody the key.
 */
export class Claims {
  constructor(private readonly store: Store) {}

  async open(now: Date, claimant?: Claimant): Promise<{ claim: string; status: string }> {
    const claim = newSecret()
    const status = newSecret()
    await this.store.write("claims.open", {
      claimHash: sha256(claim),
      statusHash: sha256(status),
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + dayMs).toISOString(),
      address: claimant?.address ?? null,
      agent: claimant?.agent ?? null,
      askedFor: claimant?.askedFor ?? null,
    })
    return { claim, status }
  }

  /** A claim that a human can still settle. */
  async find(claim: string, now: Date): Promise<ClaimRow | undefined> {
    const row = await claimByHash(this.store.db, sha256(claim), now.toISOString())
    return row && row.account_id === null && row.refused_at === null ? row : undefined
  }

  async isOpen(claim: string, now: Date): Promise<boolean> {
    return (await this.find(claim, now)) !== undefined
  }

  /** False when the claim is unknown, over or settled. Default key: one without limits. */
  complete(claim: string, accountId: string, now: Date, key?: ClaimedKey): Promise<boolean> {
    return this.store.write("claims.complete", {
      claimHash: sha256(claim),
      accountId,
      at: now.toISOString(),
      keyTerms: key ? JSON.stringify(key) : null,
    })
  }

  refuse(claim: string, now: Date): Promise<boolean> {
    return this.store.write("claims.refuse", { claimHash: sha256(claim), at: now.toISOString() })
  }

  /** Undefined when the claim is unknown or over. The key comes with one answer only. */
  async poll(status: string, now: Date): Promise<ClaimStanding | undefined> {
    const at = now.toISOString()
    const statusHash = sha256(status)
    const row = await claimByStatusHash(this.store.db, statusHash, at)
    if (!row) return undefined
    if (row.refused_at !== null) return { status: "refused" }
    if (row.account_id === null) return { status: "pending" }
    if (row.delivered_at !== null) return { status: "ready" }
    const terms: ClaimedKey = row.key_terms ? JSON.parse(row.key_terms) : { name: "Agent" }
    const { apiKey, row: key } = freshKey(terms.name, now, undefined, terms)
    const first = await this.store.write("claims.deliver", { statusHash, at, key })
    return first ? { status: "ready", apiKey } : { status: "ready" }
  }
}
