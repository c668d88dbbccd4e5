import { type AttemptMethod, ScrapeError } from "../../catalogue/kit/index.ts"
import { isRefused } from "../net/http/connection-failure.ts"
import { consequenceOf } from "../net/http/consequences.ts"
import { BrokenEncoding } from "../net/http/inflate.ts"
import type { FetchMethodMemory } from "./method-memory.ts"
import { isBrowserConnection, retriesRefusals } from "./methods/choose.ts"

export interface Escalation {
  /** From the cheapest to the strongest, then what is asked beside them; one at least. */
  methods: readonly AttemptMethod[]
  /** The key under which the memory keeps the way. */
  place: string
  memory?: FetchMethodMemory | undefined
  /** What is asked may have taken effect although no answer came: it is repeated only where it was refused. */
  isOnce?: boolean
  signal: AbortSignal
  log(message: string): void
}

/**
 * Tries one way after the other until one is not turned away, from the one that worked last. A
 * challenge leads on from the first; what comes after it may fail in any way (a wall lets Chrome
 * wait, Chrome is gone), and as long as the upstream says nothing of the thing itself, the challenge
 * remains the cause. A refusal that names nobody leads on once, to Chrome's network stack. To the
 * operator's keys leads all that the upstream keeps from strangers.
 */
export async function escalate<T>(
  { methods, place, memory, isOnce = false, signal, log }: Escalation,
  attempt: (fetchMethod: AttemptMethod) => Promise<T>,
): Promise<T> {
  const known = methods.length > 1 ? await memory?.recall(place) : undefined
  let cause: ScrapeError | undefined
  let isChallenged = false
  for (let at = known ? Math.max(0, methods.indexOf(known)) : 0; ; ) {
    const fetchMethod = methods[at]!
    try {
      const found = await attempt(fetchMethod)
      learn(memory, place, methods, at)
      return found
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ScrapeError)) throw error
      const isForMembers = error.code === "login_required" && methods.indexOf("keys") > at
      if (isResponse(error) && !isForMembers) throw error
      isChallenged ||= consequenceOf(error).escalates
      const leadsOn = isChallenged || (cause === undefined && climbs(methods, at, error, isOnce))
      at =
        leadsOn && !isForMembers ? nextMethod(methods, at, error) : keysBehind(methods, at, error)
      const next = methods[at]
      if (cause === undefined || weight(error) > weight(cause)) cause = error
      if (next === undefined) {
        if (methods.length > 1) memory?.forget(place)
        throw cause
      }
      log(`${error.message} Trying again by ${spoken[next] ?? next}.`)
    }
  }
}

/** Whether Chrome's hello and headers may be let in where those of plain HTTP are not. */
function climbs(
  methods: readonly AttemptMethod[],
  at: number,
  scrapeError: ScrapeError,
  isOnce: boolean,
): boolean {
  const isAnswered = scrapeError.statusCode !== null
  const isNext = retriesRefusals(methods[at], methods[at + 1])
  return isNext && (isAnswered || !isOnce) && isPlainRefusal(scrapeError)
}

/** Cut, stalled, or refused by a status alone, as walls do with hellos that are no browser's. */
function isPlainRefusal(scrapeError: ScrapeError): boolean {
  const { kind, code, statusCode, cause } = scrapeError
  if (statusCode === null) {
    // Chrome shows what there is of a body that is cut off, as if it were the page.
    const isCut = code === "connection" && !isRefused(cause) && !(cause instanceof BrokenEncoding)
    return kind === "Timeout" || isCut
  }
  const { retryAfter = null } = scrapeError as { retryAfter?: number | null }
  return plainRefusals.has(statusCode) && code !== "login_required" && retryAfter === null
}

const plainRefusals: ReadonlySet<number> = new Set([401, 403, 405, 406, 418, 429, 503])

const spoken: { [method in AttemptMethod]?: string } = {
  feed: "its feed",
  keys: "the operator's keys",
}

/** Another client may be let in where this one is not; what ends the run ends it. */
function keysBehind(methods: readonly AttemptMethod[], at: number, error: ScrapeError): number {
  const keys = methods.indexOf("keys")
  return keys > at && !consequenceOf(error).stopsRun ? keys : methods.length
}

/** A shell that only scripts fill stays empty over Chrome's network stack alone. */
function nextMethod(methods: readonly AttemptMethod[], at: number, { kind }: ScrapeError): number {
  const skips = kind === "EmptyShell" && isBrowserConnection(methods[at + 1])
  return skips ? at + 2 : at + 1
}

/** With a single way there is nothing to learn. */
function learn(
  memory: FetchMethodMemory | undefined,
  place: string,
  methods: readonly AttemptMethod[],
  at: number,
) {
  if (methods.length === 1) return
  const known = memory?.known(place)
  if (at > 0) memory?.keep(place, methods[at]!)
  else if (known && methods.includes(known)) memory?.forget(place)
}

/** A wall tells most; that a page is empty without its scripts tells less than how these failed. */
const weight = ({ kind }: ScrapeError) => (kind === "Blocked" ? 2 : kind === "EmptyShell" ? 0 : 1)

/** What the upstream says of the thing itself, or the caller's own fault: no way leads past it. */
function isResponse(scrapeError: ScrapeError): boolean {
  if (scrapeError.kind === "Forbidden")
    return !["forbidden", "browser_unavailable"].includes(scrapeError.code)
  return answers.has(scrapeError.kind)
}

const answers = new Set(["NotFound", "BadInput", "RobotsDisallowed", "EgressDenied"])
