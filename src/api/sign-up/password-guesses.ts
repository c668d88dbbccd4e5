import { normalEmail } from "../../accounts/accounts.ts"
import { BoundedMap } from "../../base/bounded-map.ts"
import { tooMany } from "../http/errors.ts"
import { RateLimit } from "../http/rate-limit.ts"

const quarterHour = 900

/** Maximum wrong passwords in 15 minutes from one IP address for one account. */
const attemptsPerIp = 10

/**
 * Maximum wrong passwords in 15 minutes from all IP addresses that have never signed in to the
 * account.
 */
const fromAnonymousCallers = 20

const rememberedOwners = 10_000

/**
 * Counts wrong passwords by account. An IP address that has signed in to the account before is counted
 * separately, so that guesses from elsewhere do not lock the user out. All other addresses share one
 * count, and wait for minutes at most.
 */
export class PasswordGuesses {
  private readonly byPair = new RateLimit(attemptsPerIp, quarterHour)
  private readonly byAccount = new RateLimit(fromAnonymousCallers, quarterHour)
  private readonly owners = new BoundedMap<string, true>(rememberedOwners)

  /** Runs one attempt, which is not counted if the password was right. @throws ApiError 429 */
  async attempt<T>(email: string, address: string, work: () => Promise<T | undefined>) {
    const account = normalEmail(email)
    const pair = `${address} ${account}`
    const isOwner = this.owners.has(pair)
    this.take(this.byPair, pair)
    if (!isOwner) this.take(this.byAccount, account)
    const done = await work()
    if (done === undefined) return undefined
    this.byPair.refund(pair)
    if (!isOwner) this.byAccount.refund(account)
    this.owners.set(pair, true)
    return done
  }

  private take(limit: RateLimit, of: string): void {
    const wait = limit.take(of)?.retryAfter ?? 0
    if (wait > 0) throw tooMany(wait, "Too many wrong passwords for this account.")
  }
}
