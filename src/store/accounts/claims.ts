import type { Selectable, Updateable } from "kysely"
import type { Db } from "../db/database.ts"
import type { ClaimsTable } from "../tables/account-tables.ts"
import { createKey, type NewKey } from "./keys.ts"

export type ClaimRow = Selectable<ClaimsTable>

export async function openClaim(
  db: Db,
  claim: {
    claimHash: string
    statusHash: string
    createdAt: string
    expiresAt: string
    address: string | null
    agent: string | null
    requestedFor: string | null
    agentHash: string | null
    secrets: string | null
  },
): Promise<void> {
  await db
    .insertInto("claims")
    .values({
      claim_hash: claim.claimHash,
      status_hash: claim.statusHash,
      created_at: claim.createdAt,
      expires_at: claim.expiresAt,
      address: claim.address,
      agent: claim.agent,
      requested: claim.requestedFor,
      agent_hash: claim.agentHash,
      secrets: claim.secrets,
    })
    .execute()
}

/**
 * Binds a claim to an account; returns false if the claim is unknown, expired, bound or refused.
 */
export async function completeClaim(
  db: Db,
  claim: { claimHash: string; accountId: string; at: string; keyTerms: string | null },
): Promise<boolean> {
  return settle(db, claim, { account_id: claim.accountId, key_terms: claim.keyTerms })
}

/** Records that the person refuses to give the agent a key. */
export async function refuseClaim(
  db: Db,
  claim: { claimHash: string; at: string },
): Promise<boolean> {
  return settle(db, claim, { refused_at: claim.at })
}

async function settle(
  db: Db,
  { claimHash, at }: { claimHash: string; at: string },
  set: Updateable<ClaimsTable>,
): Promise<boolean> {
  const result = await db
    .updateTable("claims")
    .set(set)
    .where("claim_hash", "=", claimHash)
    .where("account_id", "is", null)
    .where("refused_at", "is", null)
    .where("expires_at", ">", at)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Creates the agent's key, once; returns false if another poll was first. */
export async function deliverClaim(
  db: Db,
  delivery: { statusHash: string; at: string; key: Omit<NewKey, "accountId"> },
): Promise<boolean> {
  const claim = await db
    .updateTable("claims")
    .set({ delivered_at: delivery.at })
    .where("status_hash", "=", delivery.statusHash)
    .where("account_id", "is not", null)
    .where("delivered_at", "is", null)
    .returning("account_id")
    .executeTakeFirst()
  if (!claim?.account_id) return false
  await createKey(db, { ...delivery.key, accountId: claim.account_id })
  return true
}

/** Returns the newest claim of an agent that its person can still confirm or refuse. */
export async function openClaimOfAgent(
  db: Db,
  agentHash: string,
  until: string,
): Promise<ClaimRow | undefined> {
  return db
    .selectFrom("claims")
    .selectAll()
    .where("agent_hash", "=", agentHash)
    .where("account_id", "is", null)
    .where("refused_at", "is", null)
    .where("expires_at", ">", until)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst()
}

export async function claimByStatusHash(
  db: Db,
  statusHash: string,
  now: string,
): Promise<ClaimRow | undefined> {
  return db
    .selectFrom("claims")
    .selectAll()
    .where("status_hash", "=", statusHash)
    .where("expires_at", ">", now)
    .executeTakeFirst()
}

export async function claimByHash(
  db: Db,
  claimHash: string,
  now: string,
): Promise<ClaimRow | undefined> {
  return db
    .selectFrom("claims")
    .selectAll()
    .where("claim_hash", "=", claimHash)
    .where("expires_at", ">", now)
    .executeTakeFirst()
}
