import { lineText } from "../../../extract/core/index.ts"
import type { Answer, PageOptions } from "../context.ts"
import { Blocked } from "../outcome.ts"

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
