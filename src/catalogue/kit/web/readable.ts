import { lineText } from "../../../extract/core/index.ts"
import type { Answer, PageOptions } from "../context.ts"
import { Blocked, EmptyShell } from "../outcome.ts"

const shellText = 100

/** Whether readers can read it, so that it is neither a challenge nor a page that a script fills. */
export function isReadable(answer: Answer): boolean {
  if (wallOf(answer)) return false
  return lineText(answer.document.body).length >= (answer.via === "http" ? shellText : 1)
}

/** What readers of pages want of one. */
export const readable: Pick<PageOptions, "has" | "what"> = { has: isReadable, what: "any text" }

/** The bot wall that an answer is; null when it is a page. */
export function wallOf(answer: Answer): Blocked | null {
  const outcome = answer.lacks("the page")
  return outcome instanceof Blocked ? outcome : null
}

/**
 * Lets a page pass that readers can read, as short as it may be.
 * @throws Blocked | EmptyShell when the answer is a bot wall, or a page that only a script fills.
 */
export function requireReadable(answer: Answer): void {
  const wall = wallOf(answer)
  if (wall) throw wall
  if (isReadable(answer)) return
  const outcome = answer.lacks("any text")
  if (outcome instanceof EmptyShell) throw outcome
}
