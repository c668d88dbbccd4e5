import type { Config } from "../config/config.ts"
import { freeQuotaUsed } from "../store/accounts/free-quota.ts"
import { ownSecret } from "../store/settings/secrets.ts"
import type { Store } from "../store/store.ts"
import { dayAfter } from "./free-quota.ts"
import { addressKey } from "./ip-address.ts"

/** Whether an account may be created, and its initial credits. */
export type SignUpDecision =
  | { open: true; credits: number; refund(): Promise<unknown> }
  | { open: false; retryAfterSeconds: number }

/**
 * Limits sign-ups per day and IP address, because unlimited accounts would make the free quota
 * worthless.
 */
export class SignUps {
  private constructor(
    private readonly store: Store,
    private readonly config: Pick<Config, "signupsDaily" | "signupCredits">,
    private readonly salt: string,
  ) {}

  static async open(store: Store, config: Config): Promise<SignUps> {
    return new SignUps(store, config, await ownSecret(store.db, "callers"))
  }

  /**
   * Counts a sign-up. The first account of an IP address in a day gets all credits, further ones a
   * quarter: enough for a colleague to start with, too little to be worth creating many.
   */
  async take(address: string, now: Date): Promise<SignUpDecision> {
    const { signupsDaily: limit, signupCredits } = this.config
    if (limit === 0) return { open: true, credits: signupCredits, refund: async () => {} }
    const day = now.toISOString().slice(0, 10)
    const subjects = [this.subject(day, address)]
    const count = await this.store.write("freeQuota.spend", { subjects, day, limit })
    if (count === null) {
      const left = dayAfter(day).getTime() - now.getTime()
      return { open: false, retryAfterSeconds: Math.ceil(left / 1000) }
    }
    return {
      open: true,
      credits: this.creditsOf(count),
      refund: () => this.store.write("freeQuota.refund", { subjects, day }),
    }
  }

  /** Returns the credits of an account that would be created now from this IP address. */
  async credits(address: string, now: Date): Promise<number> {
    const day = now.toISOString().slice(0, 10)
    const used = await freeQuotaUsed(this.store.db, { subjects: [this.subject(day, address)], day })
    return this.creditsOf(used + 1)
  }

  private creditsOf(count: number): number {
    const { signupsDaily, signupCredits } = this.config
    return signupsDaily === 0 || count === 1 ? signupCredits : Math.floor(signupCredits / 4)
  }

  private subject(day: string, address: string): string {
    const hash = new Bun.CryptoHasher("sha256", this.salt)
    return `signup:${hash.update(`${day} ${addressKey(address)}`).digest("base64url")}`
  }
}
