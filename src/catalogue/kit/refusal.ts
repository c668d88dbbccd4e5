import type { Answer, Refusal } from "./context.ts"
import { Blocked, Outcome, Timeout } from "./outcome.ts"

/** What a failed request is where the site is known to refuse in this way; null when it is not that. */
export function refusedRequest(error: unknown, url: string, refusal: Refusal): Blocked | null {
  if (!(error instanceof Outcome) || error instanceof Blocked) return null
  const refused =
    (error instanceof Timeout && refusal.stalls) ||
    (error.statusCode !== null && refusal.statuses?.includes(error.statusCode))
  return refused ? turnedAway(error.url ?? url, error.statusCode, refusal) : null
}

/** What an answer without its data is by the site's own signs; null when it shows none. */
export function refusedPage(answer: Answer, refusal: Refusal): Blocked | null {
  const { sign } = refusal
  const refused = typeof sign === "function" ? sign(answer) : sign?.test(answer.text())
  return refused ? turnedAway(answer.url, answer.status, refusal) : null
}

function turnedAway(url: string, statusCode: number | null, { vendor }: Refusal): Blocked {
  const how = statusCode === null ? "it does not answer" : `status ${statusCode}`
  const message = `${new URL(url).host} turns robots away (${how}).`
  return new Blocked(message, vendor ?? null, { url, statusCode })
}

/** What is read of an answer both to see whether it has the data and to use it: worked out once. */
export function readOnce<T>(read: (answer: Answer) => T): (answer: Answer) => T {
  const known = new WeakMap<Answer, { value: T }>()
  return (answer) => {
    let found = known.get(answer)
    if (!found) {
      found = { value: read(answer) }
      known.set(answer, found)
    }
    return found.value
  }
}
