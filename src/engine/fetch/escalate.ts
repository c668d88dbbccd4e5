import { Outcome, type Rung } from "../../catalogue/kit/index.ts"
import { consequenceOf } from "../run/policy.ts"
import type { WayMemory } from "./way-memory.ts"

export interface Escalation {
  /** From the cheapest to the strongest, then what is asked beside them; one at least. */
  ways: readonly Rung[]
  /** The key under which the memory keeps the way. */
  place: string
  memory?: WayMemory | undefined
  signal: AbortSignal
  log(message: string): void
}

/**
 * Tries one way after the other until one is not turned away, from the one that worked last. Only a
 * challenge leads on from the first; what comes after it may fail in any way (a wall lets Chrome
 * wait, Chrome is gone), and as long as the upstream says nothing of the thing itself, the challenge
 * remains the cause. To the operator's keys leads all that the upstream keeps from strangers.
 */
export async function escalate<T>(
  { ways, place, memory, signal, log }: Escalation,
  attempt: (way: Rung) => Promise<T>,
): Promise<T> {
  const known = ways.length > 1 ? await memory?.recall(place) : undefined
  let cause: Outcome | undefined
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
      const leadsOn = cause !== undefined || consequenceOf(error).escalates
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
  if (outcome.kind === "Forbidden") return !["forbidden", "no_browser"].includes(outcome.code)
  return answers.has(outcome.kind)
}

const answers = new Set(["NotFound", "BadInput", "RobotsDisallowed", "EgressDenied"])
