import type { AgentIdentity, Free } from "../../accounts/allowance.ts"
import { scopesOf } from "../../accounts/keys.ts"
import { accountById } from "../../store/accounts/accounts.ts"
import type { Caller as Subjects } from "../../store/accounts/allowance.ts"
import { tellOfCall } from "../http/call-facts.ts"
import { bearerOf, countCall, keyFault } from "../http/guard.ts"
import type { Call, Service } from "../service.ts"
import { KeylessFault } from "./fault.ts"

/** Who calls the keyless surface, and who pays. */
export interface KeylessCaller {
  agentId: string
  /** Whose memory and whose claim a call without an account uses. */
  identity: AgentIdentity
  /** By whom calls are counted; also kept for an account's, to answer a token that is bad. */
  subjects: Subjects
  /** Set when a token bills an account. */
  accountId: string | null
  keyId: string | null
}

export interface BilledTo {
  billedTo: "account"
  creditsCharged: number
  /** Null for an unlimited account. */
  creditsRemaining: number | null
}

const longestAgentId = 128

/** @throws KeylessFault when the agent id or the token cannot be used; ApiError 429 */
export async function identify(
  service: Service,
  call: Call,
  given: { agentId: string | null; token: string | null },
): Promise<KeylessCaller> {
  const caller = stranger(service, call, given.agentId)
  const token = given.token || bearerOf(call.request)
  await countCall(service, call, token)
  if (given.agentId !== null && given.agentId.length > longestAgentId) {
    throw new KeylessFault("INVALID_INPUT", `agentId has more than ${longestAgentId} characters.`, [
      {
        field: "agentId",
        message: "It is too long.",
        expected: `a text of at most ${longestAgentId} characters`,
      },
    ])
  }
  if (token === undefined) {
    tellOfCall(call.request, { caller: "keyless" })
    return caller
  }
  const owner = await service.keys.owner(token)
  if (!owner) throw new KeylessFault("ERROR", "The token is not a valid API key.")
  const unusable = keyFault(owner)
  if (unusable) throw new KeylessFault("ERROR", unusable)
  service.underWay.leave(call.request)
  if (!scopesOf(owner).includes("run")) {
    throw new KeylessFault("ERROR", "This key lacks the scope run.")
  }
  tellOfCall(call.request, { caller: "key", account: owner.accountId, key: owner.keyId })
  return { ...caller, accountId: owner.accountId, keyId: owner.keyId }
}

/** A caller by address and agent id alone. */
export function stranger(service: Service, call: Call, agentId: string | null): KeylessCaller {
  const header = call.request.headers.get("x-trawl-agent")
  const address = service.address(call)
  const id = (agentId || header || service.allowance.newAgentId(address)).slice(0, longestAgentId)
  const subjects = service.allowance.caller(address, id, new Date())
  const identity = service.allowance.identity(address, id)
  return { agentId: id, identity, subjects, accountId: null, keyId: null }
}

/** What `free` tells: the allowance, or what the account paid and has left. */
export async function freeOf(
  service: Service,
  caller: KeylessCaller,
  creditsCharged = 0,
): Promise<Free | BilledTo> {
  if (caller.accountId === null) return service.allowance.standing(caller.subjects)
  const account = await accountById(service.store.db, caller.accountId)
  return {
    billedTo: "account",
    creditsCharged,
    creditsRemaining: account?.unlimited ? null : (account?.balance ?? 0),
  }
}
