import { embeddedBody } from "../../../extract/article/index.ts"
import { lineText } from "../../../extract/core/index.ts"
import type { Answer, PageOptions } from "../context.ts"
import { Blocked } from "../outcome.ts"

const shellText = 100

/** Whether readers can read it, so that it is neither a challenge nor a page that a script fills. */
export function isReadable(answer: Answer): boolean {
  if (wallOf(answer)) return false
  return lineText(answer.document.body).length >= (answer.via === "http" ? shellText : 1)
}

/** What is wanted of a page by those that look at what it shows. */
export const readable: Pick<PageOptions, "has" | "what"> = { has: isReadable, what: "any text" }

/** Whether it tells what it is about: shows it, or hands it to its scripts. */
export const isTold = (answer: Answer) => isReadable(answer) || isEmbedded(answer)

/** What is wanted of a page by those that read what it is about. */
export const told: Pick<PageOptions, "has" | "what"> = { has: isTold, what: "any text" }

/** Whether a page that readers cannot read hands its body to its scripts. */
export const isEmbedded = (answer: Answer) =>
  wallOf(answer) === null && embeddedBody(answer.document, answer.url) !== null

/** The bot wall that an answer is; null when it is a page. */
export function wallOf(answer: Answer): Blocked | null {
  const outcome = answer.lacks("the page")
  return outcome instanceof Blocked ? outcome : null
}
