import type { AgentIdentity, Free } from "../../accounts/free-quota.ts"
import { scopesOf } from "../../accounts/keys.ts"
import { accountById } from "../../store/accounts/accounts.ts"
import type { Caller as Subjects } from "../../store/accounts/free-quota.ts"
import { bearerOf, countCall, keyIssue } from "../http/access.ts"
import { addCallFacts } from "../log/call-facts.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts, CoreParts, QuotaParts } from "../service-parts.ts"
import { KeylessError } from "./error.ts"

/** The caller of the keyless API, and the account that pays. */
export interface AnonymousCaller {
  agentId: string
  /** Identity for the memory and the claim of a call without an account. */
  identity: AgentIdentity
  /** Identities by which calls are counted; also for accounts, to respond to an invalid token. */
  subjects: Subjects
  /** Account of the token, if there is one. */
  accountId: string | null
  keyId: string | null
}

export interface BilledTo {
  billedTo: "account"
  creditsCharged: number
  /** Credits left; null for an unlimited account. */
  creditsRemaining: number | null
}

const maxAgentId = 128

/**
 * Identifies the caller. @throws KeylessFault if the agent ID or the token is not valid; ApiError
 * 429
 */
export async function identify(
  service: ClientParts & AccessParts & QuotaParts,
  call: Call,
  provided: { agentId: string | null; token: string | null },
): Promise<AnonymousCaller> {
  const caller = anonymousCaller(service, call, provided.agentId)
  const token = provided.token || bearerOf(call.request)
  await countCall(service, call, token)
  if (provided.agentId !== null && provided.agentId.length > maxAgentId) {
    throw new KeylessError("INVALID_INPUT", `agentId has more than ${maxAgentId} characters.`, [
      {
        field: "agentId",
        message: "It is too long.",
        expected: `a string of at most ${maxAgentId} characters`,
      },
    ])
  }
  if (token === undefined) {
    addCallFacts(call.request, { caller: "keyless" })
    return caller
  }
  const owner = await service.keys.owner(token)
  if (!owner)
    throw new KeylessError(
      "ERROR",
      "The token is not a valid API key: it is incomplete, revoked or from another server. Remove it to use the daily free quota.",
    )
  const unusable = keyIssue(owner)
  if (unusable) throw new KeylessError("ERROR", unusable)
  service.running.leave(call.request)
  if (!scopesOf(owner).includes("run")) {
    throw new KeylessError("ERROR", 'This API key lacks the scope "run".')
  }
  addCallFacts(call.request, { caller: "key", account: owner.accountId, key: owner.keyId })
  return { ...caller, accountId: owner.accountId, keyId: owner.keyId }
}

const sessionForm = /^(agt_\w{1,100})(?:\.url)?$/

/** Returns the agent ID in the headers of a call: `X-Trawl-Agent`, or the session ID of an MCP client. */
export function agentHeader(headers: Headers): string | null {
  const session = headers.get("mcp-session-id")?.match(sessionForm)?.[1]
  return headers.get("x-trawl-agent") ?? session ?? null
}

/** A caller without an account, by IP address and agent ID. */
export function anonymousCaller(
  service: ClientParts & QuotaParts,
  call: Call,
  agentId: string | null,
): AnonymousCaller {
  const header = agentHeader(call.request.headers)
  const address = service.address(call)
  const id = (agentId || header || service.freeQuota.newAgentId(address)).slice(0, maxAgentId)
  const subjects = service.freeQuota.caller(address, id, new Date())
  const identity = service.freeQuota.identity(address, id)
  return { agentId: id, identity, subjects, accountId: null, keyId: null }
}

/** Returns `free`: the daily free quota, or what the account paid and has left. */
export async function freeOf(
  service: CoreParts & QuotaParts,
  caller: AnonymousCaller,
  creditsCharged = 0,
): Promise<Free | BilledTo> {
  if (caller.accountId === null) return service.freeQuota.status(caller.subjects)
  const account = await accountById(service.store.db, caller.accountId)
  return {
    billedTo: "account",
    creditsCharged,
    creditsRemaining: account?.unlimited ? null : (account?.balance ?? 0),
  }
}
