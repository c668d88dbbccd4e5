import { createHmac } from "node:crypto"
import { sameHash, sha256 } from "../../accounts/secrets.ts"
import type { DatasetLinkRow } from "../../store/runs/dataset-links.ts"
import { openDatasetLink } from "../../store/runs/dataset-links.ts"
import { limitCalls } from "../http/access.ts"
import { ApiError, notFound, tooMany } from "../http/errors.ts"
import { RateLimit } from "../http/rate-limit.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts, CoreParts } from "../service-parts.ts"

const unlockedMs = 12 * 3_600_000
const quarterHour = 900
/** Maximum wrong passwords per link in 15 minutes: from one IP address, and from all. */
const guesses = { fromOne: 10, fromAll: 50 }

/** An unlocked link: its secret, an expiry time, and a signature with the password's hash. */
const unlockedForm = /^(\w+)\.(\d{13})\.([0-9a-f]{64})$/

export interface ProvidedLink {
  secret: string
  unlocked?: { until: number; signature: string }
}

export function providedLink(text: string): ProvidedLink {
  const [, secret, until, signature] = unlockedForm.exec(text) ?? []
  return secret
    ? { secret, unlocked: { until: Number(until), signature: signature! } }
    : { secret: text }
}

const signatureOf = (secret: string, until: number, passwordHash: string) =>
  createHmac("sha256", passwordHash).update(`${secret}.${until}`).digest("hex")

/** Refuses a link that needs a password and is not unlocked. @throws ApiError 401 */
export function requireUnlocked(row: DatasetLinkRow, { secret, unlocked }: ProvidedLink): void {
  if (row.password_hash === null) return
  const isOpen =
    unlocked &&
    unlocked.until > Date.now() &&
    sameHash(unlocked.signature, signatureOf(secret, unlocked.until, row.password_hash))
  if (isOpen) return
  throw new ApiError(
    401,
    "This link needs its password. POST the password to the dataset's links/unlock to get an unlocked link.",
  )
}

/** Unlocks links by their passwords, with a limit on wrong passwords per link. */
export class LinkPasswords {
  private readonly byPair = new RateLimit(guesses.fromOne, quarterHour)
  private readonly byLink = new RateLimit(guesses.fromAll, quarterHour)

  constructor(private readonly service: CoreParts & ClientParts & AccessParts) {}

  /** @throws ApiError 401, 404, 429 */
  async unlock(call: Call, datasetId: string, link: string, password: string) {
    const { service } = this
    limitCalls(call, service.limit, service.callerKey(call))
    const { secret } = providedLink(link)
    const now = new Date()
    const wanted = { hash: sha256(secret), datasetId, now: now.toISOString() }
    const row = await openDatasetLink(service.store.db, wanted)
    if (!row) throw notFound("link")
    if (row.password_hash === null) return { link: secret, expiresAt: row.expires_at }
    const pair = `${service.callerKey(call)} ${row.id}`
    for (const [limit, of] of [
      [this.byPair, pair],
      [this.byLink, row.id],
    ] as const) {
      const wait = limit.take(of)?.retryAfter ?? 0
      if (wait > 0) throw tooMany(wait, "Too many wrong passwords for this link.")
    }
    if (!(await service.accounts.passwords.fits(password, row.password_hash))) {
      throw new ApiError(
        401,
        "The password of the link is wrong. Ask the person who shared the link.",
      )
    }
    this.byPair.refund(pair)
    this.byLink.refund(row.id)
    const until = Math.min(now.getTime() + unlockedMs, Date.parse(row.expires_at))
    const signature = signatureOf(secret, until, row.password_hash)
    return { link: `${secret}.${until}.${signature}`, expiresAt: new Date(until).toISOString() }
  }
}
