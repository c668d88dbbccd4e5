import { allowanceUsed, type Caller } from "../store/allowance.ts"
import { ownSecret } from "../store/secrets.ts"
import type { Store } from "../store/store.ts"
import { addressKey } from "./address.ts"

/** What is left of a caller's day. */
export interface Free {
  limit: number
  used: number
  remaining: number
  /** The next midnight, UTC. */
  resetsAt: string
}

/** The keyless calls of a day, counted by address and by agent id; the larger use counts. */
export class Allowance {
  private constructor(
    private readonly store: Store,
    private readonly limit: number,
    private readonly salt: string,
  ) {}

  static async open(store: Store, limit: number): Promise<Allowance> {
    return new Allowance(store, limit, await ownSecret(store.db, "callers"))
  }

  caller(address: string, agentId: string, now: Date): Caller {
    const day = now.toISOString().slice(0, 10)
    const subjects = [
      `ip:${this.hash(day, addressKey(address))}`,
      `agent:${this.hash(day, agentId)}`,
    ]
    return { subjects, day }
  }

  /** Nobody can tell an address from it, nor find it again on another day. */
  private hash(day: string, value: string): string {
    return new Bun.CryptoHasher("sha256", this.salt).update(`${day} ${value}`).digest("base64url")
  }

  async standing(caller: Caller): Promise<Free> {
    return this.free(caller, await allowanceUsed(this.store.db, caller))
  }

  /** Takes one call; null when none is left. */
  async take(caller: Caller): Promise<Free | null> {
    const used = await this.store.write("allowance.take", { ...caller, limit: this.limit })
    return used === null ? null : this.free(caller, used)
  }

  private free({ day }: Caller, count: number): Free {
    const used = Math.min(count, this.limit)
    const resetsAt = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString()
    return { limit: this.limit, used, remaining: this.limit - used, resetsAt }
  }
}
