import { lineText } from "../../extract/page-text.ts"
import type { Answer } from "../context.ts"
import { Blocked, EmptyShell } from "../outcome.ts"

/** Normal pages carry the signs of bot walls too; with this much text it is a page (C2). */
const wallText = 1_500
const shellText = 100

/**
 * Lets a page pass that readers can read, as short as it may be.
 * @throws Blocked | EmptyShell when the answer is a bot wall, or a page that only a script fills.
 */
export function requireReadable(answer: Answer): void {
  const length = refuseWall(answer)
  if (length >= (answer.via === "http" ? shellText : 1)) return
  const outcome = answer.lacks("any text")
  if (outcome instanceof EmptyShell) throw outcome
}

/**
 * For what is read from a page's head, which an empty shell has as well. Gives the length of the
 * text that readers see. @throws Blocked
 */
export function refuseWall(answer: Answer): number {
  const { length } = lineText(answer.document.body)
  if (length >= wallText) return length
  const outcome = answer.lacks("the page")
  if (outcome instanceof Blocked) throw outcome
  return length
}
