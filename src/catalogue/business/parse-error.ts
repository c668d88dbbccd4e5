import type { Answer } from "../context.ts"
import { Blocked, Changed, EmptyShell, type Outcome } from "../outcome.ts"
import { lacking, type Wall } from "../walls.ts"

/** What a directory's page without its data is: a wall, a shell that Chrome may fill, or changed. */
export function unreadable(answer: Answer, what: string, wall: Wall): Outcome {
  const outcome = lacking(answer, what, wall)
  const mayClimb = outcome instanceof EmptyShell && answer.via === "http"
  if (outcome instanceof Blocked || mayClimb) return outcome
  return parseError(outcome.message, answer)
}

export const parseError = (message: string, { url, status }: Answer): Changed =>
  new Changed(message, { code: "parse_error", url, statusCode: status })
