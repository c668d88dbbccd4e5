/** A response that may be a challenge. */
export interface Suspect {
  url: string
  /** The URL before redirects; equal to `url` if it is unknown. */
  requestedUrl?: string
  status: number
  headers: Headers
  html: string
}

/**
 * Certainty of a sign. `certain`: only a challenge has it. `challenge`: markup of the challenge
 * page, which other pages may quote. `tag`: normal pages behind the bot protection have it, too.
 */
export type Proof = "certain" | "challenge" | "tag"

/** A sign of a vendor's challenges. All of its conditions must be met. */
export interface Sign {
  statuses?: readonly number[]
  header?: readonly [name: string, value: RegExp]
  host?: RegExp
  path?: RegExp
  html?: RegExp | readonly RegExp[]
  /** Signs of other vendors whose pages use the same words. */
  not?: RegExp
}

/** The signs of the challenges of one vendor, or of one site. */
export interface ChallengeRules extends Partial<Record<Proof, readonly Sign[]>> {
  name: string
}
