import { dayMs } from "../base/time.ts"
import type { Config } from "../config/config.ts"
import { type Caller, freeQuotaUsed, type Quota } from "../store/accounts/free-quota.ts"
import { newId } from "../store/db/ids.ts"
import { ownSecret } from "../store/settings/secrets.ts"
import type { Store } from "../store/store.ts"
import { UnchangedReads } from "../store/unchanged-reads.ts"
import { addressKey } from "./ip-address.ts"

/** The rest of a caller's daily quota. */
export interface Free {
  limit: number
  used: number
  remaining: number
  /** Time of the next reset: midnight UTC. */
  resetsAt: string
}

/** Maximum milliseconds per day of failed calls that are returned to the quota. */
const maxHeldMs = 600_000
/** Callers whose use is in memory. */
const maxCallers = 1_000
const agentPrefix = "agt_"
/** Hexadecimal digits at the end of an agent ID that bind it to an IP address. */
const encryptedLength = 12

/** Identity of an agent whose user has no account. */
export interface AgentIdentity {
  /** `agent:` and a hash. */
  name: string
  /** Whether only this agent knows the agent ID. */
  isSecret: boolean
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const ownLength = newId("agt").length
const isOwnForm = (agentId: string) =>
  agentId.startsWith(agentPrefix) && agentId.length === ownLength

/** Counts keyless calls per day by IP address and by agent ID; the higher count applies. */
export class FreeQuota {
  private readonly used: UnchangedReads<number>

  private constructor(
    private readonly store: Store,
    private readonly config: Pick<Config, "freeDaily">,
    private readonly salt: string,
  ) {
    this.used = new UnchangedReads(store, maxCallers)
  }

  static async open(store: Store, config: Pick<Config, "freeDaily">): Promise<FreeQuota> {
    return new FreeQuota(store, config, await ownSecret(store.db, "callers"))
  }

  private get limit(): number {
    return this.config.freeDaily
  }

  caller(address: string, agentId: string, now: Date): Caller {
    const day = now.toISOString().slice(0, 10)
    const key = addressKey(address)
    const subjects = [`ip:${this.hash(day, key)}`, `agent:${this.hash(day, agentId)}`]
    if (this.isHome(agentId, key)) return { subjects, day, isHome: true }
    return { subjects: [...subjects, `both:${this.hash(day, `${key} ${agentId}`)}`], day }
  }

  /** Creates an ID whose end encodes the IP address; only this service can verify it. */
  newAgentId(address: string): string {
    const body = newId("agt").slice(agentPrefix.length, -encryptedLength)
    return agentPrefix + body + this.secrets(body, addressKey(address))
  }

  /**
   * Returns the identity of an agent ID, the same on every day. An ID that the service created, or a
   * UUID, is secret. Any other can be guessed, and is valid only for its IP address.
   */
  identity(address: string, agentId: string): AgentIdentity {
    const isSecret = isOwnForm(agentId) || uuid.test(agentId)
    const named = isSecret ? agentId : `${addressKey(address)} ${agentId}`
    return { name: `agent:${this.hash("identity", named)}`, isSecret }
  }

  private isHome(agentId: string, key: string): boolean {
    if (!agentId.startsWith(agentPrefix)) return false
    const body = agentId.slice(agentPrefix.length, -encryptedLength)
    return agentId.slice(-encryptedLength) === this.secrets(body, key)
  }

  private secrets(body: string, key: string): string {
    return new Bun.CryptoHasher("sha256", this.salt)
      .update(`agent ${body} ${key}`)
      .digest("hex")
      .slice(0, encryptedLength)
  }

  /** Returns a hash that does not reveal the IP address, and differs from day to day. */
  private hash(day: string, value: string): string {
    return new Bun.CryptoHasher("sha256", this.salt).update(`${day} ${value}`).digest("base64url")
  }

  async status(caller: Caller): Promise<Free> {
    const { day, subjects, isHome } = caller
    // The agent ID does not count at its own IP address, and each call without one gets a new one.
    const key = `${day} ${isHome ? subjects[0] : subjects.join()}`
    const used = await this.used.get(key, () => freeQuotaUsed(this.store.db, caller))
    return this.free(caller, used)
  }

  /**
   * Takes one call from the quota; returns null if none is left. A call with one run takes it with
   * the start: `quota`.
   */
  async take(caller: Caller): Promise<Free | null> {
    const used = await this.store.write("freeQuota.spend", { ...this.quota(caller), soft: true })
    return used === null ? null : this.free(caller, used)
  }

  /** Returns the quota from which the start of a run takes one call, in the same change. */
  quota(caller: Caller): Quota {
    return { ...caller, limit: this.limit }
  }

  /**
   * Returns one call to the quota if it failed after this many milliseconds. Slow failures are returned
   * only up to a total: they cost the service more than successful calls.
   */
  refund(caller: Caller, heldMs: number): Promise<boolean> {
    const subject = `held:${caller.subjects[0]}`
    const held = { subject, ms: heldMs, maxMs: maxHeldMs }
    return this.store.write("freeQuota.refundFailed", { ...caller, held, soft: true })
  }

  private free({ day }: Caller, count: number): Free {
    const used = Math.min(count, this.limit)
    const resetsAt = dayAfter(day).toISOString()
    return { limit: this.limit, used, remaining: this.limit - used, resetsAt }
  }
}

/** The midnight (UTC) at the end of a day. */
export function dayAfter(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs)
}
