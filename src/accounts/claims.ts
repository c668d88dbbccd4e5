import { dayMs, hourMs } from "../base/time.ts"
import {
  type ClaimRow,
  claimByHash,
  claimByStatusHash,
  openClaimOfAgent,
} from "../store/accounts/claims.ts"
import type { OwnStore } from "../store/store.ts"
import { KeyLost } from "../store/upkeep/secret-box.ts"
import { freshKey, type KeyTerms } from "./keys.ts"
import { newSecret, sha256 } from "./secrets.ts"

/** The details of the request that the user sees. */
export interface Claimant {
  /** IP address of the agent. */
  address: string
  /** Name of the program, as it reports itself. */
  agent: string | null
  /** Scraper that the agent wanted to run. */
  requestedFor: string
  /** Identity of the agent, if only the agent knows it: its open claim is then returned again. */
  identity?: string
}

/** Rights of the key that the user creates. */
export interface ClaimedKey extends KeyTerms {
  name: string
}

/** Secrets of the user's link and of the agent's polling URL. */
export interface ClaimSecrets {
  claim: string
  status: string
}

export type ClaimStatus =
  | { status: "pending" }
  | { status: "ready"; apiKey?: string }
  | { status: "refused" }

/**
 * Gives an agent an API key: the agent passes `claim` to its user, who signs up with it, and polls
 * with `status`. Neither secret reveals the other, so the link of the user does not give access to the key.
 */
export class Claims {
  constructor(private readonly store: OwnStore) {}

  /** Returns the agent's open claim, or a new one. */
  async open(now: Date, claimant?: Claimant): Promise<ClaimSecrets> {
    const agentHash = claimant?.identity ? sha256(claimant.identity) : null
    const open = agentHash && (await this.ofAgent(agentHash, now))
    if (open) return open
    const claim = newSecret()
    const status = newSecret()
    const secrets =
      agentHash && this.store.secrets.close(JSON.stringify({ claim, status }), agentHash)
    await this.store.write("claims.open", {
      agentHash,
      secrets,
      claimHash: sha256(claim),
      statusHash: sha256(status),
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + dayMs).toISOString(),
      address: claimant?.address ?? null,
      agent: claimant?.agent ?? null,
      requestedFor: claimant?.requestedFor ?? null,
    })
    return { claim, status }
  }

  private async ofAgent(agentHash: string, now: Date): Promise<ClaimSecrets | undefined> {
    // The user needs some time from opening the link to the end of the sign-up.
    const until = new Date(now.getTime() + hourMs).toISOString()
    const row = await openClaimOfAgent(this.store.db, agentHash, until)
    if (!row?.secrets) return undefined
    try {
      return JSON.parse(this.store.secrets.open(row.secrets, agentHash))
    } catch (error) {
      if (error instanceof KeyLost) return undefined
      throw error
    }
  }

  /** Returns a claim that the user can still accept or refuse. */
  async find(claim: string, now: Date): Promise<ClaimRow | undefined> {
    const row = await claimByHash(this.store.db, sha256(claim), now.toISOString())
    return row && row.account_id === null && row.refused_at === null ? row : undefined
  }

  async isOpen(claim: string, now: Date): Promise<boolean> {
    return (await this.find(claim, now)) !== undefined
  }

  /** Returns false if the claim is unknown, expired or closed. Default key: without limits. */
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

  /** Returns undefined if the claim is unknown or expired. The key is in one response only. */
  async poll(status: string, now: Date): Promise<ClaimStatus | undefined> {
    const at = now.toISOString()
    const statusHash = sha256(status)
    const row = await claimByStatusHash(this.store.db, statusHash, at)
    if (!row) return undefined
    if (row.refused_at !== null) return { status: "refused" }
    if (row.account_id === null) return { status: "pending" }
    if (row.delivered_at !== null) return { status: "ready" }
    return this.deliver(row, at)
  }

  /** Returns the key to the user who accepted the claim; undefined if it was already delivered. */
  async take(claim: string, accountId: string, now: Date): Promise<string | undefined> {
    const at = now.toISOString()
    const row = await claimByHash(this.store.db, sha256(claim), at)
    if (!row || row.account_id !== accountId || row.delivered_at !== null) return undefined
    return (await this.deliver(row, at)).apiKey
  }

  private async deliver(row: ClaimRow, at: string): Promise<{ status: "ready"; apiKey?: string }> {
    const terms: ClaimedKey = row.key_terms ? JSON.parse(row.key_terms) : { name: "Agent" }
    const { apiKey, row: key } = freshKey(terms.name, new Date(at), undefined, terms)
    const first = await this.store.write("claims.deliver", { statusHash: row.status_hash, at, key })
    return first ? { status: "ready", apiKey } : { status: "ready" }
  }
}
