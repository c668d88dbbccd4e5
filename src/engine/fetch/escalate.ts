import { type AttemptMethod, ScrapeError } from "../../catalogue/kit/index.ts"
import { isRefused } from "../net/http/connection-failure.ts"
import { consequenceOf } from "../net/http/consequences.ts"
import { BrokenEncoding } from "../net/http/inflate.ts"
import type { FetchMethodMemory } from "./method-memory.ts"
import { isBrowserConnection, retriesRefusals } from "./methods/choose.ts"

export interface Escalation {
  /** Fetch methods from the cheapest to the most capable, then fallbacks; at least one. */
  methods: readonly AttemptMethod[]
  /** The key under which the memory stores the method that worked. */
  key: string
  memory?: FetchMethodMemory | undefined
  /** The request may have had an effect without a response. It is repeated only after a refusal. */
  isOnce?: boolean
  signal: AbortSignal
  log(message: string): void
}

/**
 * Tries fetch methods in order, from the one that worked last, until one is not blocked. Returns its
 * result. After a challenge, every further method is tried, however one fails. The challenge remains the
 * cause, unless a response is about the thing itself. A plain refusal is retried once, over Chrome's
 * network stack. The operator's keys are tried for everything that anonymous visitors do not get.
 *
 * @throws ScrapeError of the most informative failure
 */
export async function escalate<T>(
  { methods, key, memory, isOnce = false, signal, log }: Escalation,
  attempt: (fetchMethod: AttemptMethod) => Promise<T>,
): Promise<T> {
  const known = methods.length > 1 ? await memory?.recall(key) : undefined
  let cause: ScrapeError | undefined
  let isChallenged = false
  const tried: AttemptMethod[] = []
  for (let at = known ? Math.max(0, methods.indexOf(known)) : 0; ; ) {
    const fetchMethod = methods[at]!
    tried.push(fetchMethod)
    try {
      const attempted = await attempt(fetchMethod)
      learn(memory, key, methods, at)
      return attempted
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ScrapeError)) throw error
      const isForMembers = error.code === "login_required" && methods.indexOf("keys") > at
      if (isResponse(error) && !isForMembers) throw error
      isChallenged ||= consequenceOf(error).escalates
      const continues = isChallenged || (cause === undefined && climbs(methods, at, error, isOnce))
      at =
        continues && !isForMembers
          ? nextMethod(methods, at, error)
          : keyedMethodAfter(methods, at, error)
      const next = methods[at]
      if (cause === undefined || weight(error) > weight(cause)) cause = error
      if (next === undefined) {
        if (methods.length > 1) memory?.forget(key)
        explain(cause, tried)
        throw cause
      }
      log(`${error.message} Retrying with ${spoken[next] ?? next}.`)
    }
  }
}

/** Adds the fetch methods that failed to the error of the last one. */
function explain(cause: ScrapeError, tried: readonly AttemptMethod[]): void {
  const isRefused = ["Blocked", "Forbidden", "EmptyShell"].includes(cause.kind)
  if (isRefused || tried.length > 1) cause.tried = tried.join(", ")
  if (cause.code === "blocked" && tried.includes("unlocker")) {
    cause.nextStep = "Try again later, or ask the operator for another proxy."
  }
  if (cause.code === "app_shell" && tried.includes("browser")) {
    cause.nextStep =
      "Its scripts did not fill it in time. Try again, or call web-scraper with `waitForSelector`."
  }
}

/**
 * Returns whether Chrome's TLS hello and headers may be accepted after those of plain HTTP were
 * refused.
 */
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

/**
 * Returns whether the request was cut, stalled or refused only by a status, as TLS fingerprint
 * filters do.
 */
function isPlainRefusal(scrapeError: ScrapeError): boolean {
  const { kind, code, statusCode, cause } = scrapeError
  if (statusCode === null) {
    // Chrome displays the received part of a truncated body as if it were the page.
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

/**
 * The operator's keys identify another client with its own limits, so they are tried, except after
 * errors that end the run.
 */
function keyedMethodAfter(
  methods: readonly AttemptMethod[],
  at: number,
  error: ScrapeError,
): number {
  const keys = methods.indexOf("keys")
  return keys > at && !consequenceOf(error).stopsRun ? keys : methods.length
}

/**
 * An app shell stays empty over Chrome's network stack, which executes no scripts, so that method
 * is skipped.
 */
function nextMethod(methods: readonly AttemptMethod[], at: number, { kind }: ScrapeError): number {
  const skips = kind === "EmptyShell" && isBrowserConnection(methods[at + 1])
  return skips ? at + 2 : at + 1
}

/** With a single method there is nothing to learn. */
function learn(
  memory: FetchMethodMemory | undefined,
  key: string,
  methods: readonly AttemptMethod[],
  at: number,
) {
  if (methods.length === 1) return
  const known = memory?.known(key)
  if (at > 0) memory?.keep(key, methods[at]!)
  else if (known && methods.includes(known)) memory?.forget(key)
}

/** Rank of an error as an explanation: a challenge explains most, an app shell least. */
const weight = ({ kind }: ScrapeError) => (kind === "Blocked" ? 2 : kind === "EmptyShell" ? 0 : 1)

/** Returns whether the error is about the resource or the input, so that no other method helps. */
function isResponse(scrapeError: ScrapeError): boolean {
  if (scrapeError.kind === "Forbidden")
    return !["forbidden", "browser_unavailable"].includes(scrapeError.code)
  return answers.has(scrapeError.kind)
}

const answers = new Set(["NotFound", "BadInput", "RobotsDisallowed", "EgressDenied"])
