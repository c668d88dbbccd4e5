import { Outcome, type Rung } from "../../catalogue/kit/index.ts"
import { isRefused } from "../http/connection-failure.ts"
import { BrokenEncoding } from "../http/inflate.ts"
import { consequenceOf } from "../run/policy.ts"
import type { WayMemory } from "./way-memory.ts"

export interface Escalation {
  /** From the cheapest to the strongest, then what is asked beside them; one at least. */
  ways: readonly Rung[]
  /** The key under which the memory keeps the way. */
  place: string
  memory?: WayMemory | undefined
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
  { ways, place, memory, isOnce = false, signal, log }: Escalation,
  attempt: (way: Rung) => Promise<T>,
): Promise<T> {
  const known = ways.length > 1 ? await memory?.recall(place) : undefined
  let cause: Outcome | undefined
  let isChallenged = false
  for (let at = known ? Math.max(0, ways.indexOf(known)) : 0; ; ) {
    const way = ways[at]!
    try {
      const found = await attempt(way)
      learn(memory, place, ways, at)
      return found
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Outcome)) throw error
      const isForMembers = error.code === "login_required" && ways.indexOf("keys") > at
      if (isAnswer(error) && !isForMembers) throw error
      isChallenged ||= consequenceOf(error).escalates
      const leadsOn = isChallenged || (cause === undefined && climbs(ways, at, error, isOnce))
      at = leadsOn && !isForMembers ? nextWay(ways, at, error) : keysBehind(ways, at, error)
      const next = ways[at]
      if (cause === undefined || weight(error) > weight(cause)) cause = error
      if (next === undefined) {
        if (ways.length > 1) memory?.forget(place)
        throw cause
      }
      log(`${error.message} Trying again by ${spoken[next] ?? next}.`)
    }
  }
}

/** Whether Chrome's hello and headers may be let in where those of plain HTTP are not. */
function climbs(ways: readonly Rung[], at: number, outcome: Outcome, isOnce: boolean): boolean {
  const isAnswered = outcome.statusCode !== null
  const isNext = ways[at] === "http" && ways[at + 1] === "chrome-net"
  return isNext && (isAnswered || !isOnce) && isBareRefusal(outcome)
}

/** Cut, stalled, or refused by a status alone, as walls do with hellos that are no browser's. */
function isBareRefusal(outcome: Outcome): boolean {
  const { kind, code, statusCode, cause } = outcome
  if (statusCode === null) {
    // Chrome shows what there is of a body that is cut off, as if it were the page.
    const isCut = code === "connection" && !isRefused(cause) && !(cause instanceof BrokenEncoding)
    return kind === "Timeout" || isCut
  }
  const { retryAfter = null } = outcome as { retryAfter?: number | null }
  return bareRefusals.has(statusCode) && code !== "login_required" && retryAfter === null
}

const bareRefusals: ReadonlySet<number> = new Set([401, 403, 405, 406, 418, 429, 503])

const spoken: { [rung in Rung]?: string } = { feed: "its feed", keys: "the operator's keys" }

/** Another client may be let in where this one is not; what ends the run ends it. */
function keysBehind(ways: readonly Rung[], at: number, error: Outcome): number {
  const keys = ways.indexOf("keys")
  return keys > at && !consequenceOf(error).stopsRun ? keys : ways.length
}

/** A shell that only scripts fill stays empty over Chrome's network stack alone. */
function nextWay(ways: readonly Rung[], at: number, { kind }: Outcome): number {
  const skips = kind === "EmptyShell" && ways[at + 1] === "chrome-net"
  return skips ? at + 2 : at + 1
}

/** With a single way there is nothing to learn. */
function learn(memory: WayMemory | undefined, place: string, ways: readonly Rung[], at: number) {
  if (ways.length === 1) return
  const known = memory?.known(place)
  if (at > 0) memory?.keep(place, ways[at]!)
  else if (known && ways.includes(known)) memory?.forget(place)
}

/** A wall tells most; that a page is empty without its scripts tells less than how these failed. */
const weight = ({ kind }: Outcome) => (kind === "Blocked" ? 2 : kind === "EmptyShell" ? 0 : 1)

/** What the upstream says of the thing itself, or the caller's own fault: no way leads past it. */
function isAnswer(outcome: Outcome): boolean {
  if (outcome.kind === "Forbidden")
    return !["forbidden", "browser_unavailable"].includes(outcome.code)
  return answers.has(outcome.kind)
}

const answers = new Set(["NotFound", "BadInput", "RobotsDisallowed", "EgressDenied"])
