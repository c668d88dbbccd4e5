/** An answer that may be a wall. */
export interface Suspect {
  url: string
  /** Before redirects; the same where that is not known. */
  requestedUrl?: string
  status: number
  headers: Headers
  html: string
}

/**
 * How much a sign proves. `certain`: only a wall says this. `wall`: markup of the wall's own page,
 * which others may quote. `tag`: normal pages behind the wall carry it too.
 */
export type Proof = "certain" | "challenge" | "tag"

/** A mark of a vendor's walls. Whatever is given here must be there. */
export interface Sign {
  statuses?: readonly number[]
  header?: readonly [name: string, value: RegExp]
  host?: RegExp
  path?: RegExp
  html?: RegExp | readonly RegExp[]
  /** Marks of other vendors, whose pages borrow this one's words. */
  not?: RegExp
}

/** The signs by which the walls of one vendor, or of one site, are known. */
export interface ChallengeRules extends Partial<Record<Proof, readonly Sign[]>> {
  name: string
}
