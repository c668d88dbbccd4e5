import {
  type Answer,
  Blocked,
  Forbidden,
  HttpError,
  isErrorPage,
  type Outcome,
  type PageOptions,
  type RenderedAnswer,
  refusedPage,
  type Suspect,
  UnsupportedContent,
  type Wanted,
} from "../../catalogue/kit/index.ts"
import { blocked, blockVendor, challenge, emptiness } from "../http/challenge/detect.ts"
import { signInInstead } from "../http/challenge/refusals.ts"

const htmlTypes = new Set(["text/html", "application/xhtml+xml"])

/** Larger bodies of other types are data, and not looked at. */
const largestWallBytes = 64_000

/**
 * Lets an answer pass that has what was wanted, or that is no challenge: what it then lacks, its
 * scraper says best. @throws Blocked | EmptyShell | UnsupportedContent
 */
export function requirePage(answer: RenderedAnswer, options: PageOptions): void {
  if (options.errorPages && isErrorPage(answer)) {
    const { has: _, ...wanted } = options
    const failure = challengeOf(answer, wanted)
    if (failure) throw failure
    return
  }
  requireType(answer, options)
  const failure = challengeOf(answer, options)
  if (failure) throw failure
}

/** A challenge may be of any type, or of none, and is named first. @throws Blocked | UnsupportedContent */
function requireType(
  answer: Answer,
  { types, refusal }: Pick<PageOptions, "types" | "refusal">,
): void {
  // What has not changed is not sent again.
  if (isPage(answer, types) || answer.status === 304) return
  const failure = answer.bytes.length <= largestWallBytes ? challengeOf(answer, { refusal }) : null
  if (failure) throw failure
  const { url, status, contentType } = answer
  const empty = answer.bytes.length === 0 ? emptiness({ url, status, html: "" }) : null
  if (empty) throw new HttpError(empty, { url, statusCode: status })
  throw new UnsupportedContent(
    `The answer is ${contentType || "of no stated type"}, not an HTML page.`,
    { url, statusCode: status },
  )
}

/** The same for JSON: an answer that is none has nothing, and no script would fill it. @throws Blocked */
export function requireData(answer: Answer, wanted: Wanted): void {
  const failure = challengeOf(answer, { has: isJson, ...wanted })
  if (failure instanceof Blocked || failure instanceof Forbidden) throw failure
}

const isJson = (answer: Answer) => !/^\s*(?:<|$)/.test(answer.text().slice(0, 1000))

function challengeOf<A extends Answer>(
  answer: A,
  { has, refusal, what = "the page" }: Wanted<A>,
): Outcome | null {
  const { url, requestedUrl, status, headers } = answer
  const page = {
    ...{ url, requestedUrl, status, headers },
    // Documents and data are not decoded to be judged.
    get html() {
      return answer.text()
    },
  }
  if (has !== undefined && isThere(answer, has)) {
    return (status < 400 ? null : challengeOfVendor(page)) ?? signInInstead(page)
  }
  const outcome = challenge(page, what)
  if (outcome instanceof Blocked) return outcome
  const isKnown = refusal?.address?.test(url) === true
  if (outcome instanceof Forbidden && has !== undefined && !isKnown) return outcome
  const refused = refusal ? refusedPage(answer, refusal) : null
  if (refused) return refused
  if (has !== undefined) return outcome
  // Any page will do, but neither a sign-in page instead of it nor a notice to other countries.
  const isNotice = outcome?.code === "geo_blocked" && status < 400
  return isNotice ? outcome : signInInstead(page)
}

/** A scraper that accepts a status reads what its site says; a vendor's challenge comes before the site. */
export function challengeOfVendor(page: Suspect): Blocked | null {
  const { url, status: statusCode } = page
  const vendor = blockVendor(page)
  const isOwn = vendor && new URL(url).hostname.includes(vendor.toLowerCase())
  return vendor && !isOwn ? blocked(vendor, { url, statusCode }) : null
}

export const isThere = <A extends Answer>(answer: A, has: NonNullable<Wanted<A>["has"]>) =>
  typeof has === "string" ? answer.document.querySelector(has) !== null : has(answer)

/** A page that names no type is known by how it begins. */
function isPage(answer: Answer, types: readonly string[] = []): boolean {
  const { contentType } = answer
  if (types.includes("*") || types.includes(contentType) || htmlTypes.has(contentType)) return true
  if (contentType !== "") return false
  return /^\s*(?:<!--|<!doctype html|<html|<head|<body)/i.test(answer.text().slice(0, 1024))
}
